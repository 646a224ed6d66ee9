"""Dates as serial numbers of days, with the leap day of 1900 that never was."""

import re
from datetime import date, datetime, time, timedelta
from typing import Final

_BASE: Final = datetime(1899, 12, 30)
_BASE_1904: Final = datetime(1904, 1, 1)
_DATE: Final = re.compile(
    r"(\d{4})(?:-|/|\.|年)(\d{1,2})(?:-|/|\.|月)(\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?"
)
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
