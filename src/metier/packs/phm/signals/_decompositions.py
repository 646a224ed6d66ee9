"""Decompositions of a signal: windows, delays, modes and wavelet packets; the new axis stands before time."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_rate, check_signal, check_varies, ensure_writable

__all__ = [
    "compute_delay_embedding",
    "compute_emd",
    "compute_patches",
    "compute_principal_components",
    "compute_vmd",
    "compute_wavelet_packet",
]

_MAX_MODE_SAMPLES = 16_384  # VMD needs 2 s for 12,000 samples
_MAX_VMD_ROUNDS = 500
_MAX_PARTS = 20_000_000


def compute_patches(x: npt.ArrayLike, *, patch_size: int, stride: int) -> FloatArray:
    """Windows (..., patch, time) of `patch_size` samples, one every `stride` samples; the first begins at sample 0."""
    if patch_size < 1 or stride < 1:
        raise ValueError(f"patch size and stride must be at least 1, not {patch_size} and {stride}")
    array = check_signal(x, min_length=patch_size)
    windows = np.lib.stride_tricks.sliding_window_view(array, patch_size, axis=-1)[..., ::stride, :]
    if windows.size > _MAX_PARTS:
        raise ValueError(f"{windows.shape[-2]} windows of {patch_size} samples are too many; use a larger stride")
    return np.ascontiguousarray(windows)


def compute_delay_embedding(x: npt.ArrayLike, *, dimension: int, delay: int) -> FloatArray:
    """Delayed copies (..., dimension, time): row d is the signal from sample d x delay on."""
    if dimension < 1 or delay < 1:
        raise ValueError(f"dimension and delay must be at least 1, not {dimension} and {delay}")
    array = check_signal(x, min_length=(dimension - 1) * delay + 1)
    count = array.shape[-1] - (dimension - 1) * delay
    return np.stack([array[..., d * delay : d * delay + count] for d in range(dimension)], axis=-2)


def compute_emd(x: npt.ArrayLike, *, max_imf: int = 6) -> FloatArray:
    """Intrinsic mode functions and the rest (..., mode, time), fastest first; their sum is the signal."""
    from PyEMD import EMD

    array = _check_modes(x)
    flat = array.reshape(-1, array.shape[-1]).astype(np.float64)
    parts = [np.asarray(EMD()(row, max_imf=max_imf)) for row in flat]
    count = max(len(one) for one in parts)
    padded = [np.concatenate([np.zeros((count - len(one), one.shape[-1])), one]) for one in parts]
    return np.stack(padded).reshape(*array.shape[:-1], count, array.shape[-1])


def _check_modes(x: npt.ArrayLike) -> FloatArray:
    array = check_varies(check_signal(x, min_length=32))
    if array.shape[-1] > _MAX_MODE_SAMPLES:
        raise ValueError(
            f"{array.shape[-1]} samples are too many to find modes; cut or resample to {_MAX_MODE_SAMPLES}"
        )
    return array


def compute_vmd(
    x: npt.ArrayLike, *, fs: float, modes: int, alpha: float = 2000.0, tau: float = 0.0, tol: float = 1e-6
) -> tuple[FloatArray, FloatArray]:
    """Variational modes (..., mode, time) and their centre frequencies, lowest first (Dragomiretskiy 2014)."""
    if not 1 <= modes <= 12 or alpha <= 0 or tol <= 0 or tau < 0:
        raise ValueError("VMD needs 1 to 12 modes, a positive alpha and tolerance, and tau >= 0")
    array = _check_modes(x)
    flat = array.reshape(-1, array.shape[-1]).astype(np.float64)
    found = [_separate_modes(row, modes, alpha, tau, tol) for row in flat]
    shape = array.shape[:-1]
    parts = np.stack([one for one, _ in found]).reshape(*shape, modes, array.shape[-1])
    centers = np.stack([one for _, one in found]).reshape(*shape, modes) * check_rate(fs)
    return parts, centers


def _separate_modes(row: FloatArray, modes: int, alpha: float, tau: float, tol: float) -> tuple[FloatArray, FloatArray]:
    from scipy import fft

    n = row.size
    half = n // 2
    mirrored = np.concatenate([row[:half][::-1], row, row[n - half :][::-1]])
    size = mirrored.size
    target = fft.rfft(mirrored)
    lines = np.arange(target.size) / size
    spectra = np.zeros((modes, target.size), dtype=np.complex128)
    centers = 0.5 * (np.arange(modes) + 0.5) / modes
    dual = np.zeros_like(target)
    total = spectra.sum(axis=0)
    for _ in range(_MAX_VMD_ROUNDS):
        before = spectra.copy()
        for k in range(modes):
            total -= spectra[k]
            distance = lines - centers[k]
            spectra[k] = (target - total + dual / 2) / (1 + 2 * alpha * distance * distance)
            total += spectra[k]
            power = spectra[k].real * spectra[k].real + spectra[k].imag * spectra[k].imag
            centers[k] = float(lines @ power / max(float(power.sum()), np.finfo(np.float64).tiny))
        dual = dual + tau * (target - total)
        change, size_before = _energy(spectra - before), _energy(before)
        if size_before > 0 and change / size_before < tol:
            break
    order = np.argsort(centers)
    parts: FloatArray = fft.irfft(spectra[order], size, axis=-1)[:, half : half + n]
    return parts, centers[order]


def _energy(values: npt.NDArray[np.complexfloating]) -> float:
    return float(np.vdot(values, values).real)


def compute_wavelet_packet(
    x: npt.ArrayLike, *, fs: float, wavelet: str = "db8", level: int = 3
) -> tuple[FloatArray, float, Sequence[tuple[float, float]]]:
    """Packet coefficients (..., band, time) in order of frequency, their rate, and the edges of the bands.

    With periodised edges the energies of the bands add up to the energy of a signal of a length divisible by 2^level.
    """
    import pywt

    if wavelet not in pywt.wavelist(kind="discrete"):
        raise ValueError(f"unknown wavelet {wavelet!r}; for instance db4, db8, sym8, coif3")
    if not 1 <= level <= 8:
        raise ValueError(f"the level must lie between 1 and 8, not {level}")
    array = check_signal(x, min_length=2 << level)
    packet = pywt.WaveletPacket(ensure_writable(array), wavelet, mode="periodization", maxlevel=level, axis=-1)
    nodes = packet.get_level(level, order="freq")
    width = check_rate(fs) / 2 / len(nodes)
    bands = [(k * width, (k + 1) * width) for k in range(len(nodes))]
    return np.stack([node.data for node in nodes], axis=-2), fs / (1 << level), bands


def compute_principal_components(x: npt.ArrayLike, *, n_components: int) -> tuple[FloatArray, FloatArray]:
    """Scores (record, component) of records in the leading axes, and the share of variance of each component."""
    array = check_signal(x, min_length=1, what="the table of features")
    records = array.reshape(-1, array.shape[-1])
    if not 1 <= n_components <= min(records.shape):
        raise ValueError(
            f"{n_components} components cannot be had from {records.shape[0]} records of {records.shape[1]} features"
        )
    centered = records - records.mean(axis=0)
    left, singular, right = np.linalg.svd(centered, full_matrices=False)
    power = singular * singular
    if power.sum() <= 0:
        raise ValueError("all records are equal: there is no principal component")
    largest = np.abs(right).argmax(axis=1)
    sign = np.sign(right[np.arange(len(right)), largest])
    scores = left * singular * sign
    return scores[:, :n_components], np.asarray(power / power.sum())[:n_components]
