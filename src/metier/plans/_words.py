"""When two texts are the same words: width, case and outer spaces do not count."""

import unicodedata


def folded(text: str) -> str:
    """The text as it is compared."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def same_words(one: str, other: str) -> bool:
    return folded(one) == folded(other)
