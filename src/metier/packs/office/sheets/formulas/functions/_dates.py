"""Functions of dates and times, counted in the calendar of spreadsheets (with 1900-02-29)."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._dates import (
    MAX_SERIAL,
    day_parts,
    from_serial,
    month_length,
    month_serial,
    parse_date,
    parse_time,
    to_serial,
)
from metier.packs.office.sheets.formulas._values import (
    BAD_NUMBER,
    BAD_VALUE,
    CellValue,
    ErrorResult,
    as_number,
    as_text,
    refuse_local_date,
)

__all__ = ["DATE_FUNCTIONS", "as_day", "check_day"]

# First day of the week by the kind that WEEKDAY and WEEKNUM are given; Sunday is 0.
_WEEK_STARTS: Final[Mapping[int, int]] = MappingProxyType({1: 0, 2: 1, 11: 1, 12: 2, 13: 3, 14: 4, 15: 5, 16: 6, 17: 0})
_MAX_TIME_PART: Final = 32_767


def check_day(serial: float) -> float:
    """The serial number if there is such a day."""
    if not 0 <= serial <= MAX_SERIAL:
        raise ErrorResult(BAD_NUMBER)
    return float(serial)


def as_day(value: CellValue) -> int:
    """Whole day of a value."""
    number = as_number(value)
    if not 0 <= number < MAX_SERIAL + 1:
        raise ErrorResult(BAD_NUMBER)
    return math.floor(number)


def _date(year: CellValue, month: CellValue, day: CellValue) -> CellValue:
    first, second = int(as_number(year)), int(as_number(month))
    first = first + 1900 if 0 <= first < 1900 else first
    if not 1900 <= first <= 9999:
        return BAD_NUMBER
    return check_day(month_serial(first, second) + int(as_number(day)) - 1)


def _date_part(place: int) -> Callable[[CellValue], CellValue]:
    return lambda value: float(day_parts(as_day(value))[place])


def _time_part(name: str) -> Callable[[CellValue], CellValue]:
    def _apply(value: CellValue) -> CellValue:
        as_day(value)
        return float(int(getattr(from_serial(as_number(value) % 1 + 1), name)))

    return _apply


def _weekday(value: CellValue, kind: CellValue = 1.0) -> CellValue:
    """Sunday is day 1 of the calendar of 1900, so that the day of the week follows from the number alone."""
    day, start = (as_day(value) - 1) % 7, int(as_number(kind))
    if start == 3:
        return float((day - 1) % 7)
    return float((day - _WEEK_STARTS[start]) % 7 + 1) if start in _WEEK_STARTS else BAD_NUMBER


def _week_number(value: CellValue, kind: CellValue = 1.0) -> CellValue:
    start = int(as_number(kind))
    if start == 21:
        return _iso_week(value)
    if start not in _WEEK_STARTS:
        return BAD_NUMBER
    day = as_day(value)
    first = month_serial(day_parts(day)[0], 1)
    offset = ((first - 1) % 7 - _WEEK_STARTS[start]) % 7
    return float((day - first + offset) // 7 + 1)


def _iso_week(value: CellValue) -> CellValue:
    return float(from_serial(as_day(value)).isocalendar().week)


def _shift_months(value: CellValue, months: CellValue) -> tuple[int, int, int]:
    year, month, day = day_parts(as_day(value))
    year, month = divmod(year * 12 + month - 1 + int(as_number(months)), 12)
    if not 1900 <= year <= 9999:
        raise ErrorResult(BAD_NUMBER)
    return year, month + 1, day


def _move_months(value: CellValue, months: CellValue) -> CellValue:
    year, month, day = _shift_months(value, months)
    return check_day(month_serial(year, month) + min(day, month_length(year, month)) - 1)


def _month_end(value: CellValue, months: CellValue) -> CellValue:
    year, month, _ = _shift_months(value, months)
    return check_day(month_serial(year, month) + month_length(year, month) - 1)


def _date_difference(start: CellValue, end: CellValue, unit: CellValue) -> CellValue:
    first, last = as_day(start), as_day(end)
    if first > last:
        return BAD_NUMBER
    (year, month, day), (last_year, last_month, last_day) = day_parts(first), day_parts(last)
    months = (last_year - year) * 12 + last_month - month - (last_day < day)
    kind = as_text(unit).upper()
    if kind == "MD":
        return float(last_day - day if last_day >= day else last_day - day + month_length(last_year, last_month - 1))
    if kind == "YD":
        is_later = (month, day) > (last_month, last_day)
        return float(last - (month_serial(last_year - is_later, month) + day - 1))
    table = {"D": last - first, "M": months, "Y": months // 12, "YM": months % 12}
    return float(table[kind]) if kind in table else BAD_NUMBER


def _days_360(start: CellValue, end: CellValue, is_european: CellValue = False) -> CellValue:
    (year, month, day), (last_year, last_month, last_day) = day_parts(as_day(start)), day_parts(as_day(end))
    if as_number(is_european):
        day, last_day = min(day, 30), min(last_day, 30)
    else:
        day = 30 if day == month_length(year, month) else day
        if last_day == 31 and day >= 30:
            last_day = 30
        elif last_day == 31:
            last_day, last_month = 1, last_month + 1
    return float((last_year - year) * 360 + (last_month - month) * 30 + last_day - day)


def _date_value(text: CellValue) -> CellValue:
    whole = as_text(text)
    moment = parse_date(whole)
    if moment is not None:
        return float(math.floor(to_serial(moment)))
    refuse_local_date(whole)
    return 0.0 if parse_time(whole) is not None else BAD_VALUE


def _time_value(text: CellValue) -> CellValue:
    whole = as_text(text)
    moment, time = parse_date(whole), parse_time(whole)
    if moment is not None:
        return to_serial(moment) % 1
    refuse_local_date(whole)
    return BAD_VALUE if time is None else time % 1


def _time(hour: CellValue, minute: CellValue, second: CellValue) -> CellValue:
    parts = [int(as_number(one)) for one in (hour, minute, second)]
    total = parts[0] * 3600 + parts[1] * 60 + parts[2]
    return BAD_NUMBER if total < 0 or max(parts) > _MAX_TIME_PART else total / 86_400 % 1


DATE_FUNCTIONS: Final[Mapping[str, Callable[..., CellValue]]] = MappingProxyType(
    {
        "DATE": _date,
        "YEAR": _date_part(0),
        "MONTH": _date_part(1),
        "DAY": _date_part(2),
        "HOUR": _time_part("hour"),
        "MINUTE": _time_part("minute"),
        "SECOND": _time_part("second"),
        "WEEKDAY": _weekday,
        "WEEKNUM": _week_number,
        "ISOWEEKNUM": _iso_week,
        "EDATE": _move_months,
        "EOMONTH": _month_end,
        "DATEDIF": _date_difference,
        "DATEVALUE": _date_value,
        "TIMEVALUE": _time_value,
        "DAYS": lambda end, start: float(as_day(end) - as_day(start)),
        "DAYS360": _days_360,
        "TIME": _time,
    }
)
