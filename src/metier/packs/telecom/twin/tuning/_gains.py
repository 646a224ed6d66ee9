"""Numbers of the whole network before and after tuning; each name says what it is averaged over."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from metier.packs.telecom.twin.diagnosis import get_threshold
from metier.packs.telecom.twin.radio import COVERED_DBM, Doubles, NetworkState


@dataclass(frozen=True, slots=True)
class Gain:
    """A number of the whole network, before and after; `digits` is how many decimals mean something."""

    name_zh: str
    name_en: str
    unit: str
    digits: int
    before: float
    after: float
    better: Literal["higher", "lower"]


class _GainName(NamedTuple):
    name_zh: str
    name_en: str
    unit: str
    digits: int
    better: Literal["higher", "lower"]


def compute_gains(before: NetworkState, after: NetworkState) -> tuple[Gain, ...]:
    """Compute the numbers of both states: weighted by users, or counts of cells."""
    one, two = _compute_totals(before), _compute_totals(after)
    return tuple(
        Gain(name.name_zh, name.name_en, name.unit, name.digits, round(first, 3), round(second, 3), name.better)
        for name, first, second in zip(_name_gains(), one, two, strict=True)
    )


_MEANS: Final = (
    _GainName("用户加权RSRP", "user-weighted RSRP", "dBm", 1, "higher"),
    _GainName("用户加权SINR", "user-weighted SINR", "dB", 1, "higher"),
    _GainName("用户加权MR覆盖率", "user-weighted MR coverage", "%", 1, "higher"),
    _GainName("用户加权重叠覆盖度", "user-weighted overlap", "", 2, "lower"),
    _GainName("用户加权下行速率", "user-weighted downlink rate", "Mbps", 1, "higher"),
    _GainName("用户加权上行速率", "user-weighted uplink rate", "Mbps", 1, "higher"),
    _GainName("用户加权RRC连接成功率", "user-weighted RRC success rate", "%", 1, "higher"),
    _GainName("用户加权切换成功率", "user-weighted handover success rate", "%", 1, "higher"),
    _GainName("最高下行PRB利用率", "highest downlink PRB utilisation", "%", 1, "lower"),
)


def _name_gains() -> tuple[_GainName, ...]:
    """Names of all numbers; the two counts of cells say their limit."""
    high, busy = get_threshold("prb_high"), get_threshold("prb_busy")
    counts = (
        (f"下行PRB利用率超过{high:g} %的小区数", f"cells above {high:g} % downlink PRB"),
        (f"上行或下行PRB利用率超过{busy:g} %的小区数", f"cells above {busy:g} % PRB, up or down"),
    )
    return (*_MEANS, *(_GainName(zh, en, "", 0, "lower") for zh, en in counts))


def _compute_totals(state: NetworkState) -> list[float]:
    users, grid, cells = state.radio.ground.users, state.grid_values, state.cell_values
    weights = users / users.sum()
    covered = [float(weights @ (band.level >= COVERED_DBM)) for band in state.bands]
    on_cells = cells["users"] + 1e-9
    down, up = cells["dl_prb"], cells["ul_prb"]
    busy = get_threshold("prb_busy")
    return [
        float(weights @ grid["rsrp"]),
        float(weights @ grid["sinr"]),
        100 * float(np.mean(covered)),
        float(weights @ grid["overlap"]),
        float(weights @ grid["dl_rate"]),
        float(weights @ grid["ul_rate"]),
        _weighted_mean(cells["access"], on_cells),
        _weighted_mean(cells["handover"], on_cells),
        float(down.max()),
        float((down > get_threshold("prb_high")).sum()),
        float(((down > busy) | (up > busy)).sum()),
    ]


def _weighted_mean(values: Doubles, weights: Doubles) -> float:
    known = ~np.isnan(values)
    return float((values[known] * weights[known]).sum() / weights[known].sum())
