"""One turn as the store has it."""

from typing import Final

from metier.store import Event, Message, Store, Turn

_READ: Final = 200


async def turn_events(store: Store, turn: Turn) -> list[Event]:
    """All events of a turn, in order."""
    found: list[Event] = []
    while page := await store.events.read(turn.conversation, after=found[-1].seq if found else 0, turn=turn.id):
        found += page
    return found


async def turn_messages(store: Store, turn: Turn) -> list[Message]:
    """The newest messages of a turn, in order."""
    history = await store.messages.history(turn.conversation, limit=_READ)
    return [one for one in history if one.turn == turn.id]
