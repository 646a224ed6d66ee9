"""English times as people say them: 8 in the morning, half past seven in the evening, eleven at night."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NAMES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOUR: Final = rf"(\d{{1,2}}|{'|'.join(_NAMES)})"
_BEFORE: Final[Mapping[str, int]] = MappingProxyType({"half past": 30, "quarter past": 15, "quarter to": -15})
_SAID: Final = re.compile(
    rf"\b(?:a\s+)?(?:({'|'.join(_BEFORE)})\s+)?{_HOUR}(?:\s*[:.]\s*(\d{{2}}))?(?:\s*o'?clock)?,?\s+"
    r"(?:in\s+the\s+(morning|afternoon|evening)|at\s+(night))\b",
    re.IGNORECASE,
)
_NOON: Final = 12
_DAY_MINUTES: Final = 24 * 60
_FIRST_EVENING_HOUR: Final = 6  # two at night is after midnight, ten at night before it


def write_clock_times(text: str) -> str:
    """The text with such times as on a 24-hour clock; 12 at night or in the morning may be of either day: left out."""
    return _SAID.sub(_write_time, text)


def _write_time(said: re.Match[str]) -> str:
    before, named, minute, part = said[1], said[2].lower(), int(said[3] or 0), (said[4] or said[5]).lower()
    hour = int(named) if named.isdecimal() else _NAMES.index(named) + 1
    if hour <= _NOON:
        if hour == _NOON and part != "afternoon":
            return ","
        is_late = part in ("afternoon", "evening") or (part == "night" and hour >= _FIRST_EVENING_HOUR)
        hour = hour % _NOON + (_NOON if is_late else 0)
    at = (hour * 60 + minute + (_BEFORE[before.lower()] if before else 0)) % _DAY_MINUTES
    return f"{at // 60:02d}:{at % 60:02d}"
