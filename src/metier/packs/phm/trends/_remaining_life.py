"""Remaining useful life of one machine from its own trend; none before degradation is seen."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from metier.packs.phm.signals._trends import estimate_remaining_life as estimate_life
from metier.packs.phm.trends._health import HealthTrend

_MIN_RECORDS: Final = 8
_FAR: Final = 50.0


@dataclass(frozen=True, slots=True)
class RemainingLife:
    """Records left until the failure level with an 80 % interval; without a number, `reason` says why."""

    records: float | None
    low: float | None = None
    high: float | None = None
    reason: Literal["", "no_degradation", "too_few_records", "no_growth", "failed"] = ""


def estimate_remaining_life(trend: HealthTrend, failure_level: float) -> RemainingLife:
    """Extrapolate the growth since the first lasting alarm, as the operator `remaining_useful_life` does."""
    if trend.first_alarm is None:
        return RemainingLife(None, reason="no_degradation")
    grown = trend.values[trend.first_alarm :]
    if len(grown) < _MIN_RECORDS:
        return RemainingLife(None, reason="too_few_records")
    now = float(np.median(grown[-3:]))
    if now >= failure_level:
        return RemainingLife(0.0, 0.0, 0.0, reason="failed")
    life = estimate_life(
        np.maximum(grown, np.finfo(float).tiny), step=1.0, threshold=failure_level, model="exponential", confidence=0.8
    )
    if life.mean is None or life.low is None or life.high is None:
        return RemainingLife(None, reason="no_growth")
    return RemainingLife(life.mean, life.low, min(life.high, _FAR * len(grown)))
