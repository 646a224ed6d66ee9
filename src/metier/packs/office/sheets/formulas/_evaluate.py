"""Value of one formula."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import product
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._branches import BRANCHES
from metier.packs.office.sheets.formulas._dependencies import AreaKey, CellKey
from metier.packs.office.sheets.formulas._parse import Node, ParsedFormula
from metier.packs.office.sheets.formulas._values import (
    BAD_NAME,
    BAD_NUMBER,
    BAD_REFERENCE,
    BAD_VALUE,
    DIV_ZERO,
    MAX_TEXT_CHARS,
    NOT_AVAILABLE,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    as_number,
    as_text,
    compare,
    one_value,
)
from metier.packs.office.sheets.formulas.functions import (
    ARRAY_FUNCTIONS,
    CALENDAR_FUNCTIONS,
    CONDITIONAL_FUNCTIONS,
    EACH_FUNCTIONS,
    LOOKUP_FUNCTIONS,
    RANGE_FUNCTIONS,
    SEES_ERRORS,
    criterion_places,
)

# Functions that calculate with arrays without being asked.
_ARRAYS: Final = frozenset({"SUMPRODUCT", "LOOKUP", *ARRAY_FUNCTIONS})
# Arguments that are one value, and are taken one by one from an array.
_LIFTED: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    dict.fromkeys(("LARGE", "SMALL", "PERCENTILE", "PERCENTILE.INC", "QUARTILE", "QUARTILE.INC"), (1,))
    | dict.fromkeys(("RANK", "RANK.EQ", "MATCH", "XMATCH", "VLOOKUP", "HLOOKUP", "LOOKUP", "XLOOKUP"), (0,))
)
_MAX_LIFTED: Final = 5_000_000  # cells that are looked at


class SourceView(Protocol):
    """What a tree may ask of its workbook."""

    def table_area(self, text: str, key: CellKey) -> AreaKey | None: ...

    def formula(self, key: CellKey) -> str: ...

    def formulas(self) -> object: ...

    def is_hidden(self, sheet: str, row: int, *, only_filtered: bool) -> bool: ...

    def is_one_cell_array(self, key: CellKey) -> bool: ...

    def sheet(self, name: str) -> str | None: ...


class BookView(Protocol):
    """Values that are known when a formula is calculated."""

    @property
    def source(self) -> SourceView: ...

    @property
    def now(self) -> datetime: ...

    @property
    def is_1904(self) -> bool: ...

    def name(self, text: str, sheet: str) -> ParsedFormula | None: ...

    def grid(self, sheet: str, area: CellArea) -> Grid: ...


class Evaluator:
    """Walks the tree of one cell's formula."""

    def __init__(self, book: BookView, key: CellKey) -> None:
        self.book = book
        self.key = key
        self.in_array = False
        self.depth = 0

    def result(self, parsed: ParsedFormula, *, is_array: bool) -> CellValue:
        """Value of the cell; a blank is 0, as in a sheet."""
        self.in_array = is_array
        try:
            value = self.evaluate(parsed.tree)
            if isinstance(value, Grid):
                value = self._top(value) if is_array else self.single(value)
        except ErrorResult as failed:
            return failed.error
        if isinstance(value, int | float) and not isinstance(value, bool):
            # A sheet has no negative zero.
            return float(value) + 0.0 if math.isfinite(value) else BAD_NUMBER
        if isinstance(value, str) and len(value) > MAX_TEXT_CHARS:
            return BAD_VALUE
        return 0.0 if value is None else value

    def _top(self, grid: Grid) -> CellValue:
        if grid.height * grid.width != 1 and not self.book.source.is_one_cell_array(self.key):
            raise Uncomputable("an array formula over several cells")
        return grid.rows[0][0]

    def single(self, value: Operand) -> CellValue:
        """One value where one is needed: of a range that in the formula's row or column, of an array the first."""
        if not isinstance(value, Grid):
            return value
        if value.height * value.width == 1:
            return value.rows[0][0]
        area = value.area
        if area is None:
            return value.rows[0][0]
        _, row, column = self.key
        if area.width == 1 and area.top <= row <= area.bottom:
            return value.rows[row - area.top][0]
        if area.height == 1 and area.left <= column <= area.right:
            return value.rows[0][column - area.left]
        return BAD_VALUE

    def evaluate(self, node: Node) -> Operand:
        kind, parts = node[0], cast("Sequence[Any]", node[1:])  # the kind says what the parts are
        if kind == "value":
            value: Operand = parts[0]
            return value
        if kind == "range":
            return self._range(parts[0], parts[1])
        if kind == "call":
            return self._call(str(parts[0]), parts[1])
        if kind == "binary":
            return self._binary(str(parts[0]), self.evaluate(parts[1]), self.evaluate(parts[2]))
        if kind == "negate":
            return self.each(lambda value: -as_number(value), [self.evaluate(parts[0])])
        if kind == "percent":
            return self.each(lambda value: as_number(value) / 100, [self.evaluate(parts[0])])
        if kind == "error":
            return CellError(str(parts[0]))
        if kind == "array":
            return Grid([[self.single(self.evaluate(one)) for one in row] for row in parts[0]])
        if kind == "missing":
            return None
        return self.resolve_name(node[1], is_table=kind == "table")

    def _range(self, sheet: str | None, area: CellArea) -> Operand:
        name = self.key[0] if sheet is None else self.book.source.sheet(sheet)
        if name is None:
            return BAD_REFERENCE
        return self.book.grid(name, area)

    def resolve_name(self, text: object, *, is_table: bool) -> Operand:
        if not isinstance(text, str):
            raise Uncomputable("a function made by LAMBDA")
        if is_table:
            area = self.book.source.table_area(text, self.key)
            if area is None:
                raise Uncomputable(f"the reference {text}")
            return self.book.grid(*area)
        parsed = self.book.name(text, self.key[0])
        if parsed is None:
            return BAD_NAME
        self.depth += 1
        if self.depth > 8:
            raise Uncomputable("names that name each other")
        value = self.evaluate(parsed.tree)
        self.depth -= 1
        return value

    def _binary(self, operator: str, left: Operand, right: Operand) -> Operand:
        return self.each(_OPERATORS[operator], [left, right])

    def each(
        self, function: Callable[..., CellValue], arguments: Sequence[Operand], *, sees_errors: bool = False
    ) -> Operand:
        """Apply to single values, or to each place of arrays; ranges are arrays only where these are meant."""
        settled = [self._settle(one) for one in arguments]
        if not any(isinstance(one, Grid) for one in settled):
            return _guard(function, cast("list[CellValue]", settled), sees_errors)
        grids = [one if isinstance(one, Grid) else Grid([[one]]) for one in settled]
        height, width = max(one.height for one in grids), max(one.width for one in grids)
        rows: list[list[CellValue]] = [[None] * width for _ in range(height)]
        for row, column in product(range(height), range(width)):
            values = [_place(one, row, column) for one in grids]
            rows[row][column] = _guard(function, values, sees_errors)
        return Grid(rows)

    def _settle(self, value: Operand) -> Operand:
        """An array as it is; a range as one value unless arrays are meant."""
        is_range = isinstance(value, Grid) and value.area is not None
        return self.single(value) if is_range and not self.in_array else value

    def _call(self, name: str, nodes: Sequence[Node]) -> Operand:
        try:
            if name in BRANCHES:
                return BRANCHES[name](self, nodes)
            return self._apply(name, self._arguments(name, nodes))
        except ErrorResult as failed:
            return failed.error
        except (ArithmeticError, ValueError):
            return BAD_NUMBER
        except (IndexError, TypeError):
            raise Uncomputable(f"{name} with these arguments") from None

    def _arguments(self, name: str, nodes: Sequence[Node]) -> list[Operand]:
        was_array = self.in_array
        self.in_array = was_array or name in _ARRAYS
        try:
            return [self.evaluate(one) for one in nodes]
        finally:
            self.in_array = was_array

    def _apply(self, name: str, arguments: list[Operand]) -> Operand:
        if self.book.is_1904 and name in CALENDAR_FUNCTIONS:
            raise Uncomputable(f"the function {name}")  # it counts days from 1900
        if name == "SUBTOTAL":
            arguments = [arguments[0], *(self._visible(arguments[0], one) for one in arguments[1:])]
        if name in ARRAY_FUNCTIONS:
            return ARRAY_FUNCTIONS[name](arguments)
        if name in CONDITIONAL_FUNCTIONS:
            places = criterion_places(name, len(arguments))
            return self._lift(CONDITIONAL_FUNCTIONS[name], arguments, places)
        if name in RANGE_FUNCTIONS:
            return self._lift(RANGE_FUNCTIONS[name], arguments, _LIFTED.get(name, ()))
        if name in LOOKUP_FUNCTIONS:
            return self._lift(LOOKUP_FUNCTIONS[name], arguments, _LIFTED.get(name, ()))
        if name in EACH_FUNCTIONS:
            return self.each(EACH_FUNCTIONS[name], arguments, sees_errors=name in SEES_ERRORS)
        raise Uncomputable(f"the function {name}")

    def _lift(
        self, function: Callable[[Sequence[Operand]], Operand], arguments: list[Operand], places: Iterable[int]
    ) -> Operand:
        """Call once, or once for each value of an array where the function wants one value."""
        settled = list(arguments)
        for at in places:
            if at < len(settled):
                settled[at] = self._settle(settled[at])
        lifted = {at: one for at in places if at < len(settled) and isinstance(one := settled[at], Grid)}
        if all(one.height * one.width == 1 for one in lifted.values()):
            return function(settled)
        height, width = max(one.height for one in lifted.values()), max(one.width for one in lifted.values())
        size = sum(one.height * one.width for one in settled if isinstance(one, Grid))
        known: dict[object, CellValue] = {}
        rows: list[list[CellValue]] = [[None] * width for _ in range(height)]
        for row, column in product(range(height), range(width)):
            values = {at: _place(one, row, column) for at, one in lifted.items()}
            key = tuple((type(one), one) for one in values.values())
            if key not in known:
                if len(known) * size > _MAX_LIFTED:
                    raise Uncomputable("an array that is too large")
                known[key] = _call_once(function, [values.get(at, one) for at, one in enumerate(settled)])
            rows[row][column] = known[key]
        return Grid(rows)

    def _visible(self, kind: Operand, value: Operand) -> Operand:
        """Rows that SUBTOTAL counts: not the hidden ones, and no cell that is a subtotal itself."""
        if not isinstance(value, Grid) or value.area is None:
            return value
        code = as_number(self.single(kind))
        area, rows = value.area, []
        formulas: set[CellKey] = set(self.book.source.formulas())  # type: ignore[call-overload]  # the source of a calculation has it
        for at, line in enumerate(value.rows):
            row = area.top + at
            if self.book.source.is_hidden(value.sheet, row, only_filtered=code < 100):
                continue
            kept: list[CellValue] = []
            for offset, one in enumerate(line):
                key = (value.sheet, row, area.left + offset)
                is_subtotal = key in formulas and "SUBTOTAL(" in self.book.source.formula(key).upper()
                kept.append(None if is_subtotal else one)
            rows.append(kept)
        return Grid(rows)


