"""Addresses of cells: `B4`, `B2:D9`, `Sheet1!B:C`, `'一月 数据'!A1`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from metier.packs.office._column_letters import column_index, column_letters

MAX_ROWS: Final = 1_048_576
MAX_COLUMNS: Final = 16_384
_CELL: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
_COLUMN: Final = re.compile(r"\$?([A-Za-z]{1,3})")
_ROW: Final = re.compile(r"\$?([1-9][0-9]{0,6})")


class BadAddress(ValueError):
    """The text is no address of cells."""


@dataclass(frozen=True, slots=True, order=True)
class CellArea:
    """A rectangle of cells, first and last row and column counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def text(self) -> str:
        first = cell_name(self.top, self.left)
        last = cell_name(self.bottom, self.right)
        return first if first == last else f"{first}:{last}"

    @property
    def absolute(self) -> str:
        first = f"${column_letters(self.left)}${self.top}"
        last = f"${column_letters(self.right)}${self.bottom}"
        return first if first == last else f"{first}:{last}"

    def has(self, row: int, column: int) -> bool:
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def meets(self, other: "CellArea") -> bool:
        return not (
            self.bottom < other.top or other.bottom < self.top or self.right < other.left or other.right < self.left
        )

    def contains(self, other: "CellArea") -> bool:
        return self.has(other.top, other.left) and self.has(other.bottom, other.right)

    def cells(self) -> Iterator[tuple[int, int]]:
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column

    def without(self, other: "CellArea") -> list["CellArea"]:
        """What is left of this area, in up to four rectangles."""
        if not self.meets(other):
            return [self]
        top, bottom = max(self.top, other.top), min(self.bottom, other.bottom)
        parts = [
            CellArea(self.top, self.left, top - 1, self.right),
            CellArea(bottom + 1, self.left, self.bottom, self.right),
            CellArea(top, self.left, bottom, other.left - 1),
            CellArea(top, other.right + 1, bottom, self.right),
        ]
        return [one for one in parts if one.height > 0 and one.width > 0]


@lru_cache(maxsize=20_000)
def column_number(name: str) -> int:
    """1 for `A`; `BadAddress` past the last column."""
    number = column_index(name)
    if number > MAX_COLUMNS:
        raise BadAddress(name)
    return number


def cell_name(row: int, column: int) -> str:
    return f"{column_letters(column)}{row}"


def parse_cell(text: str) -> tuple[int, int]:
    """Row and column of `B4` or `$B$4`."""
    found = _CELL.fullmatch(text.strip())
    if found is None or int(found[2]) > MAX_ROWS:
        raise BadAddress(text)
    return int(found[2]), column_number(found[1])


def parse_area(text: str) -> CellArea:
    """`B4`, `B2:D9`, `B:C` or `2:9`; corners may be in any order."""
    first, _, last = text.strip().partition(":")
    last = last or first
    if _CELL.fullmatch(first) and _CELL.fullmatch(last):
        (top, left), (bottom, right) = parse_cell(first), parse_cell(last)
    elif ":" in text and (one := _COLUMN.fullmatch(first)) and (other := _COLUMN.fullmatch(last)):
        top, left, bottom, right = 1, column_number(one[1]), MAX_ROWS, column_number(other[1])
    elif ":" in text and (one := _ROW.fullmatch(first)) and (other := _ROW.fullmatch(last)):
        top, left, bottom, right = int(one[1]), 1, int(other[1]), MAX_COLUMNS
    else:
        raise BadAddress(text)
    if max(top, bottom) > MAX_ROWS:
        raise BadAddress(text)
    return CellArea(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


def split_sheet(text: str) -> tuple[str | None, str]:
    """Name of the sheet, if the address has one, and the rest: `'a b'!A1` is `a b` and `A1`."""
    text = text.strip()
    sheet, mark, rest = text.rpartition("!")
    if not mark:
        return None, text
    if sheet.startswith("'") and sheet.endswith("'") and len(sheet) > 1:
        sheet = sheet[1:-1].replace("''", "'")
    return sheet, rest.strip()
