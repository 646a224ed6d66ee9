"""Presentations (.pptx): read, changed on the user's own template, checked so that nothing overflows or overlaps."""

from metier.packs.office.slides._create import OutlineSlide, SlideChart, create_blank, create_deck, create_from_template
from metier.packs.office.slides._execute import open_run
from metier.packs.office.slides._overflow import LayoutProblem, find_overflow
from metier.packs.office.slides._read import DeckView, ShapeView, SlideView, read_deck, read_slides

__all__ = [
    "DeckView",
    "LayoutProblem",
    "OutlineSlide",
    "ShapeView",
    "SlideChart",
    "SlideView",
    "create_blank",
    "create_deck",
    "create_from_template",
    "find_overflow",
    "open_run",
    "read_deck",
    "read_slides",
]