def _place(grid: Grid, row: int, column: int) -> CellValue:
    """Value at a place; a single row or column is repeated."""
    row, column = (0 if grid.height == 1 else row), (0 if grid.width == 1 else column)
    return grid.rows[row][column] if row < grid.height and column < grid.width else NOT_AVAILABLE


def _call_once(function: Callable[[Sequence[Operand]], Operand], arguments: Sequence[Operand]) -> CellValue:
    try:
        return one_value(function(arguments))
    except ErrorResult as failed:
        return failed.error
    except (ArithmeticError, ValueError):
        return BAD_NUMBER


def _guard(function: Callable[..., CellValue], values: Sequence[CellValue], sees_errors: bool) -> CellValue:
    """Result for single values; what cannot be a number or text of a cell is an error."""
    if not sees_errors:
        for value in values:
            if isinstance(value, CellError):
                return value
    try:
        result = function(*values)
    except ErrorResult as failed:
        return failed.error
    except (ArithmeticError, ValueError):
        return BAD_NUMBER
    if isinstance(result, float) and not math.isfinite(result):
        return BAD_NUMBER
    return BAD_VALUE if isinstance(result, str) and len(result) > MAX_TEXT_CHARS else result


def _divide(left: CellValue, right: CellValue) -> CellValue:
    below = as_number(right)
    return as_number(left) / below if below else DIV_ZERO


def _add(left: CellValue, right: CellValue) -> CellValue:
    return _settle_sum(as_number(left), as_number(right))


def _subtract(left: CellValue, right: CellValue) -> CellValue:
    return _settle_sum(as_number(left), -as_number(right))


def _settle_sum(left: float, right: float) -> float:
    """Sum; what is only rounding noise of nearly equal numbers is 0, as in spreadsheets."""
    total = left + right
    return 0.0 if total and abs(total) < abs(left) * 1e-15 else total


_OPERATORS: Mapping[str, Callable[[CellValue, CellValue], CellValue]] = {
    "+": _add,
    "-": _subtract,
    "*": lambda left, right: as_number(left) * as_number(right),
    "/": _divide,
    "^": EACH_FUNCTIONS["POWER"],
    "&": lambda left, right: as_text(left) + as_text(right),
    "=": lambda left, right: compare(left, right) == 0,
    "<>": lambda left, right: compare(left, right) != 0,
    "<": lambda left, right: compare(left, right) < 0,
    ">": lambda left, right: compare(left, right) > 0,
    "<=": lambda left, right: compare(left, right) <= 0,
    ">=": lambda left, right: compare(left, right) >= 0,
}
