"""Which conversation a list of messages goes on with: OpenAI's clients send what was said, not where."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

_MOST: Final = 10_000


class Said(NamedTuple):
    """One message of the list, as words."""

    role: str
    text: str


class Threads:
    """Remembers by its words which conversation was left where. What is forgotten begins a new one with the same words.

    One user's words never lead to another's conversation.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: OrderedDict[str, str] = OrderedDict()

    def find(self, user: str, before: Sequence[Said]) -> str | None:
        """The conversation in which exactly this was said so far."""
        return self._known.get(_digest(user, before)) if before else None

    def remember(self, user: str, said: Sequence[Said], conversation: str) -> None:
        """All that was said in the conversation, the last answer included."""
        key = _digest(user, said)
        self._known[key] = conversation
        self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _digest(user: str, said: Sequence[Said]) -> str:
    text = json.dumps([user, *((one.role, one.text.strip()) for one in said)], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
