"""Training of the shipped maps and heads, and fitting of the calibration to one installation."""

from metier.routing.fitting._corpus import OUTSIDE, Corpus
from metier.routing.fitting._files import write_heads
from metier.routing.fitting._heads import SCENES, Scene
from metier.routing.fitting._maps import MapRecipe
from metier.routing.fitting._messages import FEWEST_MESSAGES, FitReport, Labelled, fit_messages, read_labelled
from metier.routing.fitting._shipped import Learned, learn

__all__ = [
    "FEWEST_MESSAGES",
    "OUTSIDE",
    "SCENES",
    "Corpus",
    "FitReport",
    "Labelled",
    "Learned",
    "MapRecipe",
    "Scene",
    "fit_messages",
    "learn",
    "read_labelled",
    "write_heads",
]
