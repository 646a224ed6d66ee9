"""Drafts of what is to be filled in: templates with their parts, and outlines with their levels."""

from metier.packs.office.drafting.templates._outline import draft_outline
from metier.packs.office.drafting.templates._templates import capitalise, draft_template, take_word_art

__all__ = ["capitalise", "draft_outline", "draft_template", "take_word_art"]
