"""Figures as people read them: digits that mean something, and differences in the unit of differences."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language

# The difference of two levels in dBm is a ratio, that of two percentages is in points.
_DIFFERENCE_UNITS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {"dBm": BilingualText("dB", "dB"), "%": BilingualText("个百分点", "pp")}
)


def difference_unit(unit: str, language: Language) -> str:
    """Unit of the difference of two values with this unit."""
    known = _DIFFERENCE_UNITS.get(unit)
    return known.text(language) if known else unit


def format_value(value: float, unit: str, digits: int) -> str:
    """A value with its unit."""
    return f"{value:.{digits}f} {unit}".strip()


def format_difference(value: float, unit: str, digits: int, language: Language) -> str:
    """A difference with its sign, in the unit of differences."""
    rounded = round(value, digits) + 0.0  # no -0.0
    sign = "+" if rounded else ""  # nothing is neither more nor less
    return f"{rounded:{sign}.{digits}f} {difference_unit(unit, language)}".strip()


def subtract_rounded(before: float, after: float, digits: int) -> float:
    """Difference of two values as they are shown, so that a reader who subtracts gets the same."""
    return round(round(after, digits) - round(before, digits), digits)
