"""Measures every router on one labelled set with the same skills and messages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Protocol

from benchmarks.routing._data import Draw, Given, LabelledSet, draw
from benchmarks.routing._measures import (
    Abstention,
    RouterAnswer,
    calibration_error,
    count_abstentions,
    find_best_threshold,
    percent,
    share_error,
)
from benchmarks.routing._ours import OURS, MetierRouter
from benchmarks.routing._peers import PEERS, PeerRouter
from benchmarks.routing._peers_encoders import Encoders
from metier.bench import p50_p95
from metier.skills import Skill


class BenchRouter(Protocol):
    """Router under test; `gives_probabilities`: its scores are probabilities; `says_none`: it can answer "none"."""

    name: str
    gives_probabilities: bool
    says_none: bool
    notes: tuple[str, ...]

    def accepts(self, *, chinese: bool) -> bool:
        """Whether the router supports this language."""

    def fit(self, skills: Sequence[Skill]) -> None:
        """Learn these skills."""

    def ask(self, message: str) -> RouterAnswer:
        """Answer one message."""


@dataclass(frozen=True, slots=True)
class SampleSize:
    """Sample size: draws of examples, messages per draw, and the seed."""

    draws: int = 2
    messages: int = 200
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """Result of one router on one set with the given skill information; shares in percent."""

    set: str
    given: Given
    router: str
    messages: int
    first: float
    among: float
    p50_ms: float
    p95_ms: float
    calibration: float | None = None
    none: Abstention | None = None
    tuned: Abstention | None = None

    @property
    def first_error(self) -> float:
        """Standard error of `first`."""
        return share_error(self.first, self.messages)

    def to_json(self) -> dict[str, object]:
        shares = {"first": self.first, "first_error": self.first_error, "among": self.among}
        times = {"p50_ms": self.p50_ms, "p95_ms": self.p95_ms, "calibration": self.calibration}
        numbers = {name: None if value is None else round(value, 2) for name, value in {**shares, **times}.items()}
        said = {"none": self.none, "tuned": self.tuned}
        what = {"set": self.set, "given": self.given, "router": self.router, "messages": self.messages}
        return {**what, **numbers, **{name: one and one.to_json() for name, one in said.items()}}


@dataclass(slots=True)
class Tally:
    """Answers of one router on one set, over all draws."""

    inside: list[tuple[RouterAnswer, str]] = field(default_factory=list)
    outside: list[RouterAnswer] = field(default_factory=list)
    refused: tuple[list[bool], list[bool]] = field(default_factory=lambda: ([], []))
    thresholds: list[float] = field(default_factory=list)

    def add(self, router: BenchRouter, drawn: Draw, *, tune: bool) -> None:
        """Ask all messages of one draw; `tune` also chooses a threshold for "none"."""
        inside = [(router.ask(message), intent) for message, intent in drawn.asked]
        outside = [router.ask(message) for message in drawn.outside]
        self.inside += inside
        self.outside += outside
        if tune and outside:
            kept = [router.ask(message).score for message, _ in drawn.tuning]
            threshold = find_best_threshold(kept, [router.ask(message).score for message in drawn.tuning_outside])
            self.thresholds.append(threshold)
            self.refused[0].extend(answer.score < threshold for answer, _ in inside)
            self.refused[1].extend(answer.score < threshold for answer in outside)

    def to_row(self, router: BenchRouter, set_: str, given: Given) -> AccuracyRow:
        """Summarise the answers."""
        right = [answer.is_right(intent) for answer, intent in self.inside]
        among = [any(skill == intent for skill, _ in answer.ranked[:3]) for answer, intent in self.inside]
        scores = [answer.score for answer, _ in self.inside]
        said = ([answer.none for answer, _ in self.inside], [answer.none for answer in self.outside])
        p50_ms, p95_ms = p50_p95([answer.ms for answer, _ in self.inside])
        count = len(right)
        return AccuracyRow(
            set_,
            given,
            router.name,
            count,
            percent(sum(right), count),
            percent(sum(among), count),
            p50_ms,
            p95_ms,
            calibration_error(scores, right) if router.gives_probabilities else None,
            count_abstentions(*said) if self.outside and router.says_none else None,
            count_abstentions(*self.refused, median(self.thresholds)) if self.thresholds else None,
        )


def build_routers(storage: Path, *, peers: bool, only: Sequence[str] = ()) -> tuple[BenchRouter, ...]:
    """Build our routers and, with `peers`, the peers whose libraries are installed."""
    encoders = Encoders()
    ours: list[BenchRouter] = [MetierRouter(name, storage) for name in OURS if not only or name in only]
    usable = [name for name, kind in PEERS.items() if not kind.missing and (not only or name in only)]
    return (*ours, *(PeerRouter(name, PEERS[name], encoders) for name in usable if peers))


def find_missing_peers() -> Mapping[str, tuple[str, ...]]:
    """Peers that cannot run, with their missing modules."""
    return {name: kind.missing for name, kind in PEERS.items() if kind.missing}


def measure_set(
    labelled: LabelledSet,
    routers: Sequence[BenchRouter],
    size: SampleSize,
    *,
    givens: Sequence[Given] = (),
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[AccuracyRow]:
    """Yield a row per router and kind of skill information; thresholds are chosen with ten examples."""
    draws = [draw(labelled, number, messages=size.messages, seed=size.seed) for number in range(size.draws)]
    for given in givens or labelled.givens:
        for router in routers:
            if not router.accepts(chinese=labelled.chinese):
                continue
            tally = Tally()
            for drawn in draws:
                with one_thread():
                    router.fit(drawn.limit_skills(given))
                    tally.add(router, drawn, tune=given == "10")
            row = tally.to_row(router, labelled.name, given)
            say(f"{row.set}, {given}: {row.router}: {row.first:.1f} / {row.among:.1f} %, p95 {row.p95_ms:.1f} ms")
            yield row


def one_thread() -> AbstractContextManager[object]:
    """Limit all routers to one thread: on a busy machine more threads are slower and noisier."""
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    limits: AbstractContextManager[object] = import_module("threadpoolctl").threadpool_limits(limits=1)
    return limits
