"""Explains words of the office from the pack's own documents, with the source."""

from metier.packs.office.terms._explain import build_term_tool, explain_office_word, explain_word

__all__ = ["build_term_tool", "explain_office_word", "explain_word"]
