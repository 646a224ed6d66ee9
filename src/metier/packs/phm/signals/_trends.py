"""Trends over records: health index, its quality, control charts, remaining useful life."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_signal, check_varies

__all__ = [
    "ControlChart",
    "LifeEstimate",
    "chart_cusum",
    "chart_ewma",
    "compute_health_index",
    "compute_monotonicity",
    "compute_prognosability",
    "compute_trendability",
    "estimate_remaining_life",
    "limit_deviation",
    "measure_baseline",
    "smooth_trend",
]

_TO_DEVIATION: Final = 1.4826
_LIMIT: Final = 8.0
_MAX_STEP: Final = 15.0  # deviations that one record counts at most: a spike does not last


class ControlChart(NamedTuple):
    """Chart values, the limit, and the first record of the first lasting alarm (None: no alarm)."""

    values: FloatArray
    limit: float
    first_alarm: int | None


class LifeEstimate(NamedTuple):
    """Remaining life in the unit of the axis with an interval; all None while no degradation is seen."""

    model: str
    mean: float | None
    low: float | None
    high: float | None
    slope: float
    reason: str


def smooth_trend(series: npt.ArrayLike, *, weight: float = 0.2) -> FloatArray:
    """Exponentially weighted moving average; the first value is kept."""
    from scipy.signal import lfilter

    if not 0 < weight <= 1:
        raise ValueError(f"the weight must lie between 0 and 1, not {weight!r}")
    array = check_signal(series, min_length=1, what="the series")
    state = (1 - weight) * array[..., :1]
    smooth: FloatArray = lfilter([weight], [1, weight - 1], array, axis=-1, zi=state)[0]
    return smooth


def measure_baseline(early: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Median and robust deviation of each feature over the first records; the very first tenth may be running in."""
    kept = early[early.shape[0] // 10 :]
    centre = np.median(kept, axis=0)
    spread = _TO_DEVIATION * np.median(np.abs(kept - centre), axis=0)
    return centre, np.maximum(np.maximum(spread, 1e-3 * np.abs(centre)), np.finfo(float).tiny)


def limit_deviation(smoothing: float) -> float:
    """Smoothed deviation that is the alarm limit: that of an average of independent values is smaller by the root."""
    return _LIMIT * float(np.sqrt(smoothing / (2 - smoothing)))


def compute_health_index(
    records: npt.ArrayLike, *, baseline: int, smoothing: float = 0.2, monotone: bool = False
) -> FloatArray:
    """Smoothed distance from the first `baseline` records in robust deviations: 0 healthy, 1 at the alarm limit.

    Of several features (record, feature), each rising with damage, the one that rose most counts. Only records up to
    the one judged are used, so an alarm stands where it would have been given.
    """
    from scipy.signal import lfilter

    table = check_signal(records, min_length=1, what="the table of features").astype(np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not 5 <= baseline <= table.shape[0]:
        raise ValueError(
            "a health index needs a table (record, feature) and a baseline of 5 or more of its first records"
        )
    centre, spread = measure_baseline(table[:baseline])
    distance = np.clip((table - centre) / spread, -_MAX_STEP, _MAX_STEP).max(axis=1)
    smooth = np.asarray(lfilter([smoothing], [1, smoothing - 1], distance)) / limit_deviation(smoothing)
    return np.maximum.accumulate(smooth) if monotone else smooth


def compute_monotonicity(series: npt.ArrayLike) -> FloatArray:
    """|rises - falls| / (N - 1): 1 for a series that only rises or only falls."""
    steps = np.sign(np.diff(check_signal(series, what="the series"), axis=-1))
    return np.asarray(np.abs(steps.sum(axis=-1)) / steps.shape[-1])


def compute_trendability(runs: npt.ArrayLike) -> float:
    """Smallest absolute correlation between runs (run, time) of the same length: 1 when all follow one curve."""
    table = check_varies(check_signal(runs, min_length=3, what="the runs"), what="a run")
    if table.ndim != 2 or table.shape[0] < 2:
        raise ValueError("trendability needs at least two runs (run, time)")
    return float(np.abs(np.corrcoef(table)).min())


def compute_prognosability(runs: npt.ArrayLike) -> float:
    """exp(-std of the last values / mean |first - last|): 1 when all runs fail at the same value."""
    table = check_signal(runs, min_length=2, what="the runs")
    if table.ndim != 2 or table.shape[0] < 2:
        raise ValueError("prognosability needs at least two runs (run, time)")
    span = float(np.abs(table[:, 0] - table[:, -1]).mean())
    if span == 0:
        raise ValueError("the runs end where they begin: prognosability has no value")
    return float(np.exp(-table[:, -1].std() / span))


def _standardize(series: npt.ArrayLike, baseline: int) -> FloatArray:
    array = check_signal(series, min_length=baseline + 1, what="the series").astype(np.float64)
    if array.ndim != 1 or baseline < 5:
        raise ValueError("a control chart needs one series and a baseline of at least 5 records")
    spread = float(array[:baseline].std(ddof=1))
    if spread == 0:
        raise ValueError("the baseline is constant: there is no noise to compare with")
    return np.asarray((array - array[:baseline].mean()) / spread)


def _first_lasting(over: npt.NDArray[np.bool_], lasting: int) -> int | None:
    if over.size < lasting:
        return None
    held = np.lib.stride_tricks.sliding_window_view(over, lasting).all(axis=-1)
    return int(held.argmax()) if bool(held.any()) else None


def chart_cusum(
    series: npt.ArrayLike, *, baseline: int, drift: float = 0.5, limit: float = 5.0, lasting: int = 1
) -> ControlChart:
    """One-sided CUSUM in standard deviations of the baseline: S = max(0, S + z - drift), alarm above the limit."""
    total, values = 0.0, []
    for step in _standardize(series, baseline) - drift:
        total = max(0.0, total + float(step))
        values.append(total)
    chart = np.array(values)
    return ControlChart(chart, limit, _first_lasting(chart > limit, lasting))


def chart_ewma(
    series: npt.ArrayLike, *, baseline: int, weight: float = 0.2, limit: float = 3.0, lasting: int = 1
) -> ControlChart:
    """One-sided EWMA chart: alarm above `limit` deviations of the smoothed baseline."""
    scaled = _standardize(series, baseline)
    chart = smooth_trend(scaled, weight=weight)
    bound = limit * float(np.sqrt(weight / (2 - weight)))
    return ControlChart(chart, bound, _first_lasting(chart > bound, lasting))


def estimate_remaining_life(
    series: npt.ArrayLike, *, step: float, threshold: float, model: str = "wiener", confidence: float = 0.9
) -> LifeEstimate:
    """Time until a health index reaches the threshold; no figure while it does not rise beyond its noise.

    `wiener`: drift and diffusion of the increments, first passage is inverse Gaussian with the mean (D - x) / mu and
    the shape ((D - x) / sigma)^2. `exponential`: straight line through the logarithm; the interval is where its
    prediction band crosses the threshold, so it holds the error of level and growth and the noise of a record.
    """
    array = check_signal(series, min_length=8, what="the health index").astype(np.float64)
    if array.ndim != 1:
        raise ValueError("remaining life needs one health index over time")
    if not 0 < confidence < 1 or step <= 0:
        raise ValueError("confidence must lie between 0 and 1 and the step must be positive")
    if array[-1] >= threshold:
        return LifeEstimate(model, 0.0, 0.0, 0.0, 0.0, "the threshold is reached")
    if model == "wiener":
        return _estimate_wiener(array, step, threshold, confidence)
    if model == "exponential":
        return _estimate_exponential(array, step, threshold, confidence)
    raise ValueError(f"unknown model {model!r}; one of wiener, exponential")


def _estimate_wiener(array: FloatArray, step: float, threshold: float, confidence: float) -> LifeEstimate:
    from scipy.stats import invgauss

    increments = np.diff(array)
    drift = float(increments.mean()) / step
    diffusion = float(increments.std(ddof=1)) / np.sqrt(step)
    error = diffusion / np.sqrt(step * increments.size)
    if drift <= 2 * error:
        return LifeEstimate("wiener", None, None, None, drift, "no degradation is seen: the drift is within its noise")
    distance = float(threshold - array[-1])
    mean = distance / drift
    if diffusion <= 1e-12 * drift:
        return LifeEstimate("wiener", mean, mean, mean, drift, "")
    # The drift is an estimate too: its error widens the interval (measured coverage of 90 % intervals: 90 %).
    variance = mean * (diffusion / drift) * (diffusion / drift) + (mean * error / drift) * (mean * error / drift)
    shape = mean * mean * mean / variance
    passage = invgauss(mean / shape, scale=shape)
    low, high = (float(passage.ppf(q)) for q in ((1 - confidence) / 2, (1 + confidence) / 2))
    return LifeEstimate("wiener", mean, low, high, drift, "")


def _estimate_exponential(array: FloatArray, step: float, threshold: float, confidence: float) -> LifeEstimate:
    from scipy.stats import linregress, t

    if float(array.min()) <= 0 or threshold <= 0:
        raise ValueError("an exponential model needs a health index and a threshold above 0")
    time = step * np.arange(array.size)
    fit = linregress(time, np.log(array))
    if fit.slope <= 2 * fit.stderr:
        return LifeEstimate(
            "exponential", None, None, None, float(fit.slope), "no degradation is seen: the growth is within its noise"
        )

    middle, last, slope = float(time.mean()), float(time[-1]), float(fit.slope)
    rise = float(np.log(threshold)) - float(fit.intercept + slope * middle)
    spread = float(((time - middle) ** 2).sum())
    rest = np.log(array) - (fit.intercept + slope * time)
    noise = float(t.ppf((1 + confidence) / 2, array.size - 2)) ** 2 * float((rest**2).sum()) / (array.size - 2)
    # (rise - slope x)^2 = noise (1 + 1/n + x^2 / spread), x counted from the middle of the records
    bend = slope * slope - noise / spread
    root = np.sqrt(max(0.0, noise * (rise * rise / spread + bend * (1 + 1 / array.size))))
    ends = sorted(((slope * rise - root) / bend, (slope * rise + root) / bend)) if bend > 0 else [0.0, np.inf]
    low, mean, high = (max(0.0, middle + one - last) for one in (ends[0], rise / slope, ends[1]))
    return LifeEstimate("exponential", mean, low, high, slope, "")
