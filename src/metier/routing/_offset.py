"""How sure the heads should be on this catalog: its own examples, each left out in turn, are routed and judged."""

from typing import Final

import numpy as np

from metier.routing._calibration import Doubles, Heads, signals_of
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query, rank
from metier.routing._terms import terms
from metier.routing._threads import one_thread

PROBES: Final = 120
_FEWEST: Final = 30
# On 130 catalogs of sets that the heads had not seen, six tenths of what the left-out examples say came true.
_DOUBT: Final = 0.4
# The author of a skill writes examples that are more alike than what users write, so good news is half believed.
_MOST: Final = 0.35
_STEPS: Final = 20
_MOSTLY: Final = 0.9


class Offsets:
    """The offsets of one index, by the views a message comes with; found when first asked for.

    An index that has changed a little takes over what was found before: an edit must not make the next message wait.
    """

    def __init__(self, index: RoutingIndex, before: "Offsets | None" = None) -> None:
        self._index = index
        # What the offsets were found for: many small edits in a row are one large one.
        self._since = frozenset(index.documents)
        self._found: dict[tuple[str, ...], float] = {}
        if before is not None and _alike(self._since, before._since):
            self._since, self._found = before._since, dict(before._found)

    def of(self, heads: Heads, views: tuple[str, ...]) -> float:
        """The offset for these views. Two threads may both work it out; they find the same."""
        if views not in self._found:
            with one_thread():
                self._found[views] = offset_of(self._index, heads, views)
        return self._found[views]


def _alike(texts: frozenset[str], before: frozenset[str]) -> bool:
    return len(texts & before) >= _MOSTLY * max(len(texts), len(before))


def offset_of(index: RoutingIndex, heads: Heads, views: tuple[str, ...]) -> float:
    """What to add to the log-odds that the first skill is right.

    The heads were fitted on other catalogs. Zero is believed beforehand, give or take 0.4; skills without examples
    have no say, so the more there are of them, the smaller the offset.
    """
    probes = index.probes(PROBES)
    if len(probes) < _FEWEST:
        return 0.0
    odds, right = [], []
    for skill, at in probes:
        vectors = {name: index.views[name].skills[skill].items[at].astype(np.float32) for name in views}
        query = Query(terms(index.texts[skill].examples[at]), vectors, left_out=(skill, at))
        ranking = rank(index, query)
        odds.append(heads(signals_of(index, query, ranking)).right)
        right.append(int(ranking.order[0]) == skill)
    covered = float((index.examples >= 2).mean())
    return min(covered * _fit(np.array(odds), np.array(right, dtype=np.float64)), _MOST)


def _fit(odds: Doubles, right: Doubles) -> float:
    found = 0.0
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(odds + found)))
        slope = float((likely - right).sum()) + found / _DOUBT**2
        found -= slope / (float((likely * (1 - likely)).sum()) + 1 / _DOUBT**2)
    return found
