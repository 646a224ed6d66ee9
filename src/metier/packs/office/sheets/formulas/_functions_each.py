"""Functions of single values: text, dates, rounding, tests. In an array they are applied to each value."""

import math
import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._criteria import wildcard_pattern
from metier.packs.office.sheets.formulas._dates import from_serial, parse_date, to_serial
from metier.packs.office.sheets.formulas._functions_math import ROUND_MODES, round_decimal
from metier.packs.office.sheets.formulas._number_format import UnknownFormat, format_value
from metier.packs.office.sheets.formulas._values import (
    BAD_NUMBER,
    BAD_VALUE,
    DIV_ZERO,
    NOT_AVAILABLE,
    CellError,
    CellValue,
    ErrorResult,
    Uncomputable,
    as_bool,
    as_number,
    as_text,
    text_number,
)

EachFunction = Callable[..., CellValue]


def _number_function(function: Callable[[float], float]) -> EachFunction:
    def _apply(value: CellValue) -> CellValue:
        try:
            return function(as_number(value))
        except (ValueError, OverflowError):
            return BAD_NUMBER

    return _apply


def _rounding(name: str) -> EachFunction:
    def _apply(value: CellValue, digits: CellValue = 0.0) -> CellValue:
        return round_decimal(as_number(value), int(as_number(digits)), ROUND_MODES[name])

    return _apply


def _modulo(value: CellValue, divisor: CellValue) -> CellValue:
    below = as_number(divisor)
    return as_number(value) - below * math.floor(as_number(value) / below) if below else DIV_ZERO


def _power(value: CellValue, exponent: CellValue) -> CellValue:
    try:
        result = as_number(value) ** as_number(exponent)
    except ZeroDivisionError:
        return DIV_ZERO
    except OverflowError:
        return BAD_NUMBER
    return float(result) if isinstance(result, int | float) else BAD_NUMBER


def _log(value: CellValue, base: CellValue = 10.0) -> CellValue:
    number, below = as_number(value), as_number(base)
    if number <= 0 or below <= 0 or below == 1:
        return BAD_NUMBER
    return math.log10(number) if below == 10 else math.log(number, below)


def _multiple(step_function: Callable[[float], int]) -> EachFunction:
    def _apply(value: CellValue, step: CellValue = 1.0) -> CellValue:
        size = as_number(step)
        if size == 0:
            return 0.0
        return float(f"{step_function(float(f'{as_number(value) / size:.14g}')) * size:.15g}")

    return _apply


def _take_left(text: CellValue, count: CellValue = 1.0) -> CellValue:
    size = int(as_number(count))
    return as_text(text)[:size] if size >= 0 else BAD_VALUE


def _take_right(text: CellValue, count: CellValue = 1.0) -> CellValue:
    size = int(as_number(count))
    return BAD_VALUE if size < 0 else as_text(text)[-size:] if size else ""


def _mid(text: CellValue, start: CellValue, count: CellValue) -> CellValue:
    first, size = int(as_number(start)), int(as_number(count))
    return as_text(text)[first - 1 : first - 1 + size] if first >= 1 and size >= 0 else BAD_VALUE


def _find(needle: CellValue, text: CellValue, start: CellValue = 1.0) -> CellValue:
    at = as_text(text).find(as_text(needle), int(as_number(start)) - 1)
    return float(at + 1) if at >= 0 else BAD_VALUE


def _search(needle: CellValue, text: CellValue, start: CellValue = 1.0) -> CellValue:
    first = int(as_number(start)) - 1
    found = wildcard_pattern(as_text(needle)).search(as_text(text), max(first, 0))
    return float(found.start() + 1) if found else BAD_VALUE


def _substitute(text: CellValue, old: CellValue, new: CellValue, which: CellValue = None) -> CellValue:
    whole, needle = as_text(text), as_text(old)
    if not needle:
        return whole
    if which is None:
        return whole.replace(needle, as_text(new))
    parts = whole.split(needle)
    place = int(as_number(which))
    if not 1 <= place < len(parts):
        return whole
    return needle.join(parts[:place]) + as_text(new) + needle.join(parts[place:])


