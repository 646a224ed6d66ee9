"""Remaining useful life of one machine from its own trend; none before degradation is seen."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.trends._health import HealthTrend

Array = NDArray[np.float64]

_MIN_RECORDS: Final = 8
_DRAWS: Final = 400
_FAR: Final = 50.0


@dataclass(frozen=True, slots=True)
class RemainingLife:
    """Records left until the failure level with an 80 % interval; without a number, `reason` says why."""

    records: float | None
    low: float | None = None
    high: float | None = None
    reason: Literal["", "no_degradation", "too_few_records", "no_growth", "failed"] = ""


def estimate_remaining_life(trend: HealthTrend, failure_level: float, *, seed: int = 0) -> RemainingLife:
    """Extrapolate the growth since the first lasting alarm to the failure level, exponential in time."""
    if trend.first_alarm is None:
        return RemainingLife(None, reason="no_degradation")
    grown = trend.values[trend.first_alarm :]
    if len(grown) < _MIN_RECORDS:
        return RemainingLife(None, reason="too_few_records")
    now = float(np.median(grown[-3:]))
    if now >= failure_level:
        return RemainingLife(0.0, 0.0, 0.0, reason="failed")
    logs = np.log(np.maximum(grown, np.finfo(float).tiny))
    left = _extrapolate(logs, failure_level)
    if left is None:
        return RemainingLife(None, reason="no_growth")
    random = np.random.default_rng(seed)
    slope, level = np.polyfit(np.arange(len(logs)), logs, 1)
    fitted = level + slope * np.arange(len(logs))
    residuals = logs - fitted
    draws = (_extrapolate(fitted + random.choice(residuals, len(logs)), failure_level) for _ in range(_DRAWS))
    found = [draw if draw is not None else _FAR * len(logs) for draw in draws]
    low, high = np.quantile(found, [0.1, 0.9])
    return RemainingLife(left, min(float(low), left), max(float(high), left))


def _extrapolate(logs: Array, failure_level: float) -> float | None:
    slope, level = np.polyfit(np.arange(len(logs)), logs, 1)
    if slope <= 1e-6:
        return None
    return float(max((np.log(failure_level) - level) / slope - (len(logs) - 1), 0.0))
