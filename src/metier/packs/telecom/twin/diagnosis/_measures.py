"""Measures per cell that counters do not show: deviation from the plan and relations to neighbours."""

from dataclasses import dataclass
from math import atan2, degrees, hypot
from weakref import WeakKeyDictionary

import numpy as np

from metier.packs.telecom.twin.diagnosis._thresholds import get_threshold
from metier.packs.telecom.twin.radio import (
    OVERLAP_DB,
    Band,
    Doubles,
    NetworkState,
    PlannedAreas,
    build_neighbour_matrix,
    find_border_points,
    landing_m,
    plan_band,
    to_plane,
)
from metier.packs.telecom.twin.scenario import Cell


@dataclass(frozen=True, slots=True)
class CellPair:
    """Two cells (indexes in the scenario) and a value."""

    one: int
    other: int
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class CellMeasures:
    """Per cell: shares in %, areas and radii in % of the plan, power above the carrier's median in dB."""

    weak_share: Doubles
    area: Doubles
    overlap_share: Doubles
    overlap_most: Doubles
    polluted_share: Doubles
    landing: Doubles
    power_gap: Doubles
    missing: tuple[CellPair, ...]
    facing: tuple[CellPair, ...]


# An answer about an optimisation asks for the causes of two states twice each, and nearly all of that is measuring.
_MEASURED: "WeakKeyDictionary[NetworkState, CellMeasures]" = WeakKeyDictionary()


def measure(state: NetworkState) -> CellMeasures:
    """All measures of a state, computed once and forgotten with it."""
    found = _MEASURED.get(state)
    if found is None:
        found = _MEASURED[state] = _measure(state)
    return found


def _measure(state: NetworkState) -> CellMeasures:
    count = len(state.scenario.cells)
    names = ("weak_share", "area", "overlap_share", "overlap_most", "polluted_share", "landing", "power_gap")
    found = {name: np.zeros(count) for name in names}
    missing: list[CellPair] = []
    facing: list[CellPair] = []
    for number, band in enumerate(state.bands):
        planned = plan_band(state.scenario, state.radio, band)
        for name, values in _measure_band(state, number, band, planned).items():
            found[name][band.rows] = values
        missing += _find_missing_neighbours(state, band)
        facing += _find_facing_beams(state, band, planned)
    for values in found.values():
        values.flags.writeable = False
    missing.sort(key=lambda pair: (-pair.value, pair.one, pair.other))
    return CellMeasures(**found, missing=tuple(missing), facing=tuple(facing))


def _measure_band(state: NetworkState, number: int, band: Band, planned: PlannedAreas) -> dict[str, Doubles]:
    cells = [state.scenario.cells[row] for row in band.rows]
    level, users = band.level, state.radio.ground.users
    floor = np.maximum(band.rsrp.max(axis=0) - np.float32(OVERLAP_DB), np.float32(get_threshold("weak_rsrp")))
    many = (band.rsrp >= floor).sum(axis=0)
    crowded = many > get_threshold("overlap_many")
    polluted = (
        crowded & (level > get_threshold("pilot_rsrp")) & (state.loads.sinr[number] < get_threshold("pilot_sinr"))
    )
    most = np.zeros(band.rows.size)
    np.maximum.at(most, band.best, many)
    strong = np.bincount(band.best, level > get_threshold("overshoot_rsrp"), band.rows.size)
    powers = np.array([cell.power_dbm for cell in cells])
    landings = np.array([landing_m(cell) for cell in cells])
    # A planned area below a tenth of the median lies at the edge of the map and is meaningless.
    usual = 0.1 * np.median(planned.points)
    area = np.where(planned.points > usual, 100 * strong / np.maximum(planned.points, 1), 0.0)
    return {
        "weak_share": _compute_share(band, level < get_threshold("weak_rsrp"), users),
        "area": area,
        "overlap_share": _compute_share(band, crowded, np.ones(band.best.size)),
        "overlap_most": most,
        "polluted_share": _compute_share(band, polluted, np.ones(band.best.size)),
        "landing": np.where(np.isfinite(planned.radius_m), 100 * landings / planned.radius_m, 100.0),
        "power_gap": powers - np.median(powers),
    }


def _compute_share(band: Band, which: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", weight: Doubles) -> Doubles:
    total = np.bincount(band.best, weight, band.rows.size)
    return np.asarray(100 * np.bincount(band.best, weight * which, band.rows.size) / np.maximum(total, 1e-12))


def _find_missing_neighbours(state: NetworkState, band: Band) -> list[CellPair]:
    """Relations that would carry handovers but are not configured, with their share of the source's handovers."""
    edge = np.flatnonzero(find_border_points(band))
    table = np.zeros((band.rows.size, band.rows.size))
    np.add.at(table, (band.best[edge], band.second[edge]), state.radio.ground.users[edge])
    share = 100 * table / np.maximum(table.sum(axis=1, keepdims=True), 1e-12)
    known = build_neighbour_matrix(state.scenario.cells)[np.ix_(band.rows, band.rows)]
    wanted = np.argwhere((share > get_threshold("neighbour_share")) & ~known)
    return [CellPair(int(band.rows[one]), int(band.rows[other]), float(share[one, other])) for one, other in wanted]


def _find_facing_beams(state: NetworkState, band: Band, planned: PlannedAreas) -> list[CellPair]:
    """Beams of neighbouring sites that point at each other; the value is the larger deviation angle."""
    cells = [state.scenario.cells[row] for row in band.rows]
    places = [to_plane(state.scenario.area, cell.longitude, cell.latitude) for cell in cells]
    found = []
    for one, cell in enumerate(cells):
        for other in range(one + 1, len(cells)):
            east, north = places[other][0] - places[one][0], places[other][1] - places[one][1]
            if cells[other].site == cell.site or hypot(east, north) > 1.8 * planned.radius_m[one]:
                continue
            angle = max(_angle_off_deg(cell, east, north), _angle_off_deg(cells[other], -east, -north))
            if angle < get_threshold("azimuth_facing"):
                found.append(CellPair(int(band.rows[one]), int(band.rows[other]), angle))
    return found


def _angle_off_deg(cell: Cell, east: float, north: float) -> float:
    bearing = degrees(atan2(east, north))
    return abs((bearing - cell.azimuth_deg + 180) % 360 - 180)
