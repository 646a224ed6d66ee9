"""Axes and colours of drawings."""

import math
from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
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

PAPER: Final = "#ffffff"
DARK_PAPER: Final = "#1b1d22"  # the surface of a card in the dark page
_STEPS: Final = 24
_CHANNEL_KNEE: Final = 0.04045


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


def find_dark_colour(colour: str) -> str:
    """The colour of the same hue whose contrast to the dark ground is that of `colour` to white paper."""
    if colour == PAPER:
        return DARK_PAPER
    wanted = measure_contrast(colour, PAPER)
    hue, _, saturation = rgb_to_hls(*_split(colour))
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        shade = _join(hls_to_rgb(hue, middle, saturation))
        is_apart = _luminance(shade) >= _luminance(DARK_PAPER) and measure_contrast(shade, DARK_PAPER) >= wanted
        low, high = (low, middle) if is_apart else (middle, high)
    return _join(hls_to_rgb(hue, high, saturation))


def measure_contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (`#RRGGBB` or `RRGGBB`) as WCAG 2 defines it: 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_to_linear(one) for one in _split(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _to_linear(channel: float) -> float:
    return channel / 12.92 if channel <= _CHANNEL_KNEE else ((channel + 0.055) / 1.055) ** 2.4


def _split(colour: str) -> tuple[float, float, float]:
    digits = colour.removeprefix("#")
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def _join(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(one * 255):02x}" for one in channels)
