"""Functions of single values: rounding, powers, tests, texts, dates, money. In an array each value has its result."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._values import (
    BAD_NUMBER,
    DIV_ZERO,
    NOT_AVAILABLE,
    CellError,
    CellValue,
    as_bool,
    as_number,
    clean_number,
)
from metier.packs.office.sheets.formulas.functions._dates import DATE_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._math import ROUND_MODES, round_decimal
from metier.packs.office.sheets.formulas.functions._money import MONEY_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._text import TEXT_FUNCTIONS

EachFunction = Callable[..., CellValue]


def _number_function(function: Callable[[float], float]) -> EachFunction:
    return lambda value: function(as_number(value))


def _rounding(name: str) -> EachFunction:
    def _apply(value: CellValue, digits: CellValue = 0.0) -> CellValue:
        return round_decimal(as_number(value), int(as_number(digits)), ROUND_MODES[name])

    return _apply


def _modulo(value: CellValue, divisor: CellValue) -> CellValue:
    number, below = as_number(value), as_number(divisor)
    return number - below * math.floor(number / below) if below else DIV_ZERO


def _quotient(value: CellValue, divisor: CellValue) -> CellValue:
    number, below = as_number(value), as_number(divisor)
    return float(int(clean_number(number / below))) if below else DIV_ZERO


def _power(value: CellValue, exponent: CellValue) -> CellValue:
    base, times = as_number(value), as_number(exponent)
    if base == 0 and times <= 0:
        return DIV_ZERO if times else BAD_NUMBER
    result = base**times
    return float(result) if isinstance(result, int | float) else BAD_NUMBER


def _log(value: CellValue, base: CellValue = 10.0) -> CellValue:
    number, below = as_number(value), as_number(base)
    if number <= 0 or below <= 0:
        return BAD_NUMBER
    if below == 1:
        return DIV_ZERO
    return math.log10(number) if below == 10 else math.log(number, below)


def _ceiling(value: CellValue, step: CellValue) -> CellValue:
    number, size = as_number(value), as_number(step)
    if number > 0 > size:
        return BAD_NUMBER
    return _multiple(math.ceil, number, size) if size else 0.0


def _floor(value: CellValue, step: CellValue) -> CellValue:
    number, size = as_number(value), as_number(step)
    if number > 0 > size:
        return BAD_NUMBER
    if size == 0:
        return DIV_ZERO if number else 0.0
    return _multiple(math.floor, number, size)


def _nearest_multiple(value: CellValue, step: CellValue) -> CellValue:
    number, size = as_number(value), as_number(step)
    if size == 0 or number == 0:
        return 0.0
    if (number < 0) != (size < 0):
        return BAD_NUMBER
    return _multiple(lambda share: math.floor(share + 0.5), number, size)


def _multiple(to_whole: Callable[[float], int], number: float, size: float) -> float:
    return clean_number(to_whole(float(f"{number / size:.14g}")) * size)


def _is_number(value: CellValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_NUMBER_FUNCTIONS: Final[Mapping[str, EachFunction]] = MappingProxyType(
    {
        "ABS": _number_function(abs),
        "INT": _number_function(lambda number: float(math.floor(clean_number(number)))),
        "SQRT": _number_function(math.sqrt),
        "EXP": _number_function(math.exp),
        "LN": _number_function(math.log),
        "LOG": _log,
        "LOG10": _number_function(math.log10),
        "SIGN": _number_function(lambda number: float((number > 0) - (number < 0))),
        "ROUND": _rounding("ROUND"),
        "ROUNDUP": _rounding("ROUNDUP"),
        "ROUNDDOWN": _rounding("ROUNDDOWN"),
        "TRUNC": _rounding("TRUNC"),
        "CEILING": _ceiling,
        "FLOOR": _floor,
        "MROUND": _nearest_multiple,
        "MOD": _modulo,
        "QUOTIENT": _quotient,
        "POWER": _power,
        "PI": lambda: math.pi,
        "ISEVEN": lambda value: int(as_number(value)) % 2 == 0,
        "ISODD": lambda value: int(as_number(value)) % 2 == 1,
    }
)
_TEST_FUNCTIONS: Final[Mapping[str, EachFunction]] = MappingProxyType(
    {
        "NOT": lambda value: not as_bool(value),
        "ISBLANK": lambda value: value is None,
        "ISNUMBER": _is_number,
        "ISTEXT": lambda value: isinstance(value, str),
        "ISNONTEXT": lambda value: not isinstance(value, str),
        "ISLOGICAL": lambda value: isinstance(value, bool),
        "ISERROR": lambda value: isinstance(value, CellError),
        "ISERR": lambda value: isinstance(value, CellError) and value != NOT_AVAILABLE,
        "ISNA": lambda value: value == NOT_AVAILABLE,
        "NA": lambda: NOT_AVAILABLE,
        "TRUE": lambda: True,
        "FALSE": lambda: False,
    }
)
EACH_FUNCTIONS: Final[Mapping[str, EachFunction]] = MappingProxyType(
    {**_NUMBER_FUNCTIONS, **TEXT_FUNCTIONS, **DATE_FUNCTIONS, **MONEY_FUNCTIONS, **_TEST_FUNCTIONS}
)
# Tests that look at an error instead of passing it on.
SEES_ERRORS: Final = frozenset({"ISERROR", "ISERR", "ISNA", "ISBLANK", "ISNUMBER", "ISTEXT", "ISNONTEXT", "ISLOGICAL"})
