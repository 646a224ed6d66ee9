"""Positions of the ten bodies on the true ecliptic of date, and the directions of rising and culminating."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import astronomy

BODIES: Final = (
    "sun", "moon", "mercury", "venus", "mars", "jupiter", "saturn", "uranus", "neptune", "pluto",
)  # fmt: skip
SIGNS: Final = (
    "aries", "taurus", "gemini", "cancer", "leo", "virgo",
    "libra", "scorpio", "sagittarius", "capricorn", "aquarius", "pisces",
)  # fmt: skip
_STEP_DAYS: Final = 0.25
_CIRCLE: Final = 360.0


@dataclass(frozen=True, slots=True)
class Angles:
    """Right ascension of the midheaven and obliquity in degrees, from which houses follow."""

    ramc: float
    obliquity: float


def to_time(instant: datetime) -> "astronomy.Time":
    """An instant for the ephemeris, which counts UT1."""
    import astronomy

    utc = instant.astimezone(UTC)
    return astronomy.Time.Make(utc.year, utc.month, utc.day, utc.hour, utc.minute, utc.second + utc.microsecond / 1e6)


def find_longitude(body: str, time: "astronomy.Time") -> float:
    """Apparent geocentric longitude of a body in degrees."""
    import astronomy

    vector = astronomy.GeoVector(astronomy.Body[body.capitalize()], time, True)
    seen = astronomy.RotateVector(astronomy.Rotation_EQJ_ECT(time), vector)
    return math.degrees(math.atan2(seen.y, seen.x)) % _CIRCLE


def find_longitudes(instant: datetime) -> Mapping[str, tuple[float, float]]:
    """Longitude and daily motion of every body; a negative motion is retrograde."""
    time = to_time(instant)
    later = time.AddDays(_STEP_DAYS)
    found = {}
    for body in BODIES:
        first, second = find_longitude(body, time), find_longitude(body, later)
        found[body] = first, ((second - first + _CIRCLE / 2) % _CIRCLE - _CIRCLE / 2) / _STEP_DAYS
    return found


def find_angles(instant: datetime, longitude: float) -> Angles:
    """Directions of the local sky at a longitude."""
    import astronomy

    time = to_time(instant)
    ramc = (astronomy.SiderealTime(time) * 15 + longitude) % _CIRCLE
    seen = astronomy.RotateVector(astronomy.Rotation_ECT_EQD(time), astronomy.Vector(0.0, 1.0, 0.0, time))
    return Angles(ramc, math.degrees(math.atan2(seen.z, seen.y)))


def sign_of(longitude: float) -> str:
    """Sign of a longitude."""
    return SIGNS[int(longitude % _CIRCLE // 30)]
