"""Decisions on numbers: peaks, harmonics, change points, anomalies, outliers, distributions, similarity."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_signal, check_spectrum, check_varies

__all__ = [
    "AnomalyScores",
    "Harmonic",
    "SampleComparison",
    "check_rules",
    "compare_distributions",
    "compute_anomaly_scores",
    "find_change_points",
    "find_outliers",
    "list_harmonics",
    "list_peaks",
]

_MAX_SERIES = 20_000
_MAX_KERNEL_SERIES = 2_000  # the kernel cost needs an N x N matrix
_OPERATORS: Mapping[str, np.ufunc] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


class Harmonic(NamedTuple):
    """A harmonic looked for and what was found."""

    number: int
    expected: float
    found: float
    amplitude: float
    snr: float


class AnomalyScores(NamedTuple):
    """Distance of each record from the baseline, and the distance that a fraction of normal records does not exceed."""

    scores: FloatArray
    limit: float


class SampleComparison(NamedTuple):
    """Result of a Kolmogorov-Smirnov test."""

    statistic: float
    p_value: float


def list_peaks(
    values: npt.ArrayLike, *, step: float, start: float = 0.0, prominence: float | None = None, max_peaks: int = 10
) -> Sequence[tuple[float, float]]:
    """Peaks (place, height) of a one-channel array, highest first; without `prominence`, five robust deviations."""
    from scipy.signal import find_peaks

    array = check_varies(check_signal(values, min_length=3)).astype(np.float64)
    if array.ndim != 1:
        raise ValueError(f"peaks are looked for in one channel, not in an array of shape {array.shape}")
    if prominence is None:
        prominence = 5 * 1.4826 * float(np.median(np.abs(array - np.median(array))))
        prominence = prominence or 1e-9 * float(np.ptp(array))
    places, _ = find_peaks(array, prominence=prominence)
    best = places[np.argsort(-array[places], kind="stable")][:max_peaks]
    return [(float(start + step * place), float(array[place])) for place in best]


def list_harmonics(
    spectrum: npt.ArrayLike, fundamental: float, *, step: float, count: int = 5, tolerance: float = 0.01
) -> Sequence[Harmonic]:
    """Harmonics of a fundamental: largest line within +-tolerance (relative) and its ratio to the median around it."""
    array = check_spectrum(spectrum).astype(np.float64)
    if array.ndim != 1:
        raise ValueError(f"harmonics are looked for in one spectrum, not in an array of shape {array.shape}")
    top = step * (array.size - 1)
    if not step < fundamental <= top:
        raise ValueError(f"the fundamental {fundamental:g} lies outside of the spectrum ({step:g}-{top:g})")
    found = []
    for number in range(1, count + 1):
        expected = number * fundamental
        if expected * (1 + tolerance) > top:
            break
        half = max(tolerance * expected, step)
        low, high = int(np.ceil((expected - half) / step)), int(np.floor((expected + half) / step))
        near = array[
            max(0, round((expected - 0.25 * fundamental) / step)) : round((expected + 0.25 * fundamental) / step) + 1
        ]
        at = low + int(array[low : high + 1].argmax())
        background = max(float(np.median(near)), float(array.max()) * 1e-12)
        found.append(Harmonic(number, expected, at * step, float(array[at]), float(array[at]) / background))
    return found


def find_change_points(
    series: npt.ArrayLike, *, model: str = "l2", penalty: float = 3.0, min_size: int = 5
) -> Sequence[int]:
    """First index of each new regime of a series (PELT); the penalty counts in units of ln N noise variances."""
    import ruptures

    if model not in ("l1", "l2", "rbf"):
        raise ValueError(f"unknown model {model!r}; one of l1, l2, rbf")
    array = check_signal(series, min_length=2 * min_size, what="the series").astype(np.float64).ravel()
    if array.size > (_MAX_KERNEL_SERIES if model == "rbf" else _MAX_SERIES):
        raise ValueError(f"a series of {array.size} values is too long; take means over windows first")
    check_varies(array, what="the series")
    steps = np.diff(array)
    noise = 1.4826 * float(np.median(np.abs(steps - np.median(steps)))) / np.sqrt(2)
    noise = noise or float(array.std())
    search = ruptures.Pelt(model=model, min_size=min_size, jump=1).fit((array / noise)[:, None])
    return [int(place) for place in search.predict(pen=penalty * np.log(array.size))[:-1]]


def compute_anomaly_scores(
    records: npt.ArrayLike, baseline: npt.ArrayLike, *, metric: str = "mahalanobis", quantile: float = 0.99
) -> AnomalyScores:
    """Distances of records (record, feature) from a baseline of normal records; 1 is a usual distance per feature."""
    table = np.atleast_2d(check_signal(records, min_length=1, what="the table of features")).astype(np.float64)
    normal = check_signal(baseline, min_length=1, what="the baseline").astype(np.float64)
    if normal.ndim != 2 or normal.shape[0] < 5:
        raise ValueError("a baseline needs at least 5 normal records of the same features")
    if table.shape[-1] != normal.shape[-1]:
        raise ValueError(f"{table.shape[-1]} features do not fit a baseline of {normal.shape[-1]}")
    if metric not in ("mahalanobis", "euclidean"):
        raise ValueError(f"unknown metric {metric!r}; one of mahalanobis, euclidean")
    center, spread = normal.mean(axis=0), normal.std(axis=0)
    if not bool((spread > 0).all()):
        raise ValueError("a feature of the baseline is constant; leave it out")
    scaled, reference = (table - center) / spread, (normal - center) / spread
    inverse = _inverse_covariance(reference) if metric == "mahalanobis" else np.eye(len(center))

    def measure(rows: FloatArray) -> FloatArray:
        return np.asarray(np.sqrt(np.einsum("ij,jk,ik->i", rows, inverse, rows) / len(center)))

    return AnomalyScores(measure(scaled), float(np.quantile(measure(reference), quantile)))


def _inverse_covariance(rows: FloatArray) -> FloatArray:
    from sklearn.covariance import LedoitWolf

    precision: FloatArray = LedoitWolf(assume_centered=True).fit(rows).get_precision()
    return precision


def find_outliers(
    records: npt.ArrayLike, *, contamination: float = 0.1, seed: int = 0
) -> tuple[npt.NDArray[np.bool_], FloatArray]:
    """Which records (record, feature) an isolation forest calls outliers, and their scores (higher is stranger)."""
    from sklearn.ensemble import IsolationForest

    table = check_signal(records, min_length=1, what="the table of features")
    if table.ndim != 2 or table.shape[0] < 10:
        raise ValueError("outliers need a table of at least 10 records (record, feature)")
    if not 0 < contamination <= 0.5:
        raise ValueError(f"contamination is a share between 0 and 0.5, not {contamination!r}")
    forest = IsolationForest(contamination=contamination, random_state=seed).fit(table)
    return np.asarray(forest.predict(table) < 0), np.asarray(-forest.score_samples(table))


def compare_distributions(x: npt.ArrayLike, y: npt.ArrayLike) -> SampleComparison:
    """Two-sample Kolmogorov-Smirnov test. Samples of a vibration are correlated, so p is too small for raw signals."""
    from scipy.stats import ks_2samp

    first = check_signal(x, min_length=5, what="the first sample").ravel()
    second = check_signal(y, min_length=5, what="the second sample").ravel()
    result = ks_2samp(first, second)
    return SampleComparison(float(result.statistic), float(result.pvalue))


def check_rules(
    values: Mapping[str, float], rules: Sequence[tuple[str, str, float]], *, logical_op: str = "AND"
) -> tuple[bool, Sequence[bool]]:
    """Whether all (AND) or any (OR) of the rules (name, comparison, limit) hold, and each of them."""
    if logical_op not in ("AND", "OR"):
        raise ValueError(f"unknown logic {logical_op!r}; one of AND, OR")
    if not rules:
        raise ValueError("no rule is given")
    results = []
    for name, comparison, limit in rules:
        if name not in values:
            raise ValueError(f"a rule asks for {name!r}; there are {', '.join(sorted(values)) or 'no values'}")
        if comparison not in _OPERATORS:
            raise ValueError(f"unknown comparison {comparison!r}; one of {', '.join(_OPERATORS)}")
        results.append(bool(_OPERATORS[comparison](values[name], limit)))
    return (all(results) if logical_op == "AND" else any(results)), results
