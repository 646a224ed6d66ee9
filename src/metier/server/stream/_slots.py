"""Open streams: how many a user and a conversation may have, and how one is ended from outside."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from metier.errors import MetierError, RateLimited, Unauthorized
from metier.store import Principal

CHECK_KEYS_EVERY_S: Final = 2.0
_Item = TypeVar("_Item")


@dataclass(slots=True, eq=False)
class StreamSlot:
    """Place of one stream, taken before the first `await` of its request. `failure` says why it was ended early."""

    caller: Principal
    slots: "StreamSlots"
    conversation: str | None = None
    failure: MetierError | None = None
    _end: Callable[[], None] | None = None

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Release the slot if the request fails before its response is returned."""
        try:
            yield
        except BaseException:
            self.release()
            raise

    def enter(self, conversation: str) -> None:
        """Count the stream for its conversation, once; `RateLimited` if that has too many, whoever reads them."""
        if self.conversation is not None:
            return
        self.slots.count_conversation(conversation)
        self.conversation = conversation

    def release(self) -> None:
        """Give the slot back; a second call has no effect."""
        self.slots.release(self)

    def end_with(self, end: Callable[[], None]) -> None:
        """Call `end` when the stream has to end early; at once if it has to already."""
        self._end = end
        if self.failure is not None:
            end()

    def close(self, failure: MetierError) -> None:
        """End the stream early, for this reason."""
        if self.failure is None:
            self.failure = failure
            if self._end is not None:
                self._end()

    async def read(self, items: AsyncIterator[_Item]) -> AsyncIterator[_Item]:
        """Yield the items; raises `failure` as soon as the stream has to end early, whatever it waits for."""
        closed = asyncio.Event()
        self.end_with(closed.set)
        ended = asyncio.ensure_future(closed.wait())
        try:
            while True:
                coming = asyncio.ensure_future(anext(items, None))
                await asyncio.wait({coming, ended}, return_when=asyncio.FIRST_COMPLETED)
                if self.failure is not None:
                    coming.cancel()
                    await asyncio.gather(coming, return_exceptions=True)
                    raise self.failure
                if (item := coming.result()) is None:
                    return
                yield item
        finally:
            ended.cancel()


@dataclass(slots=True)
class StreamSlots:
    """Open streams of this process, per user and per conversation."""

    max_streams: int
    max_per_conversation: int
    _open: set[StreamSlot] = field(default_factory=set)
    _by_user: Counter[str] = field(default_factory=Counter)
    _by_conversation: Counter[str] = field(default_factory=Counter)

    def take(self, caller: Principal) -> StreamSlot:
        """Take a slot for a stream of this caller; `RateLimited` if the user has none left."""
        if self._by_user[caller.user] >= self.max_streams:
            raise RateLimited(
                f"{self.max_streams} streams are open already", hint="close one; METIER_STREAMS_MAX is the limit"
            )
        slot = StreamSlot(caller, self)
        self._by_user[caller.user] += 1
        self._open.add(slot)
        return slot

    def count_conversation(self, conversation: str) -> None:
        """Count one more stream of a conversation."""
        if self._by_conversation[conversation] >= self.max_per_conversation:
            raise RateLimited(
                f"{self.max_per_conversation} streams of this conversation are open already",
                hint="close one; METIER_CONVERSATION_STREAMS_MAX is the limit",
            )
        self._by_conversation[conversation] += 1

    def release(self, slot: StreamSlot) -> None:
        """Give a slot back."""
        if slot not in self._open:
            return
        self._open.remove(slot)
        _subtract_one(self._by_user, slot.caller.user)
        if slot.conversation is not None:
            _subtract_one(self._by_conversation, slot.conversation)

    async def end_revoked(self, is_valid: Callable[[Principal], Awaitable[bool]]) -> None:
        """End the streams of callers whose keys are not valid any more."""
        for caller in {slot.caller for slot in self._open}:
            if await is_valid(caller):
                continue
            revoked = Unauthorized("the API key of this stream was revoked", hint="ask for another key, then reconnect")
            for slot in [one for one in self._open if one.caller == caller]:
                slot.close(revoked)

    def close(self, failure: MetierError) -> None:
        """End every stream."""
        for slot in list(self._open):
            slot.close(failure)


class SlotResponse(StreamingResponse):
    """Streaming response that gives its slot back when it ends, even if its first chunk was never asked for."""

    slot: StreamSlot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.slot.release()


def _subtract_one(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if not counts[name]:
        del counts[name]
