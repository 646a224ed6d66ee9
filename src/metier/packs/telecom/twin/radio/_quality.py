"""Counters of each cell: means over its samples, and success rates.

The success rates are models, not standards: monotone curves with the half-way points given here. Access falls with RSRP
near -120 dBm and SINR near -8 dB; handover with the target's level near -118 dBm; both in a cell above 80 % load.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._bands import Band, pick_rows
from metier.packs.telecom.twin.radio._radio import Floats
from metier.packs.telecom.twin.radio._traffic import Doubles, Loads, rates_mbps
from metier.packs.telecom.twin.scenario import Cell, Traffic

BEST_ACCESS: Final = 99.9
BEST_HANDOVER: Final = 99.8
# Points where the second cell is within this margin take part in handovers (a usual A3 offset).
BORDER_DB: Final = 3.0
# A target below this level is not reported, so nobody is handed over to it.
REPORTED_DBM: Final = -114.0
# Without the relation the terminal drops and reconnects: half of these attempts count as lost.
UNKNOWN_NEIGHBOUR_SUCCESS: Final = 0.5
# A full cell rejects one request in ten.
_MAX_BLOCKED_SHARE: Final = 0.10
_BUSY_LOAD: Final = 0.8
COVERED_DBM: Final = -110.0
_BUSY_HOUR_S: Final = 3600.0


def access_chance(rsrp: Floats, sinr: Floats) -> Floats:
    """Probability that a connection request is received and answered."""
    return np.asarray(_logistic(rsrp, -120.0, 2.0) * _logistic(sinr, -8.0, 1.5), np.float32)


def handover_chance(target_rsrp: Floats, sinr: Floats) -> Floats:
    """Probability that a handover command is received and the target is reached."""
    return np.asarray(_logistic(target_rsrp, -118.0, 2.0) * _logistic(sinr, -11.0, 1.5), np.float32)


def admission_share(load: Doubles) -> Doubles:
    """Share of requests that a cell of this load admits."""
    return np.asarray(1 - _MAX_BLOCKED_SHARE * np.clip((load - _BUSY_LOAD) / (1 - _BUSY_LOAD), 0, 1))


def _logistic(value: Floats, middle: float, width: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(np.clip((np.float32(middle) - value) / np.float32(width), -60, 60))), np.float32)


def find_border_points(band: Band) -> NDArray[np.bool_]:
    """Points at which a terminal would hand over to the second cell."""
    if band.rows.size < 2:
        return np.zeros(band.best.size, np.bool_)
    floor = np.maximum(band.level - np.float32(BORDER_DB), np.float32(REPORTED_DBM))
    return np.asarray(pick_rows(band.rsrp, band.second) >= floor)


def build_neighbour_matrix(cells: Sequence[Cell]) -> NDArray[np.bool_]:
    """Matrix of neighbour relations: the row cell lists the column cell."""
    index = {cell.id: number for number, cell in enumerate(cells)}
    known = np.zeros((len(cells), len(cells)), np.bool_)
    for row, cell in enumerate(cells):
        known[row, [index[other] for other in cell.neighbours]] = True
    return known


def compute_cell_counters(
    bands: Sequence[Band], loads: Loads, cells: Sequence[Cell], traffic: Traffic, users: Doubles
) -> Mapping[str, Doubles]:
    """Compute one array per counter, one value per cell; NaN if a cell serves no point."""
    names = ("rsrp", "sinr", "coverage", "access", "handover", "dl_rate", "ul_rate", "points")
    found = {name: np.full(len(cells), np.nan) for name in names}
    rates, known = rates_mbps(bands, loads), build_neighbour_matrix(cells)
    # Samples are weighted by users; the small constant keeps cells without users defined.
    samples = users + 1e-3 * users.mean()
    for number, band in enumerate(bands):
        share = _CellMean(band, samples)
        sinr, rows = loads.sinr[number], band.rows
        found["rsrp"][rows] = share(band.level)
        found["sinr"][rows] = share(sinr)
        found["coverage"][rows] = 100 * share(band.level >= COVERED_DBM)
        found["access"][rows] = BEST_ACCESS * share(access_chance(band.level, sinr)) * admission_share(loads.dl[rows])
        found["dl_rate"][rows] = share(rates["dl"][number])
        found["ul_rate"][rows] = share(rates["ul"][number])
        found["points"][rows] = np.bincount(band.best, minlength=rows.size)
        found["handover"][rows] = _compute_handover_success(band, sinr, loads.dl, known, samples)
    found["dl_prb"], found["ul_prb"] = 100 * loads.dl, 100 * loads.ul
    found["users"] = _count_users(bands, loads, len(cells))
    found["dl_gb"] = found["users"] * traffic.dl_mbps * admission_share(loads.dl) * _BUSY_HOUR_S / 8 / 1000
    return found


def _count_users(bands: Sequence[Band], loads: Loads, cells: int) -> Doubles:
    users = np.zeros(cells)
    for group in loads.served:
        for number, band in enumerate(bands):
            own = np.where(group.band == number, group.users, 0.0)
            users[band.rows] += np.bincount(band.best, own, band.rows.size)
    return users


def _compute_handover_success(
    band: Band, sinr: Floats, load: Doubles, known: NDArray[np.bool_], samples: Doubles
) -> Doubles:
    edge = np.flatnonzero(find_border_points(band))
    if not edge.size:
        return np.full(band.rows.size, BEST_HANDOVER)
    source, target = band.best[edge], band.second[edge]
    chance = handover_chance(band.rsrp[target, edge], sinr[edge]) * admission_share(load)[band.rows[target]]
    chance = chance * np.where(known[band.rows[source], band.rows[target]], 1.0, UNKNOWN_NEIGHBOUR_SUCCESS)
    tried = np.bincount(source, samples[edge], band.rows.size)
    done = np.bincount(source, samples[edge] * chance, band.rows.size)
    return np.asarray(BEST_HANDOVER * np.where(tried > 0, done / np.maximum(tried, 1e-30), 1.0))


class _CellMean:
    """Weighted mean over the points of each cell."""

    def __init__(self, band: Band, samples: Doubles) -> None:
        self._band, self._samples = band, samples
        self._total = np.bincount(band.best, samples, band.rows.size)

    def __call__(self, values: NDArray[np.floating] | NDArray[np.bool_]) -> Doubles:
        summed = np.bincount(self._band.best, self._samples * values, self._band.rows.size)
        total = self._total
        return np.asarray(np.where(total > 0, summed / np.where(total > 0, total, 1.0), np.nan))
