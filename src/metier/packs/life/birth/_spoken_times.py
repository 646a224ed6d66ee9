"""English times as people say them: 8 in the morning, half past seven in the evening, eleven at night."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.patterns import MONTH_NAME_EN

_NAMES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOUR: Final = rf"(\d{{1,2}}|{'|'.join(_NAMES)})"
_BEFORE: Final[Mapping[str, int]] = MappingProxyType({"half past": 30, "quarter past": 15, "quarter to": -15})
_SAID: Final = re.compile(
    rf"\b(?:a\s+)?(?:({'|'.join(_BEFORE)})\s+)?{_HOUR}(?:\s*[:.]\s*(\d{{2}}))?(?:\s*o'?clock)?,?\s+"
    r"(?:in\s+the\s+(morning|afternoon|evening)|at\s+(night))\b",
    re.IGNORECASE,
)
# What makes the number after it minutes, a day, or an hour that is counted from: "ten to", "7 30", "half", "June".
_NOT_AN_HOUR: Final = re.compile(
    rf"(?:\b(?:past|to|till?|until|before|after|half|oh|twenty|thirty|forty|fifty|{'|'.join(_NAMES)}|{MONTH_NAME_EN}\.?"
    r"|day)\s*,?|\d(?:st|nd|rd|th)?|[-/:.])\s*$",
    re.IGNORECASE,
)
# The hours of a 24-hour clock that a part of the day can have; 15 in the morning is none.
_LATE_HOURS: Final[Mapping[str, range]] = MappingProxyType(
    {"morning": range(0), "afternoon": range(13, 19), "evening": range(16, 24), "night": range(18, 24)}
)
_NOON: Final = 12
_HOUR_MINUTES: Final = 60
_DAY_MINUTES: Final = 24 * _HOUR_MINUTES
_FIRST_EVENING_HOUR: Final = 6  # two at night is after midnight, ten at night before it


def write_clock_times(text: str) -> str:
    """The text with such times as on a 24-hour clock.

    What is not sure is left out, and the form asks: 12 at night may be of either day, "ten to eight" is no eight.
    """
    return _SAID.sub(_write_time, text)


def _write_time(said: re.Match[str]) -> str:
    before, named, minute, part = said[1], said[2].lower(), int(said[3] or 0), (said[4] or said[5]).lower()
    hour = int(named) if named.isdecimal() else _NAMES.index(named) + 1
    if minute >= _HOUR_MINUTES or _NOT_AN_HOUR.search(said.string, 0, said.start()):
        return ","
    if hour > _NOON:
        if before or hour not in _LATE_HOURS[part]:
            return ","
    else:
        if hour == _NOON and part != "afternoon":
            return ","
        is_late = part in ("afternoon", "evening") or (part == "night" and hour >= _FIRST_EVENING_HOUR)
        hour = hour % _NOON + (_NOON if is_late else 0)
    at = (hour * 60 + minute + (_BEFORE[before.lower()] if before else 0)) % _DAY_MINUTES
    return f"{at // 60:02d}:{at % 60:02d}"
