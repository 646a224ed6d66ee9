"""Token counter with a cache."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, TypeAlias

from metier.tokens import count_tokens

Counter: TypeAlias = Callable[[str], int]

_MAX_ENTRIES: Final = 8192


class TokenCounter:
    """Counts tokens and caches the result by text digest: rules, cases and old messages recur in every build.

    The text itself is not stored. A full cache is cleared: simpler than eviction by age, and as good for texts that all
    recur in the next build.
    """

    def __init__(self, count: Counter = count_tokens, *, max_entries: int = _MAX_ENTRIES) -> None:
        self._count = count
        self._max_entries = max_entries
        self._known: dict[bytes, int] = {}

    def __call__(self, text: str) -> int:
        if not text:
            return 0
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._known.get(digest)
        if found is None:
            found = self._count(text)
            if len(self._known) >= self._max_entries:
                self._known.clear()
            self._known[digest] = found
        return found
