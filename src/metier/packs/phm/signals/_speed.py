"""Shaft speed found from the record itself: the comb of shaft lines in the spectrum and in the envelope spectrum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._whitening import divide_by_local_median

Array = NDArray[np.float64]

_HARMONICS: Final = 8
_STEP: Final = 0.0003
_NEAR: Final = 0.004  # a speed this close to the given one is the given one
_CLIP: Final = 30.0  # one strong line counts no more than this ratio, so that a comb needs several


@dataclass(frozen=True, slots=True)
class SpeedEstimate:
    """Best shaft rate near the given one; `strength` is the mean ln(line / local median) of its comb."""

    shaft_hz: float
    strength: float
    strength_given: float

    @property
    def gain(self) -> float:
        """How much stronger the comb is than at the given speed."""
        return self.strength - self.strength_given


def estimate_speed(spectra: Sequence[Spectrum], shaft_hz: float, *, span: float = 0.06) -> SpeedEstimate:
    """Search the shaft rate within `span` of the given one; the strengths of all spectra add up."""
    rates = shaft_hz * np.arange(1 - span, 1 + span, _STEP)
    strength = np.zeros(len(rates))
    for spectrum in spectra:
        strength += _measure_comb(spectrum, rates)
    at = int(strength.argmax())
    near = np.abs(rates / shaft_hz - 1) < _NEAR
    return SpeedEstimate(float(rates[at]), float(strength[at]), float(strength[near].max()))


def _measure_comb(spectrum: Spectrum, rates: Array) -> Array:
    ratio = divide_by_local_median(spectrum, 0.5 * float(rates.mean()))
    last = min(len(ratio), int(_HARMONICS * rates[-1] / spectrum.step_hz) + 3)
    log = np.log(np.clip(ratio[:last], 1.0, _CLIP))
    wide = log.copy()
    wide[1:] = np.maximum(wide[1:], log[:-1])
    wide[:-1] = np.maximum(wide[:-1], log[1:])
    numbers = [n for n in range(1, _HARMONICS + 1) if n * rates[-1] / spectrum.step_hz < last - 1]
    if not numbers:
        return np.zeros(len(rates))
    lines = [wide[np.rint(n * rates / spectrum.step_hz).astype(np.int64)] for n in numbers]
    return np.asarray(np.mean(lines, axis=0), np.float64)
