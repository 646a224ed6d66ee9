"""Number formats that show dates, times and spans of time."""

import math
import re
from dataclasses import dataclass
from typing import Final

from metier.packs.office.sheets.formulas._dates import MAX_SERIAL, day_parts, shift_1904
from metier.packs.office.sheets.formulas._format_problem import UnknownFormat

__all__ = ["format_date"]

_PART: Final = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[(?P<span>h+|m+|s+)\]|\[\$(?P<sign>[^\]-]*)[^\]]*\]|\[[^\]]*\]|_(?P<gap>.)|\*.'
    r"|(?P<noon>AM/PM|A/P|上午/下午)|(?P<mark>y+|m+|d+|h+|s+|a{3,4})|(?P<fraction>\.0+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_WEEKDAYS: Final = "日一二三四五六"
_DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SECONDS_A_DAY: Final = 86_400


@dataclass(frozen=True, slots=True)
class _Piece:
    """One part of a format: `kind` is the letter of what it shows, or `text`, `noon`, `fraction`, `span`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Moment:
    serial: int
    seconds: float

    @property
    def hour(self) -> int:
        return int(self.seconds // 3600)

    @property
    def total_seconds(self) -> float:
        return self.serial * _SECONDS_A_DAY + self.seconds


def format_date(serial: float, code: str, *, is_1904: bool = False) -> str:
    """Serial number as a cell with this format shows it; `########` if it is no date."""
    pieces = _read_pieces(code)
    moment = _round_moment(shift_1904(serial) if is_1904 else serial, pieces)
    if not 0 <= moment.serial <= MAX_SERIAL:
        return "#" * 8
    has_noon = any(one.kind == "noon" for one in pieces)
    return "".join(_show(one, moment, has_noon) for one in pieces)


def _read_pieces(code: str) -> list[_Piece]:
    pieces = [_read_piece(found) for found in _PART.finditer(code)]
    marks = [at for at, one in enumerate(pieces) if one.kind not in ("text", "noon", "fraction")]
    for place, at in enumerate(marks):
        if pieces[at].kind != "m" or len(pieces[at].text) > 2:
            continue
        before = pieces[marks[place - 1]] if place else None
        after = pieces[marks[place + 1]] if place + 1 < len(marks) else None
        follows_hours = before is not None and (before.kind == "h" or before.text[0] == "h")
        if follows_hours or (after is not None and (after.kind == "s" or after.text[0] == "s")):
            pieces[at] = _Piece("minute", pieces[at].text)
    return pieces


def _read_piece(found: re.Match[str]) -> _Piece:
    if found["span"]:
        return _Piece("span", found["span"].lower())
    if found["noon"]:
        return _Piece("noon", found["noon"])
    if found["mark"]:
        return _Piece(found["mark"][0].lower(), found["mark"].lower())
    if found["fraction"]:
        return _Piece("fraction", found["fraction"])
    other = found["other"] or ""
    if other.isascii() and other.isalpha():
        raise UnknownFormat(other)
    return _Piece("text", found["quoted"] or found["escaped"] or found["sign"] or (found["gap"] and " ") or other)


def _round_moment(serial: float, pieces: list[_Piece]) -> _Moment:
    """Day and seconds, rounded to what is shown; a format without a time shows the day that has begun."""
    if not any(one.kind in ("h", "minute", "s", "span", "noon", "fraction") for one in pieces):
        return _Moment(math.floor(serial), 0.0)
    digits = max((len(one.text) - 1 for one in pieces if one.kind == "fraction"), default=0)
    total = round(serial * _SECONDS_A_DAY, digits)
    return _Moment(int(total // _SECONDS_A_DAY), total % _SECONDS_A_DAY)


def _show(piece: _Piece, moment: _Moment, has_noon: bool) -> str:
    kind, text = piece.kind, piece.text
    if kind == "text":
        return text
    if kind == "noon":
        early, late = text.split("/")
        return early if moment.hour < 12 else late
    if kind == "fraction":
        return f"{moment.seconds % 1:.{len(text) - 1}f}"[1:]
    if kind == "span":
        size = {"h": 3600, "m": 60, "s": 1}[text[0]]
        return str(int(moment.total_seconds // size)).zfill(len(text))
    if kind == "h":
        return str((moment.hour % 12 or 12) if has_noon else moment.hour).zfill(min(len(text), 2))
    if kind == "minute":
        return str(int(moment.seconds % 3600 // 60)).zfill(len(text))
    if kind == "s":
        return str(int(moment.seconds % 60)).zfill(min(len(text), 2))
    return _show_day(kind, text, moment.serial)


def _show_day(kind: str, text: str, serial: int) -> str:
    year, month, day = day_parts(serial)
    weekday = (serial - 1) % 7
    if kind == "y":
        return f"{year:04d}" if len(text) > 2 else f"{year % 100:02d}"
    if kind == "m":
        name = _MONTHS[month - 1]
        return {3: name[:3], 4: name, 5: name[0]}.get(len(text), name if len(text) > 5 else str(month).zfill(len(text)))
    if kind == "d":
        return {3: _DAYS[weekday][:3]}.get(len(text), _DAYS[weekday] if len(text) > 3 else str(day).zfill(len(text)))
    return f"星期{_WEEKDAYS[weekday]}" if len(text) == 4 else _WEEKDAYS[weekday]