def _replace(text: CellValue, start: CellValue, count: CellValue, new: CellValue) -> CellValue:
    whole, first = as_text(text), int(as_number(start)) - 1
    return whole[:first] + as_text(new) + whole[first + int(as_number(count)) :]


def _text(value: CellValue, code: CellValue) -> CellValue:
    if isinstance(value, CellError):
        return value
    if isinstance(value, str):
        number = text_number(value)
        value = value if number is None else number
    try:
        return format_value(value, as_text(code))
    except UnknownFormat as unknown:
        raise Uncomputable(f"TEXT with the format {unknown}") from None


def _value(text: CellValue) -> CellValue:
    return as_number(text) if text is not None else 0.0


def _date(year: CellValue, month: CellValue, day: CellValue) -> CellValue:
    first, second = int(as_number(year)), int(as_number(month)) - 1
    first = first + 1900 if first < 1900 else first
    try:
        base = datetime(first + second // 12, second % 12 + 1, 1)
        return to_serial(base + timedelta(days=int(as_number(day)) - 1))
    except (ValueError, OverflowError):
        return BAD_NUMBER


def _moment(value: CellValue) -> datetime:
    try:
        return from_serial(as_number(value))
    except (ValueError, OverflowError):
        raise ErrorResult(BAD_NUMBER) from None


def _date_part(name: str) -> EachFunction:
    return lambda value: float(int(getattr(_moment(value), name)))


def _weekday(value: CellValue, kind: CellValue = 1.0) -> CellValue:
    day = _moment(value).weekday()
    start = {1: (day + 1) % 7 + 1, 2: day + 1, 3: day}.get(int(as_number(kind)))
    return BAD_NUMBER if start is None else float(start)


def _shift_months(value: CellValue, months: CellValue) -> datetime:
    moment = _moment(value)
    whole = moment.year * 12 + moment.month - 1 + int(as_number(months))
    year, month = divmod(whole, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def _month_end(value: CellValue, months: CellValue) -> CellValue:
    moment = _shift_months(value, months)
    return to_serial(moment.replace(day=monthrange(moment.year, moment.month)[1], hour=0, minute=0, second=0))


def _date_difference(start: CellValue, end: CellValue, unit: CellValue) -> CellValue:
    first, last = _moment(start), _moment(end)
    if first > last:
        return BAD_NUMBER
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    table = {"D": (last - first).days, "M": months, "Y": months // 12, "YM": months % 12}
    found = table.get(as_text(unit).upper())
    if found is None:
        raise Uncomputable("DATEDIF with this unit")
    return float(found)


def _date_value(text: CellValue) -> CellValue:
    moment = parse_date(as_text(text))
    return BAD_VALUE if moment is None else math.floor(to_serial(moment))


def _time(hour: CellValue, minute: CellValue, second: CellValue) -> CellValue:
    return (as_number(hour) * 3600 + as_number(minute) * 60 + as_number(second)) / 86_400 % 1


def _char(value: CellValue) -> CellValue:
    code = int(as_number(value))
    return chr(code) if 1 <= code <= 127 else BAD_VALUE


def _nearest_multiple(value: CellValue, step: CellValue) -> CellValue:
    number, size = as_number(value), as_number(step)
    if size == 0:
        return 0.0
    return BAD_NUMBER if number * size < 0 else float(f"{math.floor(number / size + 0.5) * size:.15g}")


def _week_number(value: CellValue, kind: CellValue = 1.0) -> CellValue:
    moment, start = _moment(value), int(as_number(kind))
    if start == 21:
        return float(moment.isocalendar().week)
    if start not in (1, 2):
        raise Uncomputable("WEEKNUM of this kind")
    first = datetime(moment.year, 1, 1).weekday()
    offset = (first + 1) % 7 if start == 1 else first
    return float((moment.timetuple().tm_yday - 1 + offset) // 7 + 1)


def _payment(
    rate: CellValue, periods: CellValue, present: CellValue, future: CellValue = 0.0, kind: CellValue = 0.0
) -> CellValue:
    each, count, now, then = as_number(rate), as_number(periods), as_number(present), as_number(future)
    if count == 0:
        return BAD_NUMBER
    if each == 0:
        return -(now + then) / count
    factor = float((1 + each) ** count)
    return -(now * factor + then) * each / ((1 + each * as_number(kind)) * (factor - 1))


def _is_number(value: CellValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


EACH_FUNCTIONS: Final[Mapping[str, EachFunction]] = MappingProxyType(
    {
        "ABS": _number_function(abs),
        "INT": _number_function(lambda number: float(math.floor(float(f"{number:.15g}")))),
        "SQRT": _number_function(math.sqrt),
        "EXP": _number_function(math.exp),
        "LN": _number_function(math.log),
        "LOG": _log,
        "LOG10": _log,
        "SIGN": _number_function(lambda number: float((number > 0) - (number < 0))),
        "ROUND": _rounding("ROUND"),
        "ROUNDUP": _rounding("ROUNDUP"),
        "ROUNDDOWN": _rounding("ROUNDDOWN"),
        "TRUNC": _rounding("TRUNC"),
        "CEILING": _multiple(math.ceil),
        "FLOOR": _multiple(math.floor),
        "MOD": _modulo,
        "QUOTIENT": lambda one, other: float(int(as_number(one) / as_number(other))) if as_number(other) else DIV_ZERO,
        "POWER": _power,
        "PI": lambda: math.pi,
        "PMT": _payment,
        "LEFT": _take_left,
        "RIGHT": _take_right,
        "MID": _mid,
        "LEN": lambda text: float(len(as_text(text).encode("utf-16-le")) // 2),
        "TRIM": lambda text: re.sub(" +", " ", as_text(text)).strip(" "),
        "CLEAN": lambda text: re.sub("[\x00-\x1f]", "", as_text(text)),
        "UPPER": lambda text: as_text(text).upper(),
        "LOWER": lambda text: as_text(text).lower(),
        "PROPER": lambda text: as_text(text).title(),
        "FIND": _find,
        "SEARCH": _search,
        "SUBSTITUTE": _substitute,
        "REPLACE": _replace,
        "REPT": lambda text, count: as_text(text) * max(int(as_number(count)), 0),
        "EXACT": lambda one, other: as_text(one) == as_text(other),
        "TEXT": _text,
        "VALUE": _value,
        "HYPERLINK": lambda address, name=None: as_text(address) if name is None else name,
        "ISEVEN": lambda value: int(as_number(value)) % 2 == 0,
        "ISODD": lambda value: int(as_number(value)) % 2 == 1,
        "MROUND": _nearest_multiple,
        "WEEKNUM": _week_number,
        "CHAR": _char,
        "CODE": lambda text: float(ord(as_text(text)[0])) if as_text(text)[:1].isascii() else BAD_VALUE,
        "T": lambda value: value if isinstance(value, str | CellError) else "",
        "N": lambda value: (
            value if isinstance(value, CellError) else 0.0 if isinstance(value, str) else as_number(value)
        ),
        "DATE": _date,
        "YEAR": _date_part("year"),
        "MONTH": _date_part("month"),
        "DAY": _date_part("day"),
        "HOUR": _date_part("hour"),
        "MINUTE": _date_part("minute"),
        "SECOND": _date_part("second"),
        "WEEKDAY": _weekday,
        "EDATE": lambda value, months: math.floor(to_serial(_shift_months(value, months))),
        "EOMONTH": _month_end,
        "DATEDIF": _date_difference,
        "DATEVALUE": _date_value,
        "DAYS": lambda end, start: float(math.floor(as_number(end)) - math.floor(as_number(start))),
        "TIME": _time,
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
# Tests that look at an error instead of passing it on.
SEES_ERRORS: Final = frozenset({"ISERROR", "ISERR", "ISNA", "ISBLANK", "ISNUMBER", "ISTEXT", "ISNONTEXT", "ISLOGICAL"})
