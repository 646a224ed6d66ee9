"""Tables of the room: wishes and how they are said, kinds and how they are known, and which skill is for both."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from metier.compiled import compile_constant
from metier.language import Language

LOOKUP: Final = "lookup"
_PART: Final = re.compile(r"<(\w+)>")


@cache
def load_tables() -> Mapping[str, Any]:
    """The tables of `wishes.toml`."""
    return tomllib.loads(files(__package__).joinpath("wishes.toml").read_text("utf-8"))


@cache
def compile_wish(wish: str, language: Language) -> re.Pattern[str] | None:
    """Pattern of the whole messages that say a wish, after the words that say nothing were left out."""
    said = load_tables()["wishes"][wish].get(language, ())
    return compile_constant("|".join(f"(?:{fill_parts(one)})" for one in said), re.IGNORECASE) if said else None


def fill_parts(pattern: str) -> str:
    """A pattern with its named parts in place: `<figures>` is any of the words for figures."""
    parts: Mapping[str, str] = load_tables()["parts"]
    return _PART.sub(lambda found: f"(?:{parts[found[1]]})", pattern)


def list_wishes() -> tuple[str, ...]:
    """All wishes, in the order in which they are tried."""
    return tuple(load_tables()["wishes"])


def find_key_wish(said: str, language: Language) -> tuple[str, ...]:
    """The one wish whose key word a message has; none where it orders a change, or has those of several."""
    tables = load_tables()
    if compile_constant(tables["loosely"][f"not_{language}"], re.IGNORECASE).search(said):
        return ()
    keys = {wish: one["keys"][language] for wish, one in tables["wishes"].items() if "keys" in one}
    found = tuple(wish for wish, key in keys.items() if compile_constant(key, re.IGNORECASE).search(said))
    return found if len(found) == 1 else ()


def find_skill(wish: str, kind: str) -> str:
    """The skill for a wish about a document of this kind; empty if none is."""
    skills: Mapping[str, str] = load_tables()["wishes"][wish]["skills"]
    return skills.get(kind, "")
