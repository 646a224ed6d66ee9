"""Reads one turn from the store, and detects the language of its conversation."""

from collections.abc import Sequence
from typing import Final

from metier.store import Event, Message, Store, Turn
from metier.tools import Language, language_of

_MAX_MESSAGES: Final = 200


async def turn_events(store: Store, turn: Turn) -> list[Event]:
    """All events of a turn, in order."""
    found: list[Event] = []
    while page := await store.events.read(turn.conversation, after=found[-1].seq if found else 0, turn=turn.id):
        found += page
    return found


async def turn_messages(store: Store, turn: Turn) -> list[Message]:
    """Latest messages of a turn, in order."""
    history = await store.messages.get_history(turn.conversation, limit=_MAX_MESSAGES)
    return [one for one in history if one.turn == turn.id]


def detect_language(message: str, history: Sequence[Message]) -> Language:
    """Language of the message; if it has no letters (a number), of the user's previous message."""
    if any(char.isalpha() for char in message):
        return language_of(message)
    return language_of(next((one.content for one in reversed(history) if one.role == "user"), message))
