"""Fitting of the calibration to one installation (`metier route fit`)."""

from metier.routing.fitting._files import write_heads
from metier.routing.fitting._heads import LabelledScore, fit_heads
from metier.routing.fitting._messages import MIN_MESSAGES, FitReport, LabelledMessage, fit_messages, read_labelled

__all__ = [
    "MIN_MESSAGES",
    "FitReport",
    "LabelledMessage",
    "LabelledScore",
    "fit_heads",
    "fit_messages",
    "read_labelled",
    "write_heads",
]
