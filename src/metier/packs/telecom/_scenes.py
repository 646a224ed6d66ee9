"""Finds the scenario a description means: by id, by place, by problem and by network."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from metier.errors import NotFound
from metier.packs.telecom._knowledge import Synonyms
from metier.packs.telecom._places import TROUBLE, PlaceFinder
from metier.packs.telecom.changes import names_change
from metier.packs.telecom.twin import Scenario, Twin

Topic = Literal["weak_coverage", "overshoot", "interference", "load", "handover"]

_log = logging.getLogger(__name__)
_SUFFIX = re.compile(r"(?:新区|区|县|市)$")
_SPECIAL = re.compile("专项|自定义|custom", re.IGNORECASE)  # of one of the other skills
_DISTRICT = re.compile(r"[\u4e00-\u9fff]{2,4}?市([\u4e00-\u9fff]{2,4}?(?:新区|区|县))")
_NETWORK = re.compile(r"(?<![A-Za-z0-9])([45])\s*G(?![A-Za-z])|LTE|NR(?![A-Za-z])", re.IGNORECASE)
# Said of how far an analysis shall go: 只做小区级, "cell level only".
_CELLS_ONLY = re.compile(
    r"[,，;；\s]*(?:(?:只|仅|光)(?:要|需要?|用|想)?(?:做|看|查|分析|到)?小区级?(?:别|的)?(?:分析|就行|就好|就可以|即可)?了?"
    r"|(?:不用|不要|不需要|别|先不)(?:做|看|查|分析)?栅格级?(?:别|的)?(?:分析)?了?"
    r"|\b(?:only|just)\s+(?:on\s+|at\s+|the\s+|by\s+)*cells?(?:[\s-]level)?\b|\b(?:by\s+)?cells?(?:[\s-]level)?\s+only\b"
    r"|\b(?:without|no|skip|not)\s+(?:the\s+)?grids?(?:[\s-]level)?\b)(?!\s*(?:with|in|of|id))",
    re.IGNORECASE,
)
# Keywords of each topic after synonyms are unified; the first topic with a keyword in the text wins.
_TOPICS: Final[Mapping[Topic, tuple[str, ...]]] = MappingProxyType(
    {
        "overshoot": ("越区覆盖", "overshoot"),
        "interference": ("干扰", "SINR", "RSRQ", "重叠覆盖度", "导频污染"),
        "load": ("容量", "PRB", "PRB利用率", "高负荷", "负荷", "负载", "用户数", "下行流量", "load"),
        "handover": ("切换", "切换成功率", "邻区漏配", "邻区"),
        "weak_coverage": ("弱覆盖", "RSRP", "MR覆盖率", "覆盖", "信号", "coverage", "signal"),
    }
)


@dataclass(frozen=True, slots=True)
class TopicIndicators:
    """Indicators to show for a topic: per cell, per grid point, and for the comparison before and after."""

    cell: tuple[str, ...]
    grid: tuple[str, ...]
    compare: tuple[str, ...]


TOPIC_INDICATORS: Final[Mapping[Topic, TopicIndicators]] = MappingProxyType(
    {
        "weak_coverage": TopicIndicators(("RSRP均值", "MR覆盖率"), ("RSRP", "覆盖电平"), ("RSRP均值", "MR覆盖率")),
        "overshoot": TopicIndicators(
            ("RSRP均值", "SINR均值", "切换成功率"), ("RSRP", "重叠覆盖度"), ("RSRP均值", "SINR均值")
        ),
        "interference": TopicIndicators(("SINR均值", "MR覆盖率"), ("SINR", "RSRQ", "重叠覆盖度"), ("SINR均值",)),
        "load": TopicIndicators(
            ("下行PRB利用率", "上行PRB利用率", "下行流量(GB)", "用户数"),
            ("下行速率", "上行速率"),
            ("下行PRB利用率", "上行PRB利用率"),
        ),
        "handover": TopicIndicators(
            ("切换成功率", "RRC连接成功率"), ("RSRP", "重叠覆盖度"), ("切换成功率", "RRC连接成功率")
        ),
    }
)
_EXCLUDES: Final = re.compile(r"(?i)不[是看要用]|别|除|而非|\b(?:not|no|except|without|instead|rather)\b|n['’]t\b")


@dataclass(frozen=True, slots=True)
class ScenarioMatch:
    """A candidate scenario, its score, and the parts of the description that support it."""

    scenario: Scenario
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScenarioMatches:
    """Matching scenarios, best first. `sure` means a clear winner; `place` is a named place without a scenario.

    `named`: the words say which scenario, by its id or its place; otherwise it is the one known before. `others` are
    further places with a scenario that the words name and do not exclude.
    """

    found: tuple[ScenarioMatch, ...]
    topic: Topic | None
    sure: bool
    place: str = ""
    named: bool = False
    others: tuple[str, ...] = ()


class ScenarioCatalog:
    """The shipped scenarios and those in the user's folder, searchable by description."""

    def __init__(self, twin: Twin, synonyms: Synonyms) -> None:
        self.twin = twin
        self._synonyms = synonyms
        self._places = PlaceFinder(synonyms.words)
        self._logged: frozenset[str] = frozenset()

    @property
    def known(self) -> Mapping[str, Scenario]:
        """Every scenario by id; a file that cannot be used is logged once and left out."""
        self._log_broken()
        return self.twin.load_scenarios()

    @property
    def titles(self) -> Mapping[str, tuple[str, str]]:
        """Chinese and English title of every scenario by id, without reading the shipped ones in full."""
        found = self.twin.list_titles()
        if self.twin.is_read:
            self._log_broken()
        return found

    def _log_broken(self) -> None:
        broken = frozenset(f"{path.name}: {error}" for path, error in self.twin.broken.items())
        for line in sorted(broken - self._logged):
            _log.warning("scenario %s", line)
        self._logged = broken

    def get(self, name: str) -> Scenario:
        """The scenario with this id, ignoring case; an unknown id raises with the list."""
        known = self.known
        found = next((one for id, one in known.items() if id.casefold() == name.strip().casefold()), None)
        if found is None:
            listed = "; ".join(f"{one.id} {one.title_zh}" for one in known.values())
            raise NotFound(f"there is no scenario {name[:40]!r}", hint=f"known scenarios: {listed}")
        return found

    def detect_topic(self, text: str) -> Topic | None:
        """Detect which kind of problem a text is about."""
        said = f" {self._synonyms.unify(text)} ".lower()
        return next((topic for topic, words in _TOPICS.items() if any(word.lower() in said for word in words)), None)

    def speaks_of_network(self, text: str) -> bool:
        """Whether a text names a place with a scenario and a problem of its network, and nothing else.

        Every word is accounted for: a report about a place, or a meaning that is asked for, is something else.
        """
        text = _CELLS_ONLY.sub("", text)
        is_trouble = self.detect_topic(text) is not None or TROUBLE.search(text)
        if not is_trouble or _SPECIAL.search(text) or names_change(text):
            return False
        for zh, en in self.titles.values():
            for name in _places_in_titles(zh, en):
                if name.lower() in text.lower():
                    rest = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
                    if not self._places.drop_known(rest):
                        return True
        return False

    def match(self, text: str, known: str = "") -> ScenarioMatches:
        """Find the scenarios a description may mean; `known` is the one that the conversation is about.

        A known place excludes the others, an unknown one all. Words that name no place mean the known scenario; without
        one there is a doubt, however well a scenario fits the problem, unless there is only one scenario.
        """
        topic, all_known = self.detect_topic(text), self.known
        named = [ScenarioMatch(one, 1.0, (id,)) for id, one in all_known.items() if _mentions_id(id, text)]
        if named:
            return ScenarioMatches(tuple(named), topic, len(named) == 1, named=True)
        scored = [self._score(one, text, topic) for one in all_known.values()]
        places = max((place for place, _ in scored), default=0)
        settled = all_known.get(known)
        unknown = "" if places else self._places.find(text)
        if unknown and not (settled is not None and _has_site(settled, unknown)):
            return ScenarioMatches((), topic, False, unknown)
        if not places and settled is not None:
            return ScenarioMatches((ScenarioMatch(settled, 1.0, ()),), topic, True)
        best = [one for place, one in scored if place == places and (places or one.score)]
        best.sort(key=lambda one: (-one.score, one.scenario.id))
        if places and settled is not None and any(one.scenario.id == known for one in best):
            best = [one for one in best if one.scenario.id == known]  # a city with several districts: the known one
        ahead = len(best) == 1 or (len(best) > 1 and best[0].score > best[1].score)
        is_sure = bool(best) and ahead and (places > 0 or len(all_known) == 1)
        others = _list_others(best, text) if is_sure and places else ()
        return ScenarioMatches(tuple(best), topic, is_sure, named=places > 0, others=others)

    def _score(self, scenario: Scenario, text: str, topic: Topic | None) -> tuple[int, ScenarioMatch]:
        lowered = text.lower()
        place, why = 0, []
        for worth, name in _place_names(scenario):
            if name.lower() in lowered and worth > place:
                place, why = worth, [name]
        score = float(place)
        if topic is not None and topic == scenario.problem:
            score, why = score + 1.0, [*why, topic]
        networks = {
            "5G" if (found[1] or found[0].upper()) in ("5", "NR") else "4G" for found in _NETWORK.finditer(text)
        }
        if networks and networks <= set(scenario.network.split("/")):
            score, why = score + 0.5, [*why, "/".join(sorted(networks))]
        return place, ScenarioMatch(scenario, score, tuple(why))


