"""Names that people write: the known one closest to a misspelt one, and a skill called by a slash."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

__all__ = ["find_nearest", "is_command", "leave_command", "suggest"]

_MAX_NAME_CHARS: Final = 200  # comparing takes quadratic time


def find_nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt one; empty if none is close."""
    found = get_close_matches(name[:_MAX_NAME_CHARS], list(known), n=1)
    return found[0] if found else ""


def suggest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Hint with the closest known name ("did you mean …?"); `otherwise` if none is close."""
    near = find_nearest(name, known)
    return f"did you mean {near!r}?" if near else otherwise


def is_command(message: str) -> bool:
    """Whether the message starts with a slash; a command never answers a pause."""
    return message.lstrip()[:1] in ("/", "／")


def leave_command(message: str) -> str:
    """A message without the command that it starts with."""
    return " ".join(message.split(maxsplit=1)[1:]) if is_command(message) else message
