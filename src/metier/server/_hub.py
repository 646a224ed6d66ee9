"""Delivery of live events to the readers of a conversation; missed events are read from the store."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Final

from metier.errors import Unavailable
from metier.server._frames import DELTA, HEARTBEAT, Frame, frames_of, joins
from metier.store import Event, Store

_log = logging.getLogger(__name__)
_PAGE: Final = 500
_QUEUE: Final = 256
_JOIN_S: Final = 0.05
_LOOK_S: Final = 1.0
_QUIET_S: Final = 10.0


@dataclass(slots=True, eq=False)
class Reader:
    """Position of one stream in a conversation. Events that do not fit into its queue are read from the store again.

    With a `turn`, events of other turns are skipped.
    """

    conversation: str
    last: int
    turn: str | None = None
    until: int | None = None
    behind: bool = True
    sent_at: float = 0.0
    due: bool = False
    waiting: deque[Frame] = field(default_factory=deque)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def offer(self, frame: Frame) -> None:
        """Queue a frame; a reader that is too slow loses its queue and continues from the store."""
        if len(self.waiting) >= _QUEUE:
            self.waiting.clear()
            self.behind = True
        if not self.behind:
            self.waiting.append(frame)
        self._wake.set()

    def look_again(self) -> None:
        """Read the store again: it has events that were not queued."""
        self.behind = True
        self._wake.set()

    def finish(self, seq: int = 0) -> None:
        """End the stream once the event with this number has been sent."""
        self.until = seq
        self.behind = self.behind or (self.last < seq and not self.waiting)
        self._wake.set()

    def beat(self, now: float) -> None:
        """Request a heartbeat if the stream has been quiet for too long."""
        if now - self.sent_at >= _QUIET_S:
            self.due = True
            self._wake.set()

    def take(self, frame: Frame) -> Frame | None:
        """Advance past the frame and return what of it to send.

        None if all of it was sent before, if it belongs to another turn, or if events before it are missing.
        """
        if frame.last <= self.last or self.ended:
            return None
        if frame.first > self.last + 1:
            self.waiting.clear()
            self.behind = True
            return None
        rest = frame.after(self.last)
        self.last = rest.last
        return rest if self.turn is None or rest.turn in (None, self.turn) else None

    @property
    def ended(self) -> bool:
        return self.until is not None and self.last >= self.until

    async def woken(self) -> None:
        """Wait until there is something to do."""
        await self._wake.wait()
        self._wake.clear()


@dataclass(slots=True)
class _Channel:
    """A conversation with readers, and the text deltas that wait to be joined."""

    readers: set[Reader] = field(default_factory=set)
    held: list[Event] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    last: int = 0


class Hub:
    """Sends events to readers. Open it with `Hub.open` and register `publish` as an observer of the runtime."""

    def __init__(self, read: Callable[[str, int], Awaitable[tuple[Event, ...]]]) -> None:
        self._read = read
        self._channels: dict[str, _Channel] = {}
        self.frames = 0

    @classmethod
    @asynccontextmanager
    async def over(cls, store: Store, *, look_s: float = _LOOK_S) -> AsyncIterator["Hub"]:
        """Open a hub over this store; it polls the store for events that other processes wrote."""
        hub = cls(lambda conversation, after: store.events.read(conversation, after=after, limit=_PAGE))
        task = asyncio.create_task(hub._look_on(store.events.last_seqs, look_s))
        try:
            yield hub
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            hub.close()

    @property
    def streams(self) -> int:
        """Number of open readers."""
        return sum(len(channel.readers) for channel in self._channels.values())

    def publish(self, event: Event) -> None:
        """Send a stored event to the conversation's readers. Text deltas are held briefly to be joined."""
        channel = self._channels.get(event.conversation)
        if channel is None:
            return
        channel.last = max(channel.last, event.seq)
        if channel.held and not joins(channel.held[-1], event):
            _flush(channel)
        channel.held.append(event)
        if event.kind != DELTA:
            _flush(channel)
        elif channel.timer is None:
            channel.timer = asyncio.get_running_loop().call_later(_JOIN_S, _flush, channel)

    @contextmanager
    def reading(
        self, conversation: str, *, after: int = 0, until: int | None = None, turn: str | None = None
    ) -> Iterator[Reader]:
        """Open a reader that has seen everything up to `after`; it starts with what the store has since then."""
        channel = self._channels.setdefault(conversation, _Channel())
        reader = Reader(conversation, after, turn, until, sent_at=asyncio.get_running_loop().time())
        channel.readers.add(reader)
        try:
            yield reader
        finally:
            channel.readers.discard(reader)
            if not channel.readers and self._channels.get(conversation) is channel:
                _rest(channel)
                del self._channels[conversation]

    async def follow(self, reader: Reader) -> AsyncIterator[bytes]:
        """Yield the encoded frames after the reader's position, each exactly once and in order, until it ends."""
        loop = asyncio.get_running_loop()
        while not reader.ended:
            if reader.behind:
                reader.behind = False  # events published from here on are queued, and skipped if the page has them
                page = await self._read(reader.conversation, reader.last)
                reader.behind = reader.behind or len(page) >= _PAGE
                frames = frames_of(page)
            elif reader.waiting:
                frames = [reader.waiting.popleft()]
            elif reader.due:
                reader.due, reader.sent_at = False, loop.time()
                yield HEARTBEAT
                continue
            else:
                await reader.woken()
                continue
            for frame in frames:
                if (told := reader.take(frame)) is not None:
                    self.frames += 1
                    reader.sent_at = loop.time()
                    yield told.wire

    def end(self, conversation: str) -> None:
        """End the streams of a deleted conversation."""
        channel = self._channels.get(conversation)
        for reader in channel.readers if channel else ():
            reader.finish()

    def close(self) -> None:
        """End every stream."""
        for channel in self._channels.values():
            _rest(channel)
            for reader in channel.readers:
                reader.finish()

    async def _look_on(
        self, last_seqs: Callable[[Collection[str]], Awaitable[Mapping[str, int]]], look_s: float
    ) -> None:
        while True:
            await asyncio.sleep(look_s)
            try:
                asked = frozenset(self._channels)
                found = await last_seqs(asked) if asked else {}
            except Unavailable as error:
                _log.warning("the store could not be looked at: %s", error)
                continue
            now = asyncio.get_running_loop().time()
            for conversation, channel in list(self._channels.items()):
                if conversation in asked:
                    _look(channel, found.get(conversation), now)


def _look(channel: _Channel, newest: int | None, now: float) -> None:
    """Wake readers for which the store has more and those due a heartbeat; end those of deleted conversations."""
    unseen = newest is not None and newest > channel.last
    channel.last = max(channel.last, newest or 0)
    for reader in channel.readers:
        if newest is None:
            reader.finish()
        elif unseen and reader.last < newest:
            reader.look_again()
        reader.beat(now)


def _flush(channel: _Channel) -> None:
    held = channel.held
    _rest(channel)
    if held:
        frame = Frame.of(held)
        for reader in channel.readers:
            reader.offer(frame)


def _rest(channel: _Channel) -> None:
    if channel.timer is not None:
        channel.timer.cancel()
    channel.timer, channel.held = None, []
