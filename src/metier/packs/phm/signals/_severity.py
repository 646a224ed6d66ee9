"""Vibration severity: velocity RMS in a band and the zones of ISO 20816 (before: ISO 10816)."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_band, check_signal, check_varies
from metier.packs.phm.signals._spectra import compute_psd

__all__ = ["MACHINE_CLASSES", "UNITS", "SeverityZone", "compute_velocity_rms", "find_zone"]

SeverityZone = Literal["A", "B", "C", "D"]
# Upper ends of the zones A, B and C in mm/s RMS: classes I-IV of ISO 10816-1, groups of ISO 20816-3.
MACHINE_CLASSES: Mapping[str, tuple[float, float, float]] = {
    "I": (0.71, 1.8, 4.5),
    "II": (1.12, 2.8, 7.1),
    "III": (1.8, 4.5, 11.2),
    "IV": (2.8, 7.1, 18.0),
    "group1-rigid": (2.3, 4.5, 7.1),
    "group1-flexible": (3.5, 7.1, 11.0),
    "group2-rigid": (1.4, 2.8, 4.5),
    "group2-flexible": (2.3, 4.5, 7.1),
}
_TO_MM_S: Mapping[str, tuple[float, int]] = {
    "g": (9806.65, 1),
    "m/s2": (1000.0, 1),
    "mm/s2": (1.0, 1),
    "m/s": (1000.0, 0),
    "mm/s": (1.0, 0),
    "um": (0.001, -1),
    "mm": (1.0, -1),
}
UNITS: tuple[str, ...] = tuple(_TO_MM_S)


def compute_velocity_rms(
    x: npt.ArrayLike, *, fs: float, unit: str, band: Sequence[float] = (10.0, 1000.0)
) -> FloatArray:
    """Velocity RMS in mm/s within the band, from acceleration, velocity or displacement in the given unit."""
    if unit not in _TO_MM_S:
        raise ValueError(f"severity needs a known unit ({', '.join(_TO_MM_S)}), not {unit!r}")
    low, high = check_band(band, fs)
    array = check_varies(check_signal(x, min_length=16))
    if low <= 0 or array.shape[-1] / fs < 5 / low:
        raise ValueError(f"a record of {array.shape[-1] / fs:.3g} s is too short for a band from {low:g} Hz: 5 periods")
    density, step = compute_psd(array, fs=fs, nperseg=max(int(2 * fs), int(20 * fs / low)))
    frequencies = step * np.arange(density.shape[-1])
    inside = (frequencies >= low) & (frequencies <= high)
    scale, integrations = _TO_MM_S[unit]
    omega = 2 * np.pi * frequencies[inside]
    gain = scale / omega if integrations == 1 else scale * omega if integrations == -1 else np.full_like(omega, scale)
    return np.asarray(np.sqrt((density[..., inside] * (gain * gain)).sum(axis=-1) * step))


def find_zone(velocity_mm_s: float, *, machine_class: str) -> SeverityZone:
    """Zone A (new), B (long-term operation), C (short-term only), D (damage) of a velocity RMS."""
    if machine_class not in MACHINE_CLASSES:
        raise ValueError(f"unknown machine class {machine_class!r}; one of {', '.join(MACHINE_CLASSES)}")
    if not (np.isfinite(velocity_mm_s) and velocity_mm_s >= 0):
        raise ValueError(f"a velocity RMS is a number of at least 0, not {velocity_mm_s!r}")
    first, second, third = MACHINE_CLASSES[machine_class]
    if velocity_mm_s <= first:
        return "A"
    if velocity_mm_s <= second:
        return "B"
    return "C" if velocity_mm_s <= third else "D"
