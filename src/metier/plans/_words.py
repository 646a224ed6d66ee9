"""Text comparison that ignores character width, case and surrounding spaces."""

import unicodedata


def folded(text: str) -> str:
    """Normalise a text for comparison."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def same_words(one: str, other: str) -> bool:
    return folded(one) == folded(other)
