"""Squared envelope spectrum of a record, over the full band or one band, and the band of highest spectral kurtosis."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.signals._fast_fft import fast_length

Array = NDArray[np.float64]

_WINDOWS: Final = (16, 32, 64, 128, 256)
# Bins at both ends of the spectrum hold no band: near Nyquist the kurtosis of a real record grows without cause.
_EDGE_BINS: Final = 2


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


def compute_squared_envelope(signal: Array, fs: float, band: SpectralBand | None = None) -> Array:
    """Squared magnitude of the analytic signal; the band is cut in the same transform."""
    from scipy import fft

    count = len(signal)
    length = fast_length(count)
    half = length // 2
    whole = np.zeros(length, np.complex128)
    whole[: half + 1] = fft.rfft(signal - signal.mean(), length)
    whole[1 : (length + 1) // 2] *= 2
    if band is not None:
        frequencies = np.arange(half + 1) * (fs / length)
        whole[: half + 1][(frequencies < band.low_hz) | (frequencies > band.high_hz)] = 0
    analytic = fft.ifft(whole, overwrite_x=True)[:count]
    return np.asarray(analytic.real**2 + analytic.imag**2, np.float64)


def compute_envelope_spectrum(signal: Array, fs: float, band: SpectralBand | None = None) -> Spectrum:
    """Amplitude spectrum of the squared envelope without its mean."""
    from scipy import fft

    envelope = compute_squared_envelope(signal, fs, band)
    length = fast_length(len(envelope))
    amplitude = np.abs(fft.rfft(envelope - envelope.mean(), length)) / len(envelope)
    return Spectrum(np.asarray(amplitude, np.float64), fs / length)


def compute_amplitude_spectrum(signal: Array, fs: float) -> Spectrum:
    """Amplitude spectrum of the record itself under a Hann window, for shaft lines."""
    from scipy import fft

    length = fast_length(len(signal))
    tapered = (signal - signal.mean()) * np.hanning(len(signal))
    return Spectrum(np.asarray(np.abs(fft.rfft(tapered, length)), np.float64) / len(signal), fs / length)


def find_kurtogram_band(signal: Array, fs: float, *, windows: tuple[int, ...] = _WINDOWS) -> SpectralBand:
    """SpectralBand with the highest spectral kurtosis over short-time spectra of several window lengths."""
    from scipy import fft

    best = SpectralBand(0.0, fs / 2, -np.inf)
    for size in windows:
        if len(signal) < 8 * size:
            break
        frames = np.lib.stride_tricks.sliding_window_view(signal, size)[:: size // 2]
        transformed = fft.rfft(frames * np.hanning(size), axis=1)
        power = transformed.real**2 + transformed.imag**2
        mean = power.mean(axis=0)
        fourth = np.einsum("ij,ij->j", power, power) / len(power)
        kurtosis = fourth / np.maximum(mean * mean, np.finfo(float).tiny) - 2
        kurtosis[:_EDGE_BINS] = -np.inf
        kurtosis[-_EDGE_BINS:] = -np.inf
        at = int(kurtosis.argmax())
        if kurtosis[at] > best.kurtosis:
            best = SpectralBand((at - 1) * fs / size, (at + 1) * fs / size, float(kurtosis[at]))
    return best
