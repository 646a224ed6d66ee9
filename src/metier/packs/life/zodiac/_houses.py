"""Ascendant, midheaven and houses: whole signs, and Placidus by our own formula."""

import math
from typing import Final, Literal

from metier.packs.life.zodiac._sky import Angles

HouseSystem = Literal["placidus", "whole_sign"]
_CIRCLE: Final = 360.0
_ROUNDS: Final = 60
_PRECISE: Final = 1e-7
# Cusp, share of the semi-arc from the meridian, and whether it is that below the horizon.
_INTERMEDIATE: Final = ((11, 1 / 3, False), (12, 2 / 3, False), (2, 2 / 3, True), (3, 1 / 3, True))


def find_midheaven(angles: Angles) -> float:
    """Longitude of the ecliptic on the meridian."""
    return _to_ecliptic(angles.ramc, angles.obliquity)


def find_ascendant(angles: Angles, latitude: float) -> float:
    """Longitude of the ecliptic at the eastern horizon."""
    ramc, tilt, north = (math.radians(one) for one in (angles.ramc, angles.obliquity, latitude))
    below = -(math.sin(ramc) * math.cos(tilt) + math.tan(north) * math.sin(tilt))
    return math.degrees(math.atan2(math.cos(ramc), below)) % _CIRCLE


def is_polar(angles: Angles, latitude: float) -> bool:
    """Whether parts of the ecliptic never rise, so that Placidus has no houses."""
    return abs(latitude) >= 90 - angles.obliquity


def find_whole_signs(ascendant: float) -> tuple[float, ...]:
    """Twelve houses, each a sign, the first that of the ascendant."""
    first = ascendant // 30 * 30
    return tuple((first + 30 * number) % _CIRCLE for number in range(12))


def find_placidus(angles: Angles, latitude: float) -> tuple[float, ...]:
    """Twelve cusps: a cusp has covered a third or two thirds of its own semi-arc. Not defined in polar regions."""
    cusps = {1: find_ascendant(angles, latitude), 10: find_midheaven(angles)}
    for number, share, is_below in _INTERMEDIATE:
        cusps[number] = _find_cusp(angles, latitude, share, is_below=is_below)
    for number in (10, 11, 12, 1, 2, 3):
        cusps[(number + 5) % 12 + 1] = (cusps[number] + _CIRCLE / 2) % _CIRCLE
    return tuple(cusps[number] for number in range(1, 13))


def _find_cusp(angles: Angles, latitude: float, share: float, *, is_below: bool) -> float:
    """Point that has the right hour angle for its own declination, found by repeated substitution."""
    tilt, north = math.radians(angles.obliquity), math.radians(latitude)
    start = angles.ramc + (180 if is_below else 0)
    sign = -1 if is_below else 1
    ascension = start + sign * 90 * share
    for _ in range(_ROUNDS):
        longitude = _to_ecliptic(ascension, angles.obliquity)
        declination = math.asin(math.sin(tilt) * math.sin(math.radians(longitude)))
        shift = math.degrees(math.asin(max(-1.0, min(1.0, math.tan(north) * math.tan(declination)))))
        arc = 90 - shift if is_below else 90 + shift
        found = start + sign * share * arc
        if abs(found - ascension) < _PRECISE:
            break
        ascension = found
    return _to_ecliptic(ascension, angles.obliquity)


def _to_ecliptic(ascension: float, obliquity: float) -> float:
    """Longitude of the ecliptic point with this right ascension."""
    at = math.radians(ascension)
    return math.degrees(math.atan2(math.sin(at), math.cos(at) * math.cos(math.radians(obliquity)))) % _CIRCLE
