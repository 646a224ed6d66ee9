"""Regular expressions of our own, compiled when they are first used, and words that several readers share."""

from metier.patterns._later import compile_later, compile_remaining
from metier.patterns._undo_words import UNDO_VERBS_ZH, undo_verbs_en

__all__ = ["UNDO_VERBS_ZH", "compile_later", "compile_remaining", "undo_verbs_en"]
