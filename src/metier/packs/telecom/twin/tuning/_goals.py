"""Objectives to maximise when tuning: one number per problem, on a scale of about a hundred points.

A goal sees a carrier through six arrays and never the parameters, so the same function scores the thinned grid of the
search and the full grid of the verification.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.diagnosis import get_threshold
from metier.packs.telecom.twin.radio import (
    DL_BOUND,
    Band,
    Doubles,
    Floats,
    Integers,
    Loads,
    Radio,
    plan_band,
    spectral_efficiency,
)
from metier.packs.telecom.twin.scenario import Problem, Scenario

# Half of a point's weight is its area, half its users.
_GROUND_WEIGHT: Final = 0.5
# A point served from more than this many planned radii away counts as overshot.
_FAR_RADII: Final = 1.5
# Load above this level is worth moving to other cells.
COMFORTABLE_LOAD: Final = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class TuningFrame:
    """Constants of a carrier during tuning: point weights, which points count as far, capacity and demand."""

    weights: Floats
    far: NDArray[np.bool_]
    full_mbps: float
    demand_mbps: Floats
    cells: int


@dataclass(frozen=True, slots=True, eq=False)
class CarrierView:
    """Current state of a carrier: level, SINR and serving cell of every point."""

    level: Floats
    sinr: Floats
    best: Integers


Goal = Callable[[TuningFrame, CarrierView], float]


def build_frame(scenario: Scenario, radio: Radio, band: Band, on_band: Doubles) -> TuningFrame:
    """Build the frame of one carrier; `on_band` are its users at each point, `scenario` is the one before tuning."""
    users = radio.ground.users
    weights = (1 - _GROUND_WEIGHT) * users / users.sum() + _GROUND_WEIGHT / users.size
    planned = plan_band(scenario, radio, band)
    sites = [scenario.cells[row].site for row in band.rows]
    far = np.stack(
        [radio.flat_m[site] > _FAR_RADII * reach for site, reach in zip(sites, planned.radius_m, strict=True)]
    )
    carrier, traffic = band.carrier, scenario.traffic
    full = carrier.resource_blocks * 12 * carrier.spacing_khz / 1000 * carrier.dl_share * carrier.layers
    demand = (on_band * traffic.dl_mbps).astype(np.float32)
    return TuningFrame(weights.astype(np.float32), far, full, demand, band.rows.size)


def count_users_on(bands: Sequence[Band], loads: Loads, number: int) -> Doubles:
    """Users that one carrier serves at each point."""
    empty = np.zeros(bands[number].best.size)
    return sum((np.where(group.band == number, group.users, 0.0) for group in loads.served), empty)


def score_coverage(frame: TuningFrame, view: CarrierView) -> float:
    """Share of points above -110 dBm in %, with a soft threshold so that every dB near the limit counts."""
    rise = 1 / (1 + np.exp(np.clip((np.float32(get_threshold("weak_rsrp")) - view.level) / 2, -30, 30)))
    return 100 * _weighted_mean(frame, rise)


def score_quality(frame: TuningFrame, view: CarrierView) -> float:
    """Mean SINR in dB, clipped where more has no benefit."""
    return _weighted_mean(frame, np.clip(view.sinr, -5, 25))


def score_overshoot(frame: TuningFrame, view: CarrierView) -> float:
    """Share of points served strongly from too far away, in %."""
    strong = view.level > np.float32(get_threshold("overshoot_rsrp"))
    return 100 * _weighted_mean(frame, frame.far[view.best, np.arange(view.best.size)] & strong)


def score_crowding(frame: TuningFrame, view: CarrierView) -> float:
    """Sum of squared load above the comfortable level; a full cell counts beyond 100 %."""
    rate = np.float32(frame.full_mbps) * np.maximum(spectral_efficiency(view.sinr, DL_BOUND), np.float32(0.05))
    load = np.bincount(view.best, frame.demand_mbps / rate, frame.cells)
    return float(np.square(np.maximum(load - COMFORTABLE_LOAD, 0)).sum())


def _weighted_mean(frame: TuningFrame, values: NDArray[np.floating] | NDArray[np.bool_]) -> float:
    return float(np.einsum("i,i->", frame.weights, values, dtype=np.float32))


@dataclass(frozen=True, slots=True)
class GoalWeights:
    """Points of a goal beside the covered share, which counts one point for each percent.

    `quality` for each dB of the mean SINR, `overshoot` lost for each percent served from too far away, `crowding` lost
    for each unit of squared load above the comfortable level.
    """

    quality: float
    overshoot: float = 0.0
    crowding: float = 0.0

    def score(self, frame: TuningFrame, view: CarrierView) -> float:
        points = score_coverage(frame, view) + self.quality * score_quality(frame, view)
        if self.overshoot:
            points -= self.overshoot * score_overshoot(frame, view)
        if self.crowding:
            points -= self.crowding * score_crowding(frame, view)
        return points


GOAL_WEIGHTS: Mapping[Problem, GoalWeights] = MappingProxyType(
    {
        "weak_coverage": GoalWeights(quality=0.3),
        "overshoot": GoalWeights(quality=2.0, overshoot=1.0),
        "interference": GoalWeights(quality=4.0),
        "load": GoalWeights(quality=1.0, crowding=20.0),
    }
)
GOALS: Mapping[Problem, Goal] = MappingProxyType({name: weights.score for name, weights in GOAL_WEIGHTS.items()})
