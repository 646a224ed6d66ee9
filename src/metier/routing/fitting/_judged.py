"""A routed message beside what it meant."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metier.routing._calibration import signals_of
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query, rank


@dataclass(frozen=True, slots=True)
class Judged:
    """The signals of a ranking's winner, whether any skill was meant, and whether the winner was.

    `offset` is that of its catalog; in one that is `alike`, all skills are of one trade.
    """

    signals: NDArray[np.float32]
    meant: bool
    right: bool
    among: bool = False
    offset: float = 0.0
    alike: bool = False


def judge(index: RoutingIndex, query: Query, wanted: int | None) -> Judged:
    """Rank one message; `wanted` is the place of the skill it means, or None."""
    ranking = rank(index, query)
    first = int(ranking.order[0])
    among = wanted is not None and wanted in ranking.order[:3]
    return Judged(signals_of(index, query, ranking), wanted is not None, first == wanted, among)
