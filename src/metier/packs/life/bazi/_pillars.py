"""The four pillars: year and month from the instant in UTC+8, day and hour from local solar time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from metier.packs.life.bazi._tables import BRANCHES, CYCLE, STEMS, name_pillar

if TYPE_CHECKING:
    from lunar_python import Lunar

SolarTime = Literal["true", "mean", "clock"]
DayStart = Literal["midnight", "late_evening"]
_FIRST_DAY: Final = 14  # add to the day number of Python to get the number in the cycle
_LATE: Final = 23


@dataclass(frozen=True, slots=True)
class BaziOptions:
    """Choices on which schools differ: the time that gives day and hour, and when the day changes."""

    solar_time: SolarTime = "true"
    day_start: DayStart = "midnight"


@dataclass(frozen=True, slots=True)
class TermSpan:
    """The solar terms (节) around an instant, in Beijing time, and the pillars between them."""

    year: str
    month: str
    previous: datetime
    previous_name: str
    following: datetime
    following_name: str


@lru_cache(maxsize=8)  # the library keeps one year only; at New Year each call would compute two anew (20 ms)
def open_lunar(beijing: datetime) -> "Lunar":
    """The instant in the calendar library, which takes every time for Beijing time."""
    from lunar_python import Solar

    solar = Solar.fromYmdHms(beijing.year, beijing.month, beijing.day, beijing.hour, beijing.minute, beijing.second)
    return solar.getLunar()


def find_terms(beijing: datetime) -> TermSpan:
    """Year and month pillar of an instant, by the solar terms of the calendar library."""
    lunar = open_lunar(beijing)
    before, after = lunar.getPrevJie(), lunar.getNextJie()
    return TermSpan(
        lunar.getYearInGanZhiExact(),
        lunar.getMonthInGanZhiExact(),
        datetime.fromisoformat(before.getSolar().toYmdHms()),
        before.getName(),
        datetime.fromisoformat(after.getSolar().toYmdHms()),
        after.getName(),
    )


def find_day(local: datetime, day_start: DayStart) -> str:
    """Day pillar of a local time."""
    late = timedelta(days=1) if day_start == "late_evening" and local.hour >= _LATE else timedelta()
    return name_pillar((local + late).toordinal() + _FIRST_DAY)


def find_hour(local: datetime) -> str:
    """Hour pillar of a local time: from 23:00 on the stem is that of the next day, whenever the day changes."""
    late = timedelta(days=1) if local.hour >= _LATE else timedelta()
    day = ((local + late).toordinal() + _FIRST_DAY) % CYCLE
    branch = (local.hour + 1) // 2 % 12
    return STEMS[(day % 5 * 2 + branch) % 10] + BRANCHES[branch]
