"""Functions over ranges: sums, counts, statistics, with and without conditions."""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._criteria import build_test
from metier.packs.office.sheets.formulas._values import (
    BAD_NUMBER,
    BAD_VALUE,
    DIV_ZERO,
    NOT_AVAILABLE,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    Uncomputable,
    as_number,
)

RangeFunction = Callable[[Sequence[Operand]], CellValue]


def numbers_of(arguments: Sequence[Operand]) -> Iterator[float]:
    """Numbers in arguments: in ranges only real numbers count, a direct argument is converted."""
    for one in arguments:
        if isinstance(one, Grid):
            for value in one.flat():
                if isinstance(value, CellError):
                    raise ErrorResult(value)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield float(value)
        elif one is not None:
            yield as_number(one)


def _all_values(arguments: Sequence[Operand]) -> Iterator[CellValue]:
    for one in arguments:
        if isinstance(one, Grid):
            yield from one.flat()
        else:
            yield one


def _average(arguments: Sequence[Operand]) -> CellValue:
    numbers = list(numbers_of(arguments))
    return math.fsum(numbers) / len(numbers) if numbers else DIV_ZERO


def _count(arguments: Sequence[Operand]) -> CellValue:
    total = 0
    for one in arguments:
        values = one.flat() if isinstance(one, Grid) else iter([one])
        total += sum(1 for value in values if isinstance(value, int | float) and not isinstance(value, bool))
    return float(total)


def _count_all(arguments: Sequence[Operand]) -> CellValue:
    return float(sum(1 for value in _all_values(arguments) if value is not None))


def _count_blank(arguments: Sequence[Operand]) -> CellValue:
    return float(sum(1 for value in _all_values(arguments) if value is None or value == ""))


def _statistic(function: Callable[[list[float]], float], least: int = 1) -> RangeFunction:
    def _apply(arguments: Sequence[Operand]) -> CellValue:
        numbers = list(numbers_of(arguments))
        if len(numbers) < least:
            return DIV_ZERO if least > 1 else BAD_NUMBER
        return function(numbers)

    return _apply


def _make_ranking(is_largest: bool) -> RangeFunction:
    def _apply(arguments: Sequence[Operand]) -> CellValue:
        numbers = sorted(numbers_of(arguments[:1]), reverse=is_largest)
        place = int(_scalar(arguments[1]))
        return numbers[place - 1] if 1 <= place <= len(numbers) else BAD_NUMBER

    return _apply


def _rank(arguments: Sequence[Operand]) -> CellValue:
    number = _scalar(arguments[0])
    numbers = list(numbers_of(arguments[1:2]))
    is_ascending = len(arguments) > 2 and _scalar(arguments[2]) != 0
    if number not in numbers:
        return NOT_AVAILABLE
    return 1.0 + sum(1 for one in numbers if (one < number if is_ascending else one > number))


def _percentile(arguments: Sequence[Operand]) -> CellValue:
    numbers = sorted(numbers_of(arguments[:1]))
    share = _scalar(arguments[1])
    if not numbers or not 0 <= share <= 1:
        return BAD_NUMBER
    place = share * (len(numbers) - 1)
    low = math.floor(place)
    high = min(low + 1, len(numbers) - 1)
    return numbers[low] + (numbers[high] - numbers[low]) * (place - low)


def _scalar(value: Operand) -> float:
    if isinstance(value, Grid):
        if value.height * value.width != 1:
            raise Uncomputable("a range where one value is needed")
        value = value.rows[0][0]
    return as_number(value)


def _cell(value: Operand) -> CellValue:
    if isinstance(value, Grid):
        if value.height * value.width != 1:
            raise Uncomputable("a range where one value is needed")
        return value.rows[0][0]
    return value


def _sum_product(arguments: Sequence[Operand]) -> CellValue:
    grids = [one if isinstance(one, Grid) else Grid([[one]]) for one in arguments]
    if len({(one.height, one.width) for one in grids}) != 1:
        return BAD_VALUE
    total = []
    for values in zip(*(one.flat() for one in grids), strict=True):
        product = 1.0
        for value in values:
            if isinstance(value, CellError):
                return value
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            product *= float(value) if is_number and isinstance(value, int | float) else 0.0
        total.append(product)
    return math.fsum(total)


def _matches(pairs: Sequence[Operand]) -> Iterator[int]:
    """Places at which all pairs of range and criterion hold."""
    tests = []
    size = None
    for at in range(0, len(pairs) - 1, 2):
        grid = pairs[at]
        if not isinstance(grid, Grid):
            raise ErrorResult(BAD_VALUE)
        if size is not None and (grid.height, grid.width) != size:
            raise ErrorResult(BAD_VALUE)
        size = (grid.height, grid.width)
        tests.append((list(grid.flat()), build_test(_cell(pairs[at + 1]))))
    if size is None:
        raise ErrorResult(BAD_VALUE)
    for place in range(size[0] * size[1]):
        if all(test(values[place]) for values, test in tests):
            yield place


