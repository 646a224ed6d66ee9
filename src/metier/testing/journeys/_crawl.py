"""Crawler: follows everything that the product offers, from every example, and reports the dead ends.

Branches are taken by playing the steps before them again, in a new conversation on the same runtime; one of the
branches goes on in the conversation that is there. An offer is followed once per place: language, skill, open
question, facts and its text.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, TypeAlias

from metier.json_values import JsonObject
from metier.language import Language
from metier.pack import Pack
from metier.testing.journeys._dead_ends import DeadEnd, find_dead_ends, find_strayed
from metier.testing.journeys._host import JourneyHost
from metier.testing.journeys._journey import Action
from metier.testing.journeys._offers import Offer, find_offers
from metier.testing.journeys._visit import Visit

_Path: TypeAlias = tuple[Offer, ...]
MAX_DEPTH: Final = 3
MAX_STEPS: Final = 600


@dataclass(frozen=True, slots=True)
class Example:
    """Where a crawl begins: a message in a language."""

    text: str
    language: Language


@dataclass(frozen=True, slots=True)
class CrawlFinding:
    """A dead end and the way to it: what was said and taken, step by step."""

    path: tuple[str, ...]
    dead_end: DeadEnd

    def describe(self) -> str:
        """The way and the dead end in one line each."""
        return f"✗ {' → '.join(self.path)}\n    {self.dead_end.kind}: {self.dead_end.why}"

    def to_json(self) -> JsonObject:
        return {"path": list(self.path), **self.dead_end.to_json()}


@dataclass(slots=True)
class CrawlReport:
    """What a crawl did and found."""

    steps: int = 0
    replayed: int = 0
    not_followed: int = 0
    elapsed_ms: float = 0.0
    findings: list[CrawlFinding] = field(default_factory=list)

    def describe(self) -> str:
        """The figures in a sentence."""
        left = f", {self.not_followed} offers left out: the budget is used up" if self.not_followed else ""
        return (
            f"{self.steps} steps followed ({self.replayed} played again for branches), "
            f"{len(self.findings)} dead ends{left}, {self.elapsed_ms / 1000:.1f} s"
        )

    def to_json(self) -> JsonObject:
        return {
            "steps": self.steps,
            "replayed": self.replayed,
            "not_followed": self.not_followed,
            "elapsed_ms": round(self.elapsed_ms, 1),
            "dead_ends": [one.to_json() for one in self.findings],
        }


def list_examples(pack: Pack, languages: Iterable[Language] = ("zh", "en"), limit: int | None = None) -> list[Example]:
    """Examples of a pack in each language, the first `limit` of them."""
    return [Example(one.text(language), language) for language in languages for one in pack.examples[:limit]]


async def crawl(
    host: JourneyHost,
    examples: Sequence[Example],
    *,
    depth: int = MAX_DEPTH,
    max_steps: int = MAX_STEPS,
    checks_language: bool = True,
    say: Callable[[str], None] | None = None,
) -> CrawlReport:
    """Follow every offer `depth` steps deep from each example. What exceeds `max_steps` is counted, not followed.

    A text in the other language than the example's is a dead end too, unless `checks_language` is off.
    """
    started = perf_counter()
    crawler = _Crawler(host, depth, max_steps, checks_language, say)
    for example in examples:
        await crawler.explore(Visit(host), (), Offer("example", example.text, Action(say=example.text)), example)
    crawler.report.elapsed_ms = (perf_counter() - started) * 1000
    return crawler.report


@dataclass(slots=True)
class _Crawler:
    host: JourneyHost
    depth: int
    max_steps: int
    checks_language: bool
    say: Callable[[str], None] | None
    report: CrawlReport = field(default_factory=CrawlReport)
    followed: set[tuple[str, ...]] = field(default_factory=set)

    async def explore(self, visit: Visit, path: _Path, offer: Offer, example: Example) -> None:
        """Take an offer, look for dead ends, and go on with everything that is offered then."""
        if self.report.steps >= self.max_steps:
            self.report.not_followed += 1
            return
        self.report.steps += 1
        before = visit.facts
        record = await visit.do(offer.action)
        path = (*path, offer)
        language = example.language if self.checks_language else None
        strayed = find_strayed(visit, record, before, offer.text) if offer.source == "suggestion" else ()
        for dead_end in (*find_dead_ends(visit, record, language), *strayed):
            self._add_finding(CrawlFinding(tuple(one.text for one in path), dead_end))
        if len(path) > self.depth:
            return
        waiting = self._list_new_offers(visit, example.language)
        for number, one in enumerate(waiting, 1):
            here = visit if number == len(waiting) else await self._replay(path)
            await self.explore(here, path, one, example)

    def _add_finding(self, finding: CrawlFinding) -> None:
        same = (finding.path[-1], finding.dead_end)
        if same not in [(one.path[-1], one.dead_end) for one in self.report.findings]:
            self.report.findings.append(finding)
            if self.say is not None:
                self.say(finding.describe())

    def _list_new_offers(self, visit: Visit, language: Language) -> list[Offer]:
        question = str(visit.pause.get("text")) if visit.pause else ""
        place = (language, visit.skill, question, json.dumps(visit.facts, sort_keys=True, default=str))
        fresh = [one for one in find_offers(visit) if (*place, one.source, one.text) not in self.followed]
        self.followed.update((*place, one.source, one.text) for one in fresh)
        return fresh

    async def _replay(self, path: _Path) -> Visit:
        visit = Visit(self.host)
        for one in path:
            self.report.replayed += 1
            await visit.do(one.action)
        return visit
