"""Counting the same text once."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from metier.tokens import count_tokens

_MOST_KEPT: Final = 8192


class TokenCounter:
    """Tokens of a text, remembered by its digest: rules, cases and old messages come back with every build.

    The text itself is not kept. When the memory is full it is emptied: simpler than ageing, and as good for texts that
    all come back at the next build.
    """

    def __init__(self, count: Callable[[str], int] = count_tokens, *, most_kept: int = _MOST_KEPT) -> None:
        self._count = count
        self._most_kept = most_kept
        self._known: dict[bytes, int] = {}

    def __call__(self, text: str) -> int:
        if not text:
            return 0
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._known.get(digest)
        if found is None:
            found = self._count(text)
            if len(self._known) >= self._most_kept:
                self._known.clear()
            self._known[digest] = found
        return found
