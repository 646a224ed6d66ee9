"""Score of a labelled message: signals of the best skill and whether it was right."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking import Query, RoutingIndex, compute_signals, rank


@dataclass(frozen=True, slots=True)
class LabelledScore:
    """Signals of the best skill with the labels of the three heads, see `Odds`.

    `offset` is the calibration offset of the catalog; `alike` marks a catalog of similar skills.
    """

    signals: NDArray[np.float32]
    meant: bool
    right: bool
    among: bool = False
    offset: float = 0.0
    alike: bool = False


def judge(index: RoutingIndex, query: Query, wanted: int | None) -> LabelledScore:
    """Rank one message; `wanted` is the position of its skill, None if out of scope."""
    ranking = rank(index, query)
    first = int(ranking.order[0])
    among = wanted is not None and wanted in ranking.order[:3]
    return LabelledScore(compute_signals(index, query, ranking), wanted is not None, first == wanted, among)
