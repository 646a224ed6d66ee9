"""Sentences of a report that an answer may quote."""

from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.patterns import compile_later
from metier.questions._results import Remark

# What a report offers is no ground.
_NO_GROUND: Final = compile_later(r"(?i)可以说|还可以|要细看|请附上|\bsay “|\battach\b|\bto look at\b")
_CHINESE: Final = compile_later("[\u4e00-\u9fff]")
_ENGLISH: Final = compile_later(r"\b[A-Za-z]?[a-z]+\b")


def list_quotable(remarks: Sequence[Remark]) -> list[Remark]:
    """Sentences of a report, without headings and offers."""
    return [one for one in remarks if one.line and not _NO_GROUND.search(one.line)]


def are_in(remarks: Sequence[Remark], language: Language) -> bool:
    """Whether sentences are in a language, whatever names and terms of the other one they have."""
    text = "\n".join(one.line for one in remarks)
    chinese, english = len(_CHINESE.findall(text)), len(_ENGLISH.findall(text))
    # A Chinese word has two characters or so; a text with no words at all is in both.
    return choose(language, en=2 * english >= chinese, zh=chinese >= 2 * english)
