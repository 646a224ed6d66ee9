"""Comparisons of two signals, spectra or feature vectors along the last axis."""

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import (
    ComplexArray,
    FloatArray,
    check_pair,
    check_rate,
    check_signal,
    check_varies,
)

__all__ = [
    "METRICS",
    "apply_arithmetic",
    "compute_coherence",
    "compute_convolution",
    "compute_cross_correlation",
    "compute_distance",
    "compute_dtw_distance",
    "compute_phase_difference",
    "compute_similarity",
    "compute_transfer_function",
]

METRICS = ("euclidean", "manhattan", "cosine", "correlation")
_MAX_DTW_CELLS = 25_000_000


def apply_arithmetic(x: npt.ArrayLike, y: npt.ArrayLike, *, operation: str) -> FloatArray:
    """Sum, difference, product or quotient, sample by sample."""
    first, second = np.asarray(x), np.asarray(y)
    for name, one in (("first", first), ("second", second)):
        if not bool(np.isfinite(one).all()):
            raise ValueError(f"the {name} value holds numbers that are NaN or infinite; cut or repair them first")
    if first.shape != second.shape and second.ndim and first.ndim and first.shape[-1] != second.shape[-1]:
        raise ValueError(f"the two arrays do not fit: {first.shape} and {second.shape}")
    if operation == "divide" and bool((second == 0).any()):
        raise ValueError(f"the divisor is zero in {int(np.count_nonzero(second == 0))} places")
    functions = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}
    if operation not in functions:
        raise ValueError(f"unknown operation {operation!r}; one of {', '.join(functions)}")
    return np.asarray(functions[operation](first, second))


def compute_cross_correlation(x: npt.ArrayLike, y: npt.ArrayLike) -> FloatArray:
    """Correlation coefficient over the lag from -(N-1) to N-1 samples; at lag k, x is compared with y shifted by k."""
    from scipy import fft

    first, second = check_pair(x, y, min_length=4)
    first, second = (check_varies(one) - one.mean(axis=-1, keepdims=True) for one in (first, second))
    n = first.shape[-1]
    size = fft.next_fast_len(2 * n - 1, real=True)
    product = fft.rfft(first, size, axis=-1) * np.conj(fft.rfft(second, size, axis=-1))
    circular = fft.irfft(product, size, axis=-1)
    lags = np.concatenate([circular[..., size - n + 1 :], circular[..., :n]], axis=-1)
    energy = np.einsum("...i,...i->...", first, first) * np.einsum("...i,...i->...", second, second)
    return np.asarray(lags / np.sqrt(energy)[..., None])


def compute_convolution(x: npt.ArrayLike, kernel: npt.ArrayLike, *, mode: str = "same") -> FloatArray:
    """Convolution of a signal with a shorter one-dimensional kernel."""
    from scipy.signal import oaconvolve

    if mode not in ("same", "full", "valid"):
        raise ValueError(f"unknown mode {mode!r}; one of same, full, valid")
    array = check_signal(x, min_length=1)
    weights = check_signal(kernel, min_length=1, what="the kernel")
    if weights.size != weights.shape[-1]:
        raise ValueError("the kernel must have one channel")
    if weights.shape[-1] > array.shape[-1]:
        raise ValueError("the kernel is longer than the signal; exchange the two inputs")
    shaped = weights.reshape((1,) * (array.ndim - 1) + (-1,))
    result: FloatArray = oaconvolve(array, shaped, mode=mode, axes=-1)
    return result


def compute_distance(x: npt.ArrayLike, y: npt.ArrayLike, *, metric: str = "euclidean") -> FloatArray:
    """Distance of two vectors; cosine and correlation distances lie between 0 (alike) and 2 (opposite)."""
    first, second = check_pair(x, y, min_length=1)
    if metric not in METRICS:
        raise ValueError(f"unknown metric {metric!r}; one of {', '.join(METRICS)}")
    gap = first - second
    if metric == "euclidean":
        return np.asarray(np.sqrt(np.einsum("...i,...i->...", gap, gap)))
    if metric == "manhattan":
        return np.asarray(np.abs(gap).sum(axis=-1))
    if metric == "correlation":
        first, second = (one - one.mean(axis=-1, keepdims=True) for one in (check_varies(first), check_varies(second)))
    lengths = np.einsum("...i,...i->...", first, first) * np.einsum("...i,...i->...", second, second)
    if not bool((lengths > 0).all()):
        raise ValueError("a vector of zeros has no direction: the cosine distance has no value")
    return np.asarray(1 - np.einsum("...i,...i->...", first, second) / np.sqrt(lengths))


