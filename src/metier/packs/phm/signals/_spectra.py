"""Spectra and cepstra of a signal, and figures of a spectrum along its last axis."""

from collections.abc import Mapping, Sequence

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
    shorten_floats,
)

__all__ = [
    "WINDOWS",
    "compute_amplitude_spectrum",
    "compute_band_power",
    "compute_cepstrum",
    "compute_complex_spectrum",
    "compute_liftered",
    "compute_line_amplitude",
    "compute_power_to_db",
    "compute_psd",
    "compute_spectral_centroid",
    "compute_spectral_entropy",
    "compute_spectral_flatness",
    "compute_spectral_moment",
    "compute_spectral_spread",
    "compute_zoom_spectrum",
]

_BLOCK = 4_194_304  # samples treated at once: overlapping segments are copies
_MAX_FFT_SAMPLES = 16_777_216
_COSINES: Mapping[str, tuple[float, ...]] = {
    "hann": (0.5, 0.5),
    "boxcar": (1.0,),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
    "flattop": (0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368),
}
WINDOWS = tuple(_COSINES)


def _window(name: str, n: int, dtype: np.dtype[np.floating]) -> FloatArray:
    """Periodic cosine window, made in blocks: a library window of a long record takes three times its memory."""
    if name not in _COSINES:
        raise ValueError(f"unknown window {name!r}; one of {', '.join(WINDOWS)}")
    window = np.zeros(n, dtype=dtype)
    for start in range(0, n, _BLOCK):
        phase = np.arange(start, min(start + _BLOCK, n)) * (2 * np.pi / n)
        for k, weight in enumerate(_COSINES[name]):
            window[start : start + _BLOCK] += (-weight if k % 2 else weight) * np.cos(k * phase)
    return window


def compute_complex_spectrum(x: npt.ArrayLike, *, fs: float, window: str = "boxcar") -> tuple[ComplexArray, float]:
    """One-sided complex spectrum and its step: a sine of amplitude A on a line has the magnitude A.

    Records are padded with zeros to a length that the FFT likes (5.2 -> 1.6 ms for 121,265 samples).
    """
    from scipy import fft

    array = shorten_floats(check_signal(x, min_length=4))
    if array.shape[-1] > _MAX_FFT_SAMPLES:
        raise ValueError(f"{array.shape[-1]} samples are too many for one spectrum; cut the record or use psd")
    n = array.shape[-1]
    size = fft.next_fast_len(n, real=True)
    weights = _window(window, n, array.dtype)
    total = float(weights.sum(dtype=np.float64))
    weighted = np.multiply(array, weights, out=weights if array.ndim == 1 else None)
    spectrum: ComplexArray = fft.rfft(weighted, size, axis=-1)
    spectrum *= 2 / total
    spectrum[..., 0] /= 2
    if size % 2 == 0:
        spectrum[..., -1] /= 2
    return spectrum, check_rate(fs) / size


def compute_amplitude_spectrum(x: npt.ArrayLike, *, fs: float, window: str = "hann") -> tuple[FloatArray, float]:
    """One-sided amplitude spectrum of the signal without its mean, and its frequency step."""
    array = check_signal(x, min_length=4)
    mean = array.mean(axis=-1, keepdims=True)
    spectrum, step = compute_complex_spectrum(shorten_floats(array) - mean.astype(array.dtype), fs=fs, window=window)
    return np.abs(spectrum), step


