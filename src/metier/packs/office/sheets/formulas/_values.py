"""Values of cells and how Excel turns one kind into another."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._dates import parse_date, parse_time, to_serial

_NUMBER: Final = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?([eE][+-]?\d+)?")

# Money signs, dates with two figures first and names of months are read differently from one language to another.
_LOCAL: Final = re.compile(
    r"[-+(]?\s*[$¥￥€£]\s*[\d.,]+\)?|\d+(?:[-/.]\d+){1,2}(?:\s.*)?|\d{1,2}[\s-][a-z]{3,9}\.?(?:[\s-]\d{2,4})?"
    r"|[a-z]{3,9}[\s-]\d{1,4}(?:,?\s*\d{2,4})?|\d+月\d+日|\d+年\d+月|\d+ \d+/\d+",
    re.IGNORECASE,
)
_FIRST_YEAR: Final = 1900
MAX_TEXT_CHARS: Final = 32_767  # of a cell
# Signs stand before figures and letters, in the order of spreadsheets.
_SIGNS: Final = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
_SIGN_ORDER: Final[Mapping[int, str]] = MappingProxyType(
    {ord(char): chr(place) for place, char in enumerate(_SIGNS, 1)}
)


@dataclass(frozen=True, slots=True)
class CellError:
    """An error as a cell shows it: `#DIV/0!`."""

    code: str


DIV_ZERO: Final = CellError("#DIV/0!")
NOT_AVAILABLE: Final = CellError("#N/A")
BAD_NAME: Final = CellError("#NAME?")
BAD_NUMBER: Final = CellError("#NUM!")
BAD_REFERENCE: Final = CellError("#REF!")
BAD_VALUE: Final = CellError("#VALUE!")
ERROR_CODES: Final = frozenset(
    {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#SPILL!", "#CALC!"}
)

CellValue: TypeAlias = float | str | bool | CellError | None


@dataclass(frozen=True, slots=True)
class Grid:
    """Values of a range, or an array that a formula made; `area` only if it is a range."""

    rows: list[list[CellValue]]
    sheet: str = ""
    area: CellArea | None = None

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    def flat(self) -> Iterator[CellValue]:
        for row in self.rows:
            yield from row


Operand: TypeAlias = CellValue | Grid


class Uncomputable(Exception):
    """The formula needs something that the calculation cannot do; the text says what."""


class ErrorResult(Exception):
    """A cell error that ends the calculation of an expression."""

    def __init__(self, error: CellError) -> None:
        super().__init__(error.code)
        self.error = error


def as_number(value: CellValue) -> float:
    """Number of a value in arithmetic: a blank is 0, TRUE is 1, a text is read as a number or date."""
    if isinstance(value, CellError):
        raise ErrorResult(value)
    if value is None:
        return 0.0
    if isinstance(value, str):
        number = text_number(value)
        if number is None:
            refuse_local_date(value)
            raise ErrorResult(BAD_VALUE)
        return number
    return float(value)


def refuse_local_date(text: str) -> None:
    """`Uncomputable` for a text that some languages read as a number or date and others do not."""
    if _LOCAL.fullmatch(text.strip()):
        raise Uncomputable(f"the text {text!r} as a number, which depends on the language")


def clean_number(number: float) -> float:
    """Number with the 15 digits that spreadsheets calculate with."""
    return float(f"{number:.15g}")


def one_value(value: Operand) -> CellValue:
    """Value where one is needed, an error too."""
    if isinstance(value, Grid):
        if value.height * value.width != 1:
            raise Uncomputable("a range where one value is needed")
        return value.rows[0][0]
    return value


def text_number(text: str) -> float | None:
    """Number that a text shows: `1,200`, `15%`, `(5)`, `2024-01-05`, `12:30`; None if none."""
    plain = text.strip()
    if plain.startswith("(") and plain.endswith(")") and plain[1:2].isdigit():
        inside = text_number(plain[1:-1])
        return None if inside is None else -inside
    percent = plain.endswith("%")
    digits = plain.rstrip("%").strip()
    if digits and _NUMBER.fullmatch(digits) and any(char.isdigit() for char in digits):
        number = float(digits.replace(",", ""))
        return (number / 100 if percent else number) if math.isfinite(number) else None
    date = parse_date(plain)
    if date is None:
        return parse_time(plain)
    return to_serial(date) if date.year >= _FIRST_YEAR else None


def as_text(value: CellValue) -> str:
    """Text of a value as `&` joins it."""
    if isinstance(value, CellError):
        raise ErrorResult(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return number_text(value) if isinstance(value, int | float) else value


def number_text(number: float) -> str:
    """Number with at most 15 digits, as the General format writes it into a text."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    text = f"{number:.15g}"
    if "e" in text:
        mantissa, _, exponent = text.partition("e")
        return f"{mantissa}E{exponent[0]}{exponent[1:].lstrip('0').zfill(2)}"
    return text


def as_bool(value: CellValue) -> bool:
    if isinstance(value, CellError):
        raise ErrorResult(value)
    if isinstance(value, str):
        if value.upper() in ("TRUE", "FALSE"):
            return value.upper() == "TRUE"
        raise ErrorResult(BAD_VALUE)
    return bool(value)


def compare(left: CellValue, right: CellValue) -> int:
    """-1, 0 or 1: numbers before texts before booleans; a blank is like what it is compared with."""
    for value in (left, right):
        if isinstance(value, CellError):
            raise ErrorResult(value)
    left, right = _fill_blank(left, right), _fill_blank(right, left)
    one, other = _sort_key(left), _sort_key(right)
    return (one > other) - (one < other)


def _fill_blank(value: CellValue, other: CellValue) -> CellValue:
    if value is not None:
        return value
    if isinstance(other, bool):
        return False
    return "" if isinstance(other, str) else 0.0


def _sort_key(value: CellValue) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, str):
        return 1, 0.0, value.lower().translate(_SIGN_ORDER)
    number = float(value) if isinstance(value, int | float) else 0.0
    # Excel compares 15 digits: 0.1+0.2 equals 0.3.
    return 0, float(f"{number:.15g}"), ""
