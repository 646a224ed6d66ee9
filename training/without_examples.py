"""`python -m training.without_examples --data DIR`: fit how far the heads are too low where skills have no examples.

The messages come from three kinds of people, because who has read a description asks in its words: the evals that
authors of public skill files ship, messages of labelled sets, and messages written by hand for public and invented
catalogs (`data/catalogs`). Three log-odds are fitted for each mode and each pair of languages of message and skill,
every source counting the same. Beside them the command prints what they are worth where the source of a catalog was
left out, and the calibration error that an honest router would show over as many messages.
"""

import json
import random
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.routing import calibration_error, calibration_error_by_chance, load_sets, name_to_words
from metier.cli.terminal import print_note
from metier.routing import Router, open_router
from metier.routing.fitting import LabelledScore, write_heads
from metier.routing.ranking import (
    DATA,
    LANGUAGE_PAIRS,
    Heads,
    LanguagePair,
    Mode,
    Odds,
    load_shipped_heads,
    to_probability,
)
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
_LEAST_RIDGE: Final = 1e-6  # keeps it finite where every message means a skill
# Two sources, each worth the weight of its messages times their usual spread of 0.2, draw a pair to the common value.
_RIDGE: Final = 0.4
_MIN_SOURCES: Final = 3
_MIN_STATED: Final = 20
_DIGITS: Final = 2
Shift = tuple[float, float, float]
_NO_SHIFT: Final[Shift] = (0.0, 0.0, 0.0)
_TITLES: Final = "| catalog | messages | first right | said | calibration error | by chance | offered no skill |"


@dataclass(frozen=True, slots=True)
class AskedCatalog:
    """Skills without examples and messages with the skill that each means; `source` names who is left out together."""

    name: str
    source: str
    skills: tuple[Skill, ...]
    messages: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class AskedScore:
    """Score of one message in one mode; `is_whole` if it was asked among all skills of its catalog."""

    mode: Mode
    languages: LanguagePair
    is_whole: bool
    labelled: LabelledScore


@dataclass(frozen=True, slots=True)
class CatalogScores:
    """Scores of the messages of one catalog."""

    catalog: AskedCatalog
    scores: tuple[AskedScore, ...]


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
    found = [_score(router, catalog, frozenset(drawn), is_whole=at == 0) for at, drawn in enumerate(draws)]
    return CatalogScores(catalog, tuple(chain.from_iterable(found)))


def _score(router: Router, catalog: AskedCatalog, drawn: frozenset[str], *, is_whole: bool) -> Iterator[AskedScore]:
    """Scores by all views that a message is embedded in and, where these are two, by the first alone."""
    skills = Catalog.from_skills([skill for skill in catalog.skills if skill.id in drawn])
    alone = replace(router, views=router.views[:1])
    outside = [row for row in catalog.messages if row[1] not in drawn]
    most = len(outside) if is_whole else int(len(catalog.messages) * _MAX_OUTSIDE)
    for text, wanted in [*(row for row in catalog.messages if row[1] in drawn), *outside[:most]]:
        scored = router.score_message(text, catalog=skills)
        by_views = scored.ranking.by_view if scored is not None else ()
        both = [scored, alone.score_message(text, catalog=skills)] if len(by_views) > 1 else [scored]
        for one in both:
            if one is not None and one.ranking.by_view:
                among = wanted in one.order[:3]
                labelled = LabelledScore(one.signals, wanted in drawn, one.first == wanted, among)
                yield AskedScore(one.mode, one.languages, is_whole, labelled)


def fit_by_languages(scored: Sequence[CatalogScores], mode: Mode, heads: Heads, *, without: str = "") -> Doubles:
    """Log-odds that the heads lack for each pair of languages, from the catalogs of all sources but one.

    A pair is drawn to what all have in common, as far as two sources would draw it; with fewer than three it has that.
    """
    every = _group(scored, mode, LANGUAGE_PAIRS, without=without)
    common = fit_offsets(heads, every) if every else _NO_SHIFT
    rows = []
    for pair in LANGUAGE_PAIRS:
        groups = _group(scored, mode, (pair,), without=without)
        rows.append(common if len(groups) < _MIN_SOURCES else fit_offsets(heads, groups, towards=common))
    return np.array(rows)


def fit_offsets(heads: Heads, groups: Sequence[Sequence[LabelledScore]], *, towards: Shift | None = None) -> Shift:
    """Fit log-odds (any, first, first three) that the heads lack; each group of scores counts the same."""
    scores = [one for group in groups for one in group]
    share = np.concatenate([np.full(len(group), 1 / len(group)) for group in groups if group])
    odds = [heads(one.signals) for one in scores]
    meant = np.array([one.meant for one in scores], dtype=np.float64)
    right_weight = share * np.where(meant > 0, 1.0, _OUTSIDE_RIGHT)
    start, ridge = (towards, _RIDGE) if towards else (_NO_SHIFT, _LEAST_RIDGE)
    meant_weight = share * np.where(meant > 0, 1.0, _OUTSIDE_MEANT)
    return (
        _fit(np.array([one.meant for one in odds]), meant, meant_weight, start[0], ridge),
        _fit(
            np.array([one.right for one in odds]),
            _to_doubles(one.right for one in scores),
            right_weight,
            start[1],
            ridge,
        ),
        _fit(
            np.array([one.among for one in odds]),
            _to_doubles(one.among for one in scores),
            right_weight,
            start[2],
            ridge,
        ),
    )


