"""Trends of a machine: health index, first lasting alarm, remaining useful life with its interval."""

from metier.packs.phm.trends._health import HealthTrend, find_lasting_alarm, follow_health
from metier.packs.phm.trends._remaining_life import RemainingLife, estimate_remaining_life
from metier.packs.phm.trends._run_to_failure import LifeModel, LifePrediction, Units, fit_life_model, read_units

__all__ = [
    "HealthTrend",
    "LifeModel",
    "LifePrediction",
    "RemainingLife",
    "Units",
    "estimate_remaining_life",
    "find_lasting_alarm",
    "fit_life_model",
    "follow_health",
    "read_units",
]
