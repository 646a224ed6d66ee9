"""Computed state of a network: tables of cells and grid points, and heat maps."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, isnan, radians
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import UsageError
from metier.packs.telecom.twin.radio._bands import Band, Integers, build_band, count_overlap, rsrq_db
from metier.packs.telecom.twin.radio._indicators import Indicator, find_indicators
from metier.packs.telecom.twin.radio._quality import COVERED_DBM, compute_cell_counters
from metier.packs.telecom.twin.radio._radio import Floats, Radio, compute_radio
from metier.packs.telecom.twin.radio._traffic import Doubles, Loads, rates_mbps, solve_loads
from metier.packs.telecom.twin.scenario import LAT_M, LON_M, ParameterChange, Scenario, apply_changes

OVERLAP_DB: Final = 6.0
_KEY_COLUMNS: Final = ("小区id", "经度", "纬度")
_MAX_HEATMAP_SIZE: Final = 400

TableValue = float | int | str | None


@dataclass(frozen=True, slots=True)
class TwinTable:
    """Headers and rows; a missing value (a cell without samples) is None."""

    headers: tuple[str, ...]
    rows: tuple[tuple[TableValue, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """An indicator over the area: row 0 is the south; bounds are west, south, east, north in degrees."""

    indicator: str
    unit: str
    values: NDArray[np.float64]
    bounds: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class NetworkState:
    """Computed scenario; the same scenario and changes give the same state."""

    scenario: Scenario
    radio: Radio
    bands: tuple[Band, ...]
    loads: Loads
    cell_values: Mapping[str, Doubles]
    grid_values: Mapping[str, Floats]
    serving: Integers

    @property
    def digest(self) -> str:
        return self.scenario.digest

    def drop_powers(self) -> "NetworkState":
        """The state without the powers in milliwatts, a third of it: reports need none, only computing and tuning."""
        if not any(band.milliwatts.size for band in self.bands):
            return self
        empty = np.empty((0, 0), np.float32)
        return replace(self, bands=tuple(replace(band, milliwatts=empty) for band in self.bands))

    def build_cell_table(
        self, indicators: Sequence[str], *, worst_first: bool = False, limit: int | None = None
    ) -> TwinTable:
        """One row per cell: 小区id, 经度, 纬度 and the indicators; `worst_first` sorts by the first indicator."""
        found = find_indicators("cell", indicators)
        order = _sort_rows(self.cell_values[found[0].field], found[0], worst_first=worst_first, limit=limit)
        cells = self.scenario.cells
        columns = [_round_column(self.cell_values[indicator.field][order], indicator.digits) for indicator in found]
        keys = ((cells[row].id, round(cells[row].longitude, 6), round(cells[row].latitude, 6)) for row in order)
        return _build_table(found, keys, columns)

    def build_grid_table(
        self, indicators: Sequence[str], *, worst_first: bool = False, limit: int | None = None
    ) -> TwinTable:
        """One row per grid point: its serving cell, 经度, 纬度 and the indicators."""
        found = find_indicators("grid", indicators)
        order = _sort_rows(self.grid_values[found[0].field], found[0], worst_first=worst_first, limit=limit)
        ids = [cell.id for cell in self.scenario.cells]
        columns = [_round_column(self.grid_values[indicator.field][order], indicator.digits) for indicator in found]
        ground = self.radio.ground
        longitude, latitude = ground.longitude[order].round(6).tolist(), ground.latitude[order].round(6).tolist()
        keys = zip((ids[row] for row in self.serving[order]), longitude, latitude, strict=True)
        return _build_table(found, keys, columns)

    def build_heatmap(self, indicator: str, size: int = 64) -> Heatmap:
        """Average a grid indicator into at most `size` × `size` squares."""
        if not 1 <= size <= _MAX_HEATMAP_SIZE:
            raise UsageError(f"a heat map cannot have {size} squares a side", hint=f"ask for 1 to {_MAX_HEATMAP_SIZE}")
        found = find_indicators("grid", [indicator])[0]
        area = self.scenario.area
        values = self.grid_values[found.field].reshape(area.rows, area.columns).astype(np.float64)
        values = shrink_grid(values, size)
        east = area.longitude + area.columns * area.step_m / (LON_M * cos(radians(area.latitude)))
        north = area.latitude + area.rows * area.step_m / LAT_M
        bounds = (area.longitude, area.latitude, east, north)
        return Heatmap(found.name, found.unit, np.ascontiguousarray(values), bounds)


def compute(scenario: Scenario, changes: Iterable[ParameterChange] = (), *, radio: Radio | None = None) -> NetworkState:
    """Compute a scenario with changes applied; `radio` may come from any state of the same file."""
    changed = apply_changes(scenario, changes)
    field = radio or compute_radio(changed)
    return assemble(changed, field, build_bands(changed, field))


def build_bands(scenario: Scenario, radio: Radio) -> tuple[Band, ...]:
    """Compute the bands of all carriers that have cells."""
    places = {name: [row for row, cell in enumerate(scenario.cells) if cell.carrier == name] for name in radio.carriers}
    return tuple(
        build_band(radio, radio.carriers[name], scenario.cells, np.array(rows, np.intp))
        for name, rows in places.items()
        if rows
    )


def assemble(scenario: Scenario, radio: Radio, bands: tuple[Band, ...]) -> NetworkState:
    """Solve the loads and compute every indicator."""
    users = radio.ground.users
    loads = solve_loads(bands, len(scenario.cells), scenario.traffic, users)
    cells = compute_cell_counters(bands, loads, scenario.cells, scenario.traffic, users)
    serving = np.choose(loads.served[0].band, [band.serving for band in bands])
    return NetworkState(
        scenario,
        radio,
        bands,
        loads,
        MappingProxyType(dict(cells)),
        MappingProxyType(_grid_values(bands, loads)),
        np.asarray(serving, np.intp),
    )


def _grid_values(bands: Sequence[Band], loads: Loads) -> dict[str, Floats]:
    """Values at every point for a terminal that supports all carriers."""
    chosen = loads.served[0].band
    rates = rates_mbps(bands, loads)
    per_band = {
        "rsrp": [band.level for band in bands],
        "sinr": list(loads.sinr),
        "rsrq": [rsrq_db(band, loads.dl[band.rows]) for band in bands],
        "overlap": [count_overlap(band, OVERLAP_DB, COVERED_DBM).astype(np.float32) for band in bands],
        "dl_rate": rates["dl"],
        "ul_rate": rates["ul"],
    }
    values = {name: np.asarray(np.choose(chosen, parts), np.float32) for name, parts in per_band.items()}
    values["level"] = np.asarray(np.max([band.rsrp.max(axis=0) for band in bands], axis=0), np.float32)
    return values


def _sort_rows(values: NDArray[np.floating], first: Indicator, *, worst_first: bool, limit: int | None) -> Integers:
    if not worst_first:
        return np.arange(values.size)[:limit]
    bad = -values if first.better == "lower" else values
    return np.argsort(bad, kind="stable")[:limit]


def _round_column(values: NDArray[np.floating], digits: int) -> list[TableValue]:
    rounded = np.round(values.astype(np.float64), digits).tolist()
    return [None if isnan(value) else int(value) if digits == 0 else value for value in rounded]


def _build_table(
    found: Sequence[Indicator], keys: Iterable[tuple[TableValue, ...]], columns: Sequence[Sequence[TableValue]]
) -> TwinTable:
    rows = tuple((*key, *values) for key, *values in zip(keys, *columns, strict=True))
    return TwinTable((*_KEY_COLUMNS, *(indicator.name for indicator in found)), rows)


def shrink_grid(values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Average a grid into at most `size` × `size` squares."""
    return _shrink(_shrink(values, size).T, size).T


def _shrink(values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Average the first axis into at most `size` parts."""
    rows = values.shape[0]
    if rows <= size:
        return values
    edges = np.arange(size) * rows // size
    counts = np.diff(np.append(edges, rows))
    return np.asarray(np.add.reduceat(values, edges, axis=0) / counts[:, None])
