"""Functions that give arrays: SORT, FILTER, UNIQUE and their kin."""

from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._values import (
    BAD_VALUE,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    as_bool,
    as_number,
    compare,
)

__all__ = ["ARRAY_FUNCTIONS"]

_MAX_CELLS: Final = 1_000_000


def _grid(value: Operand) -> Grid:
    return value if isinstance(value, Grid) else Grid([[value]])


def _one(arguments: Sequence[Operand], at: int, otherwise: CellValue) -> CellValue:
    if at >= len(arguments) or arguments[at] is None:
        return otherwise
    value = _grid(arguments[at])
    if value.height * value.width != 1:
        raise Uncomputable("a range where one value is needed")
    if isinstance(value.rows[0][0], CellError):
        raise ErrorResult(value.rows[0][0])
    return value.rows[0][0]


def _turn(grid: Grid) -> Grid:
    return Grid([list(column) for column in zip(*grid.rows, strict=True)])


def _compare_keys(one: CellValue, other: CellValue) -> int:
    """Order of a sheet: numbers, texts, logical values; blanks last."""
    if one is None or other is None:
        return (one is None) - (other is None)
    if isinstance(one, CellError) or isinstance(other, CellError):
        raise Uncomputable("an error among the values to sort")
    return compare(one, other)


def _sort_lines(grid: Grid, keys: Sequence[Sequence[CellValue]], signs: Sequence[int]) -> Grid:
    def _order(one: int, other: int) -> int:
        for key, sign in zip(keys, signs, strict=True):
            if difference := _compare_keys(key[one], key[other]):
                is_blank = key[one] is None or key[other] is None
                return difference if is_blank else difference * sign
        return 0

    places = sorted(range(grid.height), key=cmp_to_key(_order))
    return Grid([grid.rows[place] for place in places])


def _sign(value: CellValue) -> int:
    sign = as_number(value)
    if sign not in (1, -1):
        raise ErrorResult(BAD_VALUE)
    return int(sign)


def _sort(arguments: Sequence[Operand]) -> Operand:
    by_column = as_bool(_one(arguments, 3, False))
    grid = _turn(_grid(arguments[0])) if by_column else _grid(arguments[0])
    index = int(as_number(_one(arguments, 1, 1.0)))
    if not 1 <= index <= grid.width:
        return BAD_VALUE
    made = _sort_lines(grid, [[row[index - 1] for row in grid.rows]], [_sign(_one(arguments, 2, 1.0))])
    return _turn(made) if by_column else made


def _sort_by(arguments: Sequence[Operand]) -> Operand:
    grid = _grid(arguments[0])
    keys, signs = [], []
    for at in range(1, len(arguments), 2):
        key = _grid(arguments[at])
        if key.width != 1 or key.height != grid.height:
            raise Uncomputable("SORTBY with these arguments")
        keys.append([row[0] for row in key.rows])
        signs.append(_sign(_one(arguments, at + 1, 1.0)))
    return _sort_lines(grid, keys, signs)


def _filter(arguments: Sequence[Operand]) -> Operand:
    grid, include = _grid(arguments[0]), _grid(arguments[1])
    is_across = include.height == 1 and include.width == grid.width and grid.height != 1
    if is_across:
        grid, include = _turn(grid), _turn(include)
    if include.width != 1 or include.height != grid.height:
        return BAD_VALUE
    flags = [row[0] for row in include.rows]
    for flag in flags:
        if isinstance(flag, CellError):
            return flag
    kept = [row for row, flag in zip(grid.rows, flags, strict=True) if as_bool(flag)]
    if not kept:
        if len(arguments) < 3:
            raise Uncomputable("FILTER without a row that fits")
        return arguments[2]
    return _turn(Grid(kept)) if is_across else Grid(kept)


def _unique(arguments: Sequence[Operand]) -> Operand:
    by_column, is_once = (as_bool(_one(arguments, at, False)) for at in (1, 2))
    grid = _turn(_grid(arguments[0])) if by_column else _grid(arguments[0])
    keys = [tuple(one.casefold() if isinstance(one, str) else one for one in row) for row in grid.rows]
    kept = [
        row
        for at, row in enumerate(grid.rows)
        if (keys.count(keys[at]) == 1 if is_once else keys.index(keys[at]) == at)
    ]
    if not kept:
        raise Uncomputable("UNIQUE without a value")
    return _turn(Grid(kept)) if by_column else Grid(kept)


def _sequence(arguments: Sequence[Operand]) -> Operand:
    rows, columns, start, step = (as_number(_one(arguments, at, 1.0)) for at in range(4))
    height, width = int(rows), int(columns)
    if height < 1 or width < 1 or height * width > _MAX_CELLS:
        raise Uncomputable("SEQUENCE of this size")
    return Grid([[start + step * (row * width + column) for column in range(width)] for row in range(height)])


ARRAY_FUNCTIONS: Mapping[str, Callable[[Sequence[Operand]], Operand]] = MappingProxyType(
    {"SORT": _sort, "SORTBY": _sort_by, "FILTER": _filter, "UNIQUE": _unique, "SEQUENCE": _sequence}
)