def _to_doubles(values: Iterator[bool]) -> Doubles:
    return np.array(list(values), dtype=np.float64)


def _fit(odds: Doubles, yes: Doubles, weights: Doubles, start: float, ridge: float) -> float:
    found = start
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(odds + found)))
        slope = (weights * (likely - yes)).sum() + ridge * (found - start)
        found -= float(slope / ((weights * likely * (1 - likely)).sum() + ridge))
    return round(found, _DIGITS)


def describe(scored: Sequence[CatalogScores], heads: Mapping[str, Heads]) -> Iterator[str]:
    """One row a catalog, and then one for each pair of languages: what its messages show before, and after with the
    source left out; whole catalogs only."""
    modes = sorted({score.mode for one in scored for score in one.scores})
    sources = {one.catalog.source for one in scored}
    fitted = {
        (mode, source): replace(
            heads[mode], without_examples=fit_by_languages(scored, mode, heads[mode], without=source)
        )
        for mode in modes
        for source in sources
    }
    by_pair: dict[str, list[_Stated]] = {}
    yield _TITLES
    for one in scored:
        for mode in modes:
            asked = [score for score in one.scores if score.is_whole and score.mode == mode and score.labelled.meant]
            stated = [_state(fitted[mode, one.catalog.source], score) for score in asked]
            for score, said in zip(asked, stated, strict=True):
                by_pair.setdefault(f"{score.languages}, {mode}", []).append(said)
            if len(stated) >= _MIN_STATED:
                yield _write_row(f"{one.catalog.name}, {len(one.catalog.skills)}, {mode}", stated)
    for title, stated in sorted(by_pair.items()):
        yield _write_row(title, stated)


class _Stated(NamedTuple):
    plain: Odds
    raised: Odds
    is_right: bool


def _state(heads: Heads, score: AskedScore) -> _Stated:
    plain = heads(score.labelled.signals)
    shift = heads.without_examples[LANGUAGE_PAIRS.index(score.languages)].tolist()
    return _Stated(plain, plain + Odds(*shift), score.labelled.right)


def _write_row(title: str, stated: Sequence[_Stated]) -> str:
    hits = [one.is_right for one in stated]
    pairs = [_summarize(odds, hits) for odds in ([one.plain for one in stated], [one.raised for one in stated])]
    said, error, none = (f"{before:.1f} → {after:.1f}" for before, after in zip(*pairs, strict=True))
    by_chance = calibration_error_by_chance([to_probability(one.raised.right) for one in stated])
    return f"| {title} | {len(hits)} | {100 * np.mean(hits):.1f} | {said} | {error} | {by_chance:.1f} | {none} |"


def _summarize(odds: Sequence[Odds], hits: Sequence[bool]) -> tuple[float, float, float]:
    said = [to_probability(one.right) for one in odds]
    none = [to_probability(one.meant) < 0.4 or to_probability(max(one.among, one.right)) < 0.6 for one in odds]
    return 100 * float(np.mean(said)), calibration_error(said, list(hits)), 100 * float(np.mean(none))


def _group(
    scored: Sequence[CatalogScores], mode: Mode, pairs: Sequence[LanguagePair], *, without: str = ""
) -> list[list[LabelledScore]]:
    groups: dict[str, list[LabelledScore]] = {}
    for one in scored:
        found = [score.labelled for score in one.scores if score.mode == mode and score.languages in pairs]
        if one.catalog.source != without and found:
            groups.setdefault(one.catalog.source, []).extend(found)
    return list(groups.values())


def run() -> None:
    """Score all catalogs, print what leaving out shows, and with `--write` store the result with the shipped heads."""
    parser = ArgumentParser(prog="python -m training.without_examples", description="Fit the heads without examples.")
    parser.add_argument("--data", type=Path, required=True, help="folder of labelled sets and described catalogs")
    parser.add_argument("--write", action="store_true", help="write the result into the shipped calibration.json")
    asked = parser.parse_args()
    heads = dict(load_shipped_heads())
    scored = []
    with TemporaryDirectory() as storage:
        router = open_router(load_settings({"storage_dir": Path(storage)}))
        for catalog in load_catalogs(asked.data):
            scored.append(score_catalog(router, catalog))
            print_note(f"{catalog.name}: {len(catalog.skills)} skills, {len(catalog.messages)} messages")
    for line in describe(scored, heads):
        print_note(line)
    for mode in {score.mode for one in scored for score in one.scores}:
        heads[mode] = replace(heads[mode], without_examples=fit_by_languages(scored, mode, heads[mode]))
        print_note(f"{mode}: {dict(zip(LANGUAGE_PAIRS, heads[mode].without_examples.tolist(), strict=True))}")
    if asked.write:
        file = DATA / "calibration.json"
        made_from = json.loads(file.read_text("utf-8"))["made from"]
        write_heads(file, heads, made_from | {"without examples": "python -m training.without_examples --data DIR"})
        write_checksums(DATA)


if __name__ == "__main__":
    run()
