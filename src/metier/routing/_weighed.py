"""Ranking of a message before calibration."""

from dataclasses import dataclass

from metier.routing._candidates import TriggerHits
from metier.routing._sentences import Note
from metier.routing.ranking import Floats, Mode, Query, Ranking, RoutingIndex, compute_signals


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    """Ranking of one message, its inputs, and the calibration offset of its catalog."""

    index: RoutingIndex
    query: Query
    ranking: Ranking
    trigger_hits: TriggerHits
    mode: Mode
    offset: float
    notes: tuple[Note, ...]

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