def _chosen_numbers(source: Operand, pairs: Sequence[Operand]) -> list[float]:
    places = list(_matches(pairs))
    if not isinstance(source, Grid):
        raise ErrorResult(BAD_VALUE)
    values = list(source.flat())
    if values and places and places[-1] >= len(values):
        raise Uncomputable("the ranges have different sizes")
    chosen = [values[place] for place in places]
    for value in chosen:
        if isinstance(value, CellError):
            raise ErrorResult(value)
    return [float(one) for one in chosen if isinstance(one, int | float) and not isinstance(one, bool)]


def _if_function(finish: Callable[[list[float]], CellValue]) -> RangeFunction:
    """SUMIF and AVERAGEIF: range, criterion, range of numbers."""

    def _apply(arguments: Sequence[Operand]) -> CellValue:
        source = arguments[2] if len(arguments) > 2 and arguments[2] is not None else arguments[0]
        return finish(_chosen_numbers(source, arguments[:2]))

    return _apply


def _ifs_function(finish: Callable[[list[float]], CellValue]) -> RangeFunction:
    return lambda arguments: finish(_chosen_numbers(arguments[0], arguments[1:]))


def _mean(numbers: list[float]) -> CellValue:
    return math.fsum(numbers) / len(numbers) if numbers else DIV_ZERO


def _count_matches(arguments: Sequence[Operand]) -> CellValue:
    return float(sum(1 for _ in _matches(arguments)))


def round_decimal(number: float, digits: int, mode: str) -> float:
    """Round as Excel does: on the decimal digits that are shown, not on the binary fraction."""
    if not math.isfinite(number):
        raise ErrorResult(BAD_NUMBER)
    exact = Decimal(f"{number:.15g}")
    return float(exact.quantize(Decimal(1).scaleb(-digits), mode)) if abs(digits) < 300 else number


def _subtotal(arguments: Sequence[Operand]) -> CellValue:
    kind = int(_scalar(arguments[0])) % 100
    if kind not in _SUBTOTALS:
        return BAD_VALUE
    return RANGE_FUNCTIONS[_SUBTOTALS[kind]](arguments[1:])


_SUBTOTALS: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: "AVERAGE",
        2: "COUNT",
        3: "COUNTA",
        4: "MAX",
        5: "MIN",
        6: "PRODUCT",
        7: "STDEV",
        8: "STDEVP",
        9: "SUM",
        10: "VAR",
        11: "VARP",
    }
)
_SAMPLE: Final = _statistic(statistics.stdev, 2)
_POPULATION: Final = _statistic(statistics.pstdev)
RANGE_FUNCTIONS: Final[Mapping[str, RangeFunction]] = MappingProxyType(
    {
        "SUM": lambda arguments: math.fsum(numbers_of(arguments)),
        "AVERAGE": _average,
        "COUNT": _count,
        "COUNTA": _count_all,
        "COUNTBLANK": _count_blank,
        "MIN": lambda arguments: min(numbers_of(arguments), default=0.0),
        "MAX": lambda arguments: max(numbers_of(arguments), default=0.0),
        "PRODUCT": lambda arguments: math.prod(numbers_of(arguments)),
        "SUMSQ": lambda arguments: math.fsum(one * one for one in numbers_of(arguments)),
        "MEDIAN": _statistic(lambda numbers: float(statistics.median(numbers))),
        "STDEV": _SAMPLE,
        "STDEV.S": _SAMPLE,
        "STDEVP": _POPULATION,
        "STDEV.P": _POPULATION,
        "VAR": _statistic(statistics.variance, 2),
        "VAR.S": _statistic(statistics.variance, 2),
        "VARP": _statistic(statistics.pvariance),
        "VAR.P": _statistic(statistics.pvariance),
        "LARGE": _make_ranking(is_largest=True),
        "SMALL": _make_ranking(is_largest=False),
        "RANK": _rank,
        "RANK.EQ": _rank,
        "PERCENTILE": _percentile,
        "PERCENTILE.INC": _percentile,
        "SUMPRODUCT": _sum_product,
        "SUMIF": _if_function(math.fsum),
        "AVERAGEIF": _if_function(_mean),
        "COUNTIF": _count_matches,
        "SUMIFS": _ifs_function(math.fsum),
        "AVERAGEIFS": _ifs_function(_mean),
        "COUNTIFS": _count_matches,
        "MAXIFS": _ifs_function(lambda numbers: max(numbers, default=0.0)),
        "MINIFS": _ifs_function(lambda numbers: min(numbers, default=0.0)),
        "SUBTOTAL": _subtotal,
    }
)
ROUND_MODES: Final[Mapping[str, str]] = MappingProxyType(
    {"ROUND": ROUND_HALF_UP, "ROUNDUP": ROUND_UP, "ROUNDDOWN": ROUND_DOWN, "TRUNC": ROUND_DOWN, "CEIL": ROUND_CEILING}
)
