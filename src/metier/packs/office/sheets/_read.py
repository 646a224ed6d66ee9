"""Reads a workbook for people and programs: cells as seen, formulas, formats, what is hidden."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from lxml import etree

from metier.packs.office.analysis import SheetCell, SheetCells
from metier.packs.office.sheets._addresses import BadAddress, CellArea, cell_name, column_number, parse_area, parse_cell
from metier.packs.office.sheets._cell_xml import read_value, translate_formula
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import SheetEntry, SheetTable, WorkbookParts
from metier.packs.office.sheets.formulas import (
    CellError,
    CellValue,
    UnknownFormat,
    format_value,
    from_serial,
    is_date_format,
    shift_1904,
)

MAX_CELLS: Final = 2_000_000
_CELL: Final = f"{MAIN}c"
_FORMULA: Final = f"{MAIN}f"


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell that holds something. `formula` is without `=`; a number with a date format is a date to people."""

    address: str
    row: int
    column: int
    value: CellValue
    formula: str = ""
    number_format: str = "General"
    is_hidden: bool = False
    is_missing_value: bool = False

    @property
    def text(self) -> str:
        """The cell as the sheet shows it."""
        return show_value(self.value, self.number_format)

    @property
    def date(self) -> str:
        """ISO date of a cell that shows one; empty for other cells."""
        if isinstance(self.value, float) and is_date_format(self.number_format):
            try:
                return from_serial(self.value).isoformat(sep=" ").removesuffix(" 00:00:00")
            except (ValueError, OverflowError):
                return ""
        return ""


@dataclass(frozen=True, slots=True)
class SheetView:
    """One sheet: its cells in reading order and what is hidden or joined."""

    name: str
    state: str
    cells: tuple[CellView, ...] = field(repr=False)
    hidden_rows: frozenset[int] = frozenset()
    merged: tuple[CellArea, ...] = ()
    tables: tuple[SheetTable, ...] = ()
    charts: int = 0
    is_cut: bool = False

    @property
    def is_hidden(self) -> bool:
        return self.state != "visible"

    @property
    def used_area(self) -> CellArea | None:
        """Range of all cells that hold something."""
        if not self.cells:
            return None
        columns = [one.column for one in self.cells]
        return CellArea(self.cells[0].row, min(columns), self.cells[-1].row, max(columns))

    def cell(self, address: str) -> CellView | None:
        """Cell by its address; None if it is empty."""
        place = parse_cell(address)
        return next((one for one in self.cells if (one.row, one.column) == place), None)

    def rows(self) -> Iterator[list[CellView]]:
        """Cells row by row."""
        line: list[CellView] = []
        for cell in self.cells:
            if line and line[-1].row != cell.row:
                yield line
                line = []
            line.append(cell)
        if line:
            yield line


@dataclass(frozen=True, slots=True)
class WorkbookView:
    """A workbook as read."""

    sheets: tuple[SheetView, ...]
    names: dict[str, str] = field(default_factory=dict)
    active: str = ""
    is_1904: bool = False

    def __iter__(self) -> Iterator[SheetCells]:
        """Sheets as the analysis reads them."""
        for one in self.sheets:
            cells = tuple(
                SheetCell(cell.address, _plain_value(cell), f"={cell.formula}" if cell.formula else "", cell.is_hidden)
                for cell in one.cells
            )
            yield SheetCells(one.name, cells, one.is_hidden)

    def sheet(self, name: str) -> SheetView | None:
        return next((one for one in self.sheets if one.name.lower() == name.lower()), None)


def read_workbook(path: Path, *, max_cells: int = MAX_CELLS, only_head: bool = False) -> WorkbookView:
    """Read all sheets; `OfficeFileError` if it is no workbook. Past `max_cells` a sheet is cut and says so.

    With `only_head` reading ends there: what a sheet has behind its cells, such as merged areas, is then not known.
    """
    book = WorkbookParts.open(path)
    tables = book.tables()
    formats = tuple(book.styles.number_formats()) if book.parts.list_related(book.part, "styles") else ()
    sheets = []
    left = max_cells
    for entry in book.entries():
        if entry.kind != "worksheet":
            continue
        own = tuple(one for one in tables if one.sheet == entry.name)
        view = _SheetReader(book, entry, formats).read(left, own, only_head=only_head)
        left -= len(view.cells)
        sheets.append(view)
    return WorkbookView(tuple(sheets), book.names(), book.active.name if sheets else "", book.is_1904)


