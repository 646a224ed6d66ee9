"""`python -m training.without_examples --data DIR`: fit how far the heads are too low where skills have no examples.

The messages come from three kinds of people, because who has read a description asks in its words: the evals that
authors of public skill files ship, messages of labelled sets, and messages written by hand for public and invented
catalogs (`data/catalogs`). Three log-odds are fitted for each mode, every source counting the same. Beside them the
command prints what they are worth where the source of a catalog was left out.
"""

import json
import random
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.routing import calibration_error, load_sets, name_to_words
from metier.cli.terminal import print_note
from metier.routing import Router, open_router
from metier.routing.fitting import LabelledScore, write_heads
from metier.routing.ranking import DATA, Heads, Odds, compute_signals, load_shipped_heads, to_probability
from metier.settings import load_settings
from metier.skills import Catalog, Skill, Source
from training.graphs import write_checksums

Doubles = NDArray[np.float64]
_T = TypeVar("_T")
OWN: Final = Path(__file__).parent / "data" / "catalogs"
_SOURCE: Final = Source(Path("set"), Path("set"), "flat")
_MAX_MESSAGES: Final = 150
_MAX_SKILLS: Final = 600
_SHARE: Final = 0.6  # of the skills that the smaller draws of a catalog have
_FEW: Final = 14
_MAX_OUTSIDE: Final = 0.25  # messages for skills that were not drawn, as a share of all
# Out of scope there are more messages than in real use: they count as in `metier.routing.fitting`.
_OUTSIDE_MEANT: Final = 0.5
_OUTSIDE_RIGHT: Final = 0.15
_STEPS: Final = 50
_RIDGE: Final = 1e-6  # keeps it finite where every message means a skill
_DIGITS: Final = 2


@dataclass(frozen=True, slots=True)
class AskedCatalog:
    """Skills without examples and messages with the skill that each means; `source` names who is left out together."""

    name: str
    source: str
    skills: tuple[Skill, ...]
    messages: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class CatalogScores:
    """Scores of the messages of one catalog, by mode; those of the whole catalog first (`whole` of them)."""

    catalog: AskedCatalog
    scores: Mapping[str, tuple[LabelledScore, ...]]
    whole: Mapping[str, int]


def load_catalogs(data: Path) -> Iterator[AskedCatalog]:
    """Public described catalogs and labelled sets of the folder, and the catalogs that come with this package."""
    described = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted((data / "described").glob("*.json"))}
    for name, content in described.items():
        yield from _read(name, name, content, content)
    for file in sorted(OWN.glob("*.json")):
        content = json.loads(file.read_text("utf-8"))
        source = content.get("skills_of", file.stem)
        if "skills_of" not in content or source in described:
            yield from _read(file.stem, source, described.get(source, content), content)
    for labelled in load_sets(data):
        told = sorted(labelled.descriptions.items())
        rows = [(text, intent) for text, intent in labelled.test if intent in labelled.descriptions]
        if told:
            skills = tuple(_build_skill({"name": name, "description": text}) for name, text in told)
            yield AskedCatalog(labelled.name, labelled.family, skills, tuple(_draw(rows, labelled.name)))


def _read(name: str, source: str, catalog: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[AskedCatalog]:
    """One catalog for each language of its messages, where that is told."""
    by_language: dict[str, list[tuple[str, str | None]]] = {}
    for row in asked["messages"]:
        if len(row["expect"]) <= 1:
            said = by_language.setdefault(row.get("language", ""), [])
            said.append((row["text"], row["expect"][0] if row["expect"] else None))
    for language, rows in sorted(by_language.items()):
        drawn = _draw(rows, name)
        needed = {skill for _, skill in drawn}
        others = [row for row in catalog["skills"] if row["name"] not in needed]
        kept = {row["name"] for row in _draw(others, name)[: max(_MAX_SKILLS - len(needed), 0)]} | needed
        skills = tuple(_build_skill(row) for row in catalog["skills"] if row["name"] in kept)
        yield AskedCatalog(f"{name} {language}".strip(), source, skills, tuple(drawn))


def _draw(rows: Sequence[_T], name: str) -> list[_T]:
    return random.Random(name).sample(list(rows), min(len(rows), _MAX_MESSAGES))  # noqa: S311 - repeatable draws


def _build_skill(row: Mapping[str, str]) -> Skill:
    title = row.get("title") or name_to_words(row["name"])
    return Skill(row["name"], title, row["description"], _SOURCE, row["name"])


def score_catalog(router: Router, catalog: AskedCatalog) -> CatalogScores:
    """Score the messages among all skills, among a part of them, and among a few."""
    ids = [skill.id for skill in catalog.skills]
    chance = random.Random(catalog.name)  # noqa: S311 - repeatable draws
    part = int(len(ids) * _SHARE)
    draws = [ids, *(chance.sample(ids, size) for size in (part, min(_FEW, part)))]
    found: dict[str, list[LabelledScore]] = {}
    whole: Mapping[str, int] = {}
    for number, drawn in enumerate(draws):
        for mode, score in _score(router, catalog, frozenset(drawn), is_whole=number == 0):
            found.setdefault(mode, []).append(score)
        whole = whole or {mode: len(scores) for mode, scores in found.items()}
    return CatalogScores(catalog, {mode: tuple(scores) for mode, scores in found.items()}, whole)


def _score(
    router: Router, catalog: AskedCatalog, drawn: frozenset[str], *, is_whole: bool
) -> Iterator[tuple[str, LabelledScore]]:
    skills = Catalog.from_skills([skill for skill in catalog.skills if skill.id in drawn])
    outside = [row for row in catalog.messages if row[1] not in drawn]
    most = len(outside) if is_whole else int(len(catalog.messages) * _MAX_OUTSIDE)
    for text, wanted in [*(row for row in catalog.messages if row[1] in drawn), *outside[:most]]:
        scored = router.score_message(text, catalog=skills)
        if scored is not None and scored.ranking.by_view:
            signals = compute_signals(scored.index, scored.query, scored.ranking)
            among = wanted in scored.order[:3]
            yield scored.mode, LabelledScore(signals, wanted in drawn, scored.first == wanted, among)


def fit_offsets(heads: Heads, groups: Sequence[Sequence[LabelledScore]]) -> tuple[float, float, float]:
    """Fit log-odds (any, first, first three) that the heads lack; each group of scores counts the same."""
    scores = [one for group in groups for one in group]
    share = np.concatenate([np.full(len(group), 1 / len(group)) for group in groups if group])
    odds = [heads(one.signals) for one in scores]
    meant = np.array([one.meant for one in scores], dtype=np.float64)
    right_weight = share * np.where(meant > 0, 1.0, _OUTSIDE_RIGHT)
    return (
        _fit(np.array([one.meant for one in odds]), meant, share * np.where(meant > 0, 1.0, _OUTSIDE_MEANT)),
        _fit(np.array([one.right for one in odds]), _to_doubles(one.right for one in scores), right_weight),
        _fit(np.array([one.among for one in odds]), _to_doubles(one.among for one in scores), right_weight),
    )


def _to_doubles(values: Iterator[bool]) -> Doubles:
    return np.array(list(values), dtype=np.float64)


def _fit(odds: Doubles, yes: Doubles, weights: Doubles) -> float:
    found = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(odds + found)))
        slope = (weights * (likely - yes)).sum() + _RIDGE * found
        found -= float(slope / ((weights * likely * (1 - likely)).sum() + _RIDGE))
    return round(found, _DIGITS)


