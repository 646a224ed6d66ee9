"""Numbers of bench cases, asked of the twin directly and not by way of the tools."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from metier.packs.telecom.twin import INDICATORS, Optimisation, load_scenario, optimise


def value(asked: Mapping[str, str]) -> float | None:
    """`{"scenario", "of", "indicator"}`: the mean over the cells before or after, the change, or how many there are."""
    found = _optimised(asked["scenario"])
    if asked["of"] == "cells":
        return float(len(found.before.scenario.cells))
    if asked["of"] == "changes":
        return float(len(found.changes))
    field = next(one.field for one in INDICATORS["cell", "root_cause"] if one.name == asked["indicator"])
    before, after = (np.asarray(state.cell_values[field], np.float64) for state in (found.before, found.after))
    there = np.isfinite(before) & np.isfinite(after)
    means = {"before": float(before[there].mean()), "after": float(after[there].mean())}
    return means["after"] - means["before"] if asked["of"] == "change" else means[asked["of"]]


@lru_cache(maxsize=5)
def _optimised(scenario: str) -> Optimisation:
    return optimise(load_scenario(scenario))
