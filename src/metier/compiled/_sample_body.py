"""The sample itself: run twice at a start, once with the compilers of Python and once with code that is kept."""

import re
from dataclasses import dataclass, field
from typing import Any, cast

_compiler = cast("Any", vars(re)["_compiler"])  # not by `re.compile`, which remembers what it has compiled


@dataclass(frozen=True, order=True)
class SampleNote:
    """A class with most of the methods that `dataclass` writes."""

    text: str
    marks: tuple[str, ...] = ()
    seen: int = field(default=0, compare=False)


def describe() -> tuple[object, ...]:
    """All that must be equal in both."""
    note = SampleNote("a", ("b",))
    codes = {name: getattr(value, "__code__", None) for name, value in vars(SampleNote).items()}
    years = (YEAR, YEAR.groups, dict(YEAR.groupindex), YEAR.findall("Year 2026, straße 1999"))
    return codes, repr(note), hash(note) == hash(SampleNote("a", ("b",), 1)), note == SampleNote("a", ("b",), 1), years


YEAR = _compiler.compile(r"(?P<year>\d{4})(?:年|\b)(?![小邻])|([^\W_]ß)+?", re.IGNORECASE)
