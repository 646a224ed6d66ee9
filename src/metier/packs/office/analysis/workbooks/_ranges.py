"""Sums over another sheet that stop short: beside their siblings, between their neighbours, or of the whole table."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks._faults import SheetFault, short_address
from metier.packs.office.analysis.workbooks._table import DataTable, read_number, read_tables

__all__ = ["find_short_ranges"]

_PLACE: Final = re.compile(
    r"(?:'(?P<quoted>[^']+)'|(?P<plain>[^\s'!(),=+\-*/&<>\[\]]+))!"
    r"\$?(?P<left>[A-Z]{1,3})\$?(?P<top>\d+):\$?(?P<right>[A-Z]{1,3})\$?(?P<bottom>\d+)"
)
_SUM: Final = re.compile(rf"=?(?:SUM|AVERAGE)\({_PLACE.pattern}\)")
_CONDITIONAL: Final = re.compile(r"(?:SUMIFS?|COUNTIFS?|AVERAGEIFS?|SUMPRODUCT|SUM|COUNTA?)\(")
_NEARLY_ALL: Final = 0.8
_MAX_GAP: Final = 3


@dataclass(frozen=True, slots=True)
class _Range:
    cell: SheetCell
    sheet: str
    column: int
    top: int
    bottom: int

    @property
    def words(self) -> str:
        return self.write(self.top, self.bottom)

    def write(self, top: int, bottom: int) -> str:
        letter = column_letters(self.column)
        return f"{self.sheet}!{letter}{top}:{letter}{bottom}"


def find_short_ranges(sheet: SheetCells, sheets: Sequence[SheetCells]) -> Iterator[SheetFault]:
    """Each cell of the sheet whose range on another sheet leaves out rows with numbers, once."""
    tables = {one.name: tuple(read_tables(one)) for one in sheets if one.name != sheet.name}
    told: set[str] = set()
    for table in read_tables(sheet):
        found = [*_compare_columns(table, tables), *_compare_rows(table, tables), *_compare_tables(table, tables)]
        for fault in found:
            if fault.cell not in told:
                told.add(fault.cell)
                yield fault


def _read_sum(cell: SheetCell | None) -> _Range | None:
    match = _SUM.fullmatch(cell.formula.replace(" ", "")) if cell is not None and cell.formula else None
    if match is None or cell is None or match["left"] != match["right"]:
        return None
    name = match["quoted"] or match["plain"]
    return _Range(cell, name, column_index(match["left"]), int(match["top"]), int(match["bottom"]))


def _has_rows(tables: Mapping[str, tuple[DataTable, ...]], one: _Range, first: int, last: int) -> bool:
    """Whether each of the rows is one of the table's own, with a number."""
    for table in tables.get(one.sheet, ()):
        if one.top in table.body and one.bottom in table.body:
            rows = range(first, last + 1)
            return all(row in table.body and read_number(table.cell(row, one.column)) is not None for row in rows)
    return False


def _build(one: _Range, top: int, bottom: int) -> SheetFault:
    values = {"range": one.words, "expected": one.write(top, bottom)}
    return SheetFault("broken_sum", short_address(one.cell), one.cell.formula, values)


def _compare_columns(table: DataTable, tables: Mapping[str, tuple[DataTable, ...]]) -> Iterator[SheetFault]:
    """One line of a column adds up fewer rows than the others: 36 to 65 where they add up 36 to 66."""
    for column in table.columns:
        ranges = [one for row in table.body if (one := _read_sum(table.cell(row, column))) is not None]
        counts = Counter((one.top, one.bottom) for one in ranges)
        (top, bottom), count = counts.most_common(1)[0] if counts else ((0, 0), 0)
        if count < 2 or count * 2 <= len(ranges):
            continue
        for one in ranges:
            is_short = (one.top, one.bottom) != (top, bottom) and top <= one.top and one.bottom <= bottom
            if is_short and _has_rows(tables, one, top, bottom):
                yield _build(one, top, bottom)


def _compare_rows(table: DataTable, tables: Mapping[str, tuple[DataTable, ...]]) -> Iterator[SheetFault]:
    """Ranges of one line that follow each other, with rows between two that none of them counts."""
    for row in table.body:
        found = [one for column in table.columns if (one := _read_sum(table.cell(row, column))) is not None]
        for _, group in sorted(_group(found).items()):
            steps = [(one, other, other.top - one.bottom - 1) for one, other in pairwise(sorted(group, key=_top))]
            gaps = [step for step in steps if step[2]]
            if len(steps) < 2 or len(gaps) != 1 or not 0 < gaps[0][2] <= _MAX_GAP:
                continue
            one, _, size = gaps[0]
            if _has_rows(tables, one, one.bottom + 1, one.bottom + size):
                yield _build(one, one.top, one.bottom + size)


def _top(one: _Range) -> int:
    return one.top


def _group(found: Sequence[_Range]) -> dict[tuple[str, int], list[_Range]]:
    groups: dict[tuple[str, int], list[_Range]] = {}
    for one in found:
        groups.setdefault((one.sheet, one.column), []).append(one)
    return groups


def _compare_tables(table: DataTable, tables: Mapping[str, tuple[DataTable, ...]]) -> Iterator[SheetFault]:
    """A range that begins with the table and ends shortly before its last row."""
    for cell in table.cells.values():
        if not cell.formula or not _CONDITIONAL.search(cell.formula):
            continue
        for match in _PLACE.finditer(cell.formula):
            name = match["quoted"] or match["plain"]
            one = _Range(cell, name, column_index(match["left"]), int(match["top"]), int(match["bottom"]))
            last = _find_end(tables.get(name, ()), one)
            if last is not None:
                yield _build(one, one.top, last)
                break


def _find_end(tables: Sequence[DataTable], one: _Range) -> int | None:
    """The last row of the table that the range nearly covers; None where it covers all, or a part by intent."""
    for table in tables:
        if not table.body or one.bottom not in table.body or one.top not in (table.body[0], table.header_row):
            continue
        rows = [row for row in table.body if table.cell(row, one.column) is not None]
        inside = sum(1 for row in rows if row <= one.bottom)
        if rows and rows[-1] > one.bottom and inside >= _NEARLY_ALL * len(rows):
            return rows[-1]
    return None
