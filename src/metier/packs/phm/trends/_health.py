"""Health index of a trend (as the operator `health_index` computes it), and the first lasting alarm."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput
from metier.packs.phm.signals._trends import compute_health_index, limit_deviation, measure_baseline

Array = NDArray[np.float64]

_SMOOTHING: Final = 0.2
_MIN_RECORDS: Final = 30


@dataclass(frozen=True, slots=True, eq=False)
class HealthTrend:
    """Health index by record (0 healthy, 1 at the alarm limit), and the first record of a lasting alarm."""

    values: Array
    index: Array
    baseline: int
    centre: float
    limit: float
    first_alarm: int | None

    @property
    def ratio(self) -> float:
        """Present level (median of the last five records) in multiples of the start."""
        return float(np.median(self.values[-5:]) / self.centre)


def follow_health(values: Array, *, baseline: int | None = None, lasting: int | None = None) -> HealthTrend:
    """Follow a feature of rising damage (RMS, peak) over the records of a machine."""
    series = np.asarray(values, np.float64).ravel()
    if len(series) < _MIN_RECORDS or not np.isfinite(series).all():
        raise InvalidInput(
            f"a trend needs at least {_MIN_RECORDS} finite records, here are {int(np.isfinite(series).sum())}",
            hint="give the records in the order of time",
        )
    first = baseline or min(max(len(series) // 10, 20), 200)
    centre, spread = (float(one[0]) for one in measure_baseline(series[:first, None]))
    limit = spread * limit_deviation(_SMOOTHING)
    index = np.asarray(compute_health_index(series, baseline=first, smoothing=_SMOOTHING), np.float64)
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
