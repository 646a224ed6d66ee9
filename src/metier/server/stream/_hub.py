"""Delivery of live events to the readers of a conversation; missed events are read from the store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from metier.background import repeat, trim_heap
from metier.server.stream._frames import DELTAS, HEARTBEAT, SseFrame, build_frames, can_join
from metier.store import Event, Store

_PAGE_SIZE: Final = 32  # each reader that catches up holds one page: 500 events of 8 KB were 4 MB for each of them
_MAX_QUEUED: Final = 256
_JOIN_S: Final = 0.05
_POLL_INTERVAL_S: Final = 1.0
_HEARTBEAT_S: Final = 10.0
_STALLED_S: Final = 2.0
_TRIMS: Final = 5  # polls after a queue was dropped: what was read for it is freed by and by


@dataclass(slots=True, eq=False)
class Reader:
    """Position of one stream in a conversation. Events that do not fit into its queue are read from the store again.

    With a `turn`, events of other turns are skipped.
    """

    conversation: str
    last_seq: int
    turn: str | None = None
    until_seq: int | None = None
    behind: bool = True
    sent_at: float = 0.0
    sending_since: float | None = None
    heartbeat_due: bool = False
    queue: list[SseFrame] = field(default_factory=list)  # a deque or an `asyncio.Event` takes 760 bytes when empty
    _is_awake: bool = False
    _waiter: "asyncio.Future[None] | None" = None

    def offer(self, frame: SseFrame) -> None:
        """Queue a frame; a reader that is too slow gets it from the store, after what its queue has."""
        if len(self.queue) >= _MAX_QUEUED:
            self.behind = True
        if not self.behind:
            self.queue.append(frame)
        self._wake()

    def reread_store(self) -> None:
        """Read the store again: it has events that were not queued."""
        self.behind = True
        self._wake()

    def finish(self, seq: int = 0) -> None:
        """End the stream once the event with this number has been sent."""
        self.until_seq = seq
        queued_seq = self.queue[-1].last_seq if self.queue else self.last_seq
        self.behind = self.behind or queued_seq < seq  # the rest is in the store
        self._wake()

    def drop_if_stalled(self, now: float) -> bool:
        """Forget the queue of a client that has not read for a while; the store has all of it. Whether it had one."""
        is_stalled = self.sending_since is not None and now - self.sending_since >= _STALLED_S
        if not (self.queue and is_stalled):
            return False
        self.queue.clear()
        self.behind = True
        return True

    def check_heartbeat(self, now: float) -> None:
        """Request a heartbeat if the stream has been quiet for too long."""
        if now - self.sent_at >= _HEARTBEAT_S:
            self.heartbeat_due = True
            self._wake()

    def advance(self, frame: SseFrame) -> SseFrame | None:
        """Advance past the frame and return what of it to send.

        None if all of it was sent before, if it belongs to another turn, or if events before it are missing.
        """
        if frame.last_seq <= self.last_seq or self.is_ended:
            return None
        if frame.first_seq > self.last_seq + 1:
            self.queue.clear()
            self.behind = True
            return None
        rest = frame.keep_after(self.last_seq)
        self.last_seq = rest.last_seq
        return rest if self.turn is None or rest.turn in (None, self.turn) else None

    @property
    def is_ended(self) -> bool:
        return self.until_seq is not None and self.last_seq >= self.until_seq

    async def wait_for_work(self) -> None:
        """Wait until there is something to do."""
        if not self._is_awake:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        self._is_awake = False

    def _wake(self) -> None:
        self._is_awake = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class _Page(NamedTuple):
    """Frames that the store has after a position; a full page does not change any more, and more follow it."""

    frames: tuple[SseFrame, ...]
    is_full: bool


@dataclass(slots=True)
class _Channel:
    """A conversation with readers, the deltas that wait to be joined, and the pages read a moment ago by position."""

    readers: set[Reader] = field(default_factory=set)
    pages: "dict[int, asyncio.Task[_Page]]" = field(default_factory=dict)
    pending: list[Event] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    last_seq: int = 0


class Hub:
    """Sends events to readers. Open it with `Hub.open` and register `publish` as an observer of the runtime."""

    def __init__(self, read: Callable[[str, int], Awaitable[tuple[Event, ...]]]) -> None:
        self._read = read
        self._channels: dict[str, _Channel] = {}
        self.frames_sent = 0
        self._trims_due = 0

    @classmethod
    @asynccontextmanager
    async def open(cls, store: Store, *, poll_s: float = _POLL_INTERVAL_S) -> AsyncIterator["Hub"]:
        """Open a hub over this store; it polls the store for events that other processes wrote."""
        hub = cls(lambda conversation, after: store.events.read(conversation, after=after, limit=_PAGE_SIZE))
        poll = partial(hub._poll_store, store.events.get_last_seqs)
        task = asyncio.create_task(repeat(poll, every_s=poll_s, what="the store could not be looked at"))
        try:
            yield hub
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            hub.close()

    @property
    def stream_count(self) -> int:
        """Number of open readers."""
        return sum(len(channel.readers) for channel in self._channels.values())

    def publish(self, event: Event) -> None:
        """Send a stored event to the conversation's readers. Deltas are held briefly to be joined."""
        channel = self._channels.get(event.conversation)
        if channel is None:
            return
        channel.last_seq = max(channel.last_seq, event.seq)
        if channel.pending and not can_join(channel.pending[-1], event):
            _flush(channel)
        channel.pending.append(event)
        if event.kind not in DELTAS:
            _flush(channel)
        elif channel.timer is None:
            channel.timer = asyncio.get_running_loop().call_later(_JOIN_S, _flush, channel)

    @contextmanager
    def open_reader(
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
                _clear_pending(channel)
                del self._channels[conversation]

    async def follow(self, reader: Reader) -> AsyncIterator[bytes]:
        """Yield the encoded frames after the reader's position, each exactly once and in order, until it ends."""
        loop = asyncio.get_running_loop()
        while not reader.is_ended:
            if reader.queue:
                if (told := reader.advance(reader.queue.pop(0))) is not None:
                    self.frames_sent += 1
                    reader.sent_at = reader.sending_since = loop.time()
                    yield told.encoded
                    reader.sending_since = None
            elif reader.behind:
                await self._read_page(reader)
            elif reader.heartbeat_due:
                reader.heartbeat_due, reader.sent_at = False, loop.time()
                yield HEARTBEAT
            else:
                await reader.wait_for_work()

    async def _read_page(self, reader: Reader) -> None:
        """Queue what the store has after the reader's position, before what is published meanwhile."""
        reader.behind = False  # events published from here on are queued, and skipped if the page has them
        page = await self._load_page(reader.conversation, reader.last_seq)
        reader.behind = reader.behind or page.is_full
        reader.queue[:0] = page.frames

    async def _load_page(self, conversation: str, after: int) -> _Page:
        """Frames after a position; readers that are there together share them.

        A page that another reader asked for may lack events published since, so it is shared only if it is full.
        """
        channel = self._channels.get(conversation) or _Channel()
        if (shared := channel.pages.get(after)) is not None:
            page = await asyncio.shield(shared)
            if page.is_full:
                return page
        own = asyncio.create_task(self._read_frames(conversation, after))
        own.add_done_callback(partial(_forget_page, channel, after))
        channel.pages[after] = own
        return await asyncio.shield(own)

    async def _read_frames(self, conversation: str, after: int) -> _Page:
        page = await self._read(conversation, after)
        return _Page(tuple(build_frames(page)), len(page) >= _PAGE_SIZE)

    def end(self, conversation: str) -> None:
        """End the streams of a deleted conversation."""
        channel = self._channels.get(conversation)
        for reader in channel.readers if channel else ():
            reader.finish()

    def close(self) -> None:
        """End every stream."""
        for channel in self._channels.values():
            _clear_pending(channel)
            for reader in channel.readers:
                reader.finish()

    async def _poll_store(self, last_seqs: Callable[[Collection[str]], Awaitable[Mapping[str, int]]]) -> None:
        asked = frozenset(self._channels)
        found = await last_seqs(asked) if asked else {}
        now = asyncio.get_running_loop().time()
        watched = [(name, channel) for name, channel in self._channels.items() if name in asked]
        dropped = [_wake_readers(channel, found.get(name), now) for name, channel in watched]
        self._trims_due = _TRIMS if any(dropped) else max(0, self._trims_due - 1)
        if self._trims_due:  # half of what stalled readers cost was memory that nothing used any more
            await asyncio.to_thread(trim_heap)


def _wake_readers(channel: _Channel, newest: int | None, now: float) -> bool:
    """Wake readers for which the store has more and those due a heartbeat; end those of deleted conversations.

    Returns whether the queue of a stalled reader was dropped.
    """
    for after in [after for after, page in channel.pages.items() if page.done()]:
        del channel.pages[after]
    unseen = newest is not None and newest > channel.last_seq
    channel.last_seq = max(channel.last_seq, newest or 0)
    has_dropped = False
    for reader in channel.readers:
        if newest is None:
            reader.finish()
        elif unseen and reader.last_seq < newest:
            reader.reread_store()
        has_dropped = reader.drop_if_stalled(now) or has_dropped
        reader.check_heartbeat(now)
    return has_dropped


def _forget_page(channel: _Channel, after: int, page: "asyncio.Task[_Page]") -> None:
    """Keep a full page until the next poll; what failed or may still grow is read again."""
    is_final = not page.cancelled() and page.exception() is None and page.result().is_full
    if not is_final and channel.pages.get(after) is page:
        del channel.pages[after]


def _flush(channel: _Channel) -> None:
    held = channel.pending
    _clear_pending(channel)
    if held:
        frame = SseFrame.from_events(held)
        for reader in channel.readers:
            reader.offer(frame)


def _clear_pending(channel: _Channel) -> None:
    if channel.timer is not None:
        channel.timer.cancel()
    channel.timer, channel.pending = None, []
