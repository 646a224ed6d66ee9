"""The table on a sheet: header, body, totals; formulas in relative form, so that a copied formula is the same."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks._faults import show_number
from metier.packs.office.analysis.workbooks._labels import is_closing_label, is_statistic_label, is_total_label

__all__ = ["DataTable", "read_number", "read_tables", "relative_formula", "row_text", "show_value"]

_ADDRESS: Final = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)")
_REFERENCE: Final = re.compile(r"(?<![A-Za-z_.\d])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\d(A-Za-z_])")
_NUMBER: Final = re.compile(r"^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?$")
_COLUMN_RANGE: Final = re.compile(r"(?<![A-Z!'])\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)(?![\d(])")
_MIN_OWN: Final = 2
_MAX_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class DataTable:
    """Rows and columns of one table; `cells` by (row, column), both from 1."""

    sheet: str
    header_row: int
    body: tuple[int, ...]
    totals: tuple[int, ...]
    columns: tuple[int, ...]
    cells: Mapping[tuple[int, int], SheetCell]

    def cell(self, row: int, column: int) -> SheetCell | None:
        return self.cells.get((row, column))

    def header(self, column: int) -> str:
        """Name of a column; its letters where the header is empty."""
        found = self.cell(self.header_row, column)
        if found is None or found.value in (None, ""):
            return column_letters(column)
        return str(found.value).strip()

    def label(self, row: int) -> str:
        """The first text or number of a row, by which it is called."""
        return _label_of(row, self.cells, self.columns)

    def body_above(self, total: int) -> tuple[int, ...]:
        """Rows of the body that a total row adds up: those since the total before it."""
        sums = (row for row in self.totals if row < total and not is_statistic_label(self.label(row)))
        before = max(sums, default=self.header_row)
        return tuple(row for row in self.body if before < row < total)


@dataclass(frozen=True, slots=True, eq=False)
class _SameSheet:
    """A sheet that is known by identity: to compare its cells costs as much as to read them."""

    sheet: SheetCells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameSheet) and self.sheet is other.sheet

    def __hash__(self) -> int:
        return id(self.sheet)


def read_tables(sheet: SheetCells) -> Iterator[DataTable]:
    """The table of a sheet; blocks that are divided by empty rows are tables of their own.

    A sheet is read once: 20 rules ask for the tables of the same one for a single message.
    """
    yield from _read_known(_SameSheet(sheet))


@lru_cache(maxsize=4)
def _read_known(known: _SameSheet) -> tuple[DataTable, ...]:
    return tuple(_iter_tables(known.sheet))


def _iter_tables(sheet: SheetCells) -> Iterator[DataTable]:
    cells: dict[int, dict[tuple[int, int], SheetCell]] = {}
    for cell in sheet.cells:
        match = _ADDRESS.fullmatch(cell.address.rpartition("!")[2])
        if match and (cell.formula or cell.value not in (None, "")):
            row = int(match[2])
            cells.setdefault(row, {})[row, column_index(match[1])] = cell
    rows = sorted(cells)
    start = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or rows[end] > rows[end - 1] + 1:
            own = {place: cell for row in rows[start:end] for place, cell in cells[row].items()}
            yield from _read_block(sheet.name, rows[start:end], own)
            start = end


def _read_block(name: str, rows: list[int], own: dict[tuple[int, int], SheetCell]) -> Iterator[DataTable]:
    columns = tuple(sorted({column for _, column in own}))
    header = next((row for row in rows if _is_header(row, own, columns)), rows[0])
    below = [row for row in rows if row > header]
    totals = tuple(_list_totals(below, own, columns))
    known = frozenset(totals)
    body = tuple(row for row in below if row not in known)
    if body:
        yield DataTable(name, header, body, totals, columns, own)


def _is_header(row: int, cells: Mapping[tuple[int, int], SheetCell], columns: tuple[int, ...]) -> bool:
    """All texts, and at least two of them unless the table has one column."""
    values = [cells[row, column] for column in columns if (row, column) in cells]
    texts = [cell for cell in values if isinstance(cell.value, str) and not cell.formula and read_number(cell) is None]
    return len(texts) == len(values) and len(texts) >= min(2, len(columns))


def _list_totals(
    rows: list[int], cells: Mapping[tuple[int, int], SheetCell], columns: tuple[int, ...]
) -> Iterator[int]:
    """Rows that sum up, and those below a total that follow from it."""
    is_below = False
    for row in rows:
        label = _label_of(row, cells, columns)
        if is_total_label(label) or (is_below and is_closing_label(label)) or _reads_columns(row, cells, columns):
            is_below = True
            yield row


def _reads_columns(row: int, cells: Mapping[tuple[int, int], SheetCell], columns: tuple[int, ...]) -> bool:
    """Whether most formulas of a row take ranges of their own columns above: counts, extremes, shares."""
    found = [(column, cells[row, column].formula) for column in columns if (row, column) in cells]
    formulas = [(column, formula) for column, formula in found if formula]
    own = [one for one in formulas if _is_over(row, *one)]
    return len(own) >= _MIN_OWN and len(own) * 2 > len(formulas)


def _is_over(row: int, column: int, formula: str) -> bool:
    return any(
        column_index(one[1]) == column == column_index(one[3]) and int(one[2]) < int(one[4]) < row
        for one in _COLUMN_RANGE.finditer(formula.upper())
    )


def _label_of(row: int, cells: Mapping[tuple[int, int], SheetCell], columns: tuple[int, ...]) -> str:
    first = next((cells[row, column] for column in columns if (row, column) in cells), None)
    return str(first.value) if first is not None and first.value is not None else ""


def row_text(table: DataTable, row: int) -> str:
    """The cells of a row as one line, formulas as such."""
    cells = (table.cell(row, column) for column in table.columns)
    return " | ".join(cell.formula or show_value(cell) for cell in cells if cell is not None)


def show_value(cell: SheetCell) -> str:
    """The value as a person reads it: a whole number without a point."""
    is_number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    return show_number(float(cell.value or 0)) if is_number else str(cell.value)


def read_number(cell: SheetCell | None) -> float | None:
    """The number that a text shows; None for texts of 16 digits and more, codes with leading zeros, and no number."""
    if cell is None or isinstance(cell.value, bool) or cell.value is None:
        return None
    if isinstance(cell.value, int | float):
        return float(cell.value)
    text = cell.value.strip().replace("，", ",").lstrip("¥￥$").strip()
    digits = re.sub(r"\D", "", text)
    if not _NUMBER.match(text) or len(digits) > _MAX_DIGITS or re.match(r"^0\d", text):
        return None
    value = float(text.rstrip("%").replace(",", ""))
    return value / 100 if text.endswith("%") else value


def relative_formula(formula: str, row: int, column: int) -> str:
    """The formula with references as distances from its cell: copies of one formula become equal."""

    def replace(match: re.Match[str]) -> str:
        fixed_column, letters, fixed_row, digits = match.groups()
        across = letters if fixed_column else f"C[{column_index(letters) - column}]"
        down = digits if fixed_row else f"R[{int(digits) - row}]"
        return f"{down}{across}"

    return _REFERENCE.sub(replace, formula.upper().lstrip("="))
