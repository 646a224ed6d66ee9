"""Functions that look something up, and functions over text lists."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets.formulas._criteria import wildcard_pattern
from metier.packs.office.sheets.formulas._values import (
    BAD_REFERENCE,
    BAD_VALUE,
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

LookupFunction = Callable[[Sequence[Operand]], Operand]


def _grid(value: Operand) -> Grid:
    return value if isinstance(value, Grid) else Grid([[value]])


def _one(value: Operand) -> CellValue:
    if isinstance(value, Grid):
        if value.height * value.width != 1:
            raise Uncomputable("a range where one value is needed")
        value = value.rows[0][0]
    if isinstance(value, CellError):
        raise ErrorResult(value)
    return value


def _is_kind(value: CellValue, wanted: CellValue) -> bool:
    if isinstance(value, CellError) or value is None:
        return False
    kinds = (bool, str)
    return all(isinstance(value, kind) == isinstance(wanted, kind) for kind in kinds)


def find_exact(wanted: CellValue, values: Sequence[CellValue], *, has_wildcards: bool = True) -> int | None:
    """Place of the first equal value; texts without regard to case."""
    wanted = 0.0 if wanted is None else wanted
    if isinstance(wanted, str) and has_wildcards and any(char in wanted for char in "*?~"):
        pattern = wildcard_pattern(wanted)
        return next((at for at, one in enumerate(values) if isinstance(one, str) and pattern.fullmatch(one)), None)
    for at, value in enumerate(values):
        if _is_kind(value, wanted) and compare(value, wanted) == 0:
            return at
    return None


def _find_below(wanted: CellValue, values: Sequence[CellValue]) -> int | None:
    """Place of the last value that is not beyond the wanted one, halving sorted values as spreadsheets do."""
    wanted = 0.0 if wanted is None else wanted
    found, low, high = None, 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        place = next((at for at in range(middle, high + 1) if _is_kind(values[at], wanted)), None)
        order = 1 if place is None else compare(values[place], wanted)
        if place is None or order > 0:
            high = middle - 1
            continue
        found, low = place, place + 1
        if order == 0:
            return _last_equal(wanted, values, place)
    return found


def _last_equal(wanted: CellValue, values: Sequence[CellValue], place: int) -> int:
    """Last of the equal values that follow each other from a place on."""
    while place + 1 < len(values) and _is_kind(values[place + 1], wanted) and compare(values[place + 1], wanted) == 0:
        place += 1
    return place


def _find_above(wanted: CellValue, values: Sequence[CellValue]) -> int | None:
    """Place of the last value that is not below the wanted one, in values that fall."""
    wanted = 0.0 if wanted is None else wanted
    found = None
    for at, value in enumerate(values):
        if not _is_kind(value, wanted):
            continue
        if compare(value, wanted) < 0:
            break
        found = at
    return found


def _find_near(wanted: CellValue, values: Sequence[CellValue], kind: float) -> int | None:
    if kind == 0:
        return find_exact(wanted, values)
    return _find_below(wanted, values) if kind > 0 else _find_above(wanted, values)


def _match(arguments: Sequence[Operand]) -> Operand:
    wanted, grid = _one(arguments[0]), _grid(arguments[1])
    if min(grid.height, grid.width) != 1:
        return NOT_AVAILABLE
    kind = as_number(_one(arguments[2])) if len(arguments) > 2 else 1.0
    values = list(grid.flat())
    place = _find_near(wanted, values, kind)
    return NOT_AVAILABLE if place is None else float(place + 1)


def _index(arguments: Sequence[Operand]) -> Operand:
    grid = _grid(arguments[0])
    row = int(as_number(_one(arguments[1]))) if len(arguments) > 1 else 0
    column = int(as_number(_one(arguments[2]))) if len(arguments) > 2 else 0
    if len(arguments) == 2 and grid.height == 1:
        row, column = 1, row
    if row > grid.height or column > grid.width or row < 0 or column < 0:
        return BAD_REFERENCE
    if row and column:
        return grid.rows[row - 1][column - 1]
    return _cut(grid, row, column)


def _cut(grid: Grid, row: int, column: int) -> Grid:
    """A row, a column (0 for all) of a grid; of a range it is a range."""
    rows = [grid.rows[row - 1]] if row else grid.rows
    chosen = [[one[column - 1]] for one in rows] if column else [list(one) for one in rows]
    if grid.area is None:
        return Grid(chosen)
    top, left = grid.area.top + max(row - 1, 0), grid.area.left + max(column - 1, 0)
    return Grid(chosen, grid.sheet, CellArea(top, left, top + len(chosen) - 1, left + len(chosen[0]) - 1))


def _table_lookup(is_vertical: bool) -> LookupFunction:
    def _apply(arguments: Sequence[Operand]) -> Operand:
        wanted, grid = _one(arguments[0]), _grid(arguments[1])
        place = int(as_number(_one(arguments[2])))
        is_near = as_bool(_one(arguments[3])) if len(arguments) > 3 else True
        lines = grid.rows if is_vertical else [list(one) for one in zip(*grid.rows, strict=True)]
        if place < 1:
            return BAD_VALUE
        if not lines or place > len(lines[0]):
            return BAD_REFERENCE
        keys = [line[0] for line in lines]
        found = _find_below(wanted, keys) if is_near else find_exact(wanted, keys)
        if found is None:
            return NOT_AVAILABLE
        result = lines[found][place - 1]
        return 0.0 if result is None else result

    return _apply


def _lookup(arguments: Sequence[Operand]) -> Operand:
    wanted, grid = _one(arguments[0]), _grid(arguments[1])
    lines = [list(one) for one in zip(*grid.rows, strict=True)] if grid.width > grid.height else grid.rows
    keys = [line[0] for line in lines]
    results = list(_grid(arguments[2]).flat()) if len(arguments) > 2 else [line[-1] for line in lines]
    # LOOKUP(2,1/(…),…) relies on errors being passed over and the last number being taken.
    found = _find_below(wanted, keys)
    return NOT_AVAILABLE if found is None or found >= len(results) else results[found]


def _new_lookup(arguments: Sequence[Operand]) -> Operand:
    wanted, keys, results = _one(arguments[0]), list(_grid(arguments[1]).flat()), _grid(arguments[2])
    kind = int(as_number(_one(arguments[4]))) if len(arguments) > 4 and arguments[4] is not None else 0
    if len(arguments) > 5 and as_number(_one(arguments[5])) != 1:
        raise Uncomputable("XLOOKUP from the end")
    found = find_exact(wanted, keys, has_wildcards=kind == 2)
    if found is None and kind in (-1, 1):
        near = [at for at, one in enumerate(keys) if _is_kind(one, wanted) and compare(one, wanted) * kind > 0]
        found = min(near, key=lambda at: as_number(keys[at]) * kind, default=None)
    if found is None:
        return arguments[3] if len(arguments) > 3 and arguments[3] is not None else NOT_AVAILABLE
    if results.height == len(keys):
        return _cut(results, found + 1, 0)
    return _cut(results, 0, found + 1) if results.width == len(keys) else BAD_VALUE


def _texts(arguments: Sequence[Operand]) -> list[str]:
    return [as_text(value) for one in arguments for value in (one.flat() if isinstance(one, Grid) else [one])]


def _join_texts(arguments: Sequence[Operand]) -> Operand:
    separator, skips = as_text(_one(arguments[0])), as_bool(_one(arguments[1]))
    return separator.join(one for one in _texts(arguments[2:]) if one or not skips)


def _logic(arguments: Sequence[Operand]) -> list[bool]:
    found: list[bool] = []
    for one in arguments:
        if isinstance(one, Grid):
            found.extend(as_bool(value) for value in one.flat() if value is not None and not isinstance(value, str))
        else:
            found.append(as_bool(one))
    if not found:
        raise ErrorResult(BAD_VALUE)
    return found


LOOKUP_FUNCTIONS: Final[Mapping[str, LookupFunction]] = MappingProxyType(
    {
        "MATCH": _match,
        "INDEX": _index,
        "VLOOKUP": _table_lookup(is_vertical=True),
        "HLOOKUP": _table_lookup(is_vertical=False),
        "LOOKUP": _lookup,
        "XLOOKUP": _new_lookup,
        "CONCAT": lambda arguments: "".join(_texts(arguments)),
        "TEXTJOIN": _join_texts,
        "AND": lambda arguments: all(_logic(arguments)),
        "OR": lambda arguments: any(_logic(arguments)),
        "XOR": lambda arguments: sum(_logic(arguments)) % 2 == 1,
        "ROWS": lambda arguments: float(_grid(arguments[0]).height),
        "COLUMNS": lambda arguments: float(_grid(arguments[0]).width),
    }
)
