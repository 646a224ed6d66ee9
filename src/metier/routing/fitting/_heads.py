"""Fits the logistic heads of the calibration to simulated catalogs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training._corpus import OUT_OF_SCOPE, Corpus, EncodedCorpus
from metier.routing.fitting._judged import LabelledScore, judge
from metier.routing.ranking import SIGNALS, Heads, Query, RoutingIndex, SkillVectors, expand_signals, normalize_rows
from metier.routing.text import RoutingText, extract_terms, id_to_words

_RIDGE: Final = 10.0
_STEPS: Final = 30
# A third of the simulated messages are out of scope, more than in real use. With these weights they count as one in
# five for the head `meant`. For `right` and `among` they count as one in fifteen if the best skill has only a
# description, and as one in forty-five if it has examples: at one in fifteen the heads were five points too low on
# unseen sets.
_OUT_OF_SCOPE_WEIGHT: Final = 0.5
_OUT_OF_SCOPE_WEIGHT_NO_EXAMPLES: Final = 0.15
_OUT_OF_SCOPE_WEIGHT_EXAMPLES: Final = 0.05
_NO_EXAMPLES_AT = SIGNALS.index("description only")


@dataclass(frozen=True, slots=True)
class CatalogRecipe:
    """Kind of catalog to simulate.

    `kept`: number of skills, or their share if below 1; `examples`: possible numbers of examples per skill;
    `described`: skills have a description; `alike`: similar skills, as in one domain.
    """

    kept: float
    examples: tuple[int, ...]
    described: bool = True
    alike: bool = False


_SIMILAR_SKILLS: Final = (
    CatalogRecipe(10, (5,), alike=True),
    CatalogRecipe(12, (0,), alike=True),
    CatalogRecipe(15, (0, 3, 8), alike=True),
    CatalogRecipe(20, (10,), alike=True),
    CatalogRecipe(25, (5,), alike=True),
    CatalogRecipe(25, (10,), described=False, alike=True),
    CatalogRecipe(40, (4, 8, 16), alike=True),
    CatalogRecipe(30, (0,), alike=True),
)
CATALOG_RECIPES: Final = (
    CatalogRecipe(0.5, (0,)),
    CatalogRecipe(0.9, (0,)),
    CatalogRecipe(0.5, (5,), described=False),
    CatalogRecipe(0.9, (10,)),
    CatalogRecipe(0.9, (10,), described=False),
    CatalogRecipe(0.5, (10,), described=False),
    CatalogRecipe(0.9, (3,)),
    CatalogRecipe(0.9, (5,)),
    CatalogRecipe(0.9, (5,), described=False),
    CatalogRecipe(0.5, (0, 2, 5, 12)),
    CatalogRecipe(0.9, (0, 2, 5, 12)),
    CatalogRecipe(5, (0,)),
    CatalogRecipe(5, (5,)),
    CatalogRecipe(6, (0, 3, 8)),
    CatalogRecipe(8, (16,)),
    CatalogRecipe(12, (10, 16)),
    CatalogRecipe(15, (5,)),
    CatalogRecipe(15, (0, 3, 8)),
    CatalogRecipe(20, (10,), described=False),
    CatalogRecipe(20, (16,)),
    CatalogRecipe(40, (4, 8, 16)),
    # Twice, so that each is drawn around two different skills.
    *_SIMILAR_SKILLS,
    *_SIMILAR_SKILLS,
)


def fit_heads(judged: Sequence[LabelledScore], *, prior: Heads | None = None, trust: float = _RIDGE) -> Heads:
    """Fit the heads of one mode; with a prior, weights are regularised towards it with strength `trust`."""
    signals = np.array([one.signals for one in judged], dtype=np.float64)
    mean = prior.mean if prior else signals.mean(axis=0)
    deviation = prior.deviation if prior else np.maximum(signals.std(axis=0), 1e-2)
    wide = np.array([expand_signals(row, mean, deviation) for row in signals])
    meant = np.array([one.meant for one in judged], dtype=np.float64)
    right = np.array([one.right for one in judged], dtype=np.float64)
    among = np.array([one.among for one in judged], dtype=np.float64)
    shift = np.array([one.offset for one in judged], dtype=np.float64)
    believed, weights = (np.ones(len(judged)),) * 2 if prior else _compute_weights(judged, signals, meant)
    return Heads(
        mean,
        deviation,
        _fit_logistic(wide, np.zeros_like(shift), meant, believed, start=prior.meant if prior else None, trust=trust),
        _fit_logistic(wide, shift, right, weights, start=prior.right if prior else None, trust=trust),
        _fit_logistic(wide, shift, among, weights, start=prior.among if prior else None, trust=trust),
    )


def _compute_weights(
    judged: Sequence[LabelledScore], signals: NDArray[np.float64], meant: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weight of each message for the head `meant`, and for `right` and `among`."""
    alike = np.array([one.alike for one in judged])
    outside = np.where(signals[:, _NO_EXAMPLES_AT] > 0, _OUT_OF_SCOPE_WEIGHT_NO_EXAMPLES, _OUT_OF_SCOPE_WEIGHT_EXAMPLES)
    # In a catalog of one domain the out-of-scope messages are about other domains, and easier than in real use.
    believed = np.where(alike, 0.0, np.where(meant > 0, 1.0, _OUT_OF_SCOPE_WEIGHT))
    return believed, np.where(meant > 0, 1.0, outside)


