"""Harmonic test: how far the first harmonics of a fault frequency stand above what noise alone reaches there.

The amplitude spectrum of an envelope of noise has Rayleigh distributed bins. The largest of `m` such bins has a known
median, so the excess of a line over it does not depend on the length of the record or on the width of the search.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.signals._envelope import Spectrum

Mask = NDArray[np.bool_]

MAINS_HZ: Final = (50.0, 60.0)
MASKED_ORDERS: Final = 36
_MEDIAN_WIDTH: Final = 0.25  # of the fundamental, on either side of the line
_MIN_MEDIAN_BINS: Final = 12
_MIN_TOLERANCE_BINS: Final = 1
_RAYLEIGH_MEDIAN: Final = float(np.sqrt(2 * np.log(2)))
_MASK_BINS: Final = 2
_MASK_SHARE: Final = 0.0008


@dataclass(frozen=True, slots=True)
class HarmonicLine:
    """One line of a fault: where it is expected and found, and ln(amplitude / largest of noise)."""

    expected_hz: float
    found_hz: float
    excess: float


@dataclass(frozen=True, slots=True)
class HarmonicScore:
    """Mean excess of the harmonics of one frequency; 0 is noise, 1 is a line e times as large as noise reaches."""

    score: float
    lines: tuple[HarmonicLine, ...]

    @property
    def fundamental_hz(self) -> float:
        """Fundamental fitted to the lines found, weighted by harmonic number."""
        numbers = range(1, len(self.lines) + 1)
        return sum(n * line.found_hz for n, line in zip(numbers, self.lines, strict=True)) / sum(n * n for n in numbers)


@lru_cache(maxsize=4096)
def noise_maximum(bins: int) -> float:
    """Median of the largest of so many bins of noise, over the median of one bin."""
    return float(np.sqrt(-2 * np.log(-np.expm1(np.log(0.5) / max(bins, 1))))) / _RAYLEIGH_MEDIAN


def mask_multiples(spectrum: Spectrum, fundamentals_hz: Sequence[float], *, highest_hz: float) -> Mask:
    """True for the bins that hold no multiple of these frequencies (shaft, mains)."""
    keep = np.ones(len(spectrum.amplitude), np.bool_)
    for fundamental in fundamentals_hz:
        for number in range(1, int(highest_hz / fundamental) + 1):
            centre = number * fundamental / spectrum.step_hz
            half = _MASK_BINS + centre * _MASK_SHARE if fundamental is fundamentals_hz[0] else 1.5
            keep[max(int(np.ceil(centre - half)), 0) : int(centre + half) + 1] = False
    return keep


def mask_known_lines(spectrum: Spectrum, shaft_hz: float) -> Mask:
    """Bins free of shaft and mains lines: those lines are no evidence of a bearing fault."""
    return mask_multiples(spectrum, (shaft_hz, *MAINS_HZ), highest_hz=MASKED_ORDERS * shaft_hz)


def is_shaft_multiple(order: float) -> bool:
    """Whether an order lies so close to a multiple of the shaft that slip hides the difference."""
    nearest = round(order)
    return nearest > 0 and abs(order - nearest) < 0.005 * order


def score_harmonics(
    spectrum: Spectrum, fundamental_hz: float, keep: Mask, *, tolerance: float = 0.01, count: int = 3
) -> HarmonicScore | None:
    """Test the first harmonics of a frequency; None if the spectrum does not resolve them or all bins are masked."""
    step, last = spectrum.step_hz, len(spectrum.amplitude) - 1
    if fundamental_hz < 5 * step or count * fundamental_hz * (1 + tolerance) / step > last:
        return None
    lines = []
    for number in range(1, count + 1):
        line = _test_line(spectrum, number * fundamental_hz, keep, tolerance, _MEDIAN_WIDTH * fundamental_hz)
        if line is None:
            return None
        lines.append(line)
    return HarmonicScore(float(np.mean([line.excess for line in lines])), tuple(lines))


def score_side_bands(
    spectrum: Spectrum, lines: Sequence[HarmonicLine], spacing_hz: float, keep: Mask
) -> tuple[HarmonicLine, ...]:
    """Test the bins one spacing above and below each line found; those that stand above noise are returned."""
    found = []
    for line in lines:
        for side in (-1, 1):
            at = line.found_hz + side * spacing_hz
            if at < 5 * spectrum.step_hz:
                continue
            tested = _test_line(spectrum, at, keep, 0.0, max(_MEDIAN_WIDTH * spacing_hz, 15 * spectrum.step_hz))
            if tested is not None and tested.excess > 0:
                found.append(tested)
    return tuple(found)


def _test_line(
    spectrum: Spectrum, expected_hz: float, keep: Mask, tolerance: float, median_hz: float
) -> HarmonicLine | None:
    step, amplitude = spectrum.step_hz, spectrum.amplitude
    half = max(expected_hz * tolerance / step, _MIN_TOLERANCE_BINS)
    low, high = int(np.floor(expected_hz / step - half)), int(np.ceil(expected_hz / step + half)) + 1
    width = max(median_hz / step, _MIN_MEDIAN_BINS)
    first, last = max(int(expected_hz / step - width), 1), int(expected_hz / step + width) + 1
    inside = keep[low:high]
    around = amplitude[first:last][keep[first:last]]
    if not inside.any() or len(around) < _MIN_MEDIAN_BINS:
        return None
    values = np.where(inside, amplitude[low:high], 0.0)
    at = int(values.argmax())
    floor = max(float(np.median(around)), np.finfo(float).tiny)
    ratio = max(float(values[at]) / floor, 1e-3)
    excess = float(np.log(ratio / noise_maximum(int(inside.sum()))))
    return HarmonicLine(expected_hz, (low + at) * step, excess)
