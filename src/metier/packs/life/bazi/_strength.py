"""旺衰: how much of the chart supports the day stem, by the common 扶抑 way. Schools differ; the chart says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.packs.life.bazi._tables import ELEMENTS, HIDDEN_STEMS, Element, element_of_branch, element_of_stem

Level = Literal["strong", "balanced", "weak"]
_STRONG: Final = 0.55
_WEAK: Final = 0.40
_MONTH_WEIGHT: Final = 3.0
_STEM_WEIGHT: Final = 1.0
_BRANCH_WEIGHT: Final = 1.5
_ROOT_WEIGHT: Final = 0.5


@dataclass(frozen=True, slots=True)
class Strength:
    """Support of the day stem from 0 to 1, in season or not, with or without root; and the elements that balance it."""

    level: Level
    support: float
    in_season: bool
    has_root: bool
    helpful: tuple[Element, ...]

    def to_json(self) -> JsonObject:
        return {
            "level": self.level,
            "support": round(self.support, 2),
            "in_season": self.in_season,
            "has_root": self.has_root,
            "helpful": list(self.helpful),
        }


def measure_strength(pillars: Mapping[str, str]) -> Strength:
    """Weigh the chart for and against the day stem: the month counts most, then branches and roots, then stems."""
    own = element_of_stem(pillars["day"][0])
    mother = ELEMENTS[(ELEMENTS.index(own) - 1) % 5]
    weights: list[tuple[float, Element]] = []
    for name, pillar in pillars.items():
        if name != "day":
            weights.append((_STEM_WEIGHT, element_of_stem(pillar[0])))
        weights.append((_MONTH_WEIGHT if name == "month" else _BRANCH_WEIGHT, element_of_branch(pillar[1])))
        weights += [(_ROOT_WEIGHT, element_of_stem(stem)) for stem in HIDDEN_STEMS[pillar[1]][1:]]
    whole = sum(weight for weight, _ in weights)
    support = sum(weight for weight, element in weights if element in (own, mother)) / whole
    level: Level = "strong" if support >= _STRONG else "weak" if support < _WEAK else "balanced"
    in_season = element_of_branch(pillars["month"][1]) in (own, mother)
    has_root = any(element_of_stem(stem) == own for one in pillars.values() for stem in HIDDEN_STEMS[one[1]])
    return Strength(level, support, in_season, has_root, _find_helpful(own, level))


def _find_helpful(own: Element, level: Level) -> tuple[Element, ...]:
    """Elements that balance the day stem: those that spend its strength, or those that feed it."""
    at = ELEMENTS.index(own)
    spend = (ELEMENTS[(at + 1) % 5], ELEMENTS[(at + 2) % 5], ELEMENTS[(at + 3) % 5])
    feed = (ELEMENTS[(at - 1) % 5], own)
    return {"strong": spend, "weak": feed, "balanced": ()}[level]
