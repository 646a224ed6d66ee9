"""Recognition of the conversation that a list of messages continues: OpenAI clients send no conversation id."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

_MAX_THREADS: Final = 10_000


class ThreadMessage(NamedTuple):
    """One message of the list, as text."""

    role: str
    text: str


class ThreadIndex:
    """LRU index from a digest of user and messages to the conversation.

    Forgotten threads start a new conversation with the same history. The user is part of the key.
    """

    def __init__(self, max_threads: int = _MAX_THREADS) -> None:
        self._max_threads = max_threads
        self._known: OrderedDict[str, str] = OrderedDict()

    def find(self, user: str, before: Sequence[ThreadMessage]) -> str | None:
        """Find the conversation with exactly this history."""
        return self._known.get(_digest(user, before)) if before else None

    def remember(self, user: str, said: Sequence[ThreadMessage], conversation: str) -> None:
        """Remember the conversation under all its messages, including the last answer."""
        key = _digest(user, said)
        self._known[key] = conversation
        self._known.move_to_end(key)
        while len(self._known) > self._max_threads:
            self._known.popitem(last=False)

    def forget(self, conversations: Collection[str]) -> None:
        """Forget the threads of deleted conversations."""
        gone = [key for key, conversation in self._known.items() if conversation in conversations]
        for key in gone:
            del self._known[key]


def _digest(user: str, said: Sequence[ThreadMessage]) -> str:
    text = json.dumps([user, *((one.role, one.text.strip()) for one in said)], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