def _list_others(best: Sequence[ScenarioMatch], text: str) -> tuple[str, ...]:
    """Places of a text beside the one of the best match; those of one place are told apart by their problem."""
    names = dict.fromkeys(one.why[0] for one in best if one.why)
    return tuple(names)[1:] if _EXCLUDES.search(text) is None else ()


def wants_cells_only(text: str) -> bool:
    """Whether a text limits an analysis to the level of cells."""
    return _CELLS_ONLY.search(text) is not None


def _mentions_id(id: str, text: str) -> bool:
    return bool(re.search(rf"(?<![A-Za-z0-9]){re.escape(id)}(?![A-Za-z0-9])", text, re.IGNORECASE))


def _places_in_titles(zh: str, en: str) -> Iterator[str]:
    """Names of the place in a scenario's titles: 海淀区 and 海淀 of 北京市海淀区5G越区覆盖."""
    if found := _DISTRICT.search(zh):
        yield from (found[0], found[1], _SUFFIX.sub("", found[1]))
    yield en.partition(",")[0].strip()


def _has_site(scenario: Scenario, name: str) -> bool:
    return any(name in one.name for one in scenario.sites)


def list_place_names(scenario: Scenario) -> tuple[str, ...]:
    """The names by which people call the scenario's place."""
    return tuple(name for _, name in _place_names(scenario))


def _place_names(scenario: Scenario) -> Sequence[tuple[int, str]]:
    """Names of the scenario's place and their specificity: a district counts more than its city."""
    english = [part.strip() for part in scenario.title_en.partition(":")[0].split(",")]
    district = [(2, scenario.district), (2, _SUFFIX.sub("", scenario.district))]
    city = [(1, scenario.city), (1, _SUFFIX.sub("", scenario.city))]
    named = [(2 - at, name) for at, name in enumerate(english[:2])]
    return [(worth, name) for worth, name in (*district, *city, *named) if len(name) > 1]
