"""Aspects between bodies: five angles with their orbs."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject

_CIRCLE: Final = 360.0
# Angle and orb in degrees; with Sun or Moon two degrees more.
ASPECTS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "conjunction": (0.0, 6.0),
        "sextile": (60.0, 4.0),
        "square": (90.0, 6.0),
        "trine": (120.0, 6.0),
        "opposition": (180.0, 6.0),
    }
)
_LIGHTS: Final = frozenset({"sun", "moon"})
_LIGHT_EXTRA: Final = 2.0
_TRANSIT_ORB: Final = 1.5


@dataclass(frozen=True, slots=True)
class Aspect:
    """Two bodies at an angle, and how far it is from exact."""

    first: str
    second: str
    name: str
    orb: float

    def to_json(self) -> JsonObject:
        return {"first": self.first, "second": self.second, "name": self.name, "orb": round(self.orb, 2)}


def list_aspects(longitudes: Mapping[str, float]) -> tuple[Aspect, ...]:
    """All aspects among bodies, closest first."""
    found = [
        aspect
        for (one, first), (two, second) in combinations(longitudes.items(), 2)
        if (aspect := _match(one, first, two, second, _LIGHT_EXTRA if {one, two} & _LIGHTS else 0.0))
    ]
    return tuple(sorted(found, key=lambda one: one.orb))


def list_transits(now: Mapping[str, float], natal: Mapping[str, float]) -> tuple[Aspect, ...]:
    """Aspects of the sky of a day to a natal chart, closest first; the Moon passes too quickly to count."""
    found = []
    for one, first in now.items():
        for two, second in natal.items():
            aspect = None if one == "moon" else _match(one, first, two, second, 0.0)
            found += [aspect] if aspect and aspect.orb <= _TRANSIT_ORB else []
    return tuple(sorted(found, key=lambda one: one.orb))


def _match(one: str, first: float, two: str, second: float, extra: float) -> Aspect | None:
    apart = abs((first - second + _CIRCLE / 2) % _CIRCLE - _CIRCLE / 2)
    for name, (angle, orb) in ASPECTS.items():
        if abs(apart - angle) <= orb + extra:
            return Aspect(one, two, name, abs(apart - angle))
    return None
