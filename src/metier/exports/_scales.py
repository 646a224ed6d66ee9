"""Axes and colours of drawings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SERIES_COLOURS: Final = ("#2f6fdb", "#e08a1e", "#2a9d6f", "#b0418e", "#7a6ff0", "#5d7083", "#c0392b", "#8aa52c")
# From bad to good; readable in print and by the colour-blind.
_RAMP: Final = (
    (0.0, (165, 0, 38)),
    (0.25, (244, 109, 67)),
    (0.5, (254, 224, 144)),
    (0.75, (116, 173, 209)),
    (1.0, (49, 54, 149)),
)


@dataclass(frozen=True, slots=True)
class AxisScale:
    """Maps values to a distance along an axis."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Position of a value; outside of the scale at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> tuple[float, ...]:
        """Round values along the axis."""
        step = _round_step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        return tuple(number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1))


def fit_range(
    values: Sequence[float], fixed: Sequence[float] | None = None, *, with_zero: bool = False
) -> tuple[float, float]:
    """Range of an axis: given, or round values around the data; bars of one sign that reach down to zero include it."""
    if fixed is not None and len(fixed) == 2:
        return fixed[0], fixed[1]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if with_zero and low >= 0:
        low = 0.0
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = _round_step((high - low) / 5)
    return math.floor(low / step) * step, math.ceil(high / step) * step


def ramp_colour(share: float) -> str:
    """Colour of a share between 0 (bad) and 1 (good)."""
    share = min(max(share, 0.0), 1.0)
    for (left, start), (right, end) in pairwise(_RAMP):
        if share <= right:
            part = (share - left) / (right - left)
            return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(start, end, strict=True))
    return "#313695"


def format_number(value: float) -> str:
    """A number with the digits that a reader needs."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}"
    return f"{value:.4g}" if abs(value) < 1e-2 or abs(value) >= 1e6 else f"{value:.2f}".rstrip("0").rstrip(".")


def _round_step(rough: float) -> float:
    if rough <= 0 or not math.isfinite(rough):
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * part for part in (1.0, 2.0, 2.5, 5.0, 10.0) if power * part >= rough * 0.999)
