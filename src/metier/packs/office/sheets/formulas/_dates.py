"""Dates as serial numbers of days, with the leap day of 1900 that never was."""

import math
import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta
from typing import Final

_BASE: Final = datetime(1899, 12, 30)
MAX_SERIAL: Final = 2_958_465  # 9999-12-31
_LEAP_DAY_1900: Final = 60
_BASE_1904: Final = datetime(1904, 1, 1)
_DATE: Final = re.compile(
    r"(\d{4})(?:-|/|\.|年)(\d{1,2})(?:-|/|\.|月)(\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?"
)
_TIME: Final = re.compile(r"(\d{1,4}):([0-5]?\d)(?::([0-5]?\d)(?:\.\d+)?)?\s*([AaPp][Mm])?")
_QUOTED: Final = re.compile(r'"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.')


def to_serial(moment: date | datetime, *, is_1904: bool = False) -> float:
    """Days since the base of the workbook; a time is a fraction."""
    full = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
    days = (full - (_BASE_1904 if is_1904 else _BASE)) / timedelta(days=1)
    # Before March 1900 the calendar of spreadsheets is one day off.
    return days - 1 if not is_1904 and days < 61 else days


def from_serial(serial: float, *, is_1904: bool = False) -> datetime:
    """Moment of a serial number, to the second; `OverflowError` or `ValueError` if there is none."""
    if serial < 0:
        raise ValueError(serial)
    if not is_1904 and serial < 60:
        serial += 1
    base = _BASE_1904 if is_1904 else _BASE
    return base + timedelta(seconds=round(serial * 86_400))


def shift_1904(serial: float) -> float:
    """Serial number of the same day in the calendar that begins in 1900."""
    return serial + 1_462


def day_parts(serial: float) -> tuple[int, int, int]:
    """Year, month and day as spreadsheets tell them; `ValueError` if there is no such day."""
    day = math.floor(serial)
    if not 0 <= day <= MAX_SERIAL:
        raise ValueError(serial)
    if day == 0:  # 1900-01-00
        return 1900, 1, 0
    if day == _LEAP_DAY_1900:
        return 1900, 2, 29
    moment = _BASE + timedelta(days=day + (1 if day < _LEAP_DAY_1900 else 0))
    return moment.year, moment.month, moment.day


def month_serial(year: int, month: int) -> int:
    """Serial number of the first of a month; months beyond a year go on into others."""
    whole = year * 12 + month - 1
    return int(to_serial(date(whole // 12, whole % 12 + 1, 1)))


def month_length(year: int, month: int) -> int:
    """Days of a month in the calendar of spreadsheets."""
    whole = year * 12 + month - 1
    year, month = whole // 12, whole % 12 + 1
    return 29 if (year, month) == (1900, 2) else monthrange(year, month)[1]


def parse_time(text: str) -> float | None:
    """`12:30`, `1:05:09 PM` as the fraction of a day; None if it is no time."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[4].lower() == "pm" else 0)
    return (hour * 3600 + minute * 60 + second) / 86_400


def parse_date(text: str) -> datetime | None:
    """`2024-01-05`, `2024/1/5`, `2024年1月5日`, with or without a time; None if it is no date."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    try:
        return datetime(year, month, day, int(found[4] or 0), int(found[5] or 0), int(found[6] or 0))
    except ValueError:
        return None


def is_date_format(code: str) -> bool:
    """Whether a number format shows a date or time."""
    plain = _QUOTED.sub("", code.partition(";")[0])
    return plain.lower() != "general" and (any(char in plain.lower() for char in "ymdhs") or "aaa" in plain.lower())
