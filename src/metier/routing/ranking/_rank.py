"""Two-stage ranking: prototypes and BM25 over all skills, then a local classifier reranks the best eight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking._best_sentence import score_best_sentence
from metier.routing.ranking._bm25 import LexicalScores
from metier.routing.ranking._index import RoutingIndex
from metier.routing.ranking._local_classifier import fit_and_score
from metier.routing.ranking._prototypes import DenseView, HalfFloats, to_float32
from metier.textsearch import Terms

Floats = NDArray[np.float32]

# Words count by their share of the message, and more by their rank among the skills: in a long message every share is
# small. Chosen over 27 catalogs of six sources; whichever is left out, they are within 0.3 points of the
# best of thirty choices on the other five.
LEXICAL_WEIGHT: Final = 0.08
RELATIVE_WEIGHT: Final = 0.09
# Among skills without examples the second look is mostly the nearest sentence of the description, and the words. On 33
# catalogs of 16 sources 0.4 to 0.8 are as good, and no source is worse by more than its error.
_SENTENCE_SHARE: Final = 0.6
# Trust in the local classifier from which sentences count no more, as where three of the best eight have examples.
# Skills without would lose to those: 4.7 points among 136 with none to ten examples at 0.9, 2.4 at 0.5, 0.8 here.
_ENOUGH_TRUST: Final = 0.3
_SENTENCE_WEIGHT: Final = np.float32(0.5)
_SHARE_WEIGHT: Final = np.float32(0.125)
_RELATIVE_SHARE_WEIGHT: Final = np.float32(0.0625)
# Below this share the words of the best skill are too few to be compared.
_LEAST_SHARE: Final = 0.1
# Examples at which the local classifier counts half.
_HALF_TRUST_EXAMPLES: Final = 0.5
FIRST_PASS_WEIGHT: Final = 12.0
LEXICAL_ONLY_WEIGHT: Final = 20.0
RERANK_COUNT: Final = 8
MAX_ITEMS: Final = 16
# Similarity of a skill that is not there, below all others.
_ABSENT_SCORE: Final = -1.0
# Scores are rounded so that floating-point differences between machines decide nothing, nor between two skills that
# are equal and lie on either side of an edge.
DIGITS: Final = 4
_MAX_TIE: Final = 5e-5


@dataclass(frozen=True, slots=True)
class Query:
    """Message as input of the index: terms, vector per view, trigger bonus per skill, refused skills.

    `left_out` (skill, example) removes that example from the index for this query: leave-one-out. `absent` is a skill
    that is ranked without, as if the catalog did not have it.
    """

    terms: Terms
    vectors: Mapping[str, Floats]
    bonus: Floats | None = None
    refused: frozenset[int] = frozenset()
    left_out: tuple[int, int] | None = None
    absent: int | None = None

    @property
    def not_ranked(self) -> frozenset[int]:
        """Skills that cannot be the result."""
        return self.refused if self.absent is None else self.refused | {self.absent}


@dataclass(frozen=True, slots=True)
class Ranking:
    """Reranked skills, best first, with the scores the order was computed from."""

    order: NDArray[np.int64]
    scores: Floats
    first_pass: Floats
    dense: Floats
    lexical: LexicalScores
    by_view: Mapping[str, Floats]
    nearest: Floats
    neighbours: float


def rank(index: RoutingIndex, query: Query, lexical: LexicalScores | None = None) -> Ranking:
    """Rank the skills of the index for a message; ties keep the order of the index.

    `lexical` are the scores of the query's words, if they are known already.
    """
    lexical = lexical or index.score_words(query.terms, query.left_out)
    used = [view for name, view in index.views.items() if name in query.vectors]
    by_view = {view.name: view.score(query.vectors[view.name], query.left_out) for view in used}
    if query.absent is not None:
        lexical.values[query.absent] = 0.0
        for values in by_view.values():
            values[query.absent] = _ABSENT_SCORE
    dense: Floats = reduce(np.add, by_view.values()) / np.float32(len(by_view)) if by_view else lexical.values
    first = _add_words(dense, lexical, query.bonus) if by_view else _add_bonus(dense, query.bonus)
    top = _find_best(first, RERANK_COUNT, query.not_ranked)
    scores, nearest, neighbours = LEXICAL_ONLY_WEIGHT * first[top], np.zeros(len(top), dtype=np.float32), 0.0
    if by_view and len(top):
        trust = _trust_classifier(_count_examples(index, query, top))
        head, nearest, neighbours = _rerank(used, query, top, trust)
        looked: Floats = first[top]
        if share := _weigh_sentences(trust, len(top)):
            looked = (1 - share) * looked + share * _look_at_sentences(used, query, top, lexical.values)
        scores = head - head.mean() + FIRST_PASS_WEIGHT * (looked - looked.mean())
    scores = np.round(_level_ties(scores), DIGITS)
    order = np.lexsort((top, -scores))
    return Ranking(top[order], scores[order], first, dense, lexical, by_view, nearest[order], neighbours)


def _level_ties(scores: Floats) -> Floats:
    """Scores that are nearly the same made the same: the best of each run."""
    by_score = np.argsort(-scores, kind="stable")
    falling = scores[by_score]
    begins = np.concatenate([[True], np.diff(falling) < -_MAX_TIE])[: len(scores)]
    level = np.empty_like(scores)
    level[by_score] = falling[begins][np.cumsum(begins) - 1]
    return level


def find_best_score(index: RoutingIndex, vectors: Mapping[str, Floats], lexical: LexicalScores) -> float:
    """Best score of the first look by one view, or by words alone: a tenth of the cost of a ranking."""
    for name, vector in vectors.items():
        return float(_add_words(index.views[name].score(vector), lexical, None).max(initial=_ABSENT_SCORE))
    return float(lexical.values.max(initial=0.0))


def _add_words(dense: Floats, lexical: LexicalScores, bonus: Floats | None) -> Floats:
    words: Floats = LEXICAL_WEIGHT * lexical.values + RELATIVE_WEIGHT * _scale_to_max(lexical.values)
    return _add_bonus(dense + words, bonus)


def _add_bonus(scores: Floats, bonus: Floats | None) -> Floats:
    return scores if bonus is None else scores + bonus


def _count_examples(index: RoutingIndex, query: Query, top: NDArray[np.int64]) -> NDArray[np.int64]:
    counts = index.examples[top]
    return counts if query.left_out is None else counts - (top == query.left_out[0])


def _trust_classifier(examples: NDArray[np.int64]) -> np.float32:
    """Weight of the local classifier, from 0 without any example to nearly 1 with many.

    Fitted to one description per skill it only repeats the first look, and loses one to three points.
    """
    return np.float32(np.mean(examples / (examples + _HALF_TRUST_EXAMPLES)))


def _weigh_sentences(trust: np.float32, count: int) -> np.float32:
    """Share of the sentences in the second look at so many skills, less the more the local classifier counts.

    A few skills count as eight: else the first example of one of two would take all from the sentences at once.
    """
    known = float(trust) * count / RERANK_COUNT
    return np.float32(_SENTENCE_SHARE * max(1 - known / _ENOUGH_TRUST, 0.0))


def _look_at_sentences(views: Sequence[DenseView], query: Query, top: NDArray[np.int64], words: Floats) -> Floats:
    """Score of each of the best skills by the nearest sentence of its description, and by words."""
    near = score_best_sentence(views, query.vectors, top, query.left_out)
    said: Floats = (
        _SENTENCE_WEIGHT * near + _SHARE_WEIGHT * words[top] + _RELATIVE_SHARE_WEIGHT * _scale_to_max(words)[top]
    )
    return said if query.bonus is None else said + query.bonus[top]


def _scale_to_max(values: Floats) -> Floats:
    return values / np.float32(max(float(values.max(initial=0.0)), _LEAST_SHARE))


def _find_best(values: Floats, count: int, refused: frozenset[int]) -> NDArray[np.int64]:
    places = np.delete(np.arange(len(values)), list(refused)) if refused else np.arange(len(values))
    rounded = np.round(values[places], DIGITS)
    if count < len(places):
        edge = np.partition(-rounded, count - 1)[count - 1]
        places, rounded = places[-rounded <= edge], rounded[-rounded <= edge]
    found: NDArray[np.int64] = places[np.argsort(-rounded, kind="stable")][:count]
    return found


def _rerank(
    views: list[DenseView], query: Query, top: NDArray[np.int64], trust: np.float32
) -> tuple[Floats, Floats, float]:
    """Scores of the local classifier, nearest item of each skill, and mean similarity of the five nearest items.

    The classifier is not fitted where it counts nothing, as among skills without examples.
    """
    skill, out = query.left_out or (-1, -1)
    kept = [[_select_items(view.skills[at].items, out if at == skill else None) for at in top] for view in views]
    sizes = np.array([len(items) for items in kept[0]])
    labels = np.repeat(np.arange(len(top)), sizes)
    nearest = np.full(len(top), -1.0, dtype=np.float32)
    if not len(labels):
        return np.zeros(len(top), dtype=np.float32), nearest, 0.0
    held = [to_float32(np.concatenate(items)) for items in kept]
    near: Floats = np.zeros(len(labels), dtype=np.float32)
    for view, rows in zip(views, held, strict=True):
        near += rows @ query.vectors[view.name] / len(views)
    np.maximum.at(nearest, labels, near)
    neighbours = float(np.sort(near)[-5:].mean())
    if not trust:
        return np.zeros(len(top), dtype=np.float32), nearest, neighbours
    weights = (len(labels) / np.count_nonzero(sizes) / sizes[labels]).astype(np.float32)
    kernel: Floats = np.zeros((len(labels), len(labels)), dtype=np.float32)
    for rows in held:
        kernel += rows @ rows.T / len(views)
    scores = fit_and_score(kernel + 0.5 * kernel * kernel, labels, weights, near + 0.5 * near * near, len(top))
    return trust * scores, nearest, neighbours


def _select_items(items: HalfFloats, left_out: int | None) -> HalfFloats:
    """At most MAX_ITEMS items of a skill; the last one, its description, is always among them."""
    if left_out is not None:
        items = np.delete(items, left_out, axis=0)
    return items if len(items) <= MAX_ITEMS else np.concatenate([items[: MAX_ITEMS - 1], items[-1:]])
