"""How often the router is right on public labelled sets: an intent stands for a skill, with ten examples of it."""

import csv
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from types import MappingProxyType
from typing import TypeAlias

from metier.bench._figures import Figure
from metier.errors import PathNotFound
from metier.routing import Decision, Router, open_router
from metier.settings import load_settings
from metier.skills import Catalog, Skill, Source

Labelled: TypeAlias = Sequence[tuple[str, str]]

EXAMPLES = 10
MESSAGES = 500
_BINS = 15


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Messages with their intent: some to take examples from, others to ask with, and some that mean no intent."""

    train: Labelled
    test: Labelled
    outside: Sequence[str] = ()
    best: float = 80.0


def measure_sets(data: Path) -> Iterator[Figure]:
    """Every set that is there: first choice right, right one among three, calibration, abstention, time."""
    found = [(name, load) for name, load in _SETS.items() if (data / name.partition(" ")[0]).is_dir()]
    if not found:
        names = ", ".join(dict.fromkeys(name.partition(" ")[0] for name in _SETS))
        raise PathNotFound(f"no labelled set in {str(data)!r}", hint=f"it should hold one of: {names}")
    for name, load in found:
        yield from _measure(name, load(data / name.partition(" ")[0]))


def _measure(name: str, labelled: LabelledSet) -> Iterator[Figure]:
    chance = random.Random(0)  # noqa: S311 - repeatable draws
    catalog, used = _catalog(labelled.train, chance)
    unused = [pair for pair in labelled.test if pair[0] not in used]
    asked = chance.sample(unused, min(MESSAGES, len(unused)))
    with tempfile.TemporaryDirectory() as temporary:
        router = open_router(load_settings({"storage_dir": Path(temporary)}))
        router.prepare(catalog)
        decisions = [router.route(message, catalog=catalog) for message, _ in asked]
        yield from _figures(name, labelled, asked, decisions)
        if labelled.outside:
            yield _abstention(name, router, catalog, labelled, decisions)


def _catalog(train: Labelled, chance: random.Random) -> tuple[Catalog, frozenset[str]]:
    by_intent: dict[str, list[str]] = {}
    for message, intent in train:
        by_intent.setdefault(intent, []).append(message)
    drawn = {intent: chance.sample(said, min(EXAMPLES, len(said))) for intent, said in sorted(by_intent.items())}
    source = Source(Path("set"), Path("set"), "flat")
    skills = [Skill(intent, intent, "", source, intent, examples=tuple(said)) for intent, said in drawn.items()]
    return Catalog.of(skills), frozenset(message for said in drawn.values() for message in said)


def _figures(name: str, labelled: LabelledSet, asked: Labelled, decisions: Sequence[Decision]) -> Iterator[Figure]:
    ranked = [[candidate.skill for candidate in decision.candidates] for decision in decisions]
    first = [bool(skills) and skills[0] == intent for skills, (_, intent) in zip(ranked, asked, strict=True)]
    among = [intent in skills for skills, (_, intent) in zip(ranked, asked, strict=True)]
    scores = [decision.candidates[0].score if decision.candidates else 0.0 for decision in decisions]
    count = len(asked)
    yield Figure("routing", f"{name}: first choice right", _share(first), labelled.best, count, unit="%", more=True)
    yield Figure("routing", f"{name}: right one among three", _share(among), 80, count, unit="%", more=True)
    yield Figure("routing", f"{name}: calibration error", calibration_error(scores, first), 5, count, unit="%")
    taken = quantiles([decision.elapsed_ms for decision in decisions], n=20)[-1]
    yield Figure("routing", f"{name}: one message, p95", taken, 10, count)


def _abstention(
    name: str, router: Router, catalog: Catalog, labelled: LabelledSet, inside: Sequence[Decision]
) -> Figure:
    """F1 of saying none, over messages inside and outside in the proportion of the set."""
    share = len(labelled.outside) / max(len(labelled.test), 1)
    outside = labelled.outside[: int(len(inside) * share)]
    said_none = [router.route(message, catalog=catalog).verdict == "none" for message in outside]
    right, wrong = sum(said_none), sum(decision.verdict == "none" for decision in inside)
    f1 = 2 * right / max(len(outside) + right + wrong, 1)
    return Figure("routing", f"{name}: F1 of none", 100 * f1, 81.6, len(outside), unit="%", more=True)


def calibration_error(scores: Sequence[float], right: Sequence[bool]) -> float:
    """The mean gap, in points, between what the router believed and how often it was right, over bins of belief."""
    gap = 0.0
    for bin_ in range(_BINS):
        inside = [at for at, score in enumerate(scores) if min(int(score * _BINS), _BINS - 1) == bin_]
        gap += abs(sum(scores[at] for at in inside) - sum(right[at] for at in inside))
    return 100 * gap / max(len(scores), 1)


def _share(hits: Sequence[bool]) -> float:
    return 100 * sum(hits) / max(len(hits), 1)


def _clinc(folder: Path) -> LabelledSet:
    parts = json.loads((folder / "data_full.json").read_text("utf-8"))
    train, test = ([(message, intent) for message, intent in parts[part]] for part in ("train", "test"))
    return LabelledSet(train, test, [message for message, _ in parts["oos_test"]], best=92.1)


def _massive(language: str, best: float) -> Callable[[Path], LabelledSet]:
    def load(folder: Path) -> LabelledSet:
        lines = (folder / "massive_en_zh_train_dev.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        train, test = ([(row[language], row["intent"]) for row in rows if row["split"] == part] for part in _PARTS)
        return LabelledSet(train, test, best=best)

    return load


_PARTS = ("train", "dev")


def _hwu(folder: Path) -> LabelledSet:
    def part(name: str) -> Labelled:
        said, meant = ((folder / f"{name}.{end}").read_text("utf-8").splitlines() for end in ("seq.in", "label"))
        return list(zip(said, meant, strict=True))

    return LabelledSet(part("train"), part("test"))


def _metatool(folder: Path) -> LabelledSet:
    with (folder / "all_clean_data.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["Query"], row["Tool"]) for row in csv.DictReader(file)]
    return LabelledSet(rows, rows, best=73.2)


_SETS: Mapping[str, Callable[[Path], LabelledSet]] = MappingProxyType(
    {
        "clinc150": _clinc,
        "massive zh": _massive("zh_cn", 69.4),
        "massive en": _massive("en", 75.6),
        "hwu64": _hwu,
        "metatool": _metatool,
    },
)
