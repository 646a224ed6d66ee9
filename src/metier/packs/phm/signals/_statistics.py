"""Statistics and entropies of a signal along its last axis.

No powers of arrays: products are six times faster.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_clipping, check_signal, check_varies

__all__ = [
    "FEATURE_NAMES",
    "compute_abs_mean",
    "compute_approximate_entropy",
    "compute_clearance_factor",
    "compute_crest_factor",
    "compute_features",
    "compute_histogram_entropy",
    "compute_hjorth",
    "compute_impulse_factor",
    "compute_kurtosis",
    "compute_peak",
    "compute_peak_to_peak",
    "compute_permutation_entropy",
    "compute_rms",
    "compute_sample_entropy",
    "compute_shape_factor",
    "compute_skewness",
    "compute_tkeo",
    "compute_variance",
    "compute_zero_crossing_rate",
]

_MAX_ENTROPY_SAMPLES = 20_000  # pairs of templates grow with the square of the length
_MAX_PATTERN = 7
FEATURE_NAMES = (
    "mean",
    "std",
    "rms",
    "peak",
    "peak_to_peak",
    "skew",
    "kurtosis",
    "crest_factor",
    "shape_factor",
    "impulse_factor",
    "clearance_factor",
)


def _mean_square(x: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...i,...i->...", x, x) / x.shape[-1])


def _center(x: FloatArray) -> FloatArray:
    return np.asarray(x - x.mean(axis=-1, keepdims=True))


def compute_rms(x: npt.ArrayLike) -> FloatArray:
    """Root of the mean square."""
    return np.asarray(np.sqrt(_mean_square(check_signal(x, min_length=1))))


def compute_abs_mean(x: npt.ArrayLike) -> FloatArray:
    """Mean of the absolute values."""
    return np.asarray(np.abs(check_signal(x, min_length=1)).mean(axis=-1))


def compute_peak(x: npt.ArrayLike) -> FloatArray:
    """Largest absolute value; a clipped record is refused."""
    array = check_clipping(check_signal(x, min_length=1))
    return np.asarray(np.maximum(array.max(axis=-1), -array.min(axis=-1)))


def compute_peak_to_peak(x: npt.ArrayLike) -> FloatArray:
    """Maximum minus minimum; a clipped record is refused."""
    array = check_clipping(check_signal(x, min_length=1))
    return np.asarray(array.max(axis=-1) - array.min(axis=-1))


def compute_variance(x: npt.ArrayLike) -> FloatArray:
    """Mean square distance from the mean (divided by N)."""
    return _mean_square(_center(check_signal(x)))


def compute_skewness(x: npt.ArrayLike) -> FloatArray:
    """Third moment over the cube of the standard deviation; 0 for a symmetric distribution."""
    centered = _center(check_varies(check_signal(x, min_length=3)))
    square = centered * centered
    variance = square.mean(axis=-1)
    third = np.einsum("...i,...i->...", square, centered) / centered.shape[-1]
    return np.asarray(third / (variance * np.sqrt(variance)))


def compute_kurtosis(x: npt.ArrayLike) -> FloatArray:
    """Fourth moment over the squared variance: 3 for Gaussian noise, 1.5 for a sine (nothing is subtracted)."""
    centered = _center(check_varies(check_signal(x, min_length=4)))
    square = centered * centered
    variance = square.mean(axis=-1)
    return np.asarray(_mean_square(square) / (variance * variance))


def compute_shape_factor(x: npt.ArrayLike) -> FloatArray:
    """RMS over the mean absolute value; pi / (2 sqrt 2) for a sine."""
    array = check_varies(check_signal(x))
    return np.asarray(np.sqrt(_mean_square(array)) / np.abs(array).mean(axis=-1))


def compute_crest_factor(x: npt.ArrayLike) -> FloatArray:
    """Peak over RMS; sqrt 2 for a sine."""
    array = check_varies(check_signal(x))
    return np.asarray(compute_peak(array) / np.sqrt(_mean_square(array)))


def compute_impulse_factor(x: npt.ArrayLike) -> FloatArray:
    """Peak over the mean absolute value."""
    array = check_varies(check_signal(x))
    return np.asarray(compute_peak(array) / np.abs(array).mean(axis=-1))


def compute_clearance_factor(x: npt.ArrayLike) -> FloatArray:
    """Peak over the squared mean of the square roots of the absolute values (margin factor)."""
    array = check_varies(check_signal(x))
    root = np.sqrt(np.abs(array)).mean(axis=-1)
    return np.asarray(compute_peak(array) / (root * root))


def compute_zero_crossing_rate(x: npt.ArrayLike, *, fs: float) -> FloatArray:
    """Sign changes around the mean per unit of time."""
    sign = _center(check_varies(check_signal(x))) >= 0
    crossings = np.count_nonzero(sign[..., 1:] != sign[..., :-1], axis=-1)
    return np.asarray(crossings * (fs / (sign.shape[-1] - 1)))


def compute_hjorth(x: npt.ArrayLike, *, fs: float) -> FloatArray:
    """Hjorth parameters (activity, mobility in rad/s, complexity) in a new last axis."""
    array = check_varies(check_signal(x, min_length=4))
    first = np.diff(array, axis=-1) * fs
    second = np.diff(first, axis=-1) * fs
    activity, slope, curve = (_mean_square(_center(one)) for one in (array, first, second))
    if bool((slope == 0).any()):
        raise ValueError("the signal is a straight line: mobility and complexity have no value")
    mobility = np.sqrt(slope / activity)
    return np.stack([activity, mobility, np.sqrt(curve / slope) / mobility], axis=-1)


def compute_tkeo(x: npt.ArrayLike) -> FloatArray:
    """Teager-Kaiser energy x[n]^2 - x[n-1] x[n+1]; two samples shorter. A^2 sin^2(w) for a sine of w rad per sample."""
    array = check_signal(x, min_length=3)
    middle = array[..., 1:-1]
    return np.asarray(middle * middle - array[..., :-2] * array[..., 2:])


def compute_features(x: npt.ArrayLike) -> FloatArray:
    """Eleven features (`FEATURE_NAMES`) in a new last axis, from few passes over the data."""
    array = check_clipping(check_varies(check_signal(x, min_length=4)))
    n = array.shape[-1]
    mean = array.mean(axis=-1)
    centered = array - mean[..., None]
    square = centered * centered
    variance = square.mean(axis=-1)
    third = np.einsum("...i,...i->...", square, centered) / n
    fourth = np.einsum("...i,...i->...", square, square) / n
    deviation = np.sqrt(variance)
    rms = np.sqrt(variance + mean * mean)
    highest, lowest = array.max(axis=-1), array.min(axis=-1)
    peak = np.maximum(highest, -lowest)
    absolute = np.abs(array, out=square)
    abs_mean = absolute.mean(axis=-1)
    root = np.sqrt(absolute, out=absolute).mean(axis=-1)
    columns = (
        mean,
        deviation,
        rms,
        peak,
        highest - lowest,
        third / (variance * deviation),
        fourth / (variance * variance),
    )
    return np.stack([*columns, peak / rms, rms / abs_mean, peak / abs_mean, peak / (root * root)], axis=-1)


def _apply(x: FloatArray, function: Callable[[FloatArray], float]) -> FloatArray:
    flat = x.reshape(-1, x.shape[-1])
    return np.array([function(row) for row in flat], dtype=np.float64).reshape(x.shape[:-1])


def compute_histogram_entropy(x: npt.ArrayLike, *, bins: int = 100) -> FloatArray:
    """Shannon entropy in nats of the histogram between minimum and maximum; at most ln(bins)."""
    if bins < 2:
        raise ValueError(f"a histogram needs at least 2 bins, not {bins}")

    def measure(row: FloatArray) -> float:
        counts = np.histogram(row, bins=bins)[0]
        share = counts[counts > 0] / row.size
        return float(-(share * np.log(share)).sum())

    return _apply(check_varies(check_signal(x)), measure)


def compute_permutation_entropy(x: npt.ArrayLike, *, order: int = 3, delay: int = 1) -> FloatArray:
    """Entropy of the order patterns over ln(order!): 0 for a ramp, near 1 for white noise."""
    if not 2 <= order <= _MAX_PATTERN:
        raise ValueError(f"the order must lie between 2 and {_MAX_PATTERN}, not {order}")
    if delay < 1:
        raise ValueError(f"the delay must be at least 1 sample, not {delay}")
    array = check_varies(check_signal(x, min_length=(order - 1) * delay + 2))
    count = array.shape[-1] - (order - 1) * delay
    radix = order ** np.arange(order)

    def measure(row: FloatArray) -> float:
        windows = np.stack([row[i * delay : i * delay + count] for i in range(order)], axis=-1)
        codes = np.argsort(windows, axis=-1, kind="stable") @ radix
        share = np.unique(codes, return_counts=True)[1] / count
        return float(-(share * np.log(share)).sum() / math.log(math.factorial(order))) + 0.0

    return _apply(array, measure)


def compute_approximate_entropy(x: npt.ArrayLike, *, m: int = 2, r_coeff: float = 0.2) -> FloatArray:
    """Approximate entropy (Pincus 1991): phi(m) - phi(m + 1), self-matches counted, tolerance r_coeff x std."""
    array, tolerance = _prepare_templates(x, m, r_coeff)

    def measure(row: FloatArray) -> float:
        r = tolerance * float(row.std())
        return _phi(row, m, r) - _phi(row, m + 1, r)

    return _apply(array, measure)


def compute_sample_entropy(x: npt.ArrayLike, *, m: int = 2, r_coeff: float = 0.2) -> FloatArray:
    """Sample entropy (Richman 2000): -ln(A / B) without self-matches, tolerance r_coeff x std."""
    array, tolerance = _prepare_templates(x, m, r_coeff)

    def measure(row: FloatArray) -> float:
        r = tolerance * float(row.std())
        longer, shorter = _count_pairs(row, m + 1, r, row.size - m), _count_pairs(row, m, r, row.size - m)
        if longer == 0 or shorter == 0:
            raise ValueError(
                "no two patterns of the signal are alike: sample entropy has no value (longer record, larger r)"
            )
        return -math.log(longer / shorter)

    return _apply(array, measure)


def _prepare_templates(x: npt.ArrayLike, m: int, r_coeff: float) -> tuple[FloatArray, float]:
    if m < 1:
        raise ValueError(f"the pattern length m must be at least 1, not {m}")
    if r_coeff <= 0:
        raise ValueError(f"the tolerance r_coeff must be positive, not {r_coeff!r}")
    array = check_varies(check_signal(x, min_length=max(10, m + 2)))
    if array.shape[-1] > _MAX_ENTROPY_SAMPLES:
        raise ValueError(f"{array.shape[-1]} samples are too many for this entropy; cut to {_MAX_ENTROPY_SAMPLES}")
    return array, r_coeff


def _embed(row: FloatArray, m: int, count: int) -> FloatArray:
    return np.stack([row[i : i + count] for i in range(m)], axis=-1).astype(np.float64)


def _phi(row: FloatArray, m: int, r: float) -> float:
    from scipy.spatial import cKDTree

    points = _embed(row, m, row.size - m + 1)
    tree = cKDTree(points)
    counts = tree.query_ball_point(points, r, p=np.inf, return_length=True)
    return float(np.log(np.asarray(counts) / len(points)).mean())


def _count_pairs(row: FloatArray, m: int, r: float, count: int) -> int:
    from scipy.spatial import cKDTree

    tree = cKDTree(_embed(row, m, count))
    return (int(tree.count_neighbors(tree, r, p=np.inf)) - count) // 2