def describe(scored: Sequence[CatalogScores], heads: Mapping[str, Heads]) -> Iterator[str]:
    """One row a catalog: what its messages show before, and after with its source left out; whole catalogs only."""
    yield "| catalog | messages | first right | said | calibration error | offered no skill |"
    for one in scored:
        for mode, scores in one.scores.items():
            others = _group(scored, mode, without=one.catalog.source)
            asked = [score for score in scores[: one.whole[mode]] if score.meant]
            if not asked or not others:
                continue
            fitted = replace(heads[mode], without_examples=np.array(fit_offsets(heads[mode], others)))
            plain = [heads[mode](score.signals) for score in asked]
            stated = [odds + Odds(*fitted.without_examples) for odds in plain]
            hits = [score.right for score in asked]
            pairs = [_summarize(odds, hits) for odds in (plain, stated)]
            changes = " | ".join(f"{before:.1f} → {after:.1f}" for before, after in zip(*pairs, strict=True))
            title = f"{one.catalog.name}, {len(one.catalog.skills)}"
            yield f"| {title} | {len(asked)} | {100 * np.mean(hits):.1f} | {changes} |"


def _summarize(odds: Sequence[Odds], hits: Sequence[bool]) -> tuple[float, float, float]:
    said = [to_probability(one.right) for one in odds]
    none = [to_probability(one.meant) < 0.4 or to_probability(max(one.among, one.right)) < 0.6 for one in odds]
    return 100 * float(np.mean(said)), calibration_error(said, list(hits)), 100 * float(np.mean(none))


def _group(scored: Sequence[CatalogScores], mode: str, *, without: str = "") -> list[list[LabelledScore]]:
    groups: dict[str, list[LabelledScore]] = {}
    for one in scored:
        if one.catalog.source != without and one.scores.get(mode):
            groups.setdefault(one.catalog.source, []).extend(one.scores[mode])
    return list(groups.values())


def run() -> None:
    """Score all catalogs, print what leaving out shows, and with `--write` store the result with the shipped heads."""
    parser = ArgumentParser(prog="python -m training.without_examples", description="Fit the heads without examples.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets and described catalogs")
    parser.add_argument("--write", action="store_true", help="write the result into the shipped calibration.json")
    asked = parser.parse_args()
    heads = load_shipped_heads()
    scored = []
    with TemporaryDirectory() as storage:
        router = open_router(load_settings({"storage_dir": Path(storage)}))
        for catalog in load_catalogs(asked.data):
            scored.append(score_catalog(router, catalog))
            print_note(f"{catalog.name}: {len(catalog.skills)} skills, {len(catalog.messages)} messages")
    for line in describe(scored, heads):
        print_note(line)
    fitted = dict(heads)
    for mode in heads:
        if groups := _group(scored, mode):
            fitted[mode] = replace(heads[mode], without_examples=np.array(fit_offsets(heads[mode], groups)))
            print_note(f"{mode}: {fitted[mode].without_examples}")
    if asked.write:
        file = DATA / "calibration.json"
        made_from = json.loads(file.read_text("utf-8"))["made from"]
        write_heads(file, fitted, made_from | {"without examples": "python -m training.without_examples --data DIR"})
        write_checksums(DATA)


if __name__ == "__main__":
    run()
