"""Explains words of the office from the pack's own documents, with the source."""

from metier.packs.office.terms._explain import OfficeTerm, build_term_tool, explain_office_word, read_office_terms

__all__ = ["OfficeTerm", "build_term_tool", "explain_office_word", "read_office_terms"]
