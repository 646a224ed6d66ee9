"""Words of questions about tables, in both languages: quantities, comparisons, orders, figures, and filler.

They stand in `words.toml`. What none of its lists has, and no heading or cell of a table, is a word that the reader
does not know: then the question is not answered.
"""

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from metier.patterns import compile_later

_FLAGS: Final = re.IGNORECASE | re.ASCII
_DATA: Final[Mapping[str, Any]] = MappingProxyType(
    tomllib.loads((resources.files(__package__ or "") / "words.toml").read_text("utf-8"))
)
CONCEPTS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {name: compile_later(pattern, _FLAGS) for name, pattern in _DATA["concepts"].items()}
)
# Names of the rows or of the table; they need no column of their own.
NOUNS: Final = frozenset({"cell", "grid", "parameter", "indicator", "cause", "symptom", "site"})
WORDS: Final = tuple(
    (str(one["kind"]), str(one.get("value", "")), compile_later(one["pattern"], _FLAGS)) for one in _DATA["words"]
)
FILL: Final = compile_later(_DATA["fill"]["pattern"], _FLAGS)
FILL_WORD: Final = compile_later(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
FILL_WORDS: Final = frozenset(_DATA["fill"]["words"].split())
# Kinds of words that make a sentence a question.
ASKING: Final = frozenset(
    {
        *("which", "any", "figure", "most", "gap", "versus", "compare", "after", "between", "delta", "sort", "order"),
        *("row", "chart", "match", "better", "worse", "both", "old", "new", "only", "side", "size", "first"),
    }
)
_ASKS: Final = compile_later(
    r"[？?]|[吗呢]|什么|啥|多少|[了过](?:$|[，,。?？])"
    r"|^(?:did|do|does|is|are|was|were|has|have|had|what|whats|how|show|list|give|tell|everything|anything)\b",
    re.IGNORECASE,
)


def looks_like_query(text: str) -> bool:
    """Whether a message has words that ask something of a table; a sentence without them orders or tells."""
    return _ASKS.search(text.strip()) is not None or any(
        kind in ASKING and pattern.search(text) for kind, _, pattern in WORDS
    )


def find_concepts(text: str) -> tuple[str, ...]:
    """What a text is about, in the order in which it says so."""
    found = [(one.start(), name) for name, pattern in CONCEPTS.items() if (one := pattern.search(text))]
    return tuple(name for _, name in sorted(found))
