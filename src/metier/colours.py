"""Contrast of colours, and the colour for a dark ground that stands out from it as another does from white paper."""

from colorsys import hls_to_rgb, rgb_to_hls
from typing import Final

PAPER: Final = "#ffffff"
DARK_PAPER: Final = "#1b1d22"  # the surface of a card in the dark page
_STEPS: Final = 24
_CHANNEL_KNEE: Final = 0.04045


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
