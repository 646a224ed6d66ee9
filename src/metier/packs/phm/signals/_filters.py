"""Filters and transforms of a time signal along its last axis; all keep the length unless they say otherwise."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import (
    LONG_RECORD,
    FloatArray,
    check_band,
    check_rate,
    check_signal,
    check_varies,
    ensure_writable,
    map_blocks,
)

__all__ = [
    "compute_derivative",
    "compute_detrended",
    "compute_filtered",
    "compute_integral",
    "compute_normalized",
    "compute_resampled",
    "compute_savgol",
    "compute_wavelet_denoised",
    "filter_adaptively",
]

_MAX_ORDER = 10
_MIN_OVERLAP, _MAX_OVERLAP = 8_192, 262_144


def compute_filtered(
    x: npt.ArrayLike, *, fs: float, filter_type: str, cutoff: float | Sequence[float], order: int = 4
) -> FloatArray:
    """Butterworth filter forwards and backwards in second-order sections: no phase shift, stable in narrow bands."""
    from scipy.signal import butter, sosfiltfilt

    if not 1 <= order <= _MAX_ORDER:
        raise ValueError(f"the order must lie between 1 and {_MAX_ORDER}, not {order}")
    edges = _edges(filter_type, cutoff, check_rate(fs))
    sections = butter(
        order,
        edges,
        btype={"low": "low", "high": "high", "band": "band", "stop": "bandstop"}[filter_type],
        fs=fs,
        output="sos",
    )
    array = check_signal(x, min_length=3 * (2 * len(sections) + 1) + 1)

    def run(part: FloatArray) -> FloatArray:
        filtered: FloatArray = sosfiltfilt(sections, part, axis=-1)
        return filtered.astype(array.dtype, copy=False)

    if array.shape[-1] > LONG_RECORD:
        narrowest = min(edges, fs / 2 - edges) if isinstance(edges, float) else min(edges[0], edges[1] - edges[0])
        return map_blocks(array, run, overlap=min(_MAX_OVERLAP, max(_MIN_OVERLAP, int(10 * fs / narrowest))))
    return run(array)


def _edges(filter_type: str, cutoff: float | Sequence[float], fs: float) -> float | tuple[float, float]:
    if filter_type in ("band", "stop"):
        if isinstance(cutoff, int | float):
            raise ValueError(f"a {filter_type} filter needs two cutoff frequencies")
        low, high = check_band(cutoff, fs, what="the filter band")
        if low == 0 or high == fs / 2:
            raise ValueError(f"a {filter_type} filter needs edges strictly between 0 and {fs / 2:g} Hz")
        return low, high
    if filter_type not in ("low", "high"):
        raise ValueError(f"unknown filter type {filter_type!r}; one of low, high, band, stop")
    if not isinstance(cutoff, int | float):
        raise ValueError(f"a {filter_type} filter needs one cutoff frequency")
    if not 0 < cutoff < fs / 2:
        raise ValueError(f"the cutoff {cutoff:g} Hz must lie between 0 and {fs / 2:g} Hz (half the rate)")
    return float(cutoff)


def compute_normalized(x: npt.ArrayLike, *, method: str = "z_score") -> FloatArray:
    """Zero mean and unit deviation (`z_score`), or the range 0 to 1 (`min_max`)."""
    array = check_varies(check_signal(x))
    if method == "z_score":
        centered = array - array.mean(axis=-1, keepdims=True)
        return np.asarray(centered / centered.std(axis=-1, keepdims=True))
    if method == "min_max":
        low = array.min(axis=-1, keepdims=True)
        return np.asarray((array - low) / (array.max(axis=-1, keepdims=True) - low))
    raise ValueError(f"unknown method {method!r}; one of z_score, min_max")


def compute_detrended(x: npt.ArrayLike, *, kind: str = "linear") -> FloatArray:
    """Signal without its mean (`constant`) or its straight line (`linear`)."""
    from scipy.signal import detrend

    if kind not in ("linear", "constant"):
        raise ValueError(f"unknown trend {kind!r}; one of linear, constant")
    array = check_signal(x)
    straight: FloatArray = detrend(array, axis=-1, type=kind)
    return straight.astype(array.dtype, copy=False)


def compute_resampled(x: npt.ArrayLike, *, fs: float, target_fs: float) -> tuple[FloatArray, float]:
    """Signal at another rate with an anti-alias filter, and the rate that was reached."""
    from fractions import Fraction

    from scipy.signal import resample_poly

    array = check_signal(x, min_length=16)
    ratio = Fraction(check_rate(target_fs) / check_rate(fs)).limit_denominator(1000)
    if ratio == 0 or not 0.001 <= target_fs / fs <= 1000:
        raise ValueError(f"a rate of {target_fs:g} Hz is too far from {fs:g} Hz")
    resampled: FloatArray = resample_poly(array, ratio.numerator, ratio.denominator, axis=-1, padtype="line")
    return resampled.astype(array.dtype, copy=False), fs * ratio.numerator / ratio.denominator


def compute_integral(x: npt.ArrayLike, *, fs: float, band: Sequence[float], times: int = 1) -> FloatArray:
    """Integral by division with j 2 pi f inside of the band; all other lines are zero, so no drift remains."""
    array = check_signal(x, min_length=8)
    low, high = check_band(band, check_rate(fs))
    if low <= 0:
        raise ValueError("the band of an integration must begin above 0 Hz: at 0 Hz the integral has no limit")
    if times not in (1, 2):
        raise ValueError(f"integrate once or twice, not {times} times")
    if array.shape[-1] > LONG_RECORD:
        reach = min(_MAX_OVERLAP, max(_MIN_OVERLAP, int(10 * fs / low)))
        return map_blocks(array, lambda part: _integrate(part, fs, (low, high), times), overlap=reach)
    return _integrate(array, fs, (low, high), times)


def _integrate(array: FloatArray, fs: float, band: tuple[float, float], times: int) -> FloatArray:
    from scipy import fft

    n = array.shape[-1]
    size = fft.next_fast_len(n, real=True)
    frequencies = fft.rfftfreq(size, 1 / fs)
    inside = (frequencies >= band[0]) & (frequencies <= band[1])
    if not bool(inside.any()):
        raise ValueError(f"no spectral line lies within {band[0]:g}-{band[1]:g} Hz: the record is too short")
    gain = np.zeros(frequencies.shape, dtype=np.complex128)
    gain[inside] = 1 / (2j * np.pi * frequencies[inside])
    centered = array - array.mean(axis=-1, keepdims=True)
    spectrum = fft.rfft(centered, size, axis=-1) * (gain if times == 1 else gain * gain)
    integral: FloatArray = fft.irfft(spectrum, size, axis=-1)[..., :n]
    return integral.astype(array.dtype, copy=False)


def compute_derivative(x: npt.ArrayLike, *, fs: float) -> FloatArray:
    """Derivative per unit of time by central differences."""
    array = check_signal(x, min_length=3)
    return np.asarray(np.gradient(array, axis=-1) * check_rate(fs), dtype=array.dtype)


def compute_savgol(x: npt.ArrayLike, *, window_length: int, polyorder: int) -> FloatArray:
    """Savitzky-Golay smoothing."""
    from scipy.signal import savgol_filter

    if window_length % 2 == 0 or window_length <= polyorder:
        raise ValueError(f"the window ({window_length}) must be odd and longer than the polynomial order ({polyorder})")
    array = check_signal(x, min_length=window_length)
    smooth: FloatArray = savgol_filter(array, window_length, polyorder, axis=-1)
    return smooth.astype(array.dtype, copy=False)


def compute_wavelet_denoised(
    x: npt.ArrayLike, *, wavelet: str = "db8", mode: str = "soft", level: int = 4
) -> FloatArray:
    """Wavelet shrinkage with the universal threshold, noise from the median of the finest details."""
    import pywt

    if mode not in ("soft", "hard"):
        raise ValueError(f"unknown mode {mode!r}; one of soft, hard")
    if wavelet not in pywt.wavelist(kind="discrete"):
        raise ValueError(f"unknown wavelet {wavelet!r}; for instance db4, db8, sym8, coif3")
    array = check_varies(check_signal(x, min_length=16))
    n = array.shape[-1]
    depth = min(level, pywt.dwt_max_level(n, pywt.Wavelet(wavelet).dec_len))
    if depth < 1:
        raise ValueError(f"{n} samples are too few for the wavelet {wavelet!r}")
    approximation, *details = pywt.wavedec(ensure_writable(array), wavelet, level=depth, axis=-1)
    sigma = np.median(np.abs(details[-1]), axis=-1, keepdims=True) / 0.6745
    limit = np.maximum(sigma * np.sqrt(2 * np.log(n)), np.finfo(array.dtype).tiny)
    shrunk = [pywt.threshold(one, limit, mode) for one in details]
    clean: FloatArray = pywt.waverec([approximation, *shrunk], wavelet, axis=-1)[..., :n]
    return clean.astype(array.dtype, copy=False)


def filter_adaptively(
    x: npt.ArrayLike, *, taps: int = 32, delay: int = 64, mu: float = 0.05
) -> tuple[FloatArray, FloatArray]:
    """Normalised LMS line enhancer: the predictable part (gears, shafts) and the rest (bearings, noise)."""
    if not 1 <= taps <= 256 or delay < 1 or not 0 < mu < 2:
        raise ValueError("adaptive filter: 1-256 taps, a delay of at least 1 sample and a step 0 < mu < 2 are needed")
    array = check_varies(check_signal(x, min_length=taps + delay + 1))
    flat = array.reshape(-1, array.shape[-1]).astype(np.float64)
    weights = np.zeros((flat.shape[0], taps))
    periodic = np.zeros_like(flat)
    for n in range(taps + delay - 1, flat.shape[-1]):
        past = flat[:, n - delay - taps + 1 : n - delay + 1][:, ::-1]
        predicted = np.einsum("ij,ij->i", weights, past)
        periodic[:, n] = predicted
        power = np.einsum("ij,ij->i", past, past) + 1e-12
        weights += (mu * (flat[:, n] - predicted) / power)[:, None] * past
    predictable = periodic.reshape(array.shape)
    return predictable, np.asarray(array - predictable)
