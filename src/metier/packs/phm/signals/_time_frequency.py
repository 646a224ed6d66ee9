"""Maps over time and frequency: frames first and frequency last, so spectral functions apply per frame."""

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import (
    ComplexArray,
    FloatArray,
    check_band,
    check_rate,
    check_signal,
    check_varies,
)

__all__ = [
    "compute_mel_spectrogram",
    "compute_spectrogram",
    "compute_stft",
    "compute_vqt",
    "compute_wavelet_map",
    "compute_wigner_ville",
    "list_wavelet_frequencies",
]

_MAX_MAP_VALUES = 60_000_000
_MAX_WIGNER_SAMPLES = 2048  # the map has N x N values


def _transform_frames(x: npt.ArrayLike, fs: float, nperseg: int, hop: int) -> tuple[ComplexArray, FloatArray, float]:
    """Complex spectra (..., frame, frequency) of Hann frames inside of the record, the window, the frequency step."""
    from scipy import fft
    from scipy.signal import get_window

    if nperseg < 8 or not 1 <= hop <= nperseg:
        raise ValueError(f"a frame needs at least 8 samples and a hop of 1 to {nperseg}, not {nperseg} and {hop}")
    array = check_signal(x, min_length=nperseg)
    if array.size // hop * nperseg > _MAX_MAP_VALUES:
        raise ValueError(f"{array.size} samples with a hop of {hop} give too large a map; cut it or use a larger hop")
    window: FloatArray = get_window("hann", nperseg).astype(array.dtype)
    frames = np.lib.stride_tricks.sliding_window_view(array, nperseg, axis=-1)[..., ::hop, :]
    spectra: ComplexArray = fft.rfft(frames * window, axis=-1)
    return spectra, window, check_rate(fs) / nperseg


def compute_stft(x: npt.ArrayLike, *, fs: float, nperseg: int = 256, hop: int = 64) -> tuple[FloatArray, float]:
    """Amplitudes (..., frame, frequency) and the frequency step: a sine of amplitude A on a line has the value A."""
    spectra, window, step = _transform_frames(x, fs, nperseg, hop)
    magnitude = np.abs(spectra) * (2 / float(window.sum()))
    magnitude[..., 0] /= 2
    return magnitude, step


def compute_spectrogram(x: npt.ArrayLike, *, fs: float, nperseg: int = 256, hop: int = 64) -> tuple[FloatArray, float]:
    """Power spectral densities (..., frame, frequency) and the frequency step."""
    spectra, window, step = _transform_frames(x, fs, nperseg, hop)
    density = spectra.real * spectra.real + spectra.imag * spectra.imag
    density *= 2 / (fs * float(window @ window))
    density[..., 0] /= 2
    if nperseg % 2 == 0:
        density[..., -1] /= 2
    return density, step


def compute_mel_spectrogram(
    x: npt.ArrayLike, *, fs: float, n_fft: int = 2048, hop: int = 512, n_mels: int = 64, top_db: float = 80.0
) -> tuple[FloatArray, float]:
    """Decibels (..., frame, mel band) below the strongest value, and the step of the bands in mel (HTK formula)."""
    power, step = compute_spectrogram(x, fs=fs, nperseg=n_fft, hop=hop)
    if not 2 <= n_mels <= n_fft // 4:
        raise ValueError(f"{n_mels} mel bands do not fit into frames of {n_fft} samples (2 to {n_fft // 4})")
    top = 2595 * np.log10(1 + fs / 2 / 700)
    edges = 700 * (np.power(10.0, np.linspace(0, top, n_mels + 2) / 2595) - 1)
    lines = step * np.arange(power.shape[-1])
    rising = (lines - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - lines) / np.diff(edges)[1:, None]
    bank = np.maximum(0, np.minimum(rising, falling)).astype(power.dtype)
    bands = power @ bank.T
    peak = bands.max()
    if peak <= 0:
        raise ValueError("the signal is zero everywhere")
    return np.asarray(10 * np.log10(np.maximum(bands / peak, 10 ** (-top_db / 10)))), top / (n_mels + 1)


def list_wavelet_frequencies(fs: float, *, f_min: float, f_max: float, count: int) -> FloatArray:
    """Frequencies in equal ratios from `f_min` to `f_max`."""
    low, high = check_band((f_min, f_max), check_rate(fs), what="the wavelet band")
    if low <= 0 or not 2 <= count <= 256:
        raise ValueError("wavelets need a lowest frequency above 0 Hz and 2 to 256 scales")
    return np.asarray(np.geomspace(low, high, count))


