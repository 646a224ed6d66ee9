"""Fits the logistic heads of the calibration to simulated catalogs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing._calibration import SIGNALS, Heads, widen
from metier.routing._dense import SkillVectors, unit
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query
from metier.routing._terms import spaced, terms
from metier.routing._texts import RoutingText
from metier.routing.fitting._corpus import OUTSIDE, Corpus, Encoded
from metier.routing.fitting._judged import Judged, judge

_RIDGE: Final = 10.0
_STEPS: Final = 30
# A third of the simulated messages are out of scope, more than in real use. With these weights they count as one in
# five for the head `meant`. For `right` and `among` they count as one in fifteen if the best skill has only a
# description, and as one in forty-five if it has examples: at one in fifteen the heads were five points too low on
# unseen sets.
_OUTSIDE_MEANT: Final = 0.5
_OUTSIDE_UNTOLD: Final = 0.15
_OUTSIDE_TOLD: Final = 0.05
_UNTOLD = SIGNALS.index("description only")


@dataclass(frozen=True, slots=True)
class Scene:
    """Kind of catalog to simulate.

    `kept`: number of skills, or their share if below 1; `examples`: possible numbers of examples per skill;
    `described`: skills have a description; `alike`: similar skills, as in one domain.
    """

    kept: float
    examples: tuple[int, ...]
    described: bool = True
    alike: bool = False


_ONE_TRADE: Final = (
    Scene(10, (5,), alike=True),
    Scene(12, (0,), alike=True),
    Scene(15, (0, 3, 8), alike=True),
    Scene(20, (10,), alike=True),
    Scene(25, (5,), alike=True),
    Scene(25, (10,), described=False, alike=True),
    Scene(40, (4, 8, 16), alike=True),
    Scene(30, (0,), alike=True),
)
SCENES: Final = (
    Scene(0.5, (0,)),
    Scene(0.9, (0,)),
    Scene(0.5, (5,), described=False),
    Scene(0.9, (10,)),
    Scene(0.9, (10,), described=False),
    Scene(0.5, (10,), described=False),
    Scene(0.9, (3,)),
    Scene(0.9, (5,)),
    Scene(0.9, (5,), described=False),
    Scene(0.5, (0, 2, 5, 12)),
    Scene(0.9, (0, 2, 5, 12)),
    Scene(5, (0,)),
    Scene(5, (5,)),
    Scene(6, (0, 3, 8)),
    Scene(8, (16,)),
    Scene(12, (10, 16)),
    Scene(15, (5,)),
    Scene(15, (0, 3, 8)),
    Scene(20, (10,), described=False),
    Scene(20, (16,)),
    Scene(40, (4, 8, 16)),
    # Twice, so that each is drawn around two different skills.
    *_ONE_TRADE,
    *_ONE_TRADE,
)


def fit_heads(judged: Sequence[Judged], *, prior: Heads | None = None, trust: float = _RIDGE) -> Heads:
    """Fit the heads of one mode; with a prior, weights are regularised towards it with strength `trust`."""
    signals = np.array([one.signals for one in judged], dtype=np.float64)
    mean = prior.mean if prior else signals.mean(axis=0)
    deviation = prior.deviation if prior else np.maximum(signals.std(axis=0), 1e-2)
    wide = np.array([widen(row, mean, deviation) for row in signals])
    meant = np.array([one.meant for one in judged], dtype=np.float64)
    right = np.array([one.right for one in judged], dtype=np.float64)
    among = np.array([one.among for one in judged], dtype=np.float64)
    shift = np.array([one.offset for one in judged], dtype=np.float64)
    believed, weights = (np.ones(len(judged)),) * 2 if prior else _weights(judged, signals, meant)
    return Heads(
        mean,
        deviation,
        _logistic(wide, np.zeros_like(shift), meant, believed, start=prior.meant if prior else None, trust=trust),
        _logistic(wide, shift, right, weights, start=prior.right if prior else None, trust=trust),
        _logistic(wide, shift, among, weights, start=prior.among if prior else None, trust=trust),
    )


def _weights(
    judged: Sequence[Judged], signals: NDArray[np.float64], meant: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight of each message for the head `meant`, and for `right` and `among`."""
    alike = np.array([one.alike for one in judged])
    outside = np.where(signals[:, _UNTOLD] > 0, _OUTSIDE_UNTOLD, _OUTSIDE_TOLD)
    # In a catalog of one domain the out-of-scope messages are about other domains, and easier than in real use.
    believed = np.where(alike, 0.0, np.where(meant > 0, 1.0, _OUTSIDE_MEANT))
    return believed, np.where(meant > 0, 1.0, outside)


