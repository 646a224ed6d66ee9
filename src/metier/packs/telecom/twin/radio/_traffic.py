"""Assigns users to cells and computes cell loads and user rates.

Load and interference depend on each other: more load means more interference means more load. Iterating from an empty
network therefore converges to the least fixed point; only users who fall below -10 dB, out of service, reduce load. The
number of rounds is small and bounded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.radio._bands import (
    SITE_NOISE_DB,
    THERMAL_DBM_HZ,
    Band,
    Integers,
    pick_rows,
    sinr_db,
    sum_over_points,
    to_db,
)
from metier.packs.telecom.twin.radio._radio import Floats
from metier.packs.telecom.twin.scenario import Traffic

Doubles = NDArray[np.float64]

# An NR terminal stays on NR down to this SS-RSRP.
NR_FLOOR_DBM: Final = -110.0
# Truncated Shannon bound of TR 36.942 Annex A.2: attenuation, highest bit/s/Hz; nothing below -10 dB.
DL_BOUND: Final = (0.6, 4.4)
UL_BOUND: Final = (0.4, 2.0)
LOWEST_SINR_DB: Final = -10.0
# Open-loop power control of TS 36.213 §5.1.1: 23 dBm at most, P0 per block, α. Power is planned for a fifth of the
# blocks; a terminal with power to spare takes more of them.
USER_POWER_DBM: Final = 23.0
P0_DBM: Final = -87.0
ALPHA: Final = 0.8
UL_BLOCK_SHARE: Final = 0.2
# Share of the rate that remains in a full cell.
_MIN_RATE_SHARE: Final = 0.05
_MAX_ROUNDS: Final = 16
_LOAD_TOLERANCE: Final = 2e-3


@dataclass(frozen=True, slots=True, eq=False)
class UserClass:
    """One class of users: the band that serves each point (index into the list of bands) and the users there."""

    band: Integers
    users: Doubles


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """Solved network: load of every cell, SINR per band and point, and the classes of users."""

    dl: Doubles
    ul: Doubles
    sinr: tuple[Floats, ...]
    ul_sinr: tuple[Floats, ...]
    served: tuple[UserClass, ...]


def spectral_efficiency(sinr: Floats, bound: tuple[float, float]) -> Floats:
    """TR 36.942 A.2: α log2(1 + SINR) in bit/s/Hz, capped at the top, zero below -10 dB."""
    alpha, most = bound
    found = np.minimum(np.float32(alpha) * np.log2(1 + np.power(np.float32(10), sinr / 10)), np.float32(most))
    return np.asarray(np.where(sinr < np.float32(LOWEST_SINR_DB), np.float32(0), found), np.float32)


def dl_capacity_mbps(band: Band, sinr: Floats) -> Floats:
    """Downlink rate of a single user at each point if it had the whole cell."""
    carrier = band.carrier
    mhz = carrier.resource_blocks * 12 * carrier.spacing_khz / 1000 * carrier.dl_share * carrier.layers
    return np.asarray(np.float32(mhz) * spectral_efficiency(sinr, DL_BOUND), np.float32)


def ul_capacity_mbps(band: Band, sinr: Floats) -> Floats:
    """Uplink rate of all blocks of the cell at each point's uplink SINR."""
    carrier = band.carrier
    mhz = carrier.resource_blocks * 12 * carrier.spacing_khz / 1000 * carrier.ul_share
    return np.asarray(np.float32(mhz) * spectral_efficiency(sinr, UL_BOUND), np.float32)


def remaining_share(load: Doubles) -> Floats:
    """Share of the rate a user gets beside the others: 1 - load (processor sharing), with a minimum."""
    return np.maximum(1 - load, _MIN_RATE_SHARE).astype(np.float32)


def build_user_classes(bands: Sequence[Band], traffic: Traffic, users: Doubles) -> tuple[UserClass, ...]:
    """Terminals that support every carrier and, if both RATs exist, a second class that supports only LTE."""
    rats = [band.carrier.rat for band in bands]
    if set(rats) != {"LTE", "NR"}:
        return (UserClass(_find_strongest_band(bands, list(range(len(bands)))), users),)
    lte = [number for number, rat in enumerate(rats) if rat == "LTE"]
    nr = [number for number, rat in enumerate(rats) if rat == "NR"]
    new, old = _find_strongest_band(bands, nr), _find_strongest_band(bands, lte)
    level = np.max([bands[number].level for number in nr], axis=0)
    capable = np.where(level >= NR_FLOOR_DBM, new, old)
    return UserClass(capable, users * traffic.nr_share), UserClass(old, users * (1 - traffic.nr_share))