def compute_similarity(x: npt.ArrayLike, y: npt.ArrayLike, *, metric: str = "cosine") -> FloatArray:
    """Similarity: 1 - distance for cosine and correlation, 1 / (1 + distance) for the others."""
    distance = compute_distance(x, y, metric=metric)
    return np.asarray(1 - distance if metric in ("cosine", "correlation") else 1 / (1 + distance))


def _cross_spectra(
    x: npt.ArrayLike, y: npt.ArrayLike, fs: float, nperseg: int
) -> tuple[ComplexArray, FloatArray, FloatArray, float]:
    from scipy.signal import csd, welch

    first, second = check_pair(x, y, min_length=16)
    check_varies(first, what="the first signal")
    length = min(nperseg, first.shape[-1] // 2)
    if length < 8:
        raise ValueError("the segments are too short: at least 8 samples, and two segments in the record")
    cross: ComplexArray = csd(first, second, check_rate(fs), nperseg=length)[1]
    left: FloatArray = welch(first, fs, nperseg=length)[1]
    right: FloatArray = welch(second, fs, nperseg=length)[1]
    return cross, left, right, fs / length


def compute_coherence(x: npt.ArrayLike, y: npt.ArrayLike, *, fs: float, nperseg: int = 256) -> tuple[FloatArray, float]:
    """Magnitude-squared coherence over at least two segments, between 0 and 1, and the frequency step."""
    check_varies(check_signal(y, what="the second signal"), what="the second signal")
    cross, left, right, step = _cross_spectra(x, y, fs, nperseg)
    power = cross.real * cross.real + cross.imag * cross.imag
    tiny = np.finfo(left.dtype).tiny
    return np.asarray(power / np.maximum(left * right, tiny)), step


def compute_transfer_function(
    x: npt.ArrayLike, y: npt.ArrayLike, *, fs: float, nperseg: int = 256
) -> tuple[ComplexArray, float]:
    """H1 estimate S_xy / S_xx of the path from the first signal to the second: complex, with the frequency step."""
    cross, left, _, step = _cross_spectra(x, y, fs, nperseg)
    floor = left.max(axis=-1, keepdims=True) * np.finfo(left.dtype).eps
    return np.asarray(cross / np.maximum(left, floor)), step


def compute_phase_difference(first: npt.ArrayLike, second: npt.ArrayLike) -> FloatArray:
    """Phase of the second complex spectrum minus that of the first, in radians between -pi and pi."""
    left, right = np.asarray(first), np.asarray(second)
    if not (np.iscomplexobj(left) and np.iscomplexobj(right)):
        raise ValueError("a phase needs complex spectra; magnitudes have none (fft with output complex)")
    if left.shape != right.shape:
        raise ValueError(f"the two spectra do not fit: {left.shape} and {right.shape}")
    return np.asarray(np.angle(right * left.conj()))


def compute_dtw_distance(x: npt.ArrayLike, y: npt.ArrayLike, *, window: float = 1.0) -> float:
    """Dynamic time warping of two one-channel signals with absolute differences; `window` is the share of the length
    by which they may be shifted (Sakoe-Chiba). Lengths may differ."""
    first = check_signal(x, min_length=1, what="the first signal").ravel().astype(np.float64)
    second = check_signal(y, min_length=1, what="the second signal").ravel().astype(np.float64)
    if not 0 < window <= 1:
        raise ValueError(f"the window is a share between 0 and 1, not {window!r}")
    n, m = first.size, second.size
    if n * m > _MAX_DTW_CELLS:
        raise ValueError(f"{n} x {m} samples are too many to warp; resample or cut to {int(_MAX_DTW_CELLS**0.5)}")
    reach = max(int(np.ceil(window * max(n, m))), abs(n - m))
    # Anti-diagonals: every cell of one depends only on the two before.
    before, last = np.full(n + 1, np.inf), np.full(n + 1, np.inf)
    before[0] = 0.0
    for diagonal in range(2, n + m + 1):
        current = np.full(n + 1, np.inf)
        low = max(1, diagonal - m, (diagonal - reach + 1) // 2)
        high = min(n, diagonal - 1, (diagonal + reach) // 2)
        if low <= high:
            i = np.arange(low, high + 1)
            cost = np.abs(first[i - 1] - second[diagonal - i - 1])
            current[i] = cost + np.minimum(np.minimum(last[i - 1], last[i]), before[i - 1])
        before, last = last, current
    return float(last[n])
