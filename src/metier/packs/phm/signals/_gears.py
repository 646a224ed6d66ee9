"""Condition metrics of a gear from its time-synchronous average: one revolution, so line k of its FFT is order k."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_signal, check_varies

__all__ = [
    "GearParts",
    "compute_energy_ratio",
    "compute_fm0",
    "compute_fm4",
    "compute_m6a",
    "compute_m8a",
    "compute_mesh_envelope",
    "compute_na4",
    "compute_sideband_ratio",
    "split_average",
]


class GearParts(NamedTuple):
    """Parts of an average: regular + difference = the average without its mean."""

    regular: FloatArray
    residual: FloatArray
    difference: FloatArray


def _check_average(tsa: npt.ArrayLike, teeth: int) -> FloatArray:
    array = check_varies(check_signal(tsa, min_length=16, what="the average"), what="the average")
    if teeth < 3:
        raise ValueError(f"a gear has at least 3 teeth, not {teeth}")
    if 2 * teeth >= array.shape[-1] - 2:
        raise ValueError(
            f"{array.shape[-1]} samples a revolution are too few for {teeth} teeth: more than {2 * teeth + 2}"
        )
    return array


def _mesh_lines(size: int, teeth: int, spread: int) -> npt.NDArray[np.intp]:
    centers = np.arange(teeth, size, teeth)
    lines = (centers[:, None] + np.arange(-spread, spread + 1)).ravel()
    return lines[lines < size]


def _keep_lines(spectrum: npt.NDArray[np.complexfloating], lines: npt.NDArray[np.intp], n: int) -> FloatArray:
    from scipy import fft

    kept = np.zeros_like(spectrum)
    kept[..., lines] = spectrum[..., lines]
    signal: FloatArray = fft.irfft(kept, n, axis=-1)
    return signal


def split_average(tsa: npt.ArrayLike, *, teeth: int, shaft_orders: int = 2, sidebands: int = 1) -> GearParts:
    """Regular (shaft, mesh harmonics, first side bands), residual (without shaft and mesh) and difference signal."""
    from scipy import fft

    array = _check_average(tsa, teeth)
    n = array.shape[-1]
    centered = array - array.mean(axis=-1, keepdims=True)
    spectrum = fft.rfft(centered, axis=-1)
    shaft = np.arange(1, shaft_orders + 1)
    mesh = np.concatenate([shaft, _mesh_lines(spectrum.shape[-1], teeth, 0)])
    near = np.concatenate([shaft, _mesh_lines(spectrum.shape[-1], teeth, sidebands)])
    regular = _keep_lines(spectrum, np.unique(near), n)
    return GearParts(regular, centered - _keep_lines(spectrum, np.unique(mesh), n), centered - regular)


def compute_fm0(tsa: npt.ArrayLike, *, teeth: int, harmonics: int = 4) -> FloatArray:
    """Peak-to-peak of the average over the sum of the mesh amplitudes: grows with one damaged tooth."""
    from scipy import fft

    array = _check_average(tsa, teeth)
    amplitudes = np.abs(fft.rfft(array, axis=-1)) * (2 / array.shape[-1])
    lines = _mesh_lines(amplitudes.shape[-1], teeth, 0)[:harmonics]
    total = amplitudes[..., lines].sum(axis=-1)
    if not bool((total > 0).all()):
        raise ValueError(f"the average has no mesh line at {teeth} orders; is the number of teeth right?")
    return np.asarray((array.max(axis=-1) - array.min(axis=-1)) / total)


def _moment_ratio(signal: npt.ArrayLike, half_order: int, what: str) -> FloatArray:
    """Central moment of order 2 x half_order over the power half_order of the variance."""
    array = check_varies(check_signal(signal, min_length=8, what=what), what=what)
    centered = array - array.mean(axis=-1, keepdims=True)
    square = centered * centered
    variance = square.mean(axis=-1, keepdims=True)
    if not bool((variance > 0).all()):
        raise ValueError(f"{what} is zero: nothing is left beside the regular mesh")
    scaled = square / variance
    product = scaled.copy()
    for _ in range(half_order - 1):
        product *= scaled
    return np.asarray(product.mean(axis=-1))


def compute_fm4(difference: npt.ArrayLike) -> FloatArray:
    """Kurtosis of the difference signal: 3 for a sound gear."""
    return _moment_ratio(difference, 2, "the difference signal")


def compute_m6a(difference: npt.ArrayLike) -> FloatArray:
    """Sixth moment of the difference signal over variance^3: 15 for a sound gear."""
    return _moment_ratio(difference, 3, "the difference signal")


def compute_m8a(difference: npt.ArrayLike) -> FloatArray:
    """Eighth moment of the difference signal over variance^4: 105 for a sound gear."""
    return _moment_ratio(difference, 4, "the difference signal")


def compute_energy_ratio(difference: npt.ArrayLike, regular: npt.ArrayLike) -> FloatArray:
    """RMS of the difference signal over RMS of the regular signal."""
    first = check_signal(difference, what="the difference signal")
    second = check_varies(check_signal(regular, what="the regular signal"), what="the regular signal")
    power = np.einsum("...i,...i->...", first, first) / np.einsum("...i,...i->...", second, second)
    return np.asarray(np.sqrt(power * (second.shape[-1] / first.shape[-1])))


def compute_na4(records: npt.ArrayLike) -> FloatArray:
    """NA4 of each record (record, angle) in order of time: fourth moment over the squared mean variance so far.

    Grows with the damage where a plain kurtosis falls back to 3 once the damage has spread. With the residual signals
    it is NA4, with the envelopes of the mesh band NB4.
    """
    array = check_signal(records, min_length=8, what="the list of records")
    table = array.reshape(-1, array.shape[-1]).astype(np.float64)
    centered = table - table.mean(axis=-1, keepdims=True)
    square = centered * centered
    variance = square.mean(axis=-1)
    mean_variance = np.cumsum(variance) / np.arange(1, len(variance) + 1)
    if not bool((mean_variance > 0).all()):
        raise ValueError("the first record is constant: there is no variance to compare with")
    fourth = np.einsum("ij,ij->i", square, square) / table.shape[-1]
    return np.asarray(fourth / (mean_variance * mean_variance))


def compute_mesh_envelope(tsa: npt.ArrayLike, *, teeth: int, sidebands: int = 6) -> FloatArray:
    """Envelope of the first mesh harmonic with its side bands."""
    from scipy import fft

    array = _check_average(tsa, teeth)
    spread = min(sidebands, teeth - 1)
    spectrum = fft.fft(array, axis=-1)
    band = np.zeros_like(spectrum)
    lines = np.arange(teeth - spread, teeth + spread + 1)
    lines = lines[lines < array.shape[-1] // 2]
    band[..., lines] = 2 * spectrum[..., lines]
    return np.asarray(np.abs(fft.ifft(band, axis=-1)))


def compute_sideband_ratio(
    spectrum: npt.ArrayLike, *, step: float, center: float, spacing: float, count: int = 3
) -> FloatArray:
    """Mean amplitude of the side bands at center +- k x spacing over the amplitude at the centre."""
    from metier.packs.phm.signals._spectra import compute_line_amplitude

    if spacing <= 4 * step or center - count * spacing <= 0:
        raise ValueError(f"side bands of {spacing:g} around {center:g} are not resolved by steps of {step:g}")
    tolerance = min(0.25 * spacing, 2 * step)

    def look(frequency: float) -> FloatArray:
        return compute_line_amplitude(spectrum, frequency, step=step, tolerance=tolerance / frequency)[0]

    sides = [look(center + sign * k * spacing) for k in range(1, count + 1) for sign in (-1, 1)]
    middle = look(center)
    if not bool((middle > 0).all()):
        raise ValueError(f"there is no line at {center:g} to compare the side bands with")
    return np.asarray(sum(sides) / len(sides) / middle)
