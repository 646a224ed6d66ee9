"""Calibration: turns a ranking into probabilities.

Twenty-one signals of the best skill, independent of the catalog's size and language, are the input of three logistic
regressions ("heads"), see `Odds`. The weights were fitted on public intent sets with some skills removed, so that their
messages are out of scope; `data/README.md` lists the sets. The examples of a catalog, each left out in turn, give the
offset of that catalog's log-odds; one without has an offset for each pair of languages, which comes with the heads.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput, Unavailable
from metier.routing.ranking._index import RoutingIndex, trust_probes
from metier.routing.ranking._language_pair import LANGUAGE_PAIRS, LanguagePair
from metier.routing.ranking._native import one_thread
from metier.routing.ranking._offset_file import OffsetFile, build_offset_key
from metier.routing.ranking._rank import LEXICAL_ONLY_WEIGHT, Query, Ranking, rank
from metier.routing.ranking._shipped_files import find_shipped_file
from metier.textsearch import extract_terms

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mode = Literal["lex", "use", "use+mini"]

HEADS_FILE: Final = "routing-calibration.json"
_SHIPPED_FILE: Final = "calibration.json"

MAX_PROBES: Final = 120
# The offset counts from the 21st probe on, and in full from the thirtieth.
_NO_PROBES: Final = 20
_ENOUGH_PROBES: Final = 30
# Standard deviation of the prior: on 130 unseen catalogs, 60 % of the offset that left-out examples suggest held.
_PRIOR_DEVIATION: Final = 0.4
# Examples of one author are more alike than user messages, so a positive offset is capped.
_MAX_OFFSET: Final = 0.35
_STEPS: Final = 20
# Share of the messages for a skill that is not there which another skill may take, and how much surer than usual a
# skill must be at most so that no more are: 0.97 where 0.8 is usual.
_TAKEN_WHEN_ABSENT: Final = 0.12
_MAX_CAUTION: Final = 2.0
_SAME_CATALOG_SHARE: Final = 0.9

SIGNALS: Final = (
    "top score",
    "margin",
    "share among the best",
    "share among all",
    "cosine",
    "nearest example",
    "standing out",
    "words",
    "margin in words",
    "known words",
    "views agree",
    "words agree",
    "skills",
    "examples",
    "description only",
    "neighbours",
    "gap to the next example",
    "catalog accuracy",
    "against the catalog",
    "catalog covered",
    "no known words",
)
_EXAMPLES_AT = SIGNALS.index("examples")
_ODDS = ("meant", "right", "among")
_SHIFTS_SHAPE = (len(LANGUAGE_PAIRS), len(_ODDS))
_CORE_AT = (0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 16)
_SHARPNESS = 25.0
_MAX_MARGIN = 8.0
# The heads were fitted on catalogs of five skills and more: a single skill took every message, five took 15 % of the
# messages meant for others. Smaller catalogs are padded with typical scores of unrelated skills, measured over sixteen
# skills and sixty messages; with them one skill takes 1 % and five take 3 %.
_MIN_SKILLS = 12
_UNRELATED_SCORES = (0.03, 0.01, -0.005, -0.02, -0.03, -0.035, -0.045, -0.05, -0.055, -0.06, -0.065)
_UNRELATED_LEXICAL_SCORES = (0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.01, 0.0, 0.0)
_UNRELATED_NEAREST = 0.25
_STEEPNESS = 26.0
# If no skill is meant, none can be right, so the other heads are capped by the first. That head was fitted on ten times
# as many out-of-scope messages, so they may exceed it by this much, in log-odds.
_MAX_EXCESS = 1.5


@dataclass(frozen=True, slots=True)
class Odds:
    """Log-odds of one ranking, one per head.

    | field | probability that |
    |---|---|
    | `meant` | any skill is meant at all |
    | `right` | the first skill is the right one |
    | `among` | the right skill is among the first three |
    """

    meant: float
    right: float
    among: float

    def shift(self, by: float) -> "Odds":
        """Add an offset to `right` and `among`; `meant` stays."""
        return Odds(self.meant, self.right + by, self.among + by)

    def __add__(self, more: "Odds") -> "Odds":
        return Odds(self.meant + more.meant, self.right + more.right, self.among + more.among)


@dataclass(frozen=True, slots=True)
class Heads:
    """Weights of the three heads of one mode, and the scaling of the signals; fields as in the calibration file.

    `without_examples` are the log-odds by which they are too low without examples: a row for each of `LANGUAGE_PAIRS`.
    """

    mean: Doubles
    deviation: Doubles
    meant: Doubles
    right: Doubles
    among: Doubles
    without_examples: Doubles = field(default_factory=lambda: np.zeros(_SHIFTS_SHAPE))

    def __call__(self, signals: Floats) -> Odds:
        wide = expand_signals(signals, self.mean, self.deviation)
        meant = float(wide @ self.meant)
        most = meant + _MAX_EXCESS
        return Odds(meant, min(float(wide @ self.right), most), min(float(wide @ self.among), most))

    def get_shift(self, index: RoutingIndex, languages: LanguagePair) -> Odds:
        """Return what to add to the odds in this catalog: most without examples, nothing if half the skills have some.

        It is stated and decides what is offered. What is taken unasked is decided without it.
        """
        share = max(1 - 2 * float((index.examples > 0).mean()), 0.0)
        meant, right, among = (share * self.without_examples[LANGUAGE_PAIRS.index(languages)]).tolist()
        return Odds(meant, right, among)


def expand_signals(signals: Floats, mean: Doubles, deviation: Doubles) -> Doubles:
    """Expand signals to the input of a head.

    Scaled signals, the core signals times the example count, their positive part, and a constant. Squares fit equally
    well inside the training data but reverse outside it.
    """
    scaled = np.clip((signals - mean) / deviation, -4, 4)
    core = scaled[list(_CORE_AT)]
    wide: Doubles = np.concatenate([scaled, core * scaled[_EXAMPLES_AT], np.maximum(core, 0), [1.0]])
    return wide


@cache
def load_shipped_heads() -> Mapping[str, Heads]:
    """Load the heads of the package, by mode."""
    try:
        return _parse_modes(find_shipped_file(_SHIPPED_FILE).read_text("utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"the router's file {_SHIPPED_FILE!r} cannot be used: {error}"
        raise Unavailable(message, hint="install metier again") from error


def load_heads(file: Path) -> Mapping[str, Heads]:
    """Load the heads fitted to this installation; shipped heads for every mode the file lacks."""
    if not file.is_file():
        return load_shipped_heads()
    try:
        return {**load_shipped_heads(), **_parse_modes(file.read_text("utf-8"))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"the calibration {str(file)!r} cannot be read: {error}",
            hint="remove it; `metier route fit` makes it again",
        ) from error


def _parse_modes(text: str) -> Mapping[str, Heads]:
    return {mode: _parse_heads(values) for mode, values in json.loads(text)["modes"].items()}


def _parse_heads(values: Mapping[str, Any]) -> Heads:
    parts = [np.array(values[name], dtype=np.float64) for name in ("mean", "deviation", *_ODDS)]
    parts.append(_parse_shifts(values.get("without_examples", [0.0] * len(_ODDS))))
    shapes = [(len(SIGNALS),)] * 2 + [(len(SIGNALS) + 2 * len(_CORE_AT) + 1,)] * 3 + [_SHIFTS_SHAPE]
    shaped = [part.shape for part in parts] == shapes
    if not shaped or not all(np.isfinite(part).all() for part in parts) or not (parts[1] > 0).all():
        raise ValueError("its numbers are not the ones a head needs")
    return Heads(*parts)


def _parse_shifts(stored: Mapping[str, Sequence[float]] | Sequence[float]) -> Doubles:
    """A row of log-odds for each pair of languages; one row that is stored alone is for all of them."""
    rows = [stored[pair] for pair in LANGUAGE_PAIRS] if isinstance(stored, Mapping) else [stored] * len(LANGUAGE_PAIRS)
    return np.array(rows, dtype=np.float64)


def get_mode(views: Collection[str]) -> Mode:
    """Mode for these views: words only, one view, or both views."""
    return "use+mini" if len(views) > 1 else "use" if views else "lex"


def compute_signals(index: RoutingIndex, query: Query, ranking: Ranking) -> Floats:
    """Compute the signals of the best skill, in the order of `SIGNALS`."""
    top = int(ranking.order[0])
    words = ranking.lexical.values
    field = _collect_contenders(query, ranking)
    cosines = [index.views[name].cosine(query.vectors[name], top) for name in ranking.by_view]
    agree = [float(scores.argmax() == top) for scores in ranking.by_view.values()]
    values = [
        float(ranking.first_pass[top]),
        float(field.scores[0] - field.scores[1:].max(initial=field.scores[0] - _MAX_MARGIN)),
        to_odds(1 / float(np.exp(field.scores - field.scores[0]).sum())),
        to_odds(1 / float(np.exp(np.clip(_SHARPNESS * (field.first_pass - field.first_pass[0]), -50, 30)).sum())),
        fmean(cosines) if cosines else float(words[top]),
        float(ranking.nearest[0]) if ranking.by_view else 0.0,
        float((field.first_pass[0] - field.first_pass.mean()) / (field.first_pass.std() + 1e-6)),
        float(words[top]),
        float(words[top] - words[ranking.order[1:]].max(initial=0.0)),
        ranking.lexical.known,
        fmean(agree) if agree else 0.0,
        float(words.argmax() == top and words[top] > 0),
        float(np.log(len(field.first_pass))),
        float(np.log1p(index.examples[top])),
        float(index.examples[top] == 0),
        ranking.neighbours,
        float(field.nearest[0] - field.nearest[1:].max(initial=-1.0)) if ranking.by_view else 0.0,
        *_compare_with_catalog(index, ranking, top),
        float(ranking.lexical.known < 0.05),
    ]
    return np.array(values, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Contenders:
    """Scores of the best skill, followed by its rivals."""

    scores: Floats
    first_pass: Floats
    nearest: Floats


def _collect_contenders(query: Query, ranking: Ranking) -> _Contenders:
    """Pad a small catalog with scores of unrelated skills; a best skill without rivals would always look certain."""
    top = int(ranking.order[0])
    first = np.concatenate([ranking.first_pass[[top]], np.delete(ranking.first_pass, [top, *query.not_ranked])])
    missing = max(_MIN_SKILLS - len(first), 0)
    if not missing:
        return _Contenders(ranking.scores, first, ranking.nearest)
    strangers = np.array(
        (_UNRELATED_SCORES if ranking.by_view else _UNRELATED_LEXICAL_SCORES)[:missing], dtype=np.float32
    )
    slope = _STEEPNESS if ranking.by_view else LEXICAL_ONLY_WEIGHT
    scores = ranking.scores[0] - slope * (first[0] - strangers)
    nearest = np.full(missing, _UNRELATED_NEAREST, dtype=np.float32)
    return _Contenders(
        np.concatenate([ranking.scores, scores]),
        np.concatenate([first, strangers]),
        np.concatenate([ranking.nearest, nearest]),
    )


def _compare_with_catalog(index: RoutingIndex, ranking: Ranking, top: int) -> tuple[float, float, float]:
    difficulty = index.difficulty.get(tuple(ranking.by_view))
    if difficulty is None:
        return 0.0, 0.0, 0.0
    standing = (float(ranking.dense[top]) - difficulty.mean) / difficulty.deviation
    signals = difficulty.accuracy_logit, float(np.clip(standing, -5, 5)), difficulty.covered
    accuracy, against, covered = (difficulty.trust * signal for signal in signals)
    return accuracy, against, covered


def to_odds(share: float) -> float:
    bounded = min(max(share, 1e-4), 1 - 1e-4)
    return log(bounded / (1 - bounded))


def to_probability(log_odds: float) -> float:
    """Convert log-odds to a probability."""
    return 1 / (1 + exp(-min(max(log_odds, -30), 30)))


class Offsets:
    """Offsets of one index by combination of views, computed on first use.

    An index that changed little takes over the earlier offsets, so that an edit does not delay the next message.
    """

    def __init__(self, index: RoutingIndex, before: "Offsets | None" = None, stored: OffsetFile | None = None) -> None:
        """`stored` are offsets of earlier processes."""
        self._index = index
        self._stored = stored
        # Texts the offsets were computed for, so that many small edits add up to a large one.
        self._since = frozenset(index.documents)
        self._found: dict[tuple[str, ...], float] = {}
        self._caution: dict[tuple[tuple[str, ...], float], float] = {}
        if before is not None and _is_similar(self._since, before._since):
            self._since, self._found, self._caution = before._since, dict(before._found), dict(before._caution)

    def get(self, heads: Heads, views: tuple[str, ...]) -> float:
        """Return the offset for these views; two threads may both compute it, with the same result."""
        if views not in self._found:
            self._found[views] = self._load_or_compute(
                "offset", heads, views, lambda: compute_offset(self._index, heads, views)
            )
        return self._found[views]

    def get_caution(self, heads: Heads, views: tuple[str, ...], usual: float) -> float:
        """Return by how many log-odds a skill with examples must be surer here than the `usual` probability."""
        if (views, usual) not in self._caution:
            offset = self.get(heads, views)
            self._caution[views, usual] = self._load_or_compute(
                f"caution {usual}", heads, views, lambda: compute_caution(self._index, heads, views, offset, usual)
            )
        return self._caution[views, usual]

    def _load_or_compute(self, kind: str, heads: Heads, views: tuple[str, ...], compute: Callable[[], float]) -> float:
        key = f"{kind} {build_offset_key(self._index, heads, views)}" if self._stored else ""
        found = self._stored.get(key) if self._stored else None
        if found is None:
            with one_thread():
                found = compute()
            if self._stored:
                self._stored.put(key, found)
        return found


def _is_similar(texts: frozenset[str], before: frozenset[str]) -> bool:
    return len(texts & before) >= _SAME_CATALOG_SHARE * max(len(texts), len(before))


def compute_offset(index: RoutingIndex, heads: Heads, views: tuple[str, ...]) -> float:
    """Compute the correction of the log-odds that the first skill is right, for heads fitted on other catalogs.

    The prior is zero with a standard deviation of 0.4. The result is scaled by the share of skills with at least two
    examples, since the others cannot be probed. Where skills have few examples, a negative one counts for less.
    """
    probes = index.pick_probes(MAX_PROBES)
    trust = trust_probes(len(probes), _NO_PROBES, _ENOUGH_PROBES)
    if not trust:
        return 0.0
    odds, right = [], []
    for skill, at in probes:
        query = replace(_ask_example(index, skill, at, views), left_out=(skill, at))
        ranking = rank(index, query)
        odds.append(heads(compute_signals(index, query, ranking)).right)
        right.append(int(ranking.order[0]) == skill)
    covered = float((index.examples >= 2).mean())
    found = covered * _fit_offset(np.array(odds), np.array(right, dtype=np.float64))
    return trust * (min(found, _MAX_OFFSET) if found > 0 else found * _believe_misses(index))


def _believe_misses(index: RoutingIndex) -> float:
    """Share at which a negative offset counts: (n − 1) / n for skills of n examples.

    A message meets all n, a left-out example one less, and is missed more often.
    """
    counts = index.examples[index.examples >= 2]
    return float(((counts - 1) / counts).mean())


def compute_caution(index: RoutingIndex, heads: Heads, views: tuple[str, ...], offset: float, usual: float) -> float:
    """Compute by how many log-odds a skill with examples must be surer in this catalog than the `usual` probability.

    Each example is asked as if the catalog did not have its skill, and another may take at most an eighth of them. So
    what counts as sure follows from how near to each other the skills of this catalog are, and from no other catalog.
    """
    probes = index.pick_probes(MAX_PROBES) if views else []
    trust = trust_probes(len(probes), _NO_PROBES, _ENOUGH_PROBES)
    if not trust:
        return 0.0
    odds = []
    for skill, at in probes:
        query = replace(_ask_example(index, skill, at, views), absent=skill)
        ranking = rank(index, query)
        if len(ranking.order) and index.examples[ranking.order[0]]:
            odds.append(heads(compute_signals(index, query, ranking)).right)
    if not odds:
        return 0.0
    level = sorted(odds, reverse=True)[max(int(_TAKEN_WHEN_ABSENT * (len(odds) + 1)), 1) - 1]
    return trust * min(max(level + offset - to_odds(usual), 0.0), _MAX_CAUTION)


def _ask_example(index: RoutingIndex, skill: int, at: int, views: tuple[str, ...]) -> Query:
    vectors = {name: index.views[name].skills[skill].items[at].astype(np.float32) for name in views}
    return Query(extract_terms(index.texts[skill].examples[at]), vectors)


def _fit_offset(odds: Doubles, right: Doubles) -> float:
    found = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(odds + found)))
        slope = float((likely - right).sum()) + found / _PRIOR_DEVIATION**2
        found -= slope / (float((likely * (1 - likely)).sum()) + 1 / _PRIOR_DEVIATION**2)
    return found
