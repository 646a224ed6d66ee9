"""Idempotency keys: the same request sent twice is one turn.

This also holds before there is a conversation, and for a message that answers a question.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from metier.store import Store

_KEPT: Final = 4096
RequestKey: TypeAlias = tuple[str, str | None, str]


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """Where a request's turn starts: the turn, and the number of its first event."""

    conversation: str
    turn: str | None
    first_seq: int


@dataclass(slots=True)
class IdempotencyCache:
    """Turns started by the last few thousand keys: (user, conversation or None, key)."""

    _known: OrderedDict[RequestKey, "asyncio.Future[StartedTurn]"] = field(default_factory=OrderedDict)

    async def run_once(self, key: RequestKey, begin: Callable[[], Awaitable[StartedTurn]]) -> StartedTurn:
        """Start the turn unless this key has started one already; concurrent requests wait for the first."""
        while (known := self._known.get(key)) is not None:
            try:
                return await asyncio.shield(known)
            except asyncio.CancelledError:
                if not known.cancelled():  # this request itself was cancelled
                    raise
        known = self._known[key] = asyncio.get_running_loop().create_future()
        try:
            started = await begin()
            known.set_result(started)
        finally:
            if not known.done():  # the start failed: a waiting request may try
                del self._known[key]
                known.cancel()
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return started


async def find_started_turn(store: Store, key: RequestKey) -> StartedTurn | None:
    """Find the turn that a key started before this process did, from the store."""
    _, conversation, wanted = key
    if conversation is None:
        return None
    turn = await store.turns.find_by_request_key(conversation, wanted)
    events = await store.events.read(conversation, turn=turn.id, limit=1) if turn is not None else ()
    return StartedTurn(conversation, events[0].turn, events[0].seq) if events else None
