"""The known name closest to a misspelt one."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

__all__ = ["find_nearest", "suggest"]

_MAX_NAME_CHARS: Final = 200  # comparing takes quadratic time


def find_nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt one; empty if none is close."""
    found = get_close_matches(name[:_MAX_NAME_CHARS], list(known), n=1)
    return found[0] if found else ""


def suggest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Hint with the closest known name ("did you mean …?"); `otherwise` if none is close."""
    near = find_nearest(name, known)
    return f"did you mean {near!r}?" if near else otherwise
