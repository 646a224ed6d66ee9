"""Calibration offset of a catalog, fitted to its own examples by leave-one-out."""

from typing import Final

import numpy as np

from metier.routing.ranking._calibration import Doubles, Heads, compute_signals
from metier.routing.ranking._index import RoutingIndex
from metier.routing.ranking._rank import Query, rank
from metier.routing.ranking._threads import one_thread
from metier.textsearch import extract_terms

MAX_PROBES: Final = 120
_MIN_PROBES: Final = 30
# Standard deviation of the prior: on 130 unseen catalogs, 60 % of the offset that left-out examples suggest held.
_PRIOR_DEVIATION: Final = 0.4
# Examples of one author are more alike than user messages, so a positive offset is capped.
_MAX_OFFSET: Final = 0.35
_STEPS: Final = 20
_SAME_CATALOG_SHARE: Final = 0.9


class Offsets:
    """Offsets of one index by combination of views, computed on first use.

    An index that changed little takes over the earlier offsets, so that an edit does not delay the next message.
    """

    def __init__(self, index: RoutingIndex, before: "Offsets | None" = None) -> None:
        self._index = index
        # Texts the offsets were computed for, so that many small edits add up to a large one.
        self._since = frozenset(index.documents)
        self._found: dict[tuple[str, ...], float] = {}
        if before is not None and _is_similar(self._since, before._since):
            self._since, self._found = before._since, dict(before._found)

    def get(self, heads: Heads, views: tuple[str, ...]) -> float:
        """Return the offset for these views; two threads may both compute it, with the same result."""
        if views not in self._found:
            with one_thread():
                self._found[views] = compute_offset(self._index, heads, views)
        return self._found[views]


def _is_similar(texts: frozenset[str], before: frozenset[str]) -> bool:
    return len(texts & before) >= _SAME_CATALOG_SHARE * max(len(texts), len(before))


def compute_offset(index: RoutingIndex, heads: Heads, views: tuple[str, ...]) -> float:
    """Compute the correction of the log-odds that the first skill is right, for heads fitted on other catalogs.

    The prior is zero with a standard deviation of 0.4. The result is scaled by the share of skills with at least two
    examples, since the others cannot be probed.
    """
    probes = index.pick_probes(MAX_PROBES)
    if len(probes) < _MIN_PROBES:
        return 0.0
    odds, right = [], []
    for skill, at in probes:
        vectors = {name: index.views[name].skills[skill].items[at].astype(np.float32) for name in views}
        query = Query(extract_terms(index.texts[skill].examples[at]), vectors, left_out=(skill, at))
        ranking = rank(index, query)
        odds.append(heads(compute_signals(index, query, ranking)).right)
        right.append(int(ranking.order[0]) == skill)
    covered = float((index.examples >= 2).mean())
    return min(covered * _fit_offset(np.array(odds), np.array(right, dtype=np.float64)), _MAX_OFFSET)


def _fit_offset(odds: Doubles, right: Doubles) -> float:
    found = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(odds + found)))
        slope = float((likely - right).sum()) + found / _PRIOR_DEVIATION**2
        found -= slope / (float((likely * (1 - likely)).sum()) + 1 / _PRIOR_DEVIATION**2)
    return found
