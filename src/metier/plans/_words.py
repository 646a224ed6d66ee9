"""Text comparison that ignores character width, case and surrounding spaces."""

import unicodedata


def fold_text(text: str) -> str:
    """Normalise a text for comparison."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def is_same_text(one: str, other: str) -> bool:
    return fold_text(one) == fold_text(other)
