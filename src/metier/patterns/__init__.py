"""Regular expressions of our own, compiled when they are first used, and words that several readers share."""

from metier.patterns._later import compile_later, compile_remaining
from metier.patterns._months import MONTH_NAME_EN, MONTH_WORD_EN, read_month_en
from metier.patterns._undo_words import UNDO_VERBS_ZH, undo_verbs_en

__all__ = [
    "MONTH_NAME_EN",
    "MONTH_WORD_EN",
    "UNDO_VERBS_ZH",
    "compile_later",
    "compile_remaining",
    "read_month_en",
    "undo_verbs_en",
]
