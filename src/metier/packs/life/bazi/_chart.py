"""The chart: pillars with all that is read from them, luck periods, and what would change a pillar."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, get_args

from metier.json_values import JsonObject
from metier.packs.life.bazi._luck import Luck, Sex, find_luck
from metier.packs.life.bazi._pillars import BaziOptions, DayStart, SolarTime, TermSpan, find_day, find_hour, find_terms
from metier.packs.life.bazi._relations import Relation, list_relations
from metier.packs.life.bazi._strength import Strength, measure_strength
from metier.packs.life.bazi._tables import (
    ELEMENTS,
    HIDDEN_STEMS,
    element_of_branch,
    element_of_stem,
    find_god,
    find_melody,
    find_stage,
    find_void,
)
from metier.packs.life.birth import BirthMoment, find_moment_at, load_zone

PILLARS: Final = ("year", "month", "day", "hour")
_MINUTES: Final = 10
_HALF_HOUR_PAIR: Final = 60
_BEIJING: Final = timedelta(hours=8)


@dataclass(frozen=True, slots=True)
class Pillar:
    """A pillar and what is read from it as the day stem sees it."""

    name: str
    pillar: str
    god: str
    hidden: tuple[tuple[str, str], ...]
    melody: str
    void: str
    stage: str

    def to_json(self) -> JsonObject:
        return {
            "name": self.name,
            "pillar": self.pillar,
            "god": self.god,
            "hidden": [{"stem": stem, "god": god} for stem, god in self.hidden],
            "melody": self.melody,
            "void": self.void,
            "stage": self.stage,
        }


@dataclass(frozen=True, slots=True)
class Alternative:
    """What another choice or reading of the clock would change: pillars by name."""

    code: str
    pillars: Mapping[str, str]

    def to_json(self) -> JsonObject:
        return {"code": self.code, "pillars": dict(self.pillars)}


@dataclass(frozen=True, slots=True)
class BaziChart:
    """A chart with everything it was computed from."""

    moment: BirthMoment
    options: BaziOptions
    pillars: tuple[Pillar, ...]
    terms: TermSpan
    luck: tuple[Luck, ...]
    relations: tuple[Relation, ...]
    strength: Strength
    alternatives: tuple[Alternative, ...]

    @property
    def names(self) -> Mapping[str, str]:
        """The pillars by name; three if the time is unknown."""
        return {one.name: one.pillar for one in self.pillars}

    @property
    def day_stem(self) -> str:
        """The stem that stands for the person."""
        return self.names["day"][0]

    def count_elements(self) -> Mapping[str, int]:
        """How often each element stands in the chart, hidden stems not counted."""
        letters = [element_of_stem(one.pillar[0]) for one in self.pillars]
        letters += [element_of_branch(one.pillar[1]) for one in self.pillars]
        return {element: letters.count(element) for element in ELEMENTS}

    def to_json(self) -> JsonObject:
        """The chart as data, in the words of the trade."""
        moment = self.moment
        return {
            "kind": "bazi",
            "birth": moment.info.to_json(),
            "options": {"solar_time": self.options.solar_time, "day_start": self.options.day_start},
            "place": moment.place.to_json(),
            "precision": moment.precision,
            "zone": moment.zone,
            "day": moment.day.isoformat(),
            "standard": _write_time(moment.standard),
            "mean": _write_time(moment.mean),
            "true": _write_time(moment.true),
            "pillars": [one.to_json() for one in self.pillars],
            "elements": dict(self.count_elements()),
            "strength": self.strength.to_json(),
            "relations": [one.to_json() for one in self.relations],
            "luck": [one.to_json() for one in self.luck],
            "terms": {
                "previous": {"name": self.terms.previous_name, "at": _write_time(self.terms.previous)},
                "following": {"name": self.terms.following_name, "at": _write_time(self.terms.following)},
            },
            "alternatives": [one.to_json() for one in self.alternatives],
        }  # fmt: skip


def compute_bazi(moment: BirthMoment, options: BaziOptions | None = None) -> BaziChart:
    """Compute the chart of a birth. Without a time it has three pillars."""
    options = options or BaziOptions()
    first, last = _find_span(moment)
    terms = find_terms(first)
    names = {"year": terms.year, "month": terms.month, **_find_local(moment, options)}
    day_stem = names["day"][0]
    sexes: tuple[Sex, ...] = (moment.info.sex,) if moment.info.sex else get_args(Sex)
    until = last if moment.precision == "day" else None
    # If a solar term falls on a day without a time, neither the direction nor the begin of the periods is known.
    sexes = () if until and not terms.previous <= last < terms.following else sexes
    return BaziChart(
        moment,
        options,
        tuple(_build_pillar(name, names[name], day_stem) for name in PILLARS if name in names),
        terms,
        tuple(find_luck(first, sex, day_stem, until=until) for sex in sexes),
        list_relations(names),
        measure_strength(names),
        tuple(_list_alternatives(moment, options, names, terms)),
    )


def _find_span(moment: BirthMoment) -> tuple[datetime, datetime]:
    """First and last instant the birth may have had, in Beijing time."""
    if moment.beijing is not None:
        return moment.beijing, moment.beijing
    zone = load_zone(moment.zone)
    begin = datetime.combine(moment.day, time(), zone).astimezone(UTC).replace(tzinfo=None) + _BEIJING
    return begin, begin + timedelta(days=1, seconds=-1)


def _find_local(moment: BirthMoment, options: BaziOptions) -> Mapping[str, str]:
    """Day and hour pillar; the day alone if the time is unknown."""
    local = _choose_time(moment, options.solar_time)
    if local is None:
        return {"day": find_day(datetime.combine(moment.day, time()), "midnight")}
    return {"day": find_day(local, options.day_start), "hour": find_hour(local)}


def _choose_time(moment: BirthMoment, kind: SolarTime) -> datetime | None:
    if moment.precision == "hour":
        return moment.true  # the double hour is what it is, whatever time is counted
    return {"true": moment.true, "mean": moment.mean, "clock": moment.standard}[kind]


def _build_pillar(name: str, pillar: str, day_stem: str) -> Pillar:
    hidden = tuple((stem, find_god(day_stem, stem)) for stem in HIDDEN_STEMS[pillar[1]])
    god = "" if name == "day" else find_god(day_stem, pillar[0])
    return Pillar(name, pillar, god, hidden, find_melody(pillar), find_void(pillar), find_stage(day_stem, pillar[1]))


def _list_alternatives(
    moment: BirthMoment, options: BaziOptions, names: Mapping[str, str], terms: TermSpan
) -> Iterator[Alternative]:
    for code, found in _try_choices(moment, options, terms):
        changed = {name: pillar for name, pillar in found.items() if names.get(name) != pillar}
        if changed:
            yield Alternative(code, changed)


def _try_choices(moment: BirthMoment, options: BaziOptions, terms: TermSpan) -> Iterator[tuple[str, Mapping[str, str]]]:
    if moment.precision == "day":
        day = datetime.combine(moment.day, time())
        yield "born_after_23", {"day": find_day(day + timedelta(days=1), "midnight")}
        yield "later_that_day", _find_term_pillars(_find_span(moment)[1], terms)
        return
    for start in get_args(DayStart):
        yield f"day_start_{start}", _find_local(moment, replace(options, day_start=start))
    for kind in get_args(SolarTime):
        yield f"solar_time_{kind}", _find_local(moment, replace(options, solar_time=kind))
    minutes = _HALF_HOUR_PAIR if moment.precision == "hour" else _MINUTES
    for sign, code in ((-1, "earlier"), (1, "later")):
        if moment.instant is None or moment.beijing is None:
            continue
        shift = timedelta(minutes=sign * minutes)
        found = _find_term_pillars(moment.beijing + shift, terms)
        if moment.precision == "minute":
            found = {**found, **_find_local(find_moment_at(moment, moment.instant + shift), options)}
        yield f"{minutes}_minutes_{code}", found


def _find_term_pillars(beijing: datetime, terms: TermSpan) -> Mapping[str, str]:
    """Year and month pillar; the library is asked only beyond the solar terms that are known."""
    if terms.previous <= beijing < terms.following:
        return {"year": terms.year, "month": terms.month}
    other = find_terms(beijing)
    return {"year": other.year, "month": other.month}


def _write_time(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat(" ", "seconds") if isinstance(moment, datetime) else str(moment)
