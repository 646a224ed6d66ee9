"""Brings the values of formulas up to date after cells changed.

What cannot be calculated loses its old value, unless nothing that it names changed.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.sheets._addresses import BadAddress, CellArea, parse_area
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import SheetTable, WorkbookParts
from metier.packs.office.sheets.formulas import Calculation, CellValue, calculate

_STRUCTURED: Final = re.compile(r"([\w.\u4e00-\u9fff]*)\[(.*)\]", re.DOTALL)
_ITEM: Final = re.compile(r"\[((?:[^\[\]']|'.)*)\]")
_PLACES: Final = frozenset({"#all", "#data", "#headers", "#totals", "#this row"})


class BookCells:
    """Cells of a workbook for the calculation."""

    def __init__(self, book: WorkbookParts) -> None:
        self._book = book
        self._sheets = {one.name: one for one in book.sheets()}
        self._lower = {name.lower(): name for name in self._sheets}
        self._formulas = {(name, *key) for name, sheet in self._sheets.items() for key in sheet.formulas}
        self._tables: dict[str, SheetTable] | None = None
        self._filtered = {name: _filter_area(sheet.root) for name, sheet in self._sheets.items()}

    def formulas(self) -> Iterable[tuple[str, int, int]]:
        return self._formulas

    def formula(self, key: tuple[str, int, int]) -> str:
        return self._sheets[key[0]].formula(key[1], key[2])

    def is_array(self, key: tuple[str, int, int]) -> bool:
        return self._sheets[key[0]].is_array(key[1], key[2])

    def is_one_cell_array(self, key: tuple[str, int, int]) -> bool:
        return self._sheets[key[0]].is_one_cell_array(key[1], key[2])

    def value(self, sheet: str, row: int, column: int) -> CellValue:
        return self._sheets[sheet].value(row, column)

    def sheet(self, name: str) -> str | None:
        return self._lower.get(name.lower())

    def size(self) -> tuple[int, int]:
        areas = [area for one in self._sheets.values() if (area := one.used_area()) is not None]
        return max((one.bottom for one in areas), default=1), max((one.right for one in areas), default=1)

    def defined_name(self, name: str, sheet: str) -> str | None:
        return self._book.defined_name(name, sheet)

    def is_hidden(self, sheet: str, row: int, *, only_filtered: bool) -> bool:
        if not self._sheets[sheet].is_row_hidden(row):
            return False
        area = self._filtered[sheet]
        return not only_filtered or (area is not None and area.top < row <= area.bottom)

    def table_area(self, text: str, key: tuple[str, int, int]) -> tuple[str, CellArea] | None:
        """Range of `Sales[Amount]`, `Sales[[#All],[Amount]]`, `[@Amount]`; None if it cannot be told."""
        found = _STRUCTURED.fullmatch(text)
        if found is None:
            return None
        table = self._table(found[1], key)
        if table is None:
            return None
        inner = found[2]
        items = _ITEM.findall(inner) if inner.startswith("[") else [inner]
        if inner.startswith("@"):
            items = ["#This Row", inner[1:].strip("[]")]
        places = {one.lower() for one in items if one.lower() in _PLACES}
        columns = [one for one in items if one.lower() not in _PLACES and one]
        return _cut_table(table, places, columns, key[1], is_span=":" in re.sub(r"\[[^\]]*\]", "", inner))

    def _table(self, name: str, key: tuple[str, int, int]) -> SheetTable | None:
        if self._tables is None:
            self._tables = {one.name.lower(): one for one in self._book.tables()}
        if name:
            return self._tables.get(name.lower())
        tables = self._tables.values()
        return next((one for one in tables if one.sheet == key[0] and one.area.has(key[1], key[2])), None)


def _cut_table(
    table: SheetTable, places: set[str], columns: list[str], row: int, *, is_span: bool
) -> tuple[str, CellArea] | None:
    area = table.area
    top = area.top + (1 if table.has_header else 0)
    bottom = area.bottom - (1 if table.has_totals else 0)
    if "#all" in places:
        top, bottom = area.top, area.bottom
    elif "#headers" in places:
        top = bottom = area.top
    elif "#totals" in places:
        top = bottom = area.bottom
    elif "#this row" in places:
        top = bottom = row
    left, right = area.left, area.right
    if columns:
        names = [one.lower() for one in table.columns]
        wanted = [re.sub(r"'(.)", r"\1", one).lower() for one in columns]
        if any(one not in names for one in wanted) or (len(wanted) > 1 and not is_span):
            return None
        left, right = area.left + names.index(wanted[0]), area.left + names.index(wanted[-1])
    return (table.sheet, CellArea(top, left, bottom, right)) if top <= bottom else None


def _filter_area(root: XmlElement) -> CellArea | None:
    found = root.find(f"{MAIN}autoFilter")
    try:
        return None if found is None else parse_area(str(found.get("ref")))
    except BadAddress:
        return None


def recalculate(book: WorkbookParts, changed: set[tuple[str, int, int]], *, now: datetime) -> Calculation:
    """Calculate what depends on the changed cells and what has no value yet; write the values into the sheets."""
    cells = BookCells(book)
    missing = {(sheet.name, *key) for sheet in book.sheets() for key in sheet.formulas if not sheet.has_value(*key)}
    result = calculate(cells, changed, also=missing, now=now, is_1904=book.is_1904)
    _write(book, result)
    if result.problems:
        book.calculate_on_load()
    return result


def _write(book: WorkbookParts, result: Calculation) -> None:
    sheets = {one.name: one for one in book.sheets()}
    for (name, row, column), value in result.values.items():
        sheet = sheets[name]
        if not sheet.has_value(row, column) or not _is_same(sheet.value(row, column), value):
            sheet.set_cached(row, column, value)
    for name, row, column in set(result.problems) - result.kept:
        sheets[name].set_cached(row, column, None)


def _is_same(old: CellValue, new: CellValue) -> bool:
    """Whether a value is the same up to the digits that programs show."""
    if isinstance(old, float) and isinstance(new, float) and not isinstance(new, bool):
        return old == new or abs(old - new) <= 1e-12 * max(abs(old), abs(new))
    return type(old) is type(new) and old == new
