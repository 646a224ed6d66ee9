"""Verifies proposed changes one at a time on the full grid with loads solved; only those that help are kept."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from metier.pack import Said
from metier.packs.telecom.twin._bands import Band, rerank, to_milliwatts
from metier.packs.telecom.twin._goals import Frame, Goal, View, frame, users_on
from metier.packs.telecom.twin._measures import measure
from metier.packs.telecom.twin._radio import Radio, element_power_dbm
from metier.packs.telecom.twin._scenario import Change, Scenario, apply
from metier.packs.telecom.twin._search import Progress
from metier.packs.telecom.twin._state import State, assemble
from metier.packs.telecom.twin._traffic import Loads, settle

_MOST_CHANGES: Final = 32
_MOST_NEIGHBOURS: Final = 40
_LEAST_GAIN: Final = 0.01


@dataclass(slots=True, eq=False)
class Proof:
    """The network with the changes kept so far, and its score."""

    before: State
    goal: Goal
    first: float = field(init=False)
    score: float = field(init=False)
    _now: "_Network" = field(init=False)
    _frames: tuple[Frame, ...] = field(init=False)

    def __post_init__(self) -> None:
        state = self.before
        self._frames = tuple(
            frame(state.scenario, state.radio, band, users_on(state.bands, state.loads, number))
            for number, band in enumerate(state.bands)
        )
        self._now = _Network(state.scenario, state.bands, state.loads)
        self.first = self.score = self._score(self._now)

    def make(self, wished: Sequence[Change], tell: Progress) -> tuple[Change, ...]:
        """Try the proposed changes in order; returns those that helped, each with its gain."""
        kept: list[Change] = []
        for number, change in enumerate(wished[:_MOST_CHANGES]):
            done = number / min(len(wished), _MOST_CHANGES)
            tell(done, Said(f"验证 {change.cell} 的调整", f"proving {change.parameter} of {change.cell}"))
            network = self._with(change)
            score = self._score(network)
            if score - self.score > _LEAST_GAIN:
                kept.append(replace(change, gain=round(score - self.score, 3)))
                self._now, self.score = network, score
        return tuple(kept)

    def finish(self) -> tuple[State, tuple[Change, ...]]:
        """Add the neighbour relations that handovers need and that are not configured.

        The gain of a relation is its share of the rise in the cell's handover success, in percentage points.
        """
        state = assemble(self._now.scenario, self.before.radio, self._now.bands)
        cells, pairs = state.scenario.cells, measure(state).missing[:_MOST_NEIGHBOURS]
        changes = [Change(cells[pair.one].id, "neighbour", "", cells[pair.other].id) for pair in pairs]
        if not changes:
            return state, ()
        linked = assemble(apply(state.scenario, changes), state.radio, state.bands)
        risen = linked.cell_values["handover"] - state.cell_values["handover"]
        whole: defaultdict[int, float] = defaultdict(float)
        for pair in pairs:
            whole[pair.one] += pair.value
        made = (
            replace(change, gain=round(float(risen[pair.one]) * pair.value / whole[pair.one], 3))
            for change, pair in zip(changes, pairs, strict=True)
        )
        return linked, tuple(made)

    def _with(self, change: Change) -> "_Network":
        """Recompute one cell's layer and solve the loads again."""
        scenario = apply(self._now.scenario, [change])
        place = scenario.cell_index[change.cell]
        bands = tuple(
            _relaid(band, scenario, self.before.radio, place) if place in band.rows else band
            for band in self._now.bands
        )
        loads = settle(bands, len(scenario.cells), scenario.traffic, self.before.radio.ground.users)
        return _Network(scenario, bands, loads)

    def _score(self, network: "_Network") -> float:
        """Mean of the goal over the carriers, with the current users of each."""
        found = []
        for number, band in enumerate(network.bands):
            demand = users_on(network.bands, network.loads, number) * network.scenario.traffic.dl_mbps
            seen = replace(self._frames[number], demand_mbps=demand.astype(np.float32))
            found.append(self.goal(seen, View(band.level, network.loads.sinr[number], band.best)))
        return float(np.mean(found))


@dataclass(frozen=True, slots=True, eq=False)
class _Network:
    scenario: Scenario
    bands: tuple[Band, ...]
    loads: Loads


def _relaid(band: Band, scenario: Scenario, radio: Radio, place: int) -> Band:
    row = int(np.flatnonzero(band.rows == place)[0])
    cell = scenario.cells[place]
    rsrp, power, element = band.rsrp.copy(), band.milliwatts.copy(), band.element_dbm.copy()
    rsrp[row] = radio.layer(cell)
    power[row] = to_milliwatts(rsrp[row])
    element[row] = element_power_dbm(cell, band.carrier)
    offsets = np.array([scenario.cells[number].offset_db for number in band.rows], np.float32)
    best, second = rerank(rsrp, offsets, band.best, band.second, row)
    return replace(band, element_dbm=element, rsrp=rsrp, milliwatts=power, best=best, second=second)
