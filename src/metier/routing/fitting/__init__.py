"""Training of the shipped maps and heads, and fitting of the calibration to one installation."""

from training._corpus import OUT_OF_SCOPE, Corpus
from metier.routing.fitting._files import write_heads
from metier.routing.fitting._heads import CATALOG_RECIPES, CatalogRecipe
from training._maps import MapRecipe
from metier.routing.fitting._messages import MIN_MESSAGES, FitReport, LabelledMessage, fit_messages, read_labelled
from training._learn import LearnedWeights, learn

__all__ = [
    "CATALOG_RECIPES",
    "MIN_MESSAGES",
    "OUT_OF_SCOPE",
    "CatalogRecipe",
    "Corpus",
    "FitReport",
    "LabelledMessage",
    "LearnedWeights",
    "MapRecipe",
    "fit_messages",
    "learn",
    "read_labelled",
    "write_heads",
]
