"""Tuning: a coordinate search over tilt, azimuth, power and offsets, verified on the full model.

The search uses a quarter of the grid points with fixed loads. Its proposals are then applied one at a time on the full
grid with loads solved, and only those that help there are kept. Before and after share grid, users and shadowing, so no
improvement comes from randomness; a network that cannot be improved is returned unchanged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metier.errors import UsageError
from metier.pack import BilingualText
from metier.packs.telecom.twin.diagnosis import get_threshold
from metier.packs.telecom.twin.radio import (
    COVERED_DBM,
    Doubles,
    NetworkState,
    Radio,
    assemble,
    build_bands,
    compute_radio,
)
from metier.packs.telecom.twin.scenario import PROBLEMS, ParameterChange, Problem, Scenario
from metier.packs.telecom.twin.tuning._goals import GOALS
from metier.packs.telecom.twin.tuning._proof import ChangeVerifier
from metier.packs.telecom.twin.tuning._search import ParameterSearch, ProgressCallback


@dataclass(frozen=True, slots=True)
class Gain:
    """A number of the whole network, before and after."""

    name_zh: str
    name_en: str
    unit: str
    before: float
    after: float
    better: Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, eq=False)
class Optimisation:
    """Result of a tuning run; `changes` is empty if nothing helped."""

    problem: Problem
    before: NetworkState
    after: NetworkState
    changes: tuple[ParameterChange, ...]
    gains: tuple[Gain, ...]
    score_before: float
    score_after: float
    trials: int

    @property
    def improved(self) -> bool:
        return bool(self.changes)


def optimise(
    scenario: Scenario,
    problem: Problem | None = None,
    progress: ProgressCallback | None = None,
    *,
    radio: Radio | None = None,
) -> Optimisation:
    """Search for changes that fix the problem (by default the scenario's own); deterministic."""
    aim = problem or scenario.problem
    if aim not in PROBLEMS:
        raise UsageError(f"{aim!r} is not a problem that can be optimised", hint=f"choose from: {', '.join(PROBLEMS)}")
    tell = progress or _ignore_progress
    tell(0.0, BilingualText("计算现网状态", "computing the network as it is"))
    field = radio or compute_radio(scenario)
    before = assemble(scenario, field, build_bands(scenario, field))
    search = ParameterSearch(before, aim, GOALS[aim])
    wished = search.run(lambda share, words: tell(0.05 + 0.6 * share, words))
    proof = ChangeVerifier(before, GOALS[aim])
    kept = proof.verify(wished, lambda share, words: tell(0.65 + 0.3 * share, words))
    after, relations = proof.add_missing_neighbours()
    counts = len(kept), len(relations)
    tell(
        1.0,
        BilingualText("保留 {} 处参数、{} 条邻区".format(*counts), "{} changes and {} neighbours kept".format(*counts)),
    )
    gains = tuple(_compute_gains(before, after))
    changes = (*kept, *relations)
    return Optimisation(aim, before, after, changes, gains, proof.first_score, proof.score, search.trials)


def _ignore_progress(share: float, words: BilingualText) -> None:
    """Default callback that ignores progress."""


def _compute_gains(before: NetworkState, after: NetworkState) -> Iterator[Gain]:
    """Numbers of the whole network: weighted by users for rates and signal, by cells for counters."""
    one, two = _compute_totals(before), _compute_totals(after)
    for (name_zh, name_en, unit, better), first, second in zip(_GAIN_NAMES, one, two, strict=True):
        yield Gain(name_zh, name_en, unit, round(first, 3), round(second, 3), better)


_GAIN_NAMES: tuple[tuple[str, str, str, Literal["higher", "lower"]], ...] = (
    ("RSRP均值", "mean RSRP", "dBm", "higher"),
    ("SINR均值", "mean SINR", "dB", "higher"),
    ("MR覆盖率", "MR coverage", "%", "higher"),
    ("重叠覆盖度", "overlap", "", "lower"),
    ("下行速率", "downlink rate", "Mbps", "higher"),
    ("上行速率", "uplink rate", "Mbps", "higher"),
    ("RRC连接成功率", "RRC success rate", "%", "higher"),
    ("切换成功率", "handover success rate", "%", "higher"),
    ("最高下行PRB利用率", "highest downlink PRB utilisation", "%", "lower"),
    ("高负荷小区数", "overloaded cells", "", "lower"),
)


def _compute_totals(state: NetworkState) -> list[float]:
    users, grid, cells = state.radio.ground.users, state.grid_values, state.cell_values
    weights = users / users.sum()
    levels = [float(weights @ (band.level >= COVERED_DBM)) for band in state.bands]
    on_cells = cells["users"] + 1e-9
    return [
        float(weights @ grid["rsrp"]),
        float(weights @ grid["sinr"]),
        100 * float(np.mean(levels)),
        float(weights @ grid["overlap"]),
        float(weights @ grid["dl_rate"]),
        float(weights @ grid["ul_rate"]),
        _weighted_mean(cells["access"], on_cells),
        _weighted_mean(cells["handover"], on_cells),
        float(cells["dl_prb"].max()),
        float((cells["dl_prb"] > get_threshold("prb_high")).sum()),
    ]


def _weighted_mean(values: Doubles, weights: Doubles) -> float:
    known = ~np.isnan(values)
    return float((values[known] * weights[known]).sum() / weights[known].sum())
