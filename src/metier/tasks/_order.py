"""Whether a message says in which order its tasks are to be done, and the orders a person can choose from."""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Final

from metier.language import Language, Sentences

_COMES_FIRST: Final = re.compile(r"\s*(?:先|首先|之前|在此之前|first\b|before\b|but first\b)", re.IGNORECASE)
_MAX_PERMUTED: Final = 2
_SENTENCES: Final = Sentences(
    {
        "first": ("First {title}", "先做「{title}」"),
        "then": (", then {title}", "，再做「{title}」"),
        "alone": ("Only {title}", "只做「{title}」"),
    }
)


def has_clear_order(texts: Sequence[str]) -> bool:
    """False if a part that is not the first says that it comes first (写纪要，先做试卷)."""
    return not any(_COMES_FIRST.match(text) for text in texts[1:])


def describe_order(titles: Sequence[str], language: Language) -> list[tuple[tuple[int, ...], str]]:
    """Orders to choose from, each with its sentence: all tasks in turn, then each alone."""
    every = tuple(range(len(titles)))
    orders = [*permutations(every)] if len(titles) <= _MAX_PERMUTED else [every]
    return [*((order, _say_order(order, titles, language)) for order in orders), *_say_alone(titles, language)]


def _say_order(order: Sequence[int], titles: Sequence[str], language: Language) -> str:
    codes = ("first", *["then"] * (len(order) - 1))
    return "".join(_SENTENCES.render(code, language, title=titles[at]) for code, at in zip(codes, order, strict=True))


def _say_alone(titles: Sequence[str], language: Language) -> list[tuple[tuple[int, ...], str]]:
    return [((at,), _SENTENCES.render("alone", language, title=title)) for at, title in enumerate(titles)]
