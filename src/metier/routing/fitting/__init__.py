"""Fitting of the calibration to one installation (`metier route fit`)."""

from metier.routing.fitting._files import write_heads
from metier.routing.fitting._heads import LabelledScore, fit_heads
from metier.routing.fitting._messages import (
    MIN_MESSAGES,
    FitConfusion,
    FitReport,
    LabelledMessage,
    fit_messages,
    read_evals,
    read_labelled,
)

__all__ = [
    "MIN_MESSAGES",
    "FitConfusion",
    "FitReport",
    "LabelledMessage",
    "LabelledScore",
    "fit_heads",
    "fit_messages",
    "read_evals",
    "read_labelled",
    "write_heads",
]