def compute_psd(
    x: npt.ArrayLike, *, fs: float, nperseg: int = 1024, overlap: float = 0.5, window: str = "hann"
) -> tuple[FloatArray, float]:
    """Welch's power spectral density and its frequency step; its sum times the step is the variance."""
    from scipy.signal import welch

    array = check_signal(x, min_length=8)
    length = min(nperseg, array.shape[-1])
    shared = int(overlap * length)
    hop = length - shared
    segments = (array.shape[-1] - shared) // hop
    per_block = max(1, _BLOCK // hop)
    total: FloatArray | None = None
    for first in range(0, segments, per_block):
        count = min(per_block, segments - first)
        part = array[..., first * hop : (first + count) * hop + shared]
        density: FloatArray = welch(
            part, check_rate(fs), window=window, nperseg=length, noverlap=shared, detrend="constant"
        )[1]
        total = density * count if total is None else total + density * count
    return np.asarray(total) / segments, fs / length


def compute_zoom_spectrum(
    x: npt.ArrayLike, *, fs: float, band: Sequence[float], lines: int = 1024
) -> tuple[FloatArray, float]:
    """Amplitude spectrum of a narrow band in `lines` lines (chirp-z), and its step."""
    from scipy.signal import zoom_fft

    array = check_signal(x, min_length=16)
    low, high = check_band(band, check_rate(fs))
    weights = _window("hann", array.shape[-1], array.dtype)
    centered = (array - array.mean(axis=-1, keepdims=True)) * weights
    zoomed: ComplexArray = zoom_fft(centered, [low, high], m=lines, fs=fs, axis=-1)
    return np.abs(zoomed) * (2 / float(weights.sum())), (high - low) / lines


def compute_power_to_db(power: npt.ArrayLike, *, ref: float = 1.0, top_db: float = 80.0) -> FloatArray:
    """10 log10(power / ref), cut `top_db` below the maximum of each record."""
    if ref <= 0 or top_db <= 0:
        raise ValueError("ref and top_db must be positive")
    array = check_spectrum(power, min_length=1)
    floor = array.max(axis=-1, keepdims=True) * 10 ** (-top_db / 10)
    return np.asarray(10 * np.log10(np.maximum(array, floor) / ref))


def _share(spectrum: npt.ArrayLike) -> FloatArray:
    array = check_spectrum(spectrum)
    return np.asarray(array / array.sum(axis=-1, keepdims=True))


def _frequencies(array: FloatArray, step: float, start: float) -> FloatArray:
    return start + step * np.arange(array.shape[-1], dtype=array.dtype)


def compute_spectral_centroid(spectrum: npt.ArrayLike, *, step: float, start: float = 0.0) -> FloatArray:
    """Mean frequency, weighted by the spectrum."""
    share = _share(spectrum)
    return np.asarray(share @ _frequencies(share, step, start))


def compute_spectral_spread(spectrum: npt.ArrayLike, *, step: float, start: float = 0.0) -> FloatArray:
    """Standard deviation of frequency, weighted by the spectrum."""
    share = _share(spectrum)
    frequencies = _frequencies(share, step, start)
    distance = frequencies - (share @ frequencies)[..., None]
    return np.asarray(np.sqrt(np.einsum("...i,...i,...i->...", share, distance, distance)))


def compute_spectral_moment(spectrum: npt.ArrayLike, *, order: int) -> FloatArray:
    """Skewness (3) or kurtosis (4) of frequency as a distribution with the spectrum as weight; free of units."""
    share = _share(spectrum)
    lines = np.arange(share.shape[-1], dtype=share.dtype)
    distance = lines - (share @ lines)[..., None]
    square = distance * distance
    variance = np.einsum("...i,...i->...", share, square)
    if not bool((variance > 0).all()):
        raise ValueError("the spectrum has a single line: its skewness and kurtosis have no value")
    if order == 3:
        return np.asarray(np.einsum("...i,...i,...i->...", share, square, distance) / (variance * np.sqrt(variance)))
    return np.asarray(np.einsum("...i,...i,...i->...", share, square, square) / (variance * variance))


def compute_spectral_flatness(power: npt.ArrayLike) -> FloatArray:
    """Geometric over arithmetic mean of the power, without the line at zero: 1 for white noise, 0 for a tone."""
    array = check_spectrum(power)[..., 1:]
    if not bool(array.any(axis=-1).all()):
        raise ValueError("the spectrum is zero everywhere but at 0 Hz")
    tiny = np.finfo(array.dtype).tiny
    return np.asarray(np.exp(np.log(np.maximum(array, tiny)).mean(axis=-1)) / array.mean(axis=-1))


def compute_spectral_entropy(power: npt.ArrayLike) -> FloatArray:
    """-sum p ln p / ln K of the normalised power: 1 for white noise, 0 for a tone."""
    share = _share(power)
    tiny = np.finfo(share.dtype).tiny
    terms = share * np.log(np.maximum(share, tiny))
    return np.asarray(-terms.sum(axis=-1) / np.log(share.shape[-1]))


def compute_band_power(density: npt.ArrayLike, bands: Sequence[Sequence[float]], *, step: float) -> FloatArray:
    """Power in each band of a power spectral density, in a new last axis; the sum over all bands is the variance."""
    array = check_spectrum(density)
    if not bands:
        raise ValueError("no band is given")
    top = step * (array.shape[-1] - 1)
    columns = []
    for band in bands:
        low, high = check_band(band, 2 * top)
        first, last = int(np.ceil(low / step)), int(np.floor(high / step))
        if last < first:
            raise ValueError(f"the band {low:g}-{high:g} Hz lies between two lines of the spectrum (step {step:g} Hz)")
        columns.append(array[..., first : last + 1].sum(axis=-1) * step)
    return np.stack(columns, axis=-1)


def compute_line_amplitude(
    spectrum: npt.ArrayLike, frequency: float, *, step: float, tolerance: float = 0.01
) -> tuple[FloatArray, FloatArray]:
    """Largest line within +-`tolerance` x frequency, and the frequency where it lies."""
    array = check_spectrum(spectrum)
    half = max(tolerance * frequency, step)
    first = max(0, int(np.ceil((frequency - half) / step)))
    last = min(array.shape[-1] - 1, int(np.floor((frequency + half) / step)))
    if not 0 < frequency <= step * (array.shape[-1] - 1) or last < first:
        raise ValueError(f"{frequency:g} Hz lies outside of the spectrum (0-{step * (array.shape[-1] - 1):g} Hz)")
    part = array[..., first : last + 1]
    at = part.argmax(axis=-1)
    return np.take_along_axis(part, at[..., None], axis=-1)[..., 0], np.asarray((first + at) * step)


def _check_cepstral(x: npt.ArrayLike) -> FloatArray:
    array = check_varies(check_signal(x, min_length=16))
    if array.shape[-1] > LONG_RECORD:
        raise ValueError(f"{array.shape[-1]} samples are too many for a cepstrum; cut to {LONG_RECORD}")
    return array


def _log_spectrum(array: FloatArray, size: int) -> tuple[FloatArray, npt.NDArray[np.complexfloating]]:
    from scipy import fft

    spectrum = fft.rfft(array - array.mean(axis=-1, keepdims=True), size, axis=-1)
    magnitude = np.abs(spectrum)
    floor = magnitude.max(axis=-1, keepdims=True) * np.finfo(array.dtype).eps
    return np.log(np.maximum(magnitude, floor)), spectrum


def compute_cepstrum(x: npt.ArrayLike, *, fs: float, kind: str = "real") -> tuple[FloatArray, float]:
    """Cepstrum up to half of the record and its step in seconds: `real` IDFT(ln|X|), `power` |IDFT(ln|X|^2)|^2."""
    from scipy import fft

    if kind not in ("real", "power"):
        raise ValueError(f"unknown cepstrum {kind!r}; one of real, power")
    array = _check_cepstral(x)
    size = fft.next_fast_len(array.shape[-1], real=True)
    logs, _ = _log_spectrum(array, size)
    cepstrum: FloatArray = fft.irfft(logs, size, axis=-1)[..., : size // 2]
    if kind == "power":
        doubled = 2 * cepstrum
        return doubled * doubled, 1 / check_rate(fs)
    return cepstrum, 1 / check_rate(fs)


def compute_liftered(x: npt.ArrayLike, *, fs: float, low: float, high: float) -> FloatArray:
    """Signal without the quefrencies from `low` to `high` seconds: removes a family of harmonics (phase is kept)."""
    from scipy import fft

    array = _check_cepstral(x)
    n = array.shape[-1]
    size = fft.next_fast_len(n, real=True)
    if not 0 < low < high <= size / 2 / check_rate(fs):
        raise ValueError(f"quefrencies {low:g}-{high:g} s must rise and lie between 0 and {size / 2 / fs:g} s")
    logs, spectrum = _log_spectrum(array, size)
    cepstrum = fft.irfft(logs, size, axis=-1)
    quefrency = np.minimum(np.arange(size), size - np.arange(size)) / fs
    cepstrum[..., (quefrency >= low) & (quefrency <= high)] = 0
    gain = np.exp(fft.rfft(cepstrum, size, axis=-1).real - logs)
    clean: FloatArray = fft.irfft(spectrum * gain, size, axis=-1)[..., :n]
    return clean.astype(array.dtype, copy=False)
