"""Calculates the formulas that depend on changed cells, each after what it reads."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._dependencies import AreaKey, CellIndex, CellKey, find_dependents
from metier.packs.office.sheets.formulas._evaluate import Evaluator
from metier.packs.office.sheets.formulas._parse import FormulaProblem, ParsedFormula, parse_formula, scan_formula
from metier.packs.office.sheets.formulas._values import CellValue, Grid, Uncomputable
from metier.packs.office.sheets.formulas.functions import (
    REACHING,
)

# A larger range would need more memory than a calculation is worth.
_MAX_RANGE_CELLS = 5_000_000

READS_ITSELF: Final = "it reads itself"


class CellSource(Protocol):
    """Cells of a workbook as the calculation reads them; names of sheets as the workbook spells them."""

    def formulas(self) -> Iterable[CellKey]:
        """Cells that have a formula."""
        ...

    def formula(self, key: CellKey) -> str:
        """Formula of a cell, without `=`, shared ones spelled out."""
        ...

    def is_array(self, key: CellKey) -> bool:
        """Whether the formula is an array formula or a data table."""
        ...

    def is_one_cell_array(self, key: CellKey) -> bool:
        """Whether the formula is an array formula that is kept in one cell."""
        ...

    def value(self, sheet: str, row: int, column: int) -> CellValue: ...

    def sheet(self, name: str) -> str | None:
        """Name as the workbook spells it; None if there is no such sheet."""
        ...

    def size(self) -> tuple[int, int]:
        """Last used row and column over all sheets."""
        ...

    def defined_name(self, name: str, sheet: str) -> str | None:
        """Formula behind a name."""
        ...

    def table_area(self, text: str, key: CellKey) -> AreaKey | None:
        """Range of a structured reference such as `Sales[Amount]`."""
        ...

    def is_hidden(self, sheet: str, row: int, *, only_filtered: bool) -> bool: ...


@dataclass(slots=True)
class Calculation:
    """New values, and the formulas that could not be calculated with the reason.

    A formula in `kept` reads nothing that changed as far as its references say: its old value stays.
    """

    values: dict[CellKey, CellValue] = field(default_factory=dict)
    problems: dict[CellKey, str] = field(default_factory=dict)
    kept: set[CellKey] = field(default_factory=set)


class _NotYetError(Exception):
    """A cell that is read has no new value yet."""


class _Book:
    """Parsed formulas and values of one calculation."""

    def __init__(self, source: CellSource, now: datetime, *, is_1904: bool) -> None:
        self.source = source
        self.now = now
        self.is_1904 = is_1904
        self.parsed: dict[CellKey, ParsedFormula | FormulaProblem] = {}
        self.precedents: dict[CellKey, list[AreaKey]] = {}
        self._scanned: dict[CellKey, ParsedFormula | FormulaProblem] = {}
        self.result = Calculation()
        self._grids: dict[AreaKey, Grid] = {}
        self._size = source.size()
        self._names: dict[tuple[str, str], ParsedFormula | None] = {}
        self.waiting: set[CellKey] = set()

    def parse(self, key: CellKey) -> ParsedFormula | FormulaProblem:
        if key not in self.parsed:
            try:
                self.parsed[key] = parse_formula(self.source.formula(key))
            except FormulaProblem as problem:
                self.parsed[key] = problem
        return self.parsed[key]

    def scan(self, key: CellKey) -> ParsedFormula | FormulaProblem:
        """References of a formula; its tree only if nothing less will do."""
        if key not in self._scanned:
            try:
                scanned = scan_formula(self.source.formula(key))
                self._scanned[key] = self.parse(key) if scanned is None else scanned
            except FormulaProblem as problem:
                self._scanned[key] = problem
        return self._scanned[key]

    def areas(self, key: CellKey) -> list[AreaKey]:
        """Ranges that a formula reads, names and tables followed."""
        if key not in self.precedents:
            parsed = self.scan(key)
            self.precedents[key] = [] if isinstance(parsed, FormulaProblem) else self._areas_of(parsed, key, 0)
        return self.precedents[key]

    def _areas_of(self, parsed: ParsedFormula, key: CellKey, depth: int) -> list[AreaKey]:
        found: list[AreaKey] = []
        for sheet, area in parsed.references:
            name = key[0] if sheet is None else self.source.sheet(sheet)
            if name is not None:
                found.append((name, area))
        for text in parsed.names if depth < 8 else ():
            table = self.source.table_area(text, key) if "[" in text else None
            if table is not None:
                found.append(table)
            elif (inner := self.name(text, key[0])) is not None:
                found.extend(self._areas_of(inner, key, depth + 1))
        return found

    def name(self, text: str, sheet: str) -> ParsedFormula | None:
        """Formula behind a defined name."""
        place = (text.lower(), sheet)
        if place not in self._names:
            formula = self.source.defined_name(text, sheet)
            try:
                self._names[place] = None if formula is None else parse_formula(formula)
            except FormulaProblem:
                self._names[place] = None
        return self._names[place]

    def read(self, sheet: str, row: int, column: int) -> CellValue:
        key = (sheet, row, column)
        if key in self.result.problems:
            raise Uncomputable(f"it reads {sheet}!{CellArea(row, column, row, column).text}, which was not calculated")
        if key in self.result.values:
            return self.result.values[key]
        if key in self.waiting:
            raise _NotYetError
        return self.source.value(sheet, row, column)

    def grid(self, sheet: str, area: CellArea) -> Grid:
        """Values of a range; whole columns end where the workbook ends."""
        rows, columns = self._size
        cut = CellArea(area.top, area.left, area.bottom, area.right)
        if area.bottom > max(rows, area.top) and area.height > 100_000:
            cut = CellArea(cut.top, cut.left, max(rows, cut.top), cut.right)
        if area.right > max(columns, area.left) and area.width > 1_000:
            cut = CellArea(cut.top, cut.left, cut.bottom, max(columns, cut.left))
        if cut.height * cut.width > _MAX_RANGE_CELLS:
            raise Uncomputable("a range that is too large")
        if (sheet, cut) not in self._grids:
            lines = [
                [self.read(sheet, row, column) for column in range(cut.left, cut.right + 1)]
                for row in range(cut.top, cut.bottom + 1)
            ]
            self._grids[sheet, cut] = Grid(lines, sheet, cut)
        return self._grids[sheet, cut]


def calculate(
    source: CellSource,
    changed: Iterable[CellKey],
    *,
    also: Iterable[CellKey] = (),
    now: datetime,
    is_1904: bool = False,
) -> Calculation:
    """Values of all formulas that depend on the changed cells, and of the formulas in `also`."""
    book = _Book(source, now, is_1904=is_1904)
    formulas = set(source.formulas())
    changed = set(changed)
    precedents = {key: book.areas(key) for key in formulas}
    due = (find_dependents(precedents, changed) | (changed & formulas) | set(also)) & formulas
    known = set(due)
    # What cannot be parsed may read anything.
    due |= {key for key in formulas if changed and isinstance(book.scan(key), FormulaProblem)}
    due |= {key for key in formulas if changed and _reads_anything(book.scan(key))}
    due |= find_dependents(precedents, due)
    index = CellIndex(due)
    _calculate_all(book, list(_sort_cells(book, due, index)))
    book.result.kept = _find_kept(book, precedents, known)
    return book.result


def _find_kept(book: _Book, precedents: Mapping[CellKey, list[AreaKey]], known: set[CellKey]) -> set[CellKey]:
    """Formulas without a result whose references lead to no cell that changed, and to no value that was lost."""
    kept = set(book.result.problems) - known
    lost = {key for key, value in book.result.values.items() if key not in known and value != book.source.value(*key)}
    return kept - find_dependents(precedents, lost)


def _calculate_all(book: _Book, ordered: list[CellKey]) -> None:
    """Calculate in this order; what reads further than its references say (OFFSET) waits until that is calculated."""
    book.waiting = set(ordered)
    left = ordered
    while left:
        later: list[CellKey] = []
        for key in left:
            try:
                _calculate_one(book, key)
            except _NotYetError:
                later.append(key)
            else:
                book.waiting.discard(key)
        if len(later) == len(left):
            book.result.problems.update(dict.fromkeys(later, READS_ITSELF))
            return
        left = later


def _reads_anything(parsed: ParsedFormula | FormulaProblem) -> bool:
    return not isinstance(parsed, FormulaProblem) and bool(parsed.functions & REACHING)


def _sort_cells(book: _Book, due: set[CellKey], index: CellIndex) -> Iterator[CellKey]:
    """Cells in an order in which each stands after what it reads; circles are problems."""
    finished: set[CellKey] = set()
    open_cells: set[CellKey] = set()
    for start in sorted(due):
        stack = [(start, False)]
        while stack:
            key, is_ready = stack.pop()
            if is_ready:
                open_cells.discard(key)
                if key not in finished:
                    finished.add(key)
                    yield key
                continue
            if key in finished:
                continue
            if key in open_cells:
                book.result.problems[key] = READS_ITSELF
                finished.add(key)
                continue
            open_cells.add(key)
            stack.append((key, True))
            for sheet, area in book.areas(key):
                stack.extend((one, False) for one in index.within(sheet, area) if one not in finished)


def _calculate_one(book: _Book, key: CellKey) -> None:
    if key in book.result.problems:
        return
    parsed = book.parse(key)
    if isinstance(parsed, FormulaProblem):
        book.result.problems[key] = str(parsed)
        return
    try:
        book.result.values[key] = Evaluator(book, key).result(parsed, is_array=book.source.is_array(key))
    except Uncomputable as reason:
        book.result.problems[key] = str(reason)
    except RecursionError:
        book.result.problems[key] = "it is nested too deeply"