class _SheetReader:
    """Reads one sheet in a single pass over its XML."""

    def __init__(self, book: WorkbookParts, entry: SheetEntry, formats: tuple[str, ...]) -> None:
        self._book = book
        self._entry = entry
        self._formats = formats
        self._shared: dict[str, tuple[str, str]] = {}
        self._hidden_rows: set[int] = set()
        self._hidden_columns: set[int] = set()
        self._merged: list[CellArea] = []

    @cached_property
    def _tags(self) -> list[str]:
        return [f"{MAIN}{name}" for name in ("col", "row", "mergeCell")]

    def read(self, max_cells: int, tables: tuple[SheetTable, ...], *, only_head: bool = False) -> SheetView:
        cells: list[CellView] = []
        is_cut = False
        source = io.BytesIO(self._book.parts.read(self._entry.part))
        events = etree.iterparse(
            source, events=("end",), tag=self._tags, resolve_entities=False, no_network=True, huge_tree=True
        )
        number = 0
        for _, element in events:
            name = etree.QName(element).localname
            if name == "row":
                number = int(element.get("r") or number + 1)
                if len(cells) < max_cells:
                    self._read_row(element, number, cells)
                else:
                    is_cut = True
                    if only_head:
                        break
                element.clear()
            else:
                self._note(name, element)
        return SheetView(
            self._entry.name,
            self._entry.state,
            tuple(cells),
            frozenset(self._hidden_rows),
            tuple(self._merged),
            tables,
            count_charts(self._book, self._entry.part),
            is_cut,
        )

    def _note(self, name: str, element: etree._Element) -> None:
        if name == "col":
            if element.get("hidden") in ("1", "true"):
                first, last = int(element.get("min", "1")), int(element.get("max", "1"))
                self._hidden_columns.update(range(first, min(last, first + 1_000) + 1))
        elif name == "mergeCell":
            try:
                self._merged.append(parse_area(str(element.get("ref"))))
            except BadAddress:
                return

    def _read_row(self, row: etree._Element, number: int, cells: list[CellView]) -> None:
        is_hidden = row.get("hidden") in ("1", "true")
        if is_hidden:
            self._hidden_rows.add(number)
        column = 0
        for element in row.iterchildren(_CELL):
            reference = element.get("r")
            column = column_number(reference.rstrip("0123456789")) if reference else column + 1
            if not len(element):
                continue
            address = reference or cell_name(number, column)
            value = read_value(element, self._book.string)
            formula = self._formula(element, address)
            if value is None and not formula:
                continue
            style = int(element.get("s", "0"))
            code = self._formats[style] if style < len(self._formats) else "General"
            if self._book.is_1904 and isinstance(value, float) and is_date_format(code):
                value = shift_1904(value)  # readers know one calendar only
            hidden = is_hidden or column in self._hidden_columns
            missing = bool(formula) and value is None
            cells.append(CellView(address, number, column, value, formula, code, hidden, missing))

    def _formula(self, element: etree._Element, address: str) -> str:
        found = element[0]
        if found.tag != _FORMULA:
            return ""
        if found.get("t") != "shared":
            return found.text or ""
        index = str(found.get("si"))
        if found.text:
            self._shared[index] = (found.text, address)
            return str(found.text)
        if index not in self._shared:
            return ""
        text, origin = self._shared[index]
        return translate_formula(text, origin, address)


def _plain_value(cell: CellView) -> str | float | int | bool | None:
    """Value for people: dates as text, whole numbers as such, errors as their code."""
    value = cell.value
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, float):
        return cell.date or (int(value) if value.is_integer() else value)
    return value


def count_charts(book: WorkbookParts, part: str) -> int:
    """Number of charts on a sheet."""
    drawings = book.parts.list_related(part, "drawing")
    return sum(len(book.parts.list_related(one.target, "chart")) for one in drawings)


def show_value(value: CellValue, number_format: str = "", *, is_1904: bool = False) -> str:
    """A value in a sentence or a table of changes, as a cell of this format shows it."""
    if isinstance(value, CellError):
        return value.code
    try:
        return format_value(value, number_format or "General", is_1904=is_1904)
    except UnknownFormat:
        return format_value(value, "General")
