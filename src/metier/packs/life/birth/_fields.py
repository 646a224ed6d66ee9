"""Checks the fields of birth data one by one: date, time and place."""

import re
from calendar import monthrange
from datetime import date, time
from typing import Final

from metier.packs.life.birth._find_place import PlaceMatch, find_place
from metier.packs.life.birth._info import BirthInfo, BirthProblem

FIRST_YEAR: Final = 1900
_MONTHS: Final = 12
_MAX_LONGITUDE: Final = 180.0
_MAX_LUNAR_DAYS: Final = 30
_LAST_LUNAR_YEAR: Final = 2100
_DATE: Final = re.compile(r"(\d{1,4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?")
_TIME: Final = re.compile(r"(\d{1,2})[:：](\d{2})(?:[:：]\d{2})?")


def read_date(info: BirthInfo) -> date | BirthProblem:
    """The solar date, from either calendar."""
    if not info.date:
        return BirthProblem("date", "birth_date_missing")
    found = _DATE.fullmatch(info.date)
    if not found:
        return BirthProblem("date", "birth_date_format", {"date": info.date})
    year, month, day = (int(part) for part in found.groups())
    if not 1 <= month <= _MONTHS or not day:
        return BirthProblem("date", "birth_date_format", {"date": info.date})
    if year < FIRST_YEAR:
        return BirthProblem("date", "birth_too_early", {"date": info.date})
    if year > _LAST_LUNAR_YEAR:
        return BirthProblem("date", "birth_future", {"date": info.date})
    if info.calendar == "lunar":
        return _read_lunar(info, year, month, day)
    days = monthrange(year, month)[1]
    if day > days:  # the calendar library takes such a day for another one
        values = {"date": info.date, "month": f"{year}-{month:02d}", "days": days}
        return BirthProblem("date", "birth_no_such_day", values)
    return date(year, month, day)


def _read_lunar(info: BirthInfo, year: int, month: int, day: int) -> date | BirthProblem:
    from lunar_python import Lunar, LunarMonth, LunarYear

    leap = LunarYear.fromYear(year).getLeapMonth()
    if info.leap_month and leap != month:
        values = {"year": year, "month": month, "leap": leap or "-"}
        return BirthProblem("leap_month", "birth_no_leap_month", values)
    signed = -month if info.leap_month else month
    days = LunarMonth.fromYm(year, signed).getDayCount()
    if day > min(days, _MAX_LUNAR_DAYS):
        name = f"{year}-{'L' if info.leap_month else ''}{month:02d}"
        return BirthProblem("date", "birth_no_such_day", {"date": info.date, "month": name, "days": days})
    solar = Lunar.fromYmd(year, signed, day).getSolar()
    return date(solar.getYear(), solar.getMonth(), solar.getDay())


def read_time(info: BirthInfo) -> time | str | BirthProblem:
    """The time to the minute, the name of a double hour or "unknown"."""
    if not info.time:
        return info.hour or BirthProblem("time", "birth_time_missing")
    found = _TIME.fullmatch(info.time)
    hour, minute = (int(part) for part in found.groups()) if found else (99, 99)
    if hour > 23 or minute > 59:
        return BirthProblem("time", "birth_time_format", {"time": info.time})
    return time(hour, minute)


def read_place(info: BirthInfo) -> PlaceMatch | BirthProblem:
    """The place; several of one name are a question, an unknown one is told."""
    if info.longitude is not None and abs(info.longitude) > _MAX_LONGITUDE:
        return BirthProblem("longitude", "birth_longitude", {"longitude": f"{info.longitude:g}"})
    if not info.place and (info.longitude is None or info.latitude is None):
        return BirthProblem("place", "birth_place_missing")
    match = find_place(info.place, latitude=info.latitude, longitude=info.longitude)
    if match.place is not None:
        return match
    if not match.options:
        return BirthProblem("place", "birth_place_unknown", {"place": info.place})
    values = {"place": info.place, "options": match.options}
    return BirthProblem("place", "birth_place_same_name", values, match.options)
