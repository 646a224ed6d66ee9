"""Health index of a trend: distance from its own first records in robust standard deviations, smoothed.

Only records up to the one judged are used, so an alarm stands where it would have been given.
"""

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput

Array = NDArray[np.float64]

_SMOOTHING: Final = 0.2
_LIMIT: Final = 8.0
_MIN_RECORDS: Final = 30
_TO_DEVIATION: Final = 1.4826
_MAX_STEP: Final = 15.0  # deviations that one record counts at most: a spike does not last


@dataclass(frozen=True, slots=True, eq=False)
class HealthTrend:
    """Health index by record (0 healthy, 1 at the alarm limit), and the first record of a lasting alarm."""

    values: Array
    index: Array
    baseline: int
    centre: float
    limit: float
    first_alarm: int | None


def follow_health(values: Array, *, baseline: int | None = None, lasting: int | None = None) -> HealthTrend:
    """Follow a feature of rising damage (RMS, peak) over the records of a machine."""
    series = np.asarray(values, np.float64).ravel()
    if len(series) < _MIN_RECORDS or not np.isfinite(series).all():
        raise InvalidInput(
            f"a trend needs at least {_MIN_RECORDS} finite records, here are {int(np.isfinite(series).sum())}",
            hint="give the records in the order of time",
        )
    first = baseline or min(max(len(series) // 10, 20), 200)
    early = series[first // 10 : first]
    centre = float(np.median(early))
    spread = _TO_DEVIATION * float(np.median(np.abs(early - centre)))
    spread = max(spread, 1e-3 * abs(centre), np.finfo(float).tiny)
    # The deviation of an exponential average of independent values is smaller by this factor.
    limit = _LIMIT * spread * float(np.sqrt(_SMOOTHING / (2 - _SMOOTHING)))
    index = _smooth(np.clip(series - centre, -_MAX_STEP * spread, _MAX_STEP * spread)) / limit
    alarm = find_lasting_alarm(index, after=first, lasting=lasting or max(5, round(0.02 * len(series))))
    return HealthTrend(series, index, first, centre, centre + limit, alarm)


def find_lasting_alarm(index: Array, *, after: int, lasting: int) -> int | None:
    """First record from which the index stays above 1 for so many records."""
    run = 0
    for at in range(after, len(index)):
        run = run + 1 if index[at] > 1 else 0
        if run >= lasting:
            return at - lasting + 1
    return None


def _smooth(values: Array) -> Array:
    """Exponential smoothing from 0."""
    smooth = accumulate(values.tolist(), lambda last, new: last + _SMOOTHING * (new - last), initial=0.0)
    return np.array(list(smooth)[1:], np.float64)
