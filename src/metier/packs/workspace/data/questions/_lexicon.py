"""Words of questions about a table of data, and roles that columns play by many names: `words.toml`."""

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from metier.compiled import compile_constant

_DATA: Final[Mapping[str, Any]] = MappingProxyType(
    tomllib.loads((resources.files(__package__ or "") / "words.toml").read_text("utf-8"))
)


def _compile(pattern: str) -> re.Pattern[str]:
    return compile_constant(pattern, re.IGNORECASE)


# Names of columns by the role that they play; a question names the role in everyday words.
ROLES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {role: _compile(pattern) for role, pattern in _DATA["roles"].items()}
)
ROLE_WORDS: Final = tuple((role, _compile(pattern)) for role, pattern in _DATA["role_words"].items())
WORDS: Final = tuple((str(one["kind"]), str(one.get("value", "")), _compile(one["pattern"])) for one in _DATA["words"])
FILL: Final = _compile(_DATA["patterns"]["fill"])
ASKS: Final = _compile(_DATA["patterns"]["asks"])
ORDERS: Final = _compile(_DATA["patterns"]["orders"])
SAYS_DATA: Final = _compile(_DATA["patterns"]["says_data"])
LOOKS_AT_DATA: Final = _compile(_DATA["patterns"]["looks_at_data"])
