"""Token counter with a cache, and how families of models count a prompt."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import Final, TypeAlias

from metier.tokens import Encoding, count_tokens

Counter: TypeAlias = Callable[[str], int]

_MAX_ENTRIES: Final = 8192


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """How a family of models counts a prompt: by its encoding, with what its chat template writes around the texts.

    `message_tokens` stand around each message, `reply_tokens` open the reply; `tools_heading` is written before tools
    that are sent as they are. `scale` is the share by which a family whose own encoding is not at hand takes more.
    """

    encoding: Encoding = "o200k_base"
    message_tokens: int = 4
    reply_tokens: int = 3
    tools_heading: str = ""
    scale: float = 1.0

    @property
    def count(self) -> Counter:
        """Counter of a text's tokens."""
        plain = partial(count_tokens, encoding=self.encoding)
        return plain if self.scale == 1.0 else lambda text: ceil(plain(text) * self.scale)


DEFAULT_TEMPLATE: Final = ChatTemplate()


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