def compute_wavelet_map(
    x: npt.ArrayLike, *, fs: float, frequencies: npt.ArrayLike, wavelet: str = "cmor1.5-1.0"
) -> FloatArray:
    """Magnitudes (..., scale, time) of the continuous wavelet transform at the given frequencies."""
    import pywt

    if wavelet.split("cmor", maxsplit=1)[0] not in ("", *pywt.wavelist(kind="continuous")):
        raise ValueError(f"unknown continuous wavelet {wavelet!r}; for instance cmor1.5-1.0, morl, mexh, gaus4")
    array = check_varies(check_signal(x, min_length=16))
    scales = pywt.frequency2scale(wavelet, np.asarray(frequencies) / check_rate(fs))
    coefficients, _ = pywt.cwt(array, scales, wavelet, sampling_period=1 / fs, method="fft", axis=-1)
    magnitudes: FloatArray = np.moveaxis(np.abs(coefficients), 0, -2).astype(array.dtype, copy=False)
    return magnitudes


def compute_wigner_ville(x: npt.ArrayLike, *, fs: float) -> tuple[FloatArray, float]:
    """Wigner-Ville distribution (..., time, frequency) of the analytic signal, and the frequency step fs / 2N.

    Its sum over frequency is the squared envelope at that time.
    """
    from scipy import fft
    from scipy.signal import hilbert

    array = check_varies(check_signal(x, min_length=16))
    n = array.shape[-1]
    if n > _MAX_WIGNER_SAMPLES:
        raise ValueError(f"{n} samples are too many for a Wigner-Ville map; cut or resample to {_MAX_WIGNER_SAMPLES}")
    analytic = hilbert(array - array.mean(axis=-1, keepdims=True), axis=-1)
    padded = np.concatenate([analytic, np.zeros_like(analytic)], axis=-1)  # index beyond the ends: zero
    time, lag = np.arange(n)[:, None], fft.fftfreq(n, 1 / n).astype(int)[None, :]
    ahead, behind = time + lag, time - lag
    outside = (ahead < 0) | (ahead >= n) | (behind < 0) | (behind >= n)
    ahead, behind = np.where(outside, n, ahead), np.where(outside, n, behind)
    kernel = padded[..., ahead] * padded[..., behind].conj()
    return np.asarray(fft.fft(kernel, axis=-1).real / n), check_rate(fs) / (2 * n)


def compute_vqt(
    x: npt.ArrayLike,
    *,
    fs: float,
    f_min: float,
    n_bins: int = 84,
    bins_per_octave: int = 12,
    gamma: float = 0.0,
    hop: int = 64,
) -> FloatArray:
    """Variable-Q magnitudes (..., frame, bin), bin k at f_min 2^(k / bins_per_octave), bandwidth f / Q + gamma.

    A sine of amplitude A at the centre of a bin has the value A there.
    """
    from scipy import fft

    array = check_signal(x, min_length=32)
    if n_bins < 1 or bins_per_octave < 1 or hop < 1 or gamma < 0:
        raise ValueError("vqt needs at least one bin, one bin per octave, a hop of one sample and gamma >= 0")
    centers = f_min * np.exp2(np.arange(n_bins) / bins_per_octave)
    if f_min <= 0 or centers[-1] >= check_rate(fs) / 2:
        raise ValueError(f"bins from {f_min:g} to {centers[-1]:g} Hz do not fit between 0 and {fs / 2:g} Hz")
    size = fft.next_fast_len(array.shape[-1])
    spectrum = fft.fft(array, size, axis=-1)
    lines = fft.fftfreq(size, 1 / fs)
    half = centers * (np.exp2(1 / bins_per_octave) - 1) + gamma
    columns = []
    for center, width in zip(centers, half, strict=True):
        distance = np.abs(lines - center) / width
        weight = np.where(distance < 1, 1 + np.cos(np.pi * distance), 0.0).astype(array.dtype)
        if np.count_nonzero(weight) < 3:
            raise ValueError(f"the record is too short to resolve the bin at {center:g} Hz (bandwidth {width:.3g} Hz)")
        columns.append(np.abs(fft.ifft(spectrum * weight, axis=-1))[..., : array.shape[-1] : hop])
    return np.stack(columns, axis=-1)
