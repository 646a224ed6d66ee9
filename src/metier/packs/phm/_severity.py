"""How bad a machine is: what a fleet is sorted by. How sure the diagnosis is says nothing about that."""

from typing import Final

_RANK: Final = ("faulty", "suspect", "undetermined", "normal")
_GAUSSIAN_KURTOSIS: Final = 3.0


def rate_severity(kurtosis: float, level: float | None = None) -> float:
    """Times the healthy value: of the level against its own start where there is a history, or of the kurtosis.

    The greater counts: kurtosis rises first and falls again as damage spreads, and then the level has risen.
    Levels of two machines are not compared without a start of each: they depend on size, place and sensor.
    """
    return max(kurtosis / _GAUSSIAN_KURTOSIS, level or 0.0)


def rank_urgency(condition: str, severity: float, strength: float) -> tuple[int, float, float]:
    """Sort key, worst first: the condition, then the severity, then the evidence (its score over the alarm)."""
    return _RANK.index(condition), -severity, -strength
