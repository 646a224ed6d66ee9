"""Shaft speed found from the record itself: the comb of shaft lines in the spectrum and in the envelope spectrum."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._harmonics import MAINS_HZ
from metier.packs.phm.signals._whitening import divide_by_local_median

Array = NDArray[np.float64]

_HARMONICS: Final = 8
_STEP: Final = 0.0003
_SAME_STRENGTH: Final = 1e-9
_NEAR: Final = 0.004  # a speed this close to the given one is the given one
_ODD, _EVEN, _HALF = (1, 3, 5, 7), (2, 4, 6, 8), (0.5, 1.5, 2.5, 3.5)
# 105 synthetic records (seeds 300000-300059 healthy, 400000-400044 with a defect), mean excess of the odd orders: at
# the true speed at least 2.4, at half of it at most 1.6 in 95 %; of the half orders: at most 2.6 at the true speed, at
# least 2.5 at twice of it.
_ODD_LIMIT, _EVEN_LEAD = 1.8, 1.2
_HALF_LIMIT, _HALF_SHARE = 2.4, 0.8
_POLE_PAIRS: Final = np.arange(1, 7)
_SYNCHRONOUS: Final = 0.35  # of a bin: a speed this close to a synchronous one has its comb on the mains lines
_CLEAR_LINE: Final = 2.0  # ln(line / local median): noise reaches less in a bin and its two neighbours
_CLIP: Final = 30.0  # one strong line counts no more than this ratio, so that a comb needs several


@dataclass(frozen=True, slots=True)
class SpeedEstimate:
    """Best shaft rate near the given one; `strength` is the mean ln(line / local median) of its comb.

    Rates closer to each other than `resolution_hz` are not told apart by these spectra.
    """

    shaft_hz: float
    strength: float
    strength_given: float
    resolution_hz: float = 0.0

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
    best = float(strength.max())
    near = np.abs(rates / shaft_hz - 1) < _NEAR
    middle = _find_middle(rates, strength)
    found, highest = _interpolate(spectra, middle)
    resolution = max((one.step_hz for one in spectra), default=0.0) / (2 * highest)
    return SpeedEstimate(found, best, float(strength[near].max()), resolution)


def _interpolate(spectra: Sequence[Spectrum], shaft_hz: float) -> tuple[float, int]:
    """The rate by the peaks of its lines between the bins, and the highest harmonic that shows one.

    A parabola through the logarithms of three bins gives each peak; the n-th harmonic tells the rate n times as well.
    """
    total = weight = 0.0
    highest = 1
    for spectrum in spectra:
        amplitude = np.asarray(spectrum.amplitude, np.float64)
        last = min(len(amplitude), int(_HARMONICS * shaft_hz / spectrum.step_hz) + 4)
        log = np.log(np.maximum(amplitude[:last], np.finfo(float).tiny))
        excess = np.log(np.clip(divide_by_local_median(spectrum, 0.5 * shaft_hz)[:last], 1.0, _CLIP))
        for n in range(1, _HARMONICS + 1):
            at = round(n * shaft_hz / spectrum.step_hz)
            if at < 2 or at + 3 > last:
                continue
            top = at - 1 + int(log[at - 1 : at + 2].argmax())
            left, middle, right = log[top - 1 : top + 2]
            if excess[top] < _CLEAR_LINE or middle < max(left, right):
                continue
            bend = left - 2 * middle + right
            place = top + (0.5 * (left - right) / bend if bend < 0 else 0.0)
            share = n * n * float(excess[top]) / spectrum.step_hz**2
            total, weight = total + share * place * spectrum.step_hz / n, weight + share
            highest = max(highest, n)
    return (total / weight if weight else shaft_hz), highest


def _find_middle(rates: Array, strength: Array) -> float:
    """Middle of the neighbouring rates whose comb is as strong as the best: bins are wider than steps."""
    first = last = int(strength.argmax())
    while last + 1 < len(rates) and strength[last + 1] >= strength[first] - _SAME_STRENGTH:
        last += 1
    return float((rates[first] + rates[last]) / 2)


def find_speed_doubt(spectra: Sequence[Spectrum], shaft_hz: float) -> str:
    """Whether the shaft may turn at twice this rate (`speed_doubt`) or at half of it (`speed_double`); else empty."""
    odd, even, half = (float(measure_orders(spectra, shaft_hz, orders).mean()) for orders in (_ODD, _EVEN, _HALF))
    if odd < _ODD_LIMIT and even - odd > _EVEN_LEAD:
        return "speed_doubt"
    return "speed_double" if half > _HALF_LIMIT and half > _HALF_SHARE * odd else ""


def is_synchronous(spectra: Sequence[Spectrum], shaft_hz: float) -> bool:
    """Whether lines of the mains make a comb at this rate: an asynchronous motor turns a little slower than that."""
    rates = np.divide.outer(np.array(MAINS_HZ), _POLE_PAIRS)
    return bool(np.any(np.abs(rates - shaft_hz) < _SYNCHRONOUS * max(one.step_hz for one in spectra)))


def measure_orders(spectra: Sequence[Spectrum], shaft_hz: float, orders: Sequence[float]) -> Array:
    """Excess of the line at each order, as ln(line / local median); the spectra add up, a missing order is 0."""
    total = np.zeros(len(orders))
    for spectrum in spectra:
        log = _widen_log(spectrum, 0.5 * shaft_hz, len(spectrum.amplitude))
        at = np.rint(np.asarray(orders) * shaft_hz / spectrum.step_hz).astype(np.int64)
        total += np.where(at < len(log), log[np.minimum(at, len(log) - 1)], 0.0)
    return total


def _measure_comb(spectrum: Spectrum, rates: Array) -> Array:
    last = min(len(spectrum.amplitude), int(_HARMONICS * rates[-1] / spectrum.step_hz) + 3)
    wide = _widen_log(spectrum, 0.5 * float(rates.mean()), last)
    numbers = [n for n in range(1, _HARMONICS + 1) if n * rates[-1] / spectrum.step_hz < last - 1]
    if not numbers:
        return np.zeros(len(rates))
    lines = [wide[np.rint(n * rates / spectrum.step_hz).astype(np.int64)] for n in numbers]
    return np.asarray(np.mean(lines, axis=0), np.float64)


def _widen_log(spectrum: Spectrum, width_hz: float, last: int) -> Array:
    """ln(line / local median), clipped; each bin takes the largest of itself and its neighbours."""
    log = np.log(np.clip(divide_by_local_median(spectrum, width_hz)[:last], 1.0, _CLIP))
    wide = log.copy()
    wide[1:] = np.maximum(wide[1:], log[:-1])
    wide[:-1] = np.maximum(wide[:-1], log[1:])
    return wide
