"""Steps of a plan on a deck, one function for each operation."""

from metier.packs.office.slides.steps._fill import add_text_slide, fill_shape
from metier.packs.office.slides.steps._table import SLIDE_STEPS

__all__ = ["SLIDE_STEPS", "add_text_slide", "fill_shape"]
