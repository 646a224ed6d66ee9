"""Candidates with probabilities and reasons, built from a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from metier.routing._decision import Candidate, Reason
from metier.routing._sentences import RoutingNote
from metier.routing.ranking import Floats, Mode, Odds, Query, Ranking, RoutingIndex, compute_signals, to_probability

TRIGGER_ODDS: Final = 1.2
_MAX_WORDS_READ: Final = 300
_MAX_WORDS_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class TriggerHits:
    """Skills a message names: their triggers in it, the weight of those, and the names it refuses."""

    hits: Mapping[int, tuple[str, ...]]
    weights: Mapping[int, float]
    refused: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    """Ranking of one message, its inputs, and the calibration offset of its catalog."""

    index: RoutingIndex
    query: Query
    ranking: Ranking
    trigger_hits: TriggerHits
    mode: Mode
    offset: float
    notes: tuple[RoutingNote, ...]

    @property
    def signals(self) -> Floats:
        """Input of the calibration heads."""
        return compute_signals(self.index, self.query, self.ranking)

    @property
    def first(self) -> str:
        """Id of the best skill."""
        return self.order[0]

    @property
    def order(self) -> tuple[str, ...]:
        """Ids of the reranked skills, best first."""
        return tuple(self.index.texts[int(skill)].skill for skill in self.ranking.order)


def raise_odds(odds: Odds, ranking: Ranking, spoken: TriggerHits) -> Odds:
    """Raise the odds of the first skill by its triggers, less those of the strongest other skill."""
    first, *others = (spoken.weights.get(int(skill), 0.0) for skill in ranking.order)
    more = TRIGGER_ODDS * float(np.clip(first - max(others, default=0.0), 0, 1))
    return Odds(odds.meant + more, odds.right + more, odds.among + more)


def build_candidates(
    index: RoutingIndex, query: Query, ranking: Ranking, odds: Odds, spoken: TriggerHits, *, max_count: int
) -> tuple[Candidate, ...]:
    """Ranked skills with probabilities, followed by the skills the message refuses.

    The first probability is calibrated, and so is the sum of the first three; the rest of the probability that any
    skill is meant is shared by the others. No skill gets more than the one before it.
    """
    right = to_probability(odds.right)
    shares = np.exp(ranking.scores - ranking.scores[0])
    scores = [right]
    for rivals, chance in ((shares[1:3], odds.among), (shares[3:], odds.meant)):
        left = max(to_probability(chance) - sum(scores), 0.0)
        whole = float(rivals.sum()) or 1.0
        for share in rivals:
            scores.append(min(scores[-1], left * float(share) / whole))
    refused = sorted(spoken.refused.keys() & query.refused, key=lambda skill: (-ranking.first_pass[skill], skill))
    places = [*(int(skill) for skill in ranking.order), *refused]
    scores += [0.0] * len(refused)
    return tuple(
        Candidate(
            index.texts[skill].skill,
            score,
            float(ranking.lexical.values[skill]),
            _mean_similarity(ranking, skill),
            spoken.hits.get(skill, ()),
            spoken.refused.get(skill, ()),
            tuple(_build_reasons(index, query, ranking, spoken, skill)),
        )
        for skill, score in list(zip(places, scores, strict=True))[:max_count]
    )


def _mean_similarity(ranking: Ranking, skill: int) -> float | None:
    near = [float(scores[skill]) for scores in ranking.by_view.values()]
    return fmean(near) if near else None


def _build_reasons(
    index: RoutingIndex, query: Query, ranking: Ranking, spoken: TriggerHits, skill: int
) -> Sequence[Reason]:
    words = float(ranking.lexical.values[skill])
    shared = index.lexical.find_shared_words(query.terms.words[:_MAX_WORDS_READ], skill)[:_MAX_WORDS_SHOWN]
    reasons = [Reason("words", words, tuple(shared))]
    near = _mean_similarity(ranking, skill)
    if near is not None:
        reasons.append(Reason("meaning", near))
    if hits := spoken.hits.get(skill):
        reasons.append(Reason("triggers", spoken.weights.get(skill, 0.0), hits))
    if refused := spoken.refused.get(skill):
        reasons.append(Reason("negated", -len(refused), refused))
    return reasons
