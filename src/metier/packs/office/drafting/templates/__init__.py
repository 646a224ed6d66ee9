"""Drafts of what is to be filled in: templates with their parts, outlines with their levels, headings with lines."""

from metier.packs.office.drafting.templates._heading import write_heading
from metier.packs.office.drafting.templates._outline import draft_outline, write_outline
from metier.packs.office.drafting.templates._templates import (
    draft_template,
    take_word_art,
    write_template,
)

__all__ = [
    "draft_outline",
    "draft_template",
    "take_word_art",
    "write_heading",
    "write_outline",
    "write_template",
]
