"""Learning of the files that ship with the router; it runs from a checkout and is not part of the installed package."""

from training._cache import CachedEncoder
from training._catalogs import CATALOG_RECIPES, CatalogRecipe
from training._corpora import load_corpora
from training._corpus import OUT_OF_SCOPE, Corpus
from training._described import load_described
from training._heads_alone import learn_heads
from training._learn import LearnedWeights, learn
from training._maps import MapRecipe

__all__ = [
    "CATALOG_RECIPES",
    "OUT_OF_SCOPE",
    "CachedEncoder",
    "CatalogRecipe",
    "Corpus",
    "LearnedWeights",
    "MapRecipe",
    "learn",
    "learn_heads",
    "load_corpora",
    "load_described",
]
