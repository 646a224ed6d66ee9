"""Verifies proposed changes one at a time on the full grid with loads solved; only those that help are kept."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from metier.pack import BilingualText
from metier.packs.telecom.twin.diagnosis import get_threshold, measure
from metier.packs.telecom.twin.radio import (
    Band,
    Loads,
    NetworkState,
    Radio,
    assemble,
    element_power_dbm,
    rerank,
    solve_loads,
    to_milliwatts,
)
from metier.packs.telecom.twin.scenario import ParameterChange, Scenario, apply_changes
from metier.packs.telecom.twin.tuning._goals import CarrierView, Goal, TuningFrame, build_frame, count_users_on
from metier.packs.telecom.twin.tuning._search import ProgressCallback

_MAX_CHANGES: Final = 32
_MAX_NEIGHBOURS: Final = 40


@dataclass(slots=True, eq=False)
class ChangeVerifier:
    """The network with the changes kept so far, and its score."""

    before: NetworkState
    goal: Goal
    first_score: float = field(init=False)
    score: float = field(init=False)
    _current: "_Network" = field(init=False)
    _frames: tuple[TuningFrame, ...] = field(init=False)

    def __post_init__(self) -> None:
        state = self.before
        self._frames = tuple(
            build_frame(state.scenario, state.radio, band, count_users_on(state.bands, state.loads, number))
            for number, band in enumerate(state.bands)
        )
        self._current = _Network(state.scenario, state.bands, state.loads)
        self.first_score = self.score = self._score(self._current)

    def verify(self, wished: Sequence[ParameterChange], tell: ProgressCallback) -> tuple[ParameterChange, ...]:
        """Try the proposed changes in order; returns those that helped enough to be worth making, with their gains."""
        kept: list[ParameterChange] = []
        for number, change in enumerate(wished[:_MAX_CHANGES]):
            done = number / min(len(wished), _MAX_CHANGES)
            tell(done, BilingualText(f"验证 {change.cell} 的调整", f"proving {change.parameter} of {change.cell}"))
            network = self._apply_change(change)
            score = self._score(network)
            if score - self.score >= _find_least_gain(change):
                kept.append(replace(change, gain=round(score - self.score, 3)))
                self._current, self.score = network, score
        return tuple(kept)

    def add_missing_neighbours(self) -> tuple[NetworkState, tuple[ParameterChange, ...]]:
        """Add the neighbour relations that handovers need and that are not configured.

        The gain of a relation is its share of the rise in the cell's handover success, in percentage points.
        """
        state = assemble(self._current.scenario, self.before.radio, self._current.bands)
        cells, pairs = state.scenario.cells, measure(state).missing[:_MAX_NEIGHBOURS]
        changes = [ParameterChange(cells[pair.one].id, "neighbour", "", cells[pair.other].id) for pair in pairs]
        if not changes:
            return state, ()
        linked = assemble(apply_changes(state.scenario, changes), state.radio, state.bands)
        risen = linked.cell_values["handover"] - state.cell_values["handover"]
        whole: defaultdict[int, float] = defaultdict(float)
        for pair in pairs:
            whole[pair.one] += pair.value
        made = (
            replace(change, gain=round(float(risen[pair.one]) * pair.value / whole[pair.one], 3))
            for change, pair in zip(changes, pairs, strict=True)
        )
        return linked, tuple(made)

    def _apply_change(self, change: ParameterChange) -> "_Network":
        """Recompute one cell's layer and solve the loads again."""
        scenario = apply_changes(self._current.scenario, [change])
        place = scenario.cell_index[change.cell]
        bands = tuple(
            _recompute_band(band, scenario, self.before.radio, place) if place in band.rows else band
            for band in self._current.bands
        )
        loads = solve_loads(bands, len(scenario.cells), scenario.traffic, self.before.radio.ground.users)
        return _Network(scenario, bands, loads)

    def _score(self, network: "_Network") -> float:
        """Mean of the goal over the carriers, with the current users of each."""
        found = []
        for number, band in enumerate(network.bands):
            demand = count_users_on(network.bands, network.loads, number) * network.scenario.traffic.dl_mbps
            seen = replace(self._frames[number], demand_mbps=demand.astype(np.float32))
            found.append(self.goal(seen, CarrierView(band.level, network.loads.sinr[number], band.best)))
        return float(np.mean(found))


def _find_least_gain(change: ParameterChange) -> float:
    """Points a change must gain to be recommended: more if somebody has to go to the site."""
    return get_threshold("azimuth_gain" if change.parameter == "azimuth" else "setting_gain")


@dataclass(frozen=True, slots=True, eq=False)
class _Network:
    scenario: Scenario
    bands: tuple[Band, ...]
    loads: Loads


def _recompute_band(band: Band, scenario: Scenario, radio: Radio, place: int) -> Band:
    row = int(np.flatnonzero(band.rows == place)[0])
    cell = scenario.cells[place]
    rsrp, power, element = band.rsrp.copy(), band.milliwatts.copy(), band.element_dbm.copy()
    rsrp[row] = radio.compute_layer(cell)
    power[row] = to_milliwatts(rsrp[row])
    element[row] = element_power_dbm(cell, band.carrier)
    offsets = np.array([scenario.cells[number].offset_db for number in band.rows], np.float32)
    best, second = rerank(rsrp, offsets, band.best, band.second, row)
    return replace(band, element_dbm=element, rsrp=rsrp, milliwatts=power, best=best, second=second)
