"""Places of a document that a question names by their number: slide 2, clause 3, 第二条."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from metier.patterns import compile_later, read_chinese_integer

if TYPE_CHECKING:
    from metier.packs.office._pieces import TextPiece

_SLIDE: Final = compile_later(
    r"\b(?:slide|page)\s+(\d{1,3})\b|第\s*([\d一二三四五六七八九十]{1,4})\s*[页张]", re.IGNORECASE
)
_PART: Final = compile_later(
    r"\b(?:clause|section|article|paragraph|chapter|item|point)\s+(\d{1,3})\b"
    r"|第\s*([\d一二三四五六七八九十百]{1,5})\s*[条章节款点]",
    re.IGNORECASE,
)
_NUMBERED: Final = compile_later(
    r"\s*[★☆]?\s*(?:第\s*([\d一二三四五六七八九十百]{1,5})\s*[条章节款]|(\d{1,3})(?=[.．、)）\s])(?![.．]\d)|([一二三四五六七八九十]{1,3})、"
    r"|(?:clause|section|article|chapter)\s+(\d{1,3}))",
    re.IGNORECASE,
)
_MAX_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class NumberedPlace:
    """A slide or a numbered part."""

    sort: Literal["slide", "part"]
    number: int


def read_place(question: str) -> NumberedPlace | None:
    """The place that a question names; None if it names none."""
    if found := _SLIDE.search(question):
        return _make("slide", found)
    return _make("part", found) if (found := _PART.search(question)) else None


def list_place(pieces: Sequence["TextPiece"], place: NumberedPlace) -> list["TextPiece"]:
    """The lines of a place, in reading order; none if it is not there."""
    if place.sort == "slide":
        return [one for one in pieces if one.address == f"s{place.number}"]
    numbers = [_read_number(one.line) for one in pieces]
    if place.number not in numbers:
        return []
    start = numbers.index(place.number)
    end = next((at for at in range(start + 1, len(pieces)) if numbers[at] is not None), len(pieces))
    return list(pieces[start : min(end, start + _MAX_LINES)])


def _make(sort: Literal["slide", "part"], found: re.Match[str]) -> NumberedPlace | None:
    number = _to_number(next(one for one in found.groups() if one))
    return NumberedPlace(sort, number) if number is not None else None


def _read_number(line: str) -> int | None:
    found = _NUMBERED.match(line)
    return _to_number(next(one for one in found.groups() if one)) if found else None


def _to_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else read_chinese_integer(text)