def solve_loads(bands: Sequence[Band], cells: int, traffic: Traffic, users: Doubles) -> Loads:
    """Iterate load → SINR → load from an empty network until it converges."""
    served = build_user_classes(bands, traffic, users)
    dl, ul = np.zeros(cells), np.zeros(cells)
    weights = _compute_uplink_weights(bands, served)
    for _ in range(_MAX_ROUNDS):
        sinr = [sinr_db(band, dl[band.rows]) for band in bands]
        back = [_ul_sinr(band, ul[band.rows], weight) for band, weight in zip(bands, weights, strict=True)]
        next_dl = _compute_load(
            bands, served, _seconds_per_megabit(bands, sinr, dl_capacity_mbps), traffic.dl_mbps, cells
        )
        next_ul = _compute_load(
            bands, served, _seconds_per_megabit(bands, back, ul_capacity_mbps), traffic.ul_mbps, cells
        )
        moved = max(float(np.abs(next_dl - dl).max()), float(np.abs(next_ul - ul).max()))
        dl, ul = next_dl, next_ul
        if moved < _LOAD_TOLERANCE:
            break
    return Loads(dl, ul, tuple(sinr), tuple(back), served)


def _find_strongest_band(bands: Sequence[Band], numbers: Sequence[int]) -> Integers:
    levels = np.stack([bands[number].level for number in numbers])
    return np.asarray(np.array(numbers, np.intp)[levels.argmax(axis=0)], np.intp)


def _seconds_per_megabit(
    bands: Sequence[Band], sinr: Sequence[Floats], capacity: Callable[[Band, Floats], Floats]
) -> list[Doubles]:
    """Seconds of a whole cell per megabit; 0 where nothing can be sent."""
    found = []
    for band, values in zip(bands, sinr, strict=True):
        rate = capacity(band, values).astype(np.float64)
        found.append(np.where(rate > 0, 1 / np.maximum(rate, 1e-9), 0.0))
    return found


def _compute_load(
    bands: Sequence[Band], served: Sequence[UserClass], seconds: Sequence[Doubles], mbps: float, cells: int
) -> Doubles:
    load = np.zeros(cells)
    for group in served:
        for number, band in enumerate(bands):
            work = np.where(group.band == number, group.users * seconds[number], 0.0)
            load[band.rows] += np.bincount(band.best, work, band.rows.size) * mbps
    return np.minimum(load, 1.0)


def _compute_uplink_weights(bands: Sequence[Band], served: Sequence[UserClass]) -> list[Doubles]:
    """Share of each point in the uplink of its serving cell."""
    found = []
    for number, band in enumerate(bands):
        users = sum((np.where(group.band == number, group.users, 0.0) for group in served), np.zeros(band.best.size))
        total = np.bincount(band.best, users, band.rows.size)
        found.append(users / np.maximum(total[band.best], 1e-12))
    return found


def _ul_sinr(band: Band, load: Doubles, weight: Doubles) -> Floats:
    """Uplink SINR per block, with the interference that users of the other cells actually cause."""
    carrier = band.carrier
    site_mw = 10 ** (-band.element_dbm / 10)
    most = USER_POWER_DBM - 10 * log10(max(1.0, UL_BLOCK_SHARE * carrier.resource_blocks))
    power = np.power(10.0, np.minimum(most, _wanted_block_dbm(band)) / 10)
    sent = (power * weight * load[band.best]).astype(np.float32)
    own = pick_rows(band.milliwatts, band.best)
    heard = sum_over_points(band.milliwatts, sent) - np.bincount(band.best, own * sent, band.rows.size)
    noise = 10 ** ((THERMAL_DBM_HZ + 10 * log10(12 * carrier.spacing_khz * 1e3) + SITE_NOISE_DB) / 10)
    floor = np.maximum(heard, 0) * site_mw + noise
    # Receive antennas combine the wanted signal; interference and noise do not add up in phase.
    combined = site_mw * 10 ** (band.receive_db / 10)
    return to_db(power * own * combined[band.best] / floor[band.best])


def _wanted_block_dbm(band: Band) -> NDArray[np.floating]:
    """Power per block that open-loop control asks a terminal at each point for, before its limit."""
    coupling_db = band.element_dbm[band.best].astype(np.float32) - band.level
    return np.asarray(P0_DBM + ALPHA * coupling_db)


def ul_block_share(band: Band) -> Floats:
    """Share of the blocks a terminal can fill at the power per block it is asked for: a fifth at least, at most 1."""
    blocks = np.power(10.0, (USER_POWER_DBM - _wanted_block_dbm(band)) / 10)
    return np.asarray(np.clip(blocks / band.carrier.resource_blocks, UL_BLOCK_SHARE, 1), np.float32)


def rates_mbps(bands: Sequence[Band], loads: Loads) -> Mapping[str, list[Floats]]:
    """Rate that a user of each band gets at each point beside the others: `dl` and `ul`."""
    down = [
        dl_capacity_mbps(band, sinr) * remaining_share(loads.dl)[band.serving]
        for band, sinr in zip(bands, loads.sinr, strict=True)
    ]
    up = [
        ul_block_share(band) * ul_capacity_mbps(band, sinr) * remaining_share(loads.ul)[band.serving]
        for band, sinr in zip(bands, loads.ul_sinr, strict=True)
    ]
    return {"dl": down, "ul": up}
