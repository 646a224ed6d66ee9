"""Value of one formula."""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import Any, Protocol, cast

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._dates import to_serial
from metier.packs.office.sheets.formulas._dependencies import AreaKey, CellKey
from metier.packs.office.sheets.formulas._functions_array import ARRAY_FUNCTIONS
from metier.packs.office.sheets.formulas._functions_each import EACH_FUNCTIONS, SEES_ERRORS
from metier.packs.office.sheets.formulas._functions_lookup import LOOKUP_FUNCTIONS
from metier.packs.office.sheets.formulas._functions_math import RANGE_FUNCTIONS
from metier.packs.office.sheets.formulas._functions_reach import find_offset, parse_reference
from metier.packs.office.sheets.formulas._parse import Node, ParsedFormula
from metier.packs.office.sheets.formulas._values import (
    BAD_NAME,
    BAD_NUMBER,
    BAD_REFERENCE,
    BAD_VALUE,
    DIV_ZERO,
    NOT_AVAILABLE,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    as_bool,
    as_number,
    as_text,
    compare,
)

# Functions that calculate with arrays without being asked.
_ARRAYS = frozenset({"SUMPRODUCT", "LOOKUP", *ARRAY_FUNCTIONS})


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
                value = self._top(value) if is_array else self._single(value)
        except ErrorResult as failed:
            return failed.error
        if isinstance(value, float) and not math.isfinite(value):
            return BAD_NUMBER
        return 0.0 if value is None else value

    def _top(self, grid: Grid) -> CellValue:
        if grid.height * grid.width != 1 and not self.book.source.is_one_cell_array(self.key):
            raise Uncomputable("an array formula over several cells")
        return grid.rows[0][0]

    def _single(self, value: Operand) -> CellValue:
        """One value of a range where one is needed: the one in the formula's own row or column."""
        if not isinstance(value, Grid):
            return value
        if value.height * value.width == 1:
            return value.rows[0][0]
        area = value.area
        if area is None:
            raise Uncomputable("a result over several cells")
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
            return self._each(lambda value: -as_number(value), [self.evaluate(parts[0])])
        if kind == "percent":
            return self._each(lambda value: as_number(value) / 100, [self.evaluate(parts[0])])
        if kind == "error":
            return CellError(str(parts[0]))
        if kind == "array":
            return Grid([[self._single(self.evaluate(one)) for one in row] for row in parts[0]])
        if kind == "missing":
            return None
        return self._resolve_name(node[1], is_table=kind == "table")

    def _range(self, sheet: str | None, area: CellArea) -> Operand:
        name = self.key[0] if sheet is None else self.book.source.sheet(sheet)
        if name is None:
            return BAD_REFERENCE
        return self.book.grid(name, area)

    def _resolve_name(self, text: object, *, is_table: bool) -> Operand:
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
        return self._each(_OPERATORS[operator], [left, right])

    def _each(
        self, function: Callable[..., CellValue], arguments: Sequence[Operand], *, sees_errors: bool = False
    ) -> Operand:
        """Apply to single values, or to each place of arrays where arrays are meant."""
        if not self.in_array or not any(isinstance(one, Grid) for one in arguments):
            return _guard(function, [self._single(one) for one in arguments], sees_errors)
        grids = [one if isinstance(one, Grid) else Grid([[one]]) for one in arguments]
        height, width = max(one.height for one in grids), max(one.width for one in grids)
        rows: list[list[CellValue]] = [[None] * width for _ in range(height)]
        for row, column in product(range(height), range(width)):
            values = [_place(one, row, column) for one in grids]
            rows[row][column] = _guard(function, values, sees_errors)
        return Grid(rows)

    def _call(self, name: str, nodes: Sequence[Node]) -> Operand:
        if name in _LAZY:
            return _LAZY[name](self, nodes)
        was_array = self.in_array
        self.in_array = was_array or name in _ARRAYS
        try:
            arguments = [self.evaluate(one) for one in nodes]
        finally:
            self.in_array = was_array
        try:
            if name == "SUBTOTAL":
                arguments = [arguments[0], *(self._visible(arguments[0], one) for one in arguments[1:])]
            if name in ARRAY_FUNCTIONS:
                return ARRAY_FUNCTIONS[name](arguments)
            if name in RANGE_FUNCTIONS:
                return RANGE_FUNCTIONS[name](arguments)
            if name in LOOKUP_FUNCTIONS:
                return LOOKUP_FUNCTIONS[name](self._settle_first(name, arguments))
            if name in EACH_FUNCTIONS:
                return self._each(EACH_FUNCTIONS[name], arguments, sees_errors=name in SEES_ERRORS)
        except ErrorResult as failed:
            return failed.error
        except (IndexError, TypeError):
            raise Uncomputable(f"{name} with these arguments") from None
        except OverflowError:
            return BAD_NUMBER
        raise Uncomputable(f"the function {name}")

    def _settle_first(self, name: str, arguments: list[Operand]) -> list[Operand]:
        """First argument of a lookup as one value."""
        if name in ("MATCH", "VLOOKUP", "HLOOKUP", "LOOKUP", "XLOOKUP") and not self.in_array:
            return [self._single(arguments[0]), *arguments[1:]]
        return arguments

    def _visible(self, kind: Operand, value: Operand) -> Operand:
        """Rows that SUBTOTAL counts: not the hidden ones, and no cell that is a subtotal itself."""
        if not isinstance(value, Grid) or value.area is None:
            return value
        code = as_number(self._single(kind))
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


