"""From a ranking to a probability that means what it says.

Twenty-one signals of the winner, none of them tied to the size or the language of the catalog, go into three logistic
heads: is any skill meant at all, is the first one right, is the right one among the first three. The constants were
fitted on public intent sets with skills taken out as none-of-these; `data/README.md` says which.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput
from metier.routing._index import RoutingIndex
from metier.routing._ranking import LEXICAL_ONLY_WEIGHT, Query, Ranking

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mode = Literal["lex", "use", "use+mini"]

HEADS_FILE: Final = "routing-calibration.json"

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
_EXAMPLES = SIGNALS.index("examples")
_CORE = (0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 16)
_SHARPNESS = 25.0
_WIDEST_MARGIN = 8.0
# The heads were fitted on catalogs of five skills and more: a skill alone took every message, five took 15 % of the
# messages meant for others. What skills score that have nothing to do with a message was measured over sixteen skills
# and sixty messages; with such strangers beside it, one skill takes 1 % and five take 3 %.
_FEWEST_SKILLS = 12
_STRANGERS = (0.03, 0.01, -0.005, -0.02, -0.03, -0.035, -0.045, -0.05, -0.055, -0.06, -0.065)
_STRANGE_WORDS = (0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.01, 0.0, 0.0)
_STRANGE_NEAREST = 0.25
_STEEPNESS = 26.0
# No skill is right where none is meant. The first head has seen ten times as many messages for nobody as the others, so
# they may be surer than it is, by this much in log-odds.
_EASIER = 1.5


@dataclass(frozen=True, slots=True)
class Odds:
    """Log-odds that any skill is meant, that the first of the ranking is the right one, and that one of the first
    three is."""

    meant: float
    right: float
    among: float

    def shifted(self, by: float) -> "Odds":
        """The same doubt whether any skill is meant, more or less doubt which."""
        return Odds(self.meant, self.right + by, self.among + by)


@dataclass(frozen=True, slots=True)
class Heads:
    """The three logistic heads of one mode."""

    mean: Doubles
    deviation: Doubles
    meant: Doubles
    right: Doubles
    among: Doubles

    def __call__(self, signals: Floats) -> Odds:
        wide = widen(signals, self.mean, self.deviation)
        meant = float(wide @ self.meant)
        most = meant + _EASIER
        return Odds(meant, min(float(wide @ self.right), most), min(float(wide @ self.among), most))


def widen(signals: Floats, mean: Doubles, deviation: Doubles) -> Doubles:
    """What a head weighs: the signals on one scale, the core of them above the usual once more and times the examples,
    and a constant. Squares fit as well where there was data and turn round where there was none."""
    scaled = np.clip((signals - mean) / deviation, -4, 4)
    core = scaled[list(_CORE)]
    wide: Doubles = np.concatenate([scaled, core * scaled[_EXAMPLES], np.maximum(core, 0), [1.0]])
    return wide


@cache
def shipped_heads() -> Mapping[str, Heads]:
    """The heads that come with the code, by mode."""
    return _read(files("metier.routing").joinpath("data", "calibration.json").read_text("utf-8"))


def load_heads(file: Path) -> Mapping[str, Heads]:
    """The heads that were fitted to this installation, where they are; the shipped ones for every other mode."""
    if not file.is_file():
        return shipped_heads()
    try:
        return {**shipped_heads(), **_read(file.read_text("utf-8"))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(
            f"the calibration {str(file)!r} cannot be read: {error}",
            hint="remove it; `metier route fit` makes it again",
        ) from error


def _read(text: str) -> Mapping[str, Heads]:
    return {mode: _heads(values) for mode, values in json.loads(text)["modes"].items()}


def _heads(values: Mapping[str, Sequence[float]]) -> Heads:
    parts = [np.array(values[name], dtype=np.float64) for name in ("mean", "deviation", "meant", "right", "among")]
    sizes = [len(SIGNALS)] * 2 + [len(SIGNALS) + 2 * len(_CORE) + 1] * 3
    shaped = [part.shape for part in parts] == [(size,) for size in sizes]
    if not shaped or not all(np.isfinite(part).all() for part in parts) or not (parts[1] > 0).all():
        raise ValueError("its numbers are not the ones a head needs")
    return Heads(*parts)


def mode_of(views: Collection[str]) -> Mode:
    """Which heads fit: words only, the multilingual view, or both views."""
    return "use+mini" if len(views) > 1 else "use" if views else "lex"


def signals_of(index: RoutingIndex, query: Query, ranking: Ranking) -> Floats:
    """The signals of the winner, in the order of `SIGNALS`."""
    top = int(ranking.order[0])
    words = ranking.lexical.values
    field = _field(query, ranking)
    cosines = [index.views[name].cosine(query.vectors[name], top) for name in ranking.by_view]
    agree = [float(scores.argmax() == top) for scores in ranking.by_view.values()]
    values = [
        float(ranking.first_look[top]),
        float(field.scores[0] - field.scores[1:].max(initial=field.scores[0] - _WIDEST_MARGIN)),
        _logit(1 / float(np.exp(field.scores - field.scores[0]).sum())),
        _logit(1 / float(np.exp(np.clip(_SHARPNESS * (field.first_look - field.first_look[0]), -50, 30)).sum())),
        fmean(cosines) if cosines else float(words[top]),
        float(ranking.nearest[0]) if ranking.by_view else 0.0,
        float((field.first_look[0] - field.first_look.mean()) / (field.first_look.std() + 1e-6)),
        float(words[top]),
        float(words[top] - words[ranking.order[1:]].max(initial=0.0)),
        ranking.lexical.known,
        fmean(agree) if agree else 0.0,
        float(words.argmax() == top and words[top] > 0),
        float(np.log(len(field.first_look))),
        float(np.log1p(index.examples[top])),
        float(index.examples[top] == 0),
        ranking.neighbours,
        float(field.nearest[0] - field.nearest[1:].max(initial=-1.0)) if ranking.by_view else 0.0,
        *_against_catalog(index, ranking, top),
        float(ranking.lexical.known < 0.05),
    ]
    return np.array(values, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Field:
    """The winner, then its rivals."""

    scores: Floats
    first_look: Floats
    nearest: Floats


def _field(query: Query, ranking: Ranking) -> _Field:
    """A winner without rivals would always look sure, so a small catalog is filled up with skills that are about
    something else."""
    top = int(ranking.order[0])
    first = np.concatenate([ranking.first_look[[top]], np.delete(ranking.first_look, [top, *query.refused])])
    missing = max(_FEWEST_SKILLS - len(first), 0)
    if not missing:
        return _Field(ranking.scores, first, ranking.nearest)
    strangers = np.array((_STRANGERS if ranking.by_view else _STRANGE_WORDS)[:missing], dtype=np.float32)
    slope = _STEEPNESS if ranking.by_view else LEXICAL_ONLY_WEIGHT
    scores = ranking.scores[0] - slope * (first[0] - strangers)
    nearest = np.full(missing, _STRANGE_NEAREST, dtype=np.float32)
    return _Field(
        np.concatenate([ranking.scores, scores]),
        np.concatenate([first, strangers]),
        np.concatenate([ranking.nearest, nearest]),
    )


def _against_catalog(index: RoutingIndex, ranking: Ranking, top: int) -> tuple[float, float, float]:
    difficulty = index.difficulty.get(tuple(ranking.by_view))
    if difficulty is None:
        return 0.0, 0.0, 0.0
    standing = (float(ranking.dense[top]) - difficulty.mean) / difficulty.deviation
    return difficulty.accuracy_logit, float(np.clip(standing, -5, 5)), difficulty.covered


def _logit(share: float) -> float:
    bounded = min(max(share, 1e-4), 1 - 1e-4)
    return log(bounded / (1 - bounded))


def probability(log_odds: float) -> float:
    """Log-odds as a probability."""
    return 1 / (1 + exp(-min(max(log_odds, -30), 30)))
