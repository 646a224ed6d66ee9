"""Searches for better parameters: a coordinate search on a thinned grid with fixed loads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from metier.pack import BilingualText
from metier.packs.telecom.twin.radio import Band, Integers, NetworkState
from metier.packs.telecom.twin.scenario import Area, Cell, Parameter, ParameterChange, Problem
from metier.packs.telecom.twin.tuning._goals import Goal, build_frame, count_users_on
from metier.packs.telecom.twin.tuning._trial import Trial, thin_radio

# Called with the share done, from 0 to 1, and a description of the current work.
ProgressCallback = Callable[[float, BilingualText], None]

# Every second row and column of the grid.
_GRID_STRIDE: Final = 2
# Cells selected by the first probe, and passes of the search over them.
_MAX_CELLS: Final = 20
_PASSES: Final = 2
# Step sizes, large first: between the main beam and the first side lobe a small step leads nowhere.
_STRIDES: Final = (4.0, 2.0, 1.0)
# Minimum gain of a step in points: less is noise of the thinned grid.
_MIN_STEP_GAIN: Final = 0.02
_TUNED_PARAMETERS: Final[tuple[Parameter, ...]] = ("tilt", "power", "azimuth")
# For load, offsets come first: they cost no coverage.
_TUNED_PARAMETERS_FOR_LOAD: Final[tuple[Parameter, ...]] = ("offset", "tilt", "power", "azimuth")
_STEP_SIZE: Mapping[Parameter, float] = MappingProxyType({"tilt": 2.0, "power": 1.5, "azimuth": 10.0, "offset": 2.0})
_ELECTRICAL_DEG: Final = (0.0, 16.0)
_MAX_TURN_DEG: Final = 40.0
_MAX_OFFSET_DB: Final = 6.0
# A cell's power is lowered by at most this much, and never raised above the strongest cell of its carrier.
_MAX_BACKOFF_DB: Final = 6.0


@dataclass(slots=True, eq=False)
class ParameterSearch:
    """One search over cells, parameters and values; counts its trials."""

    before: NetworkState
    problem: Problem
    goal: Goal
    trials: int = 0
    _cells: dict[int, Cell] = field(default_factory=dict)

    def run(self, tell: ProgressCallback) -> tuple[ParameterChange, ...]:
        """Search and return the proposed changes, the most promising cell first."""
        tunings = [self._start_trial(number) for number in range(len(self.before.bands))]
        tell(0.0, BilingualText("逐个试探小区", "probing every cell"))
        chosen = self._probe(tunings)
        for turn in range(_PASSES):
            for place, (trial, row) in enumerate(chosen):
                id = self._current_cell(trial, row).id
                tell((turn + place / len(chosen)) / _PASSES, BilingualText(f"调整 {id}", f"tuning {id}"))
                self._tune(trial, row)
        wished: list[ParameterChange] = []
        for trial, row in chosen:
            wished += self._iter_changes(int(trial.band.rows[row]))
        return tuple(wished)

    def _start_trial(self, number: int) -> Trial:
        state = self.before
        keep = _select_points(state.scenario.area)
        small = thin_radio(state.radio, keep)
        whole = state.bands[number]
        band = replace(
            whole,
            rsrp=np.ascontiguousarray(whole.rsrp[:, keep]),
            milliwatts=np.ascontiguousarray(whole.milliwatts[:, keep]),
            best=whole.best[keep],
            second=whole.second[keep],
        )
        # Every kept point also represents the users of the points left out.
        users = count_users_on(state.bands, state.loads, number)
        on_band = users[keep] * (users.sum() / max(users[keep].sum(), 1e-12))
        cells = [state.scenario.cells[row] for row in band.rows]
        load = state.loads.dl[band.rows]
        return Trial.start(small, band, build_frame(state.scenario, small, band, on_band), self.goal, load, cells=cells)

    def _current_cell(self, trial: Trial, row: int) -> Cell:
        place = int(trial.band.rows[row])
        return self._cells.get(place, self.before.scenario.cells[place])

    def _probe(self, tunings: Sequence[Trial]) -> list[tuple[Trial, int]]:
        """Try large steps in both directions on every cell; keep the cells that gain most."""
        found = []
        for trial in tunings:
            now = trial.score_current()
            for row in range(trial.band.rows.size):
                cell = self._current_cell(trial, row)
                tries = [
                    move
                    for name in self._parameters
                    for times in _STRIDES[:2]
                    for move in self._iter_moves(trial, cell, name, times)
                ]
                gain = max((self._score(trial, row, move) - now for move in tries), default=0.0)
                found.append((gain, int(trial.band.rows[row]), trial, row))
        found.sort(key=lambda entry: (-entry[0], entry[1]))
        return [(trial, row) for gain, _, trial, row in found[:_MAX_CELLS] if gain > _MIN_STEP_GAIN]

    @property
    def _parameters(self) -> tuple[Parameter, ...]:
        return _TUNED_PARAMETERS_FOR_LOAD if self.problem == "load" else _TUNED_PARAMETERS

    def _tune(self, trial: Trial, row: int) -> None:
        """Move each parameter in the direction that helps until it helps no more."""
        best = trial.score_current()
        for name in self._parameters:
            for times in _STRIDES:
                while (found := self._find_step(trial, row, name, times, best)) is not None:
                    best, moved = found
                    trial.keep(row, moved)
                    self._cells[int(trial.band.rows[row])] = moved

    def _find_step(
        self, trial: Trial, row: int, name: Parameter, times: float, best: float
    ) -> tuple[float, Cell] | None:
        cell = self._current_cell(trial, row)
        for moved in self._iter_moves(trial, cell, name, times):
            score = self._score(trial, row, moved)
            if score > best + _MIN_STEP_GAIN:
                return score, moved
        return None

    def _score(self, trial: Trial, row: int, cell: Cell) -> float:
        self.trials += 1
        return trial.score(row, cell)

    def _iter_moves(self, trial: Trial, cell: Cell, name: Parameter, times: float) -> Iterator[Cell]:
        for sign in (-times, times):
            moved = _shift_parameter(cell, name, sign * _STEP_SIZE[name])
            if self._is_allowed(trial.band, cell, moved):
                yield moved

    def _is_allowed(self, band: Band, cell: Cell, moved: Cell) -> bool:
        """Whether an engineer could set it: panel tilt range, antenna rotation, amplifier power."""
        cells = self.before.scenario.cells
        start = self.before.scenario.get_cell(cell.id)
        loudest = max(cells[row].power_dbm for row in band.rows)
        turn = abs((moved.azimuth_deg - start.azimuth_deg + 180) % 360 - 180)
        return (
            _ELECTRICAL_DEG[0] <= moved.electrical_tilt_deg <= max(_ELECTRICAL_DEG[1], start.electrical_tilt_deg)
            and start.power_dbm - _MAX_BACKOFF_DB <= moved.power_dbm <= loudest
            and turn <= _MAX_TURN_DEG
            and abs(moved.offset_db) <= _MAX_OFFSET_DB
        )

    def _iter_changes(self, place: int) -> Iterator[ParameterChange]:
        start = self.before.scenario.cells[place]
        end = self._cells.get(place, start)
        for name in _TUNED_PARAMETERS_FOR_LOAD:
            before, after = _get_parameter(start, name), _get_parameter(end, name)
            if before != after:
                yield ParameterChange(start.id, name, before, after)


def _select_points(area: Area) -> Integers:
    rows, columns = np.arange(0, area.rows, _GRID_STRIDE), np.arange(0, area.columns, _GRID_STRIDE)
    return np.asarray((rows[:, None] * area.columns + columns[None, :]).ravel(), np.intp)


def _get_parameter(cell: Cell, name: Parameter) -> float:
    if name == "tilt":
        return cell.electrical_tilt_deg
    if name == "power":
        return cell.power_dbm
    return cell.azimuth_deg if name == "azimuth" else cell.offset_db


def _shift_parameter(cell: Cell, name: Parameter, by: float) -> Cell:
    value = round(_get_parameter(cell, name) + by, 3)
    if name == "tilt":
        return replace(cell, electrical_tilt_deg=value)
    if name == "power":
        return replace(cell, power_dbm=value)
    return replace(cell, azimuth_deg=value % 360) if name == "azimuth" else replace(cell, offset_db=value)
