"""One carrier over the whole grid: strongest cells, SINR, RSRQ and overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._radio import Floats, Radio, element_power_dbm
from metier.packs.telecom.twin.scenario import Carrier, Cell

Integers = NDArray[np.intp]

THERMAL_DBM_HZ: Final = -174.0
# Noise figures of TR 36.942 Table 4.2 / 4.6 and TR 38.803: terminal, base station.
USER_NOISE_DB: Final = 9.0
SITE_NOISE_DB: Final = 5.0
# Share of reference and control signals transmitted in an empty cell.
IDLE_ACTIVITY: Final = 0.1
# 2 of 12 elements of a reference symbol are always sent: RSRQ of an empty cell is -3 dB, of a full one -10.8.
_REFERENCE_SHARE: Final = 1 / 6


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """The cells of one carrier; `rows` are indexes in the scenario, `best` and `second` are indexes in this band."""

    carrier: Carrier
    rows: Integers
    element_dbm: NDArray[np.float64]
    receive_db: NDArray[np.float64]
    rsrp: Floats
    milliwatts: Floats
    best: Integers
    second: Integers

    @property
    def level(self) -> Floats:
        """RSRP of the serving cell."""
        return pick_rows(self.rsrp, self.best)

    @property
    def serving(self) -> Integers:
        """Index of the serving cell in the scenario."""
        return np.asarray(self.rows[self.best], np.intp)


def sum_over_cells(weights: Floats, table: Floats) -> Floats:
    """Weighted sum over the cells, one value per point.

    Not `@`: BLAS threads spin (twice the CPU time here), and the order of summation differs between machines.
    """
    return np.asarray(np.einsum("i,ij->j", weights, table), np.float32)


def sum_over_points(table: Floats, weights: Floats) -> Floats:
    """Weighted sum over the points, one value per cell."""
    return np.asarray(np.einsum("ij,j->i", table, weights), np.float32)


def pick_rows(table: Floats, rows: Integers) -> Floats:
    """Pick one value per column, from the given row."""
    return np.asarray(table[rows, np.arange(table.shape[1])], np.float32)


def to_milliwatts(dbm: Floats) -> Floats:
    """10^(dBm/10)."""
    return np.asarray(np.exp(dbm * np.float32(np.log(10) / 10)), np.float32)


def to_db(ratio: NDArray[np.floating]) -> Floats:
    """10 log10, with -300 for zero."""
    return np.asarray(10 * np.log10(np.maximum(ratio, 1e-30)), np.float32)


def build_band(radio: Radio, carrier: Carrier, cells: Sequence[Cell], rows: Integers) -> Band:
    """Compute every cell of a carrier on the grid."""
    own = [cells[row] for row in rows]
    rsrp = radio.compute_layers(own)
    power = np.array([element_power_dbm(cell, carrier) for cell in own])
    combined = np.array([radio.antennas[cell.antenna].receive_gain_db for cell in own])
    best, second = rank(rsrp, np.array([cell.offset_db for cell in own], np.float32))
    return Band(carrier, rows, power, combined, rsrp, to_milliwatts(rsrp), best, second)


def rank(rsrp: Floats, offsets: Floats) -> tuple[Integers, Integers]:
    """Best and second cell of every point by RSRP plus offset; a single cell is its own second."""
    points = rsrp.shape[1]
    top, next_ = np.full(points, -np.inf, np.float32), np.full(points, -np.inf, np.float32)
    best, second = np.zeros(points, np.intp), np.zeros(points, np.intp)
    for number, row in enumerate(rsrp):
        score = row + offsets[number]
        wins = score > top
        places = wins | (score > next_)
        next_ = np.where(places, np.where(wins, top, score), next_)
        second = np.where(places, np.where(wins, best, number), second)
        top, best = np.where(wins, score, top), np.where(wins, number, best)
    return best, second


def rerank(rsrp: Floats, offsets: Floats, best: Integers, second: Integers, row: int) -> tuple[Integers, Integers]:
    """Update `rank` after one row changed; only points where that cell was best or second are ranked again in full."""
    points = np.arange(rsrp.shape[1])
    own = rsrp[row] + offsets[row]
    top, next_ = rsrp[best, points] + offsets[best], rsrp[second, points] + offsets[second]
    wins = (own > top) | ((own == top) & (row < best))
    places = wins | (own > next_) | ((own == next_) & (row < second))
    new_best = np.where(wins, row, best)
    new_second = np.where(wins, best, np.where(places, row, second))
    stale = np.flatnonzero((best == row) | (second == row))
    new_best[stale], new_second[stale] = rank(rsrp[:, stale], offsets)
    return new_best, new_second


def noise_mw(carrier: Carrier) -> float:
    """Noise in one resource element at the terminal."""
    return float(10 ** ((THERMAL_DBM_HZ + 10 * log10(carrier.spacing_khz * 1e3) + USER_NOISE_DB) / 10))


def sinr_db(band: Band, load: NDArray[np.float64]) -> Floats:
    """Serving power over noise plus the interference of the other cells at their `load` (one value per cell)."""
    activity = (IDLE_ACTIVITY + (1 - IDLE_ACTIVITY) * load).astype(np.float32)
    own = pick_rows(band.milliwatts, band.best)
    others = np.maximum(sum_over_cells(activity, band.milliwatts) - activity[band.best] * own, 0)
    return to_db(own / (others + np.float32(noise_mw(band.carrier))))


def rsrq_db(band: Band, load: NDArray[np.float64]) -> Floats:
    """RSRP over the power received in one resource block, per element (TS 36.214 §5.1.3)."""
    sent = (_REFERENCE_SHARE + (1 - _REFERENCE_SHARE) * load).astype(np.float32)
    block = 12 * (sum_over_cells(sent, band.milliwatts) + np.float32(noise_mw(band.carrier)))
    return to_db(pick_rows(band.milliwatts, band.best) / block)


def count_overlap(band: Band, within_db: float, above_dbm: float) -> NDArray[np.int16]:
    """Number of the carrier's cells within some dB of the best and above a level, including the best."""
    floor = np.maximum(band.rsrp.max(axis=0) - np.float32(within_db), np.float32(above_dbm))
    return np.asarray((band.rsrp >= floor).sum(axis=0), np.int16)
