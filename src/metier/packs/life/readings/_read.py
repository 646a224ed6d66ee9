"""Reads a chart: the sentences of the rules that fired, each with its rule, the facts it rests on and its source."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.life.bazi import BaziChart
from metier.packs.life.readings._facts import ChartFacts, list_bazi_facts, list_zodiac_facts
from metier.packs.life.readings._rules import ReadingRule, load_rules
from metier.packs.life.readings._words import name_of, theme_of
from metier.packs.life.zodiac import Aspect, NatalChart

_MAX_ASPECTS: Final = 4
_PERSONAL: Final = frozenset({"sun", "moon", "mercury", "venus", "mars"})
# Topics of a reading, in its order; a topic that is asked for is read alone.
TOPICS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "all": ("nature", "strength", "pattern", "elements", "relations", "life", "relationship", "luck", "year"),
        "nature": ("nature", "strength", "elements"),
        "career": ("career", "pattern", "strength"),
        "relationship": ("relationship", "relations"),
        "luck": ("luck",),
        "year": ("year", "luck"),
        "elements": ("elements", "strength"),
        "family": ("life", "relations"),
    }
)
ZODIAC_TOPICS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "all": ("nature", "feeling", "mind", "relationship", "life", "balance", "aspects"),
        "nature": ("nature", "balance"),
        "feeling": ("feeling",),
        "career": ("career", "life"),
        "relationship": ("relationship", "feeling"),
        "aspects": ("aspects",),
        "transit": ("transit",),
    }
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a reading and its ground."""

    rule: str
    topic: str
    text: str
    source: str
    facts: Mapping[str, Sequence[str]]
    stance: Mapping[str, str]
    school: str = ""

    def to_json(self) -> JsonObject:
        return {
            "rule": self.rule,
            "topic": self.topic,
            "text": self.text,
            "source": self.source,
            "facts": {name: list(values) for name, values in self.facts.items()},
            "school": self.school,
        }


def read_bazi(chart: BaziChart, language: Language, today: date, topic: str = "all") -> tuple[Sentence, ...]:
    """Read a bazi chart as tradition does. Unknown topics are read as the whole."""
    known = list_bazi_facts(chart, language, today)
    return _select(load_rules("bazi"), known, TOPICS.get(topic, TOPICS["all"]), language)


def read_natal(
    chart: NatalChart, language: Language, topic: str = "all", transits: Sequence[Aspect] = ()
) -> tuple[Sentence, ...]:
    """Read a natal chart; transits are read if they are given."""
    topics = ZODIAC_TOPICS.get(topic, ZODIAC_TOPICS["all"])
    rules = load_rules("zodiac")
    found = list(_select(rules, list_zodiac_facts(chart), topics, language))
    if "aspects" in topics:
        # Aspects among slow bodies last for years and are those of a whole generation.
        own = [one for one in chart.aspects if {one.first, one.second} & _PERSONAL]
        found += _read_aspects(rules, "aspect", own[:_MAX_ASPECTS], language)
    if "transit" in topics or transits:
        found += _read_aspects(rules, "transit", transits[:_MAX_ASPECTS], language)
    return tuple(found)


def find_contradictions(sentences: Iterable[Sentence]) -> tuple[tuple[str, str], ...]:
    """Pairs of rules that make different claims on one axis; a reading has none."""
    claims: dict[str, tuple[str, str]] = {}
    found = []
    for sentence in sentences:
        for axis, claim in sentence.stance.items():
            other, rule = claims.setdefault(axis, (claim, sentence.rule))
            found += [(rule, sentence.rule)] if other != claim else []
    return tuple(found)


def _select(
    rules: Iterable[ReadingRule], known: ChartFacts, topics: Sequence[str], language: Language
) -> tuple[Sentence, ...]:
    """Sentences of the rules that fire, by topic; of two that contradict each other the first stays."""
    fired = [rule for rule in rules if rule.topic in topics and rule.fires(known.facts)]
    kept: dict[str, str] = {}
    found: list[Sentence] = []
    for rule in sorted(fired, key=lambda one: topics.index(one.topic)):
        if any(kept.get(axis, claim) != claim for axis, claim in rule.stance.items()):
            continue
        kept |= rule.stance
        grounds = {name: tuple(sorted(known.facts[name] & wanted)) for name, wanted in rule.when.items()}
        found.append(_write(rule, language, known.values, grounds))
    return tuple(found)


def _read_aspects(
    rules: Iterable[ReadingRule], fact: str, aspects: Iterable[Aspect], language: Language
) -> Iterator[Sentence]:
    by_name = {next(iter(rule.when[fact])): rule for rule in rules if fact in rule.when}
    for one in aspects:
        values = {
            "first": name_of(one.first, language),
            "second": name_of(one.second, language),
            "first_theme": theme_of(one.first, language),
            "second_theme": theme_of(one.second, language),
            "orb": f"{one.orb:.1f}",
        }
        rule = by_name[one.name]
        source = rule.source_for((one.first, one.second)).text(language)
        yield replace(_write(rule, language, values, {fact: (one.first, one.name, one.second)}), source=source)


def _write(
    rule: ReadingRule, language: Language, values: Mapping[str, str], grounds: Mapping[str, Sequence[str]]
) -> Sentence:
    text = rule.text.text(language).format_map(values)
    school = rule.school.text(language) if rule.school else ""
    return Sentence(rule.id, rule.topic, text, rule.source.text(language), grounds, rule.stance, school)
