"""Functions over ranges: sums, counts, statistics."""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from types import MappingProxyType
from typing import Final

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
    as_number,
    one_value,
    text_number,
)
from metier.packs.office.sheets.formulas.functions._workdays import WORKDAY_FUNCTIONS

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
        else:
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
        if isinstance(one, Grid):
            total += sum(1 for value in one.flat() if isinstance(value, int | float) and not isinstance(value, bool))
        elif not isinstance(one, CellError):
            # What is typed into the formula counts if it can be read as a number; left out, it is 0.
            total += not isinstance(one, str) or text_number(one) is not None
    return float(total)


def _count_all(arguments: Sequence[Operand]) -> CellValue:
    typed = sum(1 for one in arguments if one is None)
    return float(typed + sum(1 for value in _all_values(arguments) if value is not None))


def _count_blank(arguments: Sequence[Operand]) -> CellValue:
    return float(sum(1 for value in _all_values(arguments) if value is None or value == ""))


def _statistic(
    function: Callable[[list[float]], float], least: int = 1, otherwise: CellValue = DIV_ZERO
) -> RangeFunction:
    def _apply(arguments: Sequence[Operand]) -> CellValue:
        numbers = list(numbers_of(arguments))
        return otherwise if len(numbers) < least else function(numbers)

    return _apply


def _product(arguments: Sequence[Operand]) -> CellValue:
    numbers = list(numbers_of(arguments))
    return math.prod(numbers) if numbers else 0.0


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
    return _at_share(arguments[0], _scalar(arguments[1]))


def _quartile(arguments: Sequence[Operand]) -> CellValue:
    return _at_share(arguments[0], math.floor(_scalar(arguments[1])) / 4)


def _at_share(source: Operand, share: float) -> CellValue:
    numbers = sorted(numbers_of([source]))
    if not numbers or not 0 <= share <= 1:
        return BAD_NUMBER
    place = share * (len(numbers) - 1)
    low = math.floor(place)
    high = min(low + 1, len(numbers) - 1)
    return numbers[low] + (numbers[high] - numbers[low]) * (place - low)


def _net_present_value(arguments: Sequence[Operand]) -> CellValue:
    rate = _scalar(arguments[0])
    if rate == -1:
        return DIV_ZERO
    return math.fsum(one / (1 + rate) ** at for at, one in enumerate(numbers_of(arguments[1:]), 1))


def _scalar(value: Operand) -> float:
    return as_number(one_value(value))


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


def round_decimal(number: float, digits: int, mode: str) -> float:
    """Round as Excel does: on the decimal digits that are shown, not on the binary fraction."""
    exact = Decimal(f"{number:.15g}")
    place = min(max(digits, -_MAX_DIGITS), _MAX_DIGITS)
    return float(exact.quantize(Decimal(1).scaleb(-place), mode, context=_WIDE))


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
_MAX_DIGITS: Final = 330
_WIDE: Final = Context(prec=700)
_SAMPLE: Final = _statistic(statistics.stdev, 2)
_POPULATION: Final = _statistic(statistics.pstdev)
RANGE_FUNCTIONS: Final[Mapping[str, RangeFunction]] = MappingProxyType(
    {
        **WORKDAY_FUNCTIONS,
        "SUM": lambda arguments: math.fsum(numbers_of(arguments)),
        "AVERAGE": _average,
        "COUNT": _count,
        "COUNTA": _count_all,
        "COUNTBLANK": _count_blank,
        "MIN": lambda arguments: min(numbers_of(arguments), default=0.0),
        "MAX": lambda arguments: max(numbers_of(arguments), default=0.0),
        "PRODUCT": _product,
        "SUMSQ": lambda arguments: math.fsum(one * one for one in numbers_of(arguments)),
        "MEDIAN": _statistic(lambda numbers: float(statistics.median(numbers)), otherwise=BAD_NUMBER),
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
        "QUARTILE": _quartile,
        "QUARTILE.INC": _quartile,
        "NPV": _net_present_value,
        "SUMPRODUCT": _sum_product,
        "SUBTOTAL": _subtotal,
    }
)
ROUND_MODES: Final[Mapping[str, str]] = MappingProxyType(
    {"ROUND": ROUND_HALF_UP, "ROUNDUP": ROUND_UP, "ROUNDDOWN": ROUND_DOWN, "TRUNC": ROUND_DOWN, "CEIL": ROUND_CEILING}
)