def _guard(function: Callable[..., CellValue], values: Sequence[CellValue], sees_errors: bool) -> CellValue:
    if not sees_errors:
        for value in values:
            if isinstance(value, CellError):
                return value
    try:
        return function(*values)
    except ErrorResult as failed:
        return failed.error


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


def _if(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    condition = evaluator.evaluate(nodes[0])
    if isinstance(condition, Grid) and evaluator.in_array:
        branches = [evaluator.evaluate(one) for one in nodes[1:]]
        otherwise = branches[1] if len(branches) > 1 else False
        return evaluator._each(
            lambda flag, yes, no: yes if as_bool(flag) else no, [condition, branches[0], otherwise], sees_errors=True
        )
    if as_bool(evaluator._single(condition)):
        return evaluator.evaluate(nodes[1])
    return evaluator.evaluate(nodes[2]) if len(nodes) > 2 else False


def _if_error(only_missing: bool) -> Callable[[Evaluator, Sequence[Node]], Operand]:
    def _apply(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
        try:
            value = evaluator.evaluate(nodes[0])
            value = value if evaluator.in_array else evaluator._single(value)
        except ErrorResult as failed:
            value = failed.error
        if isinstance(value, CellError) and (not only_missing or value == NOT_AVAILABLE):
            return evaluator.evaluate(nodes[1])
        return value

    return _apply


def _ifs(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    for at in range(0, len(nodes) - 1, 2):
        if as_bool(evaluator._single(evaluator.evaluate(nodes[at]))):
            return evaluator.evaluate(nodes[at + 1])
    return NOT_AVAILABLE


def _switch(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    wanted = evaluator._single(evaluator.evaluate(nodes[0]))
    for at in range(1, len(nodes) - 1, 2):
        if compare(wanted, evaluator._single(evaluator.evaluate(nodes[at]))) == 0:
            return evaluator.evaluate(nodes[at + 1])
    return evaluator.evaluate(nodes[-1]) if len(nodes) % 2 == 0 else NOT_AVAILABLE


def _choose(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    place = int(as_number(evaluator._single(evaluator.evaluate(nodes[0]))))
    return evaluator.evaluate(nodes[place]) if 1 <= place < len(nodes) else BAD_VALUE


def _position(is_row: bool) -> Callable[[Evaluator, Sequence[Node]], Operand]:
    def _apply(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
        if not nodes:
            return float(evaluator.key[1 if is_row else 2])
        if nodes[0][0] != "range":
            raise Uncomputable("ROW or COLUMN of this")
        area = nodes[0][2]
        assert isinstance(area, CellArea)
        if evaluator.in_array and area.height * area.width > 1:
            if is_row:
                return Grid([[float(row)] for row in range(area.top, area.bottom + 1)])
            return Grid([[float(column) for column in range(area.left, area.right + 1)]])
        return float(area.top if is_row else area.left)

    return _apply


def _today(evaluator: Evaluator, _: Sequence[Node]) -> Operand:
    return float(math.floor(to_serial(evaluator.book.now)))


def _now(evaluator: Evaluator, _: Sequence[Node]) -> Operand:
    return to_serial(evaluator.book.now)


def _offset(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    values = [evaluator._single(evaluator.evaluate(one)) for one in nodes[1:]]
    for value in values:
        if isinstance(value, CellError):
            return value
    numbers = [
        None if one[0] == "missing" else int(as_number(value)) for one, value in zip(nodes[1:], values, strict=True)
    ]
    return evaluator.book.grid(*find_offset(evaluator.evaluate(nodes[0]), numbers))


def _indirect(evaluator: Evaluator, nodes: Sequence[Node]) -> Operand:
    text = evaluator._single(evaluator.evaluate(nodes[0]))
    if isinstance(text, CellError):
        return text
    if len(nodes) > 1 and not as_bool(evaluator._single(evaluator.evaluate(nodes[1]))):
        raise Uncomputable("the function INDIRECT")
    found = parse_reference(as_text(text), evaluator.key[0], evaluator.book.source.sheet)
    if found is not None:
        return evaluator.book.grid(*found)
    if evaluator.book.name(as_text(text), evaluator.key[0]) is None:
        return BAD_REFERENCE
    return evaluator._resolve_name(as_text(text), is_table=False)


_LAZY: Mapping[str, Callable[[Evaluator, Sequence[Node]], Operand]] = {
    "IF": _if,
    "IFERROR": _if_error(only_missing=False),
    "IFNA": _if_error(only_missing=True),
    "IFS": _ifs,
    "SWITCH": _switch,
    "CHOOSE": _choose,
    "ROW": _position(is_row=True),
    "COLUMN": _position(is_row=False),
    "OFFSET": _offset,
    "INDIRECT": _indirect,
    "TODAY": _today,
    "NOW": _now,
}
