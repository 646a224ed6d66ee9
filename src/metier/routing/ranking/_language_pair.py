"""Languages of a message and of the skill that it is compared with."""

from collections.abc import Iterable
from typing import Final, Literal, cast, get_args

from metier.textsearch import has_cjk

LanguagePair = Literal["en to en", "en to zh", "zh to en", "zh to zh"]

LANGUAGE_PAIRS: Final[tuple[LanguagePair, ...]] = get_args(LanguagePair)


def find_languages(message: str, about: Iterable[str]) -> LanguagePair:
    """Language of a message, and of title and description of a skill; a text with a Chinese character is Chinese."""
    asked, told = ("zh" if has else "en" for has in (has_cjk(message), any(map(has_cjk, about))))
    return cast("LanguagePair", f"{asked} to {told}")
