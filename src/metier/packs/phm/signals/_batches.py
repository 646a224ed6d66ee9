"""Envelopes and harmonic scores of many records at once (..., sample); float32 stays float32."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import (
    LONG_RECORD,
    ComplexArray,
    FloatArray,
    check_band,
    check_rate,
    check_signal,
    check_spectrum,
    check_varies,
    map_blocks,
)

__all__ = [
    "compute_band_passed",
    "compute_envelope",
    "compute_envelope_spectra",
    "compute_squared_envelopes",
    "score_harmonics_of_many",
]

_OVERLAP = 8_192
_MEDIAN_WIDTH = 0.25  # of the fundamental, on either side of a harmonic


def _analytic(x: npt.ArrayLike, fs: float, band: Sequence[float] | None) -> ComplexArray:
    """Analytic signal without its mean, cut to the band in the same transform."""
    from scipy import fft

    array = check_varies(check_signal(x, min_length=16))
    n = array.shape[-1]
    size = fft.next_fast_len(n)
    low, high = check_band(band, check_rate(fs)) if band is not None else (0.0, fs / 2)
    half = fft.rfft(array, size, axis=-1)
    half[..., 0] = 0  # as good as to subtract the mean, and one pass less
    if n != size:
        half = fft.rfft(array - array.mean(axis=-1, keepdims=True), size, axis=-1)
    whole = np.zeros((*array.shape[:-1], size), dtype=half.dtype)
    first, last = int(np.ceil(low * size / fs)), int(np.floor(high * size / fs))
    if last < first:
        raise ValueError(f"no spectral line lies within {low:g}-{high:g} Hz: the record is too short")
    end = min(last + 1, (size + 1) // 2)
    whole[..., first:end] = half[..., first:end]
    whole[..., first:end] *= 2
    if first == 0:
        whole[..., 0] /= 2
    if size % 2 == 0 and last >= size // 2:
        whole[..., size // 2] = half[..., size // 2]
    analytic: ComplexArray = fft.ifft(whole, axis=-1, overwrite_x=True)[..., :n]
    return analytic


def compute_squared_envelopes(x: npt.ArrayLike, *, fs: float, band: Sequence[float] | None = None) -> FloatArray:
    """Squared magnitude of the analytic signal, over the full band or one band."""
    array = check_varies(check_signal(x, min_length=16))
    if array.shape[-1] > LONG_RECORD:
        return map_blocks(array, lambda part: _square_envelope(part, fs, band), overlap=_OVERLAP)
    return _square_envelope(array, fs, band)


def _square_envelope(array: FloatArray, fs: float, band: Sequence[float] | None) -> FloatArray:
    """Squared envelope; that of the full band needs no complex signal: the real part is the record itself."""
    if band is not None:
        return _square(_analytic(array, fs, band))
    from scipy import fft

    check_rate(fs)
    n = array.shape[-1]
    size = fft.next_fast_len(n)
    centered = array - array.mean(axis=-1, keepdims=True)
    half = fft.rfft(centered, size, axis=-1)
    half *= half.dtype.type(-1j)  # a quarter turn; the inverse passes over what this leaves at zero and at Nyquist
    turned = fft.irfft(half, size, axis=-1, overwrite_x=True)[..., :n]
    centered *= centered
    turned *= turned
    centered += turned
    return np.asarray(centered)


def _square(analytic: ComplexArray) -> FloatArray:
    envelope = analytic.real * analytic.real
    envelope += analytic.imag * analytic.imag
    return np.asarray(envelope)


def compute_band_passed(x: npt.ArrayLike, *, fs: float, band: Sequence[float]) -> FloatArray:
    """Signal with nothing but the lines of the band."""
    return np.asarray(_analytic(x, fs, band).real)


def compute_envelope(x: npt.ArrayLike, *, fs: float, band: Sequence[float] | None = None) -> FloatArray:
    """Magnitude of the analytic signal; the mean of the signal is not part of it."""
    if np.asarray(x).shape[-1:] > (LONG_RECORD,):
        return np.sqrt(compute_squared_envelopes(x, fs=fs, band=band))
    return np.abs(_analytic(x, fs, band))


def compute_envelope_spectra(
    x: npt.ArrayLike, *, fs: float, band: Sequence[float] | None = None
) -> tuple[FloatArray, float]:
    """Amplitude spectrum of the squared envelope without its mean, and the frequency step.

    (1 + m cos) on a carrier of amplitude 1 gives 2 m at the rate of the modulation and m^2 / 2 at twice the rate.
    """
    from scipy import fft

    envelope = compute_squared_envelopes(x, fs=fs, band=band)
    n = envelope.shape[-1]
    envelope -= envelope.mean(axis=-1, keepdims=True)
    size = fft.next_fast_len(n, real=True)
    spectrum = np.abs(fft.rfft(envelope, size, axis=-1, overwrite_x=True))
    spectrum *= 2 / n
    return np.asarray(spectrum), fs / size


def score_harmonics_of_many(
    spectra: npt.ArrayLike, fundamental: float, *, step: float, count: int = 3, tolerance: float = 0.01
) -> FloatArray:
    """Geometric mean over the harmonics of the largest line within +-tolerance over the median within +-25 % of the
    fundamental. 10,000 spectra take as many array operations as one."""
    array = check_spectrum(spectra, min_length=16)
    top = step * (array.shape[-1] - 1)
    if not 5 * step <= fundamental or count * fundamental * (1 + tolerance) > top:
        raise ValueError(
            f"{count} harmonics of {fundamental:g} do not fit into the spectrum ({top:g} in steps of {step:g})"
        )
    total = np.zeros(array.shape[:-1])
    for number in range(1, count + 1):
        center = number * fundamental / step
        half = max(tolerance * center, 1.0)
        wide = _MEDIAN_WIDTH * fundamental / step
        line = array[..., int(np.ceil(center - half)) : int(np.floor(center + half)) + 1].max(axis=-1)
        around = array[..., max(1, int(center - wide)) : int(center + wide) + 2]
        floor = np.maximum(np.median(around, axis=-1), np.finfo(array.dtype).tiny)
        total += np.log(np.maximum(line, np.finfo(array.dtype).tiny) / floor)
    return np.asarray(np.exp(total / count))
