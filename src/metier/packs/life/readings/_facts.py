"""What the rules look at: facts of a chart as sets of words, and the values that sentences name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.language import Language, join_names
from metier.packs.life.bazi import (
    BRANCHES,
    BaziChart,
    LuckPeriod,
    element_of_stem,
    find_god,
    is_self_punished,
    is_stem_pair,
    name_year,
    relate,
)
from metier.packs.life.readings._rules import Facts
from metier.packs.life.readings._words import melody_of, name_of
from metier.packs.life.zodiac import SIGNS, NatalChart, sign_of

_SEASONS: Final = ("spring", "summer", "autumn", "winter")
_QUALITIES: Final = ("fire", "earth", "air", "water")
_PLENTY_BAZI: Final = 4
_PLENTY_ZODIAC: Final = 5
_MELODIES: Final[Mapping[str, str]] = MappingProxyType(
    {"金": "metal", "木": "wood", "水": "water", "火": "fire", "土": "earth"}
)
_RELATION_FACTS: Final[Mapping[str, str]] = MappingProxyType(
    {"clash": "clash", "six_combination": "combination", "harm": "harm"}
)


@dataclass(frozen=True, slots=True)
class ChartFacts:
    """Facts of a chart, and values for the sentences in one language."""

    facts: Facts
    values: Mapping[str, str]


def list_bazi_facts(chart: BaziChart, language: Language, today: date) -> ChartFacts:
    """Facts of a bazi chart on a day: the day decides about luck period and year."""
    pillars = {one.name: one for one in chart.pillars}
    month = pillars["month"].pillar[1]
    counts = chart.count_elements()
    found: dict[str, set[str]] = {
        "day_stem": {chart.day_stem},
        "day_element": {element_of_stem(chart.day_stem)},
        "season": {_SEASONS[(BRANCHES.index(month) - 2) % 12 // 3]},
        "strength": {chart.strength.level},
        "in_season": {"yes" if chart.strength.in_season else "no"},
        "has_root": {"yes" if chart.strength.has_root else "no"},
        "missing": {element for element, count in counts.items() if not count},
        "plenty": {element for element, count in counts.items() if count >= _PLENTY_BAZI},
        "melody_element": {_MELODIES[pillars["year"].melody[-1]]},
        "month_god": {pillars["month"].hidden[0][1]},
        "year_god": {pillars["year"].god},
        "day_branch_god": {pillars["day"].hidden[0][1]},
        "day_stage": {pillars["day"].stage},
        "void": {name for name, one in pillars.items() if name != "day" and one.pillar[1] in pillars["day"].void},
    }
    if "hour" in pillars:
        found["hour_god"] = {pillars["hour"].god}
    for relation in chart.relations:
        if name := _RELATION_FACTS.get(relation.kind):
            found.setdefault(name, set()).add("-".join(relation.pillars))
        elif relation.kind == "stem_combination":
            found.setdefault("stem_pair", set()).update({relation.letters, relation.letters[::-1]})
        else:
            found.setdefault("triple", set()).add(relation.letters[:3])
    values = {
        "day_stem": name_of(chart.day_stem, language),
        "month_branch": name_of(month, language),
        "support": f"{chart.strength.support * 100:.0f}",
        "helpful": join_names([name_of(one, language) for one in chart.strength.helpful], language),
        "year_melody": melody_of(pillars["year"].melody, language),
    }
    _add_time(chart, language, today, found, values)
    return ChartFacts({name: frozenset(one) for name, one in found.items()}, values)


def find_period(chart: BaziChart, today: date) -> LuckPeriod | None:
    """The luck period of a day; None before the first, or if the direction is not known."""
    if len(chart.luck) != 1:
        return None
    return next((one for one in reversed(chart.luck[0].periods) if one.begins <= today), None)


def _add_time(
    chart: BaziChart, language: Language, today: date, found: dict[str, set[str]], values: dict[str, str]
) -> None:
    if period := find_period(chart, today):
        found["period_god"] = {period.god}
        values |= {"period": name_of(period.pillar, language), "period_from": period.begins.isoformat()}
    # A year begins at 立春; on the days before it the year is that before.
    year = today.year if (today.month, today.day) >= (2, 4) else today.year - 1
    pillar, day = name_year(year), chart.names["day"]
    found["annual_god"] = {find_god(chart.day_stem, pillar[0])}
    found["annual_branch"] = {_relate_branches(pillar[1], day[1])}
    found["annual_birth_year"] = {_relate_branches(pillar[1], chart.names["year"][1])}
    found["annual_stem"] = {"combination" if is_stem_pair(pillar[0], chart.day_stem) else "none"}
    is_punished = is_self_punished(pillar[1], (one[1] for one in chart.names.values()))
    found["annual_punishment"] = {"self" if is_punished else "none"}
    told = ("annual_branch", "annual_birth_year", "annual_stem", "annual_punishment")
    found["annual_quiet"] = {"yes" if all(found[one] == {"none"} for one in told) else "no"}
    values |= {"annual": name_of(pillar, language), "annual_year": str(year)}
    values |= {"annual_stem": name_of(pillar[0], language), "annual_branch": name_of(pillar[1], language)}


def _relate_branches(branch: str, other: str) -> str:
    """What the branch of a year is to one of the chart: the same, in a relation, or in none."""
    kinds = [one.kind for one in relate(branch, {"chart": other}, "annual")]
    return "same" if branch == other else kinds[0] if kinds else "none"


def list_zodiac_facts(chart: NatalChart) -> ChartFacts:
    """Facts of a natal chart. A body that changes its sign on a day without a time gives both signs."""
    found: dict[str, set[str]] = {"sun": set(chart.signs_of("sun")), "moon": set(chart.signs_of("moon"))}
    for body in ("mercury", "venus", "mars"):
        found[f"{body}_element"] = {_quality(sign) for sign in chart.signs_of(body)}
    counts = [_quality(one.sign) for one in chart.bodies]
    found["plenty"] = {one for one in _QUALITIES if counts.count(one) >= _PLENTY_ZODIAC}
    found["missing"] = {one for one in _QUALITIES if one not in counts}
    found["retrograde"] = {one.body for one in chart.bodies if one.is_retrograde}
    if chart.ascendant is not None and chart.midheaven is not None:
        found["rising"] = {sign_of(chart.ascendant)}
        found["midheaven"] = {sign_of(chart.midheaven)}
        for body in ("sun", "moon", "jupiter", "saturn"):
            found[f"{body}_house"] = {str(chart.get(body).house)}
    return ChartFacts({name: frozenset(one) for name, one in found.items()}, {})


def _quality(sign: str) -> str:
    return _QUALITIES[SIGNS.index(sign) % 4]
