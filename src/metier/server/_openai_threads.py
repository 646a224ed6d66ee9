"""Recognition of the conversation that a list of messages continues: OpenAI clients send no conversation id."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

_MOST: Final = 10_000


class Said(NamedTuple):
    """One message of the list, as text."""

    role: str
    text: str


class Threads:
    """LRU index from a digest of user and messages to the conversation.

    Forgotten threads start a new conversation with the same history. The user is part of the key.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: OrderedDict[str, str] = OrderedDict()

    def find(self, user: str, before: Sequence[Said]) -> str | None:
        """Find the conversation with exactly this history."""
        return self._known.get(_digest(user, before)) if before else None

    def remember(self, user: str, said: Sequence[Said], conversation: str) -> None:
        """Remember the conversation under all its messages, including the last answer."""
        key = _digest(user, said)
        self._known[key] = conversation
        self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _digest(user: str, said: Sequence[Said]) -> str:
    text = json.dumps([user, *((one.role, one.text.strip()) for one in said)], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