def _fit_logistic(
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


def simulate_messages(
    corpus: Corpus,
    views: Mapping[str, EncodedCorpus],
    scene: CatalogRecipe,
    chance: np.random.Generator,
    *,
    messages: int = 150,
    near: EncodedCorpus | None = None,
) -> Iterable[LabelledScore]:
    """Draw a catalog from a corpus and score held-out messages, some of them for skills outside the catalog.

    `near` holds the vectors that define similar skills; without it skills are drawn at random.
    """
    skills = sorted(corpus.messages.keys() - {OUT_OF_SCOPE})
    count = int(len(skills) * scene.kept) if scene.kept < 1 else int(scene.kept)
    order = _order_by_similarity(skills, near, chance) if scene.alike and near else chance.permutation(len(skills))
    inside = [skills[at] for at in order[: max(count, 2)]]
    drawn = {skill: _draw_examples(len(corpus.messages[skill]), scene, chance) for skill in inside}
    index = _build_index(corpus, views, drawn, described=scene.described)
    asked = messages if scene.kept < 1 else messages // 2
    places = {skill: at for at, skill in enumerate(inside)}
    known = [(skill, at) for skill in inside for at in range(len(corpus.messages[skill])) if at not in drawn[skill]]
    strange = [(skill, at) for skill in skills if skill not in places for at in range(len(corpus.messages[skill]))]
    outside = [(OUT_OF_SCOPE, at) for at in range(len(corpus.messages.get(OUT_OF_SCOPE, ())))]
    share = 0.4 if scene.kept < 1 else 1.0
    for pool, most in ((known, asked), (strange, int(asked * share)), (outside, int(asked * 0.2))):
        for pick in chance.permutation(len(pool))[:most]:
            skill, at = pool[pick]
            text = corpus.messages[skill][at]
            vectors = {name: encoded.messages[skill][at] for name, encoded in views.items()}
            yield replace(judge(index, Query(extract_terms(text), vectors), places.get(skill)), alike=scene.alike)


def _order_by_similarity(skills: Sequence[str], near: EncodedCorpus, chance: np.random.Generator) -> NDArray[np.int64]:
    """Order of the skills by similarity of their messages to those of one random skill."""
    means = normalize_rows(np.array([near.messages[skill].mean(axis=0) for skill in skills]))
    order: NDArray[np.int64] = np.argsort(-(means @ means[chance.integers(len(skills))]), kind="stable")
    return order


def _draw_examples(said: int, scene: CatalogRecipe, chance: np.random.Generator) -> frozenset[int]:
    wanted = int(chance.choice(scene.examples))
    return frozenset(int(at) for at in chance.permutation(said)[: min(wanted, max(said - 3, 0))])


def _build_index(
    corpus: Corpus, views: Mapping[str, EncodedCorpus], drawn: Mapping[str, frozenset[int]], *, described: bool
) -> RoutingIndex:
    texts = []
    for skill, picked in drawn.items():
        # A skill needs some text: one drawn without examples always keeps its description.
        about = corpus.about.get(skill, ()) if described or not picked else ()
        said = tuple(corpus.messages[skill][at] for at in sorted(picked))
        labels = (id_to_words(skill),) if not corpus.chinese else ()
        texts.append(RoutingText(skill, "", skill, said, about, labels, ()))
    vectors = {
        name: {text.skill: _build_vectors(encoded, text, drawn[text.skill]) for text in texts}
        for name, encoded in views.items()
    }
    return RoutingIndex(texts, vectors)


def _build_vectors(encoded: EncodedCorpus, text: RoutingText, picked: frozenset[int]) -> SkillVectors:
    rows = encoded.messages[text.skill]
    about = encoded.about[text.skill] if text.about else rows[:0]
    return SkillVectors.of(rows[sorted(picked)], about)
