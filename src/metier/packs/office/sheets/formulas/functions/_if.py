"""Functions over ranges with conditions: SUMIF, COUNTIFS and their kin."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._criteria import build_test
from metier.packs.office.sheets.formulas._values import (
    BAD_VALUE,
    DIV_ZERO,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    one_value,
)

__all__ = ["CONDITIONAL_FUNCTIONS", "criterion_places"]

_RangeFunction = Callable[[Sequence[Operand]], CellValue]


def _shape(value: Operand) -> tuple[int, int]:
    if not isinstance(value, Grid):
        raise ErrorResult(BAD_VALUE)
    return value.height, value.width


def _matches(pairs: Sequence[Operand]) -> Iterator[int]:
    """Places at which all pairs of range and criterion hold."""
    tests = []
    size = None
    for at in range(0, len(pairs) - 1, 2):
        grid = pairs[at]
        if not isinstance(grid, Grid) or (size is not None and _shape(grid) != size):
            raise ErrorResult(BAD_VALUE)
        size = _shape(grid)
        tests.append((list(grid.flat()), build_test(one_value(pairs[at + 1]))))
    if size is None:
        raise ErrorResult(BAD_VALUE)
    for place in range(size[0] * size[1]):
        if all(test(values[place]) for values, test in tests):
            yield place


def _chosen_numbers(source: Operand, pairs: Sequence[Operand]) -> list[float]:
    if not isinstance(source, Grid) or _shape(source) != _shape(pairs[0]):
        raise ErrorResult(BAD_VALUE)
    values = list(source.flat())
    chosen = [values[place] for place in _matches(pairs)]
    for value in chosen:
        if isinstance(value, CellError):
            raise ErrorResult(value)
    return [float(one) for one in chosen if isinstance(one, int | float) and not isinstance(one, bool)]


def _if_function(finish: Callable[[list[float]], CellValue]) -> _RangeFunction:
    """SUMIF and AVERAGEIF: range, criterion, range of numbers."""

    def _apply(arguments: Sequence[Operand]) -> CellValue:
        source = arguments[2] if len(arguments) > 2 else arguments[0]
        if isinstance(source, Grid) and _shape(source) != _shape(arguments[0]):
            # A range that is written as one is read in the size of the first; here it is what another function gave.
            raise Uncomputable("the ranges have different sizes")
        return finish(_chosen_numbers(source, arguments[:2]))

    return _apply


def _ifs_function(finish: Callable[[list[float]], CellValue]) -> _RangeFunction:
    return lambda arguments: finish(_chosen_numbers(arguments[0], arguments[1:]))


def _mean(numbers: list[float]) -> CellValue:
    return math.fsum(numbers) / len(numbers) if numbers else DIV_ZERO


def _count_matches(arguments: Sequence[Operand]) -> CellValue:
    return float(sum(1 for _ in _matches(arguments)))


def criterion_places(name: str, count: int) -> range:
    """Places of the criteria among so many arguments."""
    return range(1, min(count, 2)) if name.endswith("IF") else range(1 if name == "COUNTIFS" else 2, count, 2)


CONDITIONAL_FUNCTIONS: Final[Mapping[str, _RangeFunction]] = MappingProxyType(
    {
        "SUMIF": _if_function(math.fsum),
        "AVERAGEIF": _if_function(_mean),
        "COUNTIF": lambda arguments: _count_matches(arguments[:2]),
        "SUMIFS": _ifs_function(math.fsum),
        "AVERAGEIFS": _ifs_function(_mean),
        "COUNTIFS": _count_matches,
        "MAXIFS": _ifs_function(lambda numbers: max(numbers, default=0.0)),
        "MINIFS": _ifs_function(lambda numbers: min(numbers, default=0.0)),
    }
)
