"""Natal charts: ten bodies, aspects, houses and transits from an ephemeris that ships with the pack."""

from metier.packs.life.zodiac._aspects import ASPECTS, Aspect
from metier.packs.life.zodiac._chart import BodyPosition, NatalChart, compute_natal, find_transits
from metier.packs.life.zodiac._houses import HouseSystem
from metier.packs.life.zodiac._sky import BODIES, SIGNS, find_longitudes, sign_of

__all__ = [
    "ASPECTS",
    "BODIES",
    "SIGNS",
    "Aspect",
    "BodyPosition",
    "HouseSystem",
    "NatalChart",
    "compute_natal",
    "find_longitudes",
    "find_transits",
    "sign_of",
]
