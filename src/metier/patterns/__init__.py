"""Regular expressions of our own, compiled at first use, and words and numbers that several readers share."""

from metier.patterns._kept import keep_patterns
from metier.patterns._later import compile_later, compile_remaining
from metier.patterns._months import MONTH_NAME_EN, MONTH_WORD_EN, read_month_en
from metier.patterns._numerals import (
    CHINESE_NUMERALS,
    ENGLISH_NUMBER,
    ENGLISH_NUMBERS,
    ENGLISH_ORDINALS,
    read_chinese_digits,
    read_chinese_integer,
    read_chinese_number,
    read_english_number,
    write_chinese_integer,
)
from metier.patterns._undo_words import UNDO_VERBS_ZH, undo_verbs_en

__all__ = [
    "CHINESE_NUMERALS",
    "ENGLISH_NUMBER",
    "ENGLISH_NUMBERS",
    "ENGLISH_ORDINALS",
    "MONTH_NAME_EN",
    "MONTH_WORD_EN",
    "UNDO_VERBS_ZH",
    "compile_later",
    "compile_remaining",
    "keep_patterns",
    "read_chinese_digits",
    "read_chinese_integer",
    "read_chinese_number",
    "read_english_number",
    "read_month_en",
    "undo_verbs_en",
    "write_chinese_integer",
]
