"""Functions of texts."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._criteria import wildcard_pattern
from metier.packs.office.sheets.formulas._number_format import UnknownFormat, format_value
from metier.packs.office.sheets.formulas._values import (
    BAD_VALUE,
    MAX_TEXT_CHARS,
    CellError,
    CellValue,
    ErrorResult,
    Uncomputable,
    as_number,
    as_text,
    text_number,
)

__all__ = ["TEXT_FUNCTIONS"]

_LAST_ASCII: Final = 127


def _size(value: CellValue, least: int = 0) -> int:
    """A count or place in a text."""
    size = int(as_number(value))
    if size < least:
        raise ErrorResult(BAD_VALUE)
    return size


def _take_left(text: CellValue, count: CellValue = 1.0) -> CellValue:
    return as_text(text)[: _size(count)]


def _take_right(text: CellValue, count: CellValue = 1.0) -> CellValue:
    size = _size(count)
    return as_text(text)[-size:] if size else ""


def _mid(text: CellValue, start: CellValue, count: CellValue) -> CellValue:
    first, size = _size(start, 1), _size(count)
    return as_text(text)[first - 1 : first - 1 + size]


def _find(needle: CellValue, text: CellValue, start: CellValue = 1.0) -> CellValue:
    at = as_text(text).find(as_text(needle), _size(start, 1) - 1)
    return float(at + 1) if at >= 0 else BAD_VALUE


def _search(needle: CellValue, text: CellValue, start: CellValue = 1.0) -> CellValue:
    whole, first = as_text(text), _size(start, 1) - 1
    found = wildcard_pattern(as_text(needle)).search(whole, first) if first <= len(whole) else None
    return float(found.start() + 1) if found else BAD_VALUE


def _substitute(text: CellValue, old: CellValue, new: CellValue, *which: CellValue) -> CellValue:
    whole, needle, put = as_text(text), as_text(old), as_text(new)
    place = _size(which[0], 1) if which else None
    if not needle:
        return whole
    if place is None:
        if len(whole) + whole.count(needle) * (len(put) - len(needle)) > MAX_TEXT_CHARS:
            return BAD_VALUE
        return whole.replace(needle, put)
    parts = whole.split(needle)
    if place >= len(parts):
        return whole
    return needle.join(parts[:place]) + put + needle.join(parts[place:])


def _replace(text: CellValue, start: CellValue, count: CellValue, new: CellValue) -> CellValue:
    whole, first, size = as_text(text), _size(start, 1) - 1, _size(count)
    return whole[:first] + as_text(new) + whole[first + size :]


def _repeat(text: CellValue, count: CellValue) -> CellValue:
    whole, size = as_text(text), _size(count)
    return whole * size if len(whole) * size <= MAX_TEXT_CHARS else BAD_VALUE


def _proper(text: CellValue) -> CellValue:
    """A letter that no letter stands before is a capital."""
    whole = as_text(text)
    before = f" {whole}"
    return "".join(char.lower() if last.isalpha() else char.upper() for last, char in zip(before, whole, strict=False))


def _text(value: CellValue, code: CellValue) -> CellValue:
    wanted = as_text(code)
    if not wanted:
        return ""
    if isinstance(value, str):
        number = text_number(value)
        value = value if number is None else number
    try:
        shown = format_value(0.0 if value is None else value, wanted)
    except UnknownFormat as unknown:
        raise Uncomputable(f"TEXT with the format {wanted} ({unknown})") from None
    return BAD_VALUE if shown == "########" else shown


def _value(text: CellValue) -> CellValue:
    return BAD_VALUE if isinstance(text, bool) else as_number(text)


def _char(value: CellValue) -> CellValue:
    code = int(as_number(value))
    if not 1 <= code <= 255:
        return BAD_VALUE
    if code > _LAST_ASCII:
        raise Uncomputable("CHAR of a code that differs from one computer to another")
    return chr(code)


def _code(text: CellValue) -> CellValue:
    first = as_text(text)[:1]
    if not first:
        return BAD_VALUE
    if not first.isascii():
        raise Uncomputable("CODE of a character whose code differs from one computer to another")
    return float(ord(first))


def _number_of(value: CellValue) -> CellValue:
    return 0.0 if isinstance(value, str) else value if isinstance(value, CellError) else as_number(value)


TEXT_FUNCTIONS: Final[Mapping[str, Callable[..., CellValue]]] = MappingProxyType(
    {
        "LEFT": _take_left,
        "RIGHT": _take_right,
        "MID": _mid,
        "LEN": lambda text: float(len(as_text(text).encode("utf-16-le")) // 2),
        "TRIM": lambda text: re.sub(" +", " ", as_text(text)).strip(" "),
        "CLEAN": lambda text: re.sub("[\x00-\x1f]", "", as_text(text)),
        "UPPER": lambda text: as_text(text).upper(),
        "LOWER": lambda text: as_text(text).lower(),
        "PROPER": _proper,
        "FIND": _find,
        "SEARCH": _search,
        "SUBSTITUTE": _substitute,
        "REPLACE": _replace,
        "REPT": _repeat,
        "CONCATENATE": lambda *texts: "".join(as_text(one) for one in texts),
        "EXACT": lambda one, other: as_text(one) == as_text(other),
        "TEXT": _text,
        "VALUE": _value,
        "HYPERLINK": lambda address, name=None: as_text(address) if name is None else name,
        "CHAR": _char,
        "CODE": _code,
        "T": lambda value: value if isinstance(value, str | CellError) else "",
        "N": _number_of,
    }
)
