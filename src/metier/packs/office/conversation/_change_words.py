"""Whether a message speaks of changing a document that lies in the conversation, understood or not."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.compiled import compile_constant
from metier.errors import MetierError
from metier.packs.office.conversation._documents import ConversationDocument, list_documents, remove_mentions
from metier.packs.office.conversation._reading import read_head
from metier.textsearch import to_simplified

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

__all__ = ["speaks_of_document"]

_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000
_MIN_NAME: Final = 2


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    """Patterns of the kinds of words; English ones stand as whole words."""
    given = tomllib.loads(files(__package__).joinpath("change_words.toml").read_text("utf-8"))
    return {
        name: compile_constant(
            "|".join(rf"\b(?:{one})\b" if one[0].isascii() and one[0].isalpha() else one for one in words), re.I
        )
        for name, words in given.items()
    }


def speaks_of_document(message: str, workspace: Path) -> bool:
    """Whether a message has a verb of changing and names a thing of a document, or gives a value for what stands there.

    Plain talk has neither, and no document is read for it.
    """
    words, forms = to_simplified(remove_mentions(message, workspace)).strip(), _forms()
    known = list_documents(workspace)[:_MAX_DOCUMENTS]
    if not known or forms["other_work"].search(words) or forms["questions"].search(words):
        return False
    is_change = forms["verbs"].search(words) is not None
    has_verb = is_change or forms["light_verbs"].search(words) is not None
    if has_verb and (forms["things"].search(words) or re.search(r"\b[A-Z]{1,2}[1-9]\d{0,4}\b", words)):
        return True
    if is_change and forms["pronouns"].search(words):
        return True
    has_value = re.search(r"\d", words) is not None
    if not has_verb and not has_value:
        return False
    return any(_speaks_of(words, one, has_verb, has_value) for one in _read_all(workspace, known))


def _read_all(workspace: Path, known: Sequence[ConversationDocument]) -> "Iterator[Reading]":
    """The documents that can be read at once."""
    for document in known:
        try:
            if (workspace / document.current).stat().st_size > _MAX_BYTES:
                continue
            if (head := read_head(workspace, document)) is not None:
                yield head
        except (MetierError, OSError):
            continue  # the skill that opens it says what is wrong


def _speaks_of(words: str, reading: "Reading", has_verb: bool, has_value: bool) -> bool:
    """Whether words name a heading, a slide or a cell beside a verb, or a value and several words of one place."""
    from metier.packs.office.orders import names_contents

    heads = [one.line for one in reading.pieces if one.level] + [one.title for one in reading.slides]
    cells = [str(one.value) for sheet in reading.sheets for one in sheet.cells[:200] if isinstance(one.value, str)]
    names = [one.strip().lower() for one in (*heads, *cells) if len(one.strip()) >= _MIN_NAME]
    return (has_verb and any(one in words.lower() for one in names)) or (has_value and names_contents(words, reading))
