"""Expected values of bench cases, computed by the twin directly instead of through the tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from metier.packs.telecom.twin import INDICATORS, load_scenario, optimise


def compute_bench_value(asked: Mapping[str, str]) -> float | None:
    """Compute `{"scenario", "of", "indicator"}`: mean over the cells before or after, its change, or a count."""
    found = _compute_numbers(asked["scenario"])
    if asked["of"] in ("cells", "changes"):
        return float(found.cells if asked["of"] == "cells" else found.changes)
    before, after = found.means[asked["indicator"]]
    return {"before": before, "after": after, "change": after - before}[asked["of"]]


@dataclass(frozen=True, slots=True)
class _ScenarioNumbers:
    """The numbers that bench cases use of one scenario; caching its states would take 70 MB."""

    cells: int
    changes: int
    means: Mapping[str, tuple[float, float]]


@lru_cache(maxsize=8)
def _compute_numbers(scenario: str) -> _ScenarioNumbers:
    found = optimise(load_scenario(scenario))
    means = {}
    for one in INDICATORS["cell", "root_cause"]:
        before, after = (np.asarray(state.cell_values[one.field], np.float64) for state in (found.before, found.after))
        there = np.isfinite(before) & np.isfinite(after)
        means[one.name] = (float(before[there].mean()), float(after[there].mean()))
    return _ScenarioNumbers(len(found.before.scenario.cells), len(found.changes), means)
