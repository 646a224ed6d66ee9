"""Spectra and bands of a bearing diagnosis, and the band of highest spectral kurtosis."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_WINDOWS: Final = (16, 32, 64, 128, 256)
# Bins at both ends of the spectrum hold no band: near Nyquist the kurtosis of a real record grows without cause.
_EDGE_BINS: Final = 2
_PART: Final = 131_072  # samples of windows that are transformed at a time: less, and threads wait for each other


@dataclass(frozen=True, slots=True)
class SpectralBand:
    """Frequency band with the spectral kurtosis that chose it."""

    low_hz: float
    high_hz: float
    kurtosis: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Amplitudes at multiples of `step_hz`, beginning at zero."""

    amplitude: Array
    step_hz: float


def find_kurtogram_band(signal: Array, fs: float, *, windows: tuple[int, ...] = _WINDOWS) -> SpectralBand:
    """SpectralBand with the highest spectral kurtosis over short-time spectra of several window lengths."""
    best = SpectralBand(0.0, fs / 2, -np.inf)
    for size in windows:
        if len(signal) < 8 * size:
            break
        mean, fourth = _compute_power_moments(signal, size)
        kurtosis = fourth / np.maximum(mean * mean, np.finfo(float).tiny) - 2
        kurtosis[:_EDGE_BINS] = -np.inf
        kurtosis[-_EDGE_BINS:] = -np.inf
        at = int(kurtosis.argmax())
        if kurtosis[at] > best.kurtosis:
            best = SpectralBand((at - 1) * fs / size, (at + 1) * fs / size, float(kurtosis[at]))
    return best


def _compute_power_moments(signal: Array, size: int) -> tuple[Array, Array]:
    """Mean of the power of half-overlapping windows and of its square; in parts that stay in the cache of a core."""
    from scipy import fft

    frames, window = np.lib.stride_tricks.sliding_window_view(signal, size)[:: size // 2], np.hanning(size)
    second, fourth = np.zeros(size // 2 + 1), np.zeros(size // 2 + 1)
    count = max(1, _PART // size)
    for start in range(0, len(frames), count):
        transformed = fft.rfft(frames[start : start + count] * window, axis=1, overwrite_x=True)
        power = transformed.real**2
        power += transformed.imag**2
        second += power.sum(axis=0)
        fourth += np.einsum("ij,ij->j", power, power)
    return second / len(frames), fourth / len(frames)