def _logistic(
    wide: NDArray[np.float64],
    shift: NDArray[np.float64],
    yes: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    start: NDArray[np.float64] | None,
    trust: float,
) -> NDArray[np.float64]:
    """Ridge logistic regression towards `start` by Newton's method; without a start the constant (last column) is
    not regularised."""
    towards = np.zeros(wide.shape[1]) if start is None else start
    found = towards.copy()
    ridge = np.full(wide.shape[1], trust)
    ridge[-1] = 1e-6 if start is None else trust / 10

    def loss(at: NDArray[np.float64]) -> float:
        odds = wide @ at + shift
        return float(weights @ (np.logaddexp(0, odds) - yes * odds) + ridge @ (at - towards) ** 2 / 2)

    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(wide @ found + shift, -30, 30)))
        slope = wide.T @ (weights * (likely - yes)) + ridge * (found - towards)
        curve = (wide * (weights * likely * (1 - likely) + 1e-9)[:, None]).T @ wide + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        # Far from the optimum a full Newton step overshoots and diverges, so it is halved until the loss falls.
        while loss(found - step) > loss(found) and float(np.abs(step).max()) >= 1e-6:
            step /= 2
        found -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return found


def act_out(
    corpus: Corpus,
    views: Mapping[str, Encoded],
    scene: Scene,
    chance: np.random.Generator,
    *,
    messages: int = 150,
    near: Encoded | None = None,
) -> Iterable[Judged]:
    """Draw a catalog from a corpus and score held-out messages, some of them for skills outside the catalog.

    `near` holds the vectors that define similar skills; without it skills are drawn at random.
    """
    skills = sorted(corpus.messages.keys() - {OUTSIDE})
    count = int(len(skills) * scene.kept) if scene.kept < 1 else int(scene.kept)
    order = _around_one(skills, near, chance) if scene.alike and near else chance.permutation(len(skills))
    inside = [skills[at] for at in order[: max(count, 2)]]
    drawn = {skill: _drawn(len(corpus.messages[skill]), scene, chance) for skill in inside}
    index = _index_of(corpus, views, drawn, described=scene.described)
    asked = messages if scene.kept < 1 else messages // 2
    places = {skill: at for at, skill in enumerate(inside)}
    known = [(skill, at) for skill in inside for at in range(len(corpus.messages[skill])) if at not in drawn[skill]]
    strange = [(skill, at) for skill in skills if skill not in places for at in range(len(corpus.messages[skill]))]
    outside = [(OUTSIDE, at) for at in range(len(corpus.messages.get(OUTSIDE, ())))]
    share = 0.4 if scene.kept < 1 else 1.0
    for pool, most in ((known, asked), (strange, int(asked * share)), (outside, int(asked * 0.2))):
        for pick in chance.permutation(len(pool))[:most]:
            skill, at = pool[pick]
            text = corpus.messages[skill][at]
            vectors = {name: encoded.messages[skill][at] for name, encoded in views.items()}
            yield replace(judge(index, Query(terms(text), vectors), places.get(skill)), alike=scene.alike)


def _around_one(skills: Sequence[str], near: Encoded, chance: np.random.Generator) -> NDArray[np.int64]:
    """Order of the skills by similarity of their messages to those of one random skill."""
    means = unit(np.array([near.messages[skill].mean(axis=0) for skill in skills]))
    order: NDArray[np.int64] = np.argsort(-(means @ means[chance.integers(len(skills))]), kind="stable")
    return order


def _drawn(said: int, scene: Scene, chance: np.random.Generator) -> frozenset[int]:
    wanted = int(chance.choice(scene.examples))
    return frozenset(int(at) for at in chance.permutation(said)[: min(wanted, max(said - 3, 0))])


def _index_of(
    corpus: Corpus, views: Mapping[str, Encoded], drawn: Mapping[str, frozenset[int]], *, described: bool
) -> RoutingIndex:
    texts = []
    for skill, picked in drawn.items():
        # A skill needs some text: one drawn without examples always keeps its description.
        about = corpus.about.get(skill, ()) if described or not picked else ()
        said = tuple(corpus.messages[skill][at] for at in sorted(picked))
        labels = (spaced(skill),) if not corpus.chinese else ()
        texts.append(RoutingText(skill, "", skill, said, about, labels, ()))
    vectors = {
        name: {text.skill: _items(encoded, text, drawn[text.skill]) for text in texts}
        for name, encoded in views.items()
    }
    return RoutingIndex(texts, vectors)


def _items(encoded: Encoded, text: RoutingText, picked: frozenset[int]) -> SkillVectors:
    rows = encoded.messages[text.skill]
    about = encoded.about[text.skill] if text.about else rows[:0]
    return SkillVectors.of(rows[sorted(picked)], about)
