"""大运 and 流年: when luck periods begin, and the pillars of periods and years."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.packs.life.bazi._pillars import open_lunar
from metier.packs.life.bazi._tables import CYCLE, find_god, name_pillar

Direction = Literal["forward", "backward"]
Sex = Literal["male", "female"]
_MINUTELY: Final = 2  # the library's way that counts 3 days as a year to the minute
_YEARS: Final = 10
_PERIODS: Final = 9
_FIRST_YEAR: Final = 4  # the year 4 was 甲子


@dataclass(frozen=True, slots=True)
class LuckPeriod:
    """Ten years under one pillar."""

    pillar: str
    god: str
    begins: date
    age: int

    def to_json(self) -> JsonObject:
        return {"pillar": self.pillar, "god": self.god, "begins": self.begins.isoformat(), "age": self.age}


@dataclass(frozen=True, slots=True)
class Luck:
    """Luck periods of one direction; `latest` differs from the begin if only the day of birth is known."""

    sex: Sex
    direction: Direction
    years: int
    months: int
    days: int
    latest: date
    periods: tuple[LuckPeriod, ...]

    @property
    def begins(self) -> date:
        """When the first period begins."""
        return self.periods[0].begins

    def to_json(self) -> JsonObject:
        return {
            "sex": self.sex,
            "direction": self.direction,
            "after": {"years": self.years, "months": self.months, "days": self.days},
            "begins": self.begins.isoformat(),
            "latest": self.latest.isoformat(),
            "periods": [one.to_json() for one in self.periods],
        }


def find_luck(beijing: datetime, sex: Sex, day_stem: str, *, until: datetime | None = None) -> Luck:
    """Luck periods of a birth; with `until`, of a birth at an unknown time between the two."""
    begin = open_lunar(beijing).getEightChar().getYun(1 if sex == "male" else 0, _MINUTELY)
    starts = [_find_start(beijing, sex), *([_find_start(until, sex)] if until else [])]
    first = min(starts)
    listed = [one.getGanZhi() for one in begin.getDaYun(_PERIODS + 1)[1:]]
    periods = tuple(
        LuckPeriod(
            pillar, find_god(day_stem, pillar[0]), _add_years(first, _YEARS * number), _age(first, beijing, number)
        )
        for number, pillar in enumerate(listed)
    )
    direction: Direction = "forward" if begin.isForward() else "backward"
    after = begin.getStartYear(), begin.getStartMonth(), begin.getStartDay()
    return Luck(sex, direction, *after, max(starts), periods)


def _find_start(beijing: datetime, sex: Sex) -> date:
    yun = open_lunar(beijing).getEightChar().getYun(1 if sex == "male" else 0, _MINUTELY)
    return date.fromisoformat(yun.getStartSolar().toYmd())


def _age(first: date, born: datetime, number: int) -> int:
    """Age in completed years when a period begins."""
    has_birthday = (first.month, first.day) >= (born.month, born.day)
    return first.year - born.year - (0 if has_birthday else 1) + _YEARS * number


def _add_years(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return day.replace(year=day.year + years, month=3, day=1)


def name_year(year: int) -> str:
    """Pillar of a year; it begins at 立春, about 4 February."""
    return name_pillar((year - _FIRST_YEAR) % CYCLE)
