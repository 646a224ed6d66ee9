"""Checks birth data and finds the moment it means. Nothing is guessed: what is unclear becomes a problem to answer."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

from metier.clock import utc_now
from metier.packs.life.birth._fields import read_date, read_place, read_time
from metier.packs.life.birth._find_place import PlaceMatch
from metier.packs.life.birth._info import HOURS, UNKNOWN, BirthInfo, BirthNote, BirthProblem
from metier.packs.life.birth._places import XINJIANG, Place
from metier.packs.life.birth._solar_time import find_equation_of_time, find_instant, find_mean_solar
from metier.packs.life.birth._zones import BEIJING, count_occurrences, load_zone, measure_dst, to_instant, to_standard

Precision = Literal["minute", "hour", "day"]
_CHINA: Final = "Asia/Shanghai"
_REPUBLIC: Final = range(1912, 1950)
_HOUR: Final = timedelta(hours=1)
_MAX_AHEAD: Final = timedelta(hours=14)  # the next day begins there before it does in UTC
_LOCAL_MEAN: Final = "LMT"


@dataclass(frozen=True, slots=True)
class BirthMoment:
    """When and where somebody was born, to the minute, to a double hour or to the day.

    `day` is the solar date as on paper. `instant`, `standard` (clock time without summer time), `mean` and `true` solar
    time are None if only the day is known.
    """

    info: BirthInfo
    day: date
    place: Place
    precision: Precision
    zone: str
    instant: datetime | None = None
    standard: datetime | None = None
    mean: datetime | None = None
    true: datetime | None = None
    notes: tuple[BirthNote, ...] = ()

    @property
    def beijing(self) -> datetime | None:
        """The instant as Beijing time, in which the solar terms are tabulated."""
        return None if self.instant is None else (self.instant.astimezone(UTC) + BEIJING).replace(tzinfo=None)


def check_birth(info: BirthInfo, now: datetime | None = None) -> BirthMoment | tuple[BirthProblem, ...]:
    """The moment of the birth, or everything that is wrong with the data."""
    day, hours, place = read_date(info), read_time(info), read_place(info)
    if isinstance(day, BirthProblem) or isinstance(hours, BirthProblem) or isinstance(place, BirthProblem):
        return tuple(one for one in (day, hours, place) if isinstance(one, BirthProblem))
    if place.place is None:
        return (BirthProblem("place", "birth_place_unknown", {"place": info.place}),)
    is_xinjiang = place.place.zone == XINJIANG
    if is_xinjiang and not info.clock and isinstance(hours, time):
        return (BirthProblem("clock", "birth_clock_missing"),)
    zone = _CHINA if is_xinjiang and info.clock != "xinjiang" else place.place.zone
    moment = _find_moment(info, day, hours, place.place, zone)
    if isinstance(moment, BirthProblem):
        return (moment,)
    latest = now or utc_now()
    if (moment.instant or moment.day) > (latest if moment.instant else (latest + _MAX_AHEAD).date()):
        return (BirthProblem("date", "birth_future", {"date": info.date}),)
    return replace(moment, notes=tuple(_list_notes(moment, place)))


def find_moment_at(moment: BirthMoment, instant: datetime) -> BirthMoment:
    """The same birth at another instant, as if the clock had been read wrongly."""
    mean = find_mean_solar(instant, moment.place.longitude)
    standard = to_standard(instant, load_zone(moment.zone))
    true = mean + find_equation_of_time(instant)
    return replace(moment, instant=instant, standard=standard, mean=mean, true=true)


def _find_moment(info: BirthInfo, day: date, hours: time | str, place: Place, zone: str) -> BirthMoment | BirthProblem:
    moment = BirthMoment(info, day, place, "day", zone)
    if hours == UNKNOWN:
        return moment
    if isinstance(hours, str):
        middle = datetime.combine(day, time(0, 30) if hours == HOURS[0] else time(23, 30))
        if hours not in (HOURS[0], HOURS[-1]):
            middle = datetime.combine(day, time(2 * HOURS.index(hours)))
        found = find_moment_at(moment, find_instant(middle, place.longitude))
        return replace(found, precision="hour", true=middle)
    local, rules = datetime.combine(day, hours), load_zone(zone)
    values = {
        "date": day.isoformat(),
        "time": f"{hours:%H:%M}",
        "place": place.label,
        "later": f"{local + _HOUR:%H:%M}",
    }
    match count_occurrences(local, rules):
        case "never":
            return BirthProblem("time", "birth_no_such_time", values)
        case "twice" if not info.repeated:
            return BirthProblem("repeated", "birth_time_twice", values)
    instant = to_instant(local, rules, is_second=info.repeated == "second")
    return replace(find_moment_at(moment, instant), precision="minute")


def _list_notes(moment: BirthMoment, match: PlaceMatch) -> Iterator[BirthNote]:
    place = moment.place
    if match.part:
        yield BirthNote("place_part", {"typed": moment.info.place, "part": match.part})
    if match.others:
        yield BirthNote("place_others", {"place": place, "others": match.others})
    if match.is_nearest:
        yield BirthNote("place_nearest", {"place": place})
    if place.zone == XINJIANG and moment.precision == "minute":
        yield BirthNote("xinjiang_clock" if moment.info.clock == "xinjiang" else "beijing_clock")
    if place.country == "CN" and moment.day.year in _REPUBLIC:
        yield BirthNote("china_zones", {"zone": moment.zone})
    if moment.precision == "hour":
        yield BirthNote("double_hour")
    if moment.precision != "minute" or moment.instant is None:
        return
    rules = load_zone(moment.zone)
    if moment.instant.astimezone(rules).tzname() == _LOCAL_MEAN:
        yield BirthNote("before_zones")
    if saved := measure_dst(moment.instant, rules):
        yield BirthNote("summer_time", {"hours": f"{saved / _HOUR:g}"})
