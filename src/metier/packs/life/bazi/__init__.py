"""Bazi: the four pillars with hidden stems, ten gods, luck periods and years, computed from the moment of birth."""

from metier.packs.life.bazi._chart import PILLARS, Alternative, BaziChart, Pillar, compute_bazi
from metier.packs.life.bazi._luck import Luck, LuckPeriod, name_year
from metier.packs.life.bazi._pillars import BaziOptions, DayStart, SolarTime, find_day, find_hour
from metier.packs.life.bazi._relations import Relation, is_self_punished, is_stem_pair, relate
from metier.packs.life.bazi._strength import Strength
from metier.packs.life.bazi._tables import (
    BRANCHES,
    ELEMENTS,
    STEMS,
    Element,
    element_of_branch,
    element_of_stem,
    find_god,
    is_yang,
)

__all__ = [
    "BRANCHES",
    "ELEMENTS",
    "PILLARS",
    "STEMS",
    "Alternative",
    "BaziChart",
    "BaziOptions",
    "DayStart",
    "Element",
    "Luck",
    "LuckPeriod",
    "Pillar",
    "Relation",
    "SolarTime",
    "Strength",
    "compute_bazi",
    "element_of_branch",
    "element_of_stem",
    "find_day",
    "find_god",
    "find_hour",
    "is_self_punished",
    "is_stem_pair",
    "is_yang",
    "name_year",
    "relate",
]
