"""Age by the date of birth in the profile."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from metier.json_values import JsonValue

ADULT_YEARS: Final = 18
CONSENT_YEARS: Final = 14
_DATE: Final = re.compile(r"(\d{4})\D(\d{1,2})\D(\d{1,2})")
_LUNAR_DAYS: Final = 51  # a lunar date names a later solar day; the age must not come out too high


def read_age(birth_info: JsonValue, today: date) -> int | None:
    """Age in full years; None if there is no date that can be read. A lunar date is taken as the latest it can be."""
    born = _read_date(birth_info)
    if born is None or not isinstance(birth_info, Mapping):
        return None
    if birth_info.get("calendar") == "lunar":
        born += timedelta(days=_LUNAR_DAYS)
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def is_in_future(birth_info: JsonValue, today: date) -> bool:
    """Whether the date is after today; a lunar date names a day that comes even later."""
    born = _read_date(birth_info)
    return born is not None and born > today


def _read_date(birth_info: JsonValue) -> date | None:
    found = _DATE.search(str(birth_info.get("date", ""))) if isinstance(birth_info, Mapping) else None
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    try:
        return date(year, month, min(day, 28))
    except ValueError:
        return None
