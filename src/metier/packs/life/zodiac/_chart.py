"""The natal chart: bodies in signs and houses, aspects, and transits of another day."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from metier.json_values import JsonObject
from metier.packs.life.birth import BirthMoment, load_zone
from metier.packs.life.zodiac._aspects import Aspect, list_aspects, list_transits
from metier.packs.life.zodiac._houses import (
    HouseSystem,
    find_ascendant,
    find_midheaven,
    find_placidus,
    find_whole_signs,
    is_polar,
)
from metier.packs.life.zodiac._sky import find_angles, find_longitude, find_longitudes, sign_of, to_time

_MINUTES: Final = 10
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class BodyPosition:
    """A body in the chart; the house is 0 if the time of birth is unknown."""

    body: str
    longitude: float
    motion: float
    house: int = 0

    @property
    def sign(self) -> str:
        """Sign of the body."""
        return sign_of(self.longitude)

    @property
    def is_retrograde(self) -> bool:
        """Whether the body seems to move backward."""
        return self.motion < 0

    def to_json(self) -> JsonObject:
        return {
            "body": self.body,
            "longitude": round(self.longitude, 4),
            "sign": self.sign,
            "degree": round(self.longitude % 30, 2),
            "retrograde": self.is_retrograde,
            "house": self.house or None,
        }


@dataclass(frozen=True, slots=True)
class NatalChart:
    """A natal chart. Without a time: no angles, no houses, and the signs a body has in the course of that day."""

    moment: BirthMoment
    bodies: tuple[BodyPosition, ...]
    aspects: tuple[Aspect, ...]
    houses: tuple[float, ...] = ()
    system: HouseSystem | None = None
    ascendant: float | None = None
    midheaven: float | None = None
    both_signs: tuple[tuple[str, str, str], ...] = ()
    alternatives: tuple[str, ...] = ()
    is_polar: bool = False

    def get(self, body: str) -> BodyPosition:
        """Position of one body."""
        return next(one for one in self.bodies if one.body == body)

    def signs_of(self, body: str) -> tuple[str, ...]:
        """Sign of a body, or the two it has on a day without a time."""
        both = next((one[1:] for one in self.both_signs if one[0] == body), ())
        return both or (self.get(body).sign,)

    def to_json(self) -> JsonObject:
        """The chart as data."""
        moment = self.moment
        return {
            "kind": "zodiac",
            "birth": moment.info.to_json(),
            "place": moment.place.to_json(),
            "precision": moment.precision,
            "zone": moment.zone,
            "day": moment.day.isoformat(),
            "instant": None if moment.instant is None else moment.instant.isoformat(),
            "bodies": [one.to_json() for one in self.bodies],
            "aspects": [one.to_json() for one in self.aspects],
            "ascendant": None if self.ascendant is None else round(self.ascendant, 4),
            "midheaven": None if self.midheaven is None else round(self.midheaven, 4),
            "house_system": self.system,
            "houses": [round(one, 4) for one in self.houses],
            "polar": self.is_polar,
            "both_signs": [{"body": body, "signs": [first, second]} for body, first, second in self.both_signs],
            "alternatives": list(self.alternatives),
        }


def compute_natal(moment: BirthMoment, system: HouseSystem = "placidus") -> NatalChart:
    """Compute the natal chart of a birth."""
    if moment.instant is None:
        return _compute_day(moment)
    found = find_longitudes(moment.instant)
    angles = find_angles(moment.instant, moment.place.longitude)
    latitude = moment.place.latitude
    ascendant = find_ascendant(angles, latitude)
    polar = is_polar(angles, latitude)
    used: HouseSystem = "whole_sign" if polar else system
    houses = find_whole_signs(ascendant) if used == "whole_sign" else find_placidus(angles, latitude)
    bodies = tuple(
        BodyPosition(body, longitude, motion, find_house(longitude, houses))
        for body, (longitude, motion) in found.items()
    )
    return NatalChart(
        moment,
        bodies,
        list_aspects({one.body: one.longitude for one in bodies}),
        houses,
        used,
        ascendant,
        find_midheaven(angles),
        alternatives=_list_alternatives(moment, sign_of(ascendant)),
        is_polar=polar,
    )


def find_house(longitude: float, houses: tuple[float, ...]) -> int:
    """Number of the house that a longitude is in."""
    for number, cusp in enumerate(houses, 1):
        width = (houses[number % 12] - cusp) % 360
        if (longitude - cusp) % 360 < width:
            return number
    return 1


def find_transits(chart: NatalChart, instant: datetime) -> tuple[Aspect, ...]:
    """Aspects of the bodies of another day to those of the chart."""
    now = {body: longitude for body, (longitude, _) in find_longitudes(instant).items()}
    unsure = {one[0] for one in chart.both_signs} | ({"moon"} if chart.moment.instant is None else set())
    return list_transits(now, {one.body: one.longitude for one in chart.bodies if one.body not in unsure})


def _compute_day(moment: BirthMoment) -> NatalChart:
    """Chart of a day: positions at its begin, and both signs of a body that changes its sign before the end."""
    begin = datetime.combine(moment.day, time(), load_zone(moment.zone)).astimezone(UTC)
    first, last = find_longitudes(begin), find_longitudes(begin + _DAY - timedelta(seconds=1))
    both = tuple(
        (body, sign_of(first[body][0]), sign_of(last[body][0]))
        for body in first
        if sign_of(first[body][0]) != sign_of(last[body][0])
    )
    bodies = tuple(BodyPosition(body, *values) for body, values in first.items())
    steady = {one.body: one.longitude for one in bodies if one.body != "moon"}
    return NatalChart(moment, bodies, list_aspects(steady), both_signs=both)


def _list_alternatives(moment: BirthMoment, rising: str) -> tuple[str, ...]:
    """Rising signs that ten minutes more or less would give, and the Moon's."""
    found: list[str] = []
    if moment.instant is None:
        return ()
    minutes = 60 if moment.precision == "hour" else _MINUTES
    for shift in (-minutes, minutes):
        instant = moment.instant + timedelta(minutes=shift)
        angles = find_angles(instant, moment.place.longitude)
        other = sign_of(find_ascendant(angles, moment.place.latitude))
        found += [f"ascendant:{shift:+d}:{other}"] if other != rising else []
        moon = sign_of(find_longitude("moon", to_time(instant)))
        if moon != sign_of(find_longitude("moon", to_time(moment.instant))):
            found.append(f"moon:{shift:+d}:{moon}")
    return tuple(found)
