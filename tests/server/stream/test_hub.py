"""Live events: each exactly once and in order, whoever wrote them and however slow the reader is."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.background import repeat
from metier.server.stream import Hub, Reader, _hub
from metier.store import Event, EventKind
from tests.server.stream.test_frames import event
from tests.server.support import events_of


class Log:
    """A store of one conversation's events; `append` writes, `tell` writes and tells the hub."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.reads = 0
        self.hub = Hub(self.read)

    async def read(self, _conversation: str, after: int) -> tuple[Event, ...]:
        self.reads += 1
        await asyncio.sleep(0)
        page = tuple(self.events[after : after + _hub._PAGE_SIZE])
        await asyncio.sleep(0)
        return page

    def append(self, kind: EventKind = "error", turn: str = "t1") -> Event:
        made = event(len(self.events) + 1, kind, turn=turn)
        self.events.append(made)
        return made

    def tell(self, kind: EventKind = "error", turn: str = "t1") -> None:
        self.hub.publish(self.append(kind, turn))


async def read_all(hub: Hub, reader: Reader) -> list[int]:
    """The numbers of every event that a reader is told, pieces of joined ones included."""
    seen: list[int] = []
    async for wire in hub.follow(reader):
        for told in events_of(wire.decode()):
            seen += range(told.get("first_seq", told["seq"]), told["seq"] + 1)
    return seen


Step = tuple[str, EventKind]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["tell", "tell", "append", "wait", "look", "reconnect", "join"]),
        st.sampled_from(["text.delta", "text.delta", "error"]),
    ),
    max_size=40,
)


@given(STEPS)
def test_whatever_happens_a_reader_is_told_every_event_once(steps: list[Step]) -> None:
    """Told here, written elsewhere, looked for, cut off in the middle and come back: always the whole log in order."""
    asyncio.run(_followed(steps))


async def _followed(steps: list[Step]) -> None:
    log = Log()
    told: list[int] = []
    cut = _Follower(log)
    for action, kind in steps:
        if action == "tell":
            log.tell(kind)
        elif action == "append":
            log.append(kind)
        elif action == "wait":
            for _ in range(3):
                await asyncio.sleep(0)
        elif action == "look":
            _hub._wake_readers(log.hub._channels["c1"], len(log.events), 0)
        elif action == "join":
            _hub._flush(log.hub._channels["c1"])
        else:
            told += await cut.leave()
            cut = _Follower(log, after=told[-1] if told else 0)
        await asyncio.sleep(0)
    told += await cut.finish(len(log.events))
    assert told == list(range(1, len(log.events) + 1))


class _Follower:
    """A reader in a task of its own, which may be cut off."""

    def __init__(self, log: Log, after: int = 0) -> None:
        self._context = log.hub.open_reader("c1", after=after)
        self.reader = self._context.__enter__()
        self._seen: list[int] = []
        self._task = asyncio.create_task(self._run(log.hub))

    async def _run(self, hub: Hub) -> None:
        async for wire in hub.follow(self.reader):
            for one in events_of(wire.decode()):
                self._seen += range(one.get("first_seq", one["seq"]), one["seq"] + 1)

    async def leave(self) -> list[int]:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._context.__exit__(None, None, None)
        return self._seen

    async def finish(self, last: int) -> list[int]:
        self.reader.finish(last)
        await asyncio.wait_for(self._task, 60)
        self._context.__exit__(None, None, None)
        return self._seen


async def test_events_that_come_while_the_store_is_read_are_neither_lost_nor_told_twice() -> None:
    log = Log()
    for _ in range(3):
        log.append()
    with log.hub.open_reader("c1") as reader:
        task = asyncio.create_task(read_all(log.hub, reader))
        await asyncio.sleep(0)
        log.tell()
        await asyncio.sleep(0)
        log.tell()
        reader.finish(5)
        assert await task == [1, 2, 3, 4, 5]
    assert log.reads <= 2  # what was handed over is not read again


async def test_a_reader_that_is_too_slow_keeps_its_place_and_not_the_queue() -> None:
    log = Log()
    with log.hub.open_reader("c1") as reader:
        reader.behind = False  # it has caught up, and now does nothing for a long time
        for _ in range(3 * _hub._MAX_QUEUED):
            log.tell()
            assert len(reader.queue) <= _hub._MAX_QUEUED
        reader.finish(len(log.events))
        assert await read_all(log.hub, reader) == list(range(1, 3 * _hub._MAX_QUEUED + 1))


async def test_pieces_of_text_that_come_at_once_are_one_message() -> None:
    log = Log()
    with log.hub.open_reader("c1") as reader:
        reader.behind = False
        for _ in range(50):
            log.tell("text.delta")
        assert not reader.queue
        log.tell("text.done")
        assert [len(frame.events) for frame in reader.queue] == [50, 1]


async def test_pieces_of_text_do_not_wait_for_longer_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_hub, "_JOIN_S", 0.0)
    log = Log()
    with log.hub.open_reader("c1") as reader:
        reader.behind = False
        log.tell("text.delta")
        await reader.wait_for_work()
        assert [frame.last_seq for frame in reader.queue] == [1]


async def test_an_event_is_encoded_once_for_all_its_readers() -> None:
    log = Log()
    with log.hub.open_reader("c1") as one, log.hub.open_reader("c1") as two:
        one.behind = two.behind = False
        log.tell()
        assert one.queue[0] is two.queue[0]
        assert one.advance(one.queue[0]) is two.advance(two.queue[0])


async def test_readers_that_catch_up_together_share_what_is_read() -> None:
    log = Log()
    for _ in range(10 * _hub._PAGE_SIZE + 3):
        log.append()
    last = len(log.events)
    with ExitStack() as stack:
        readers = [stack.enter_context(log.hub.open_reader("c", until=last)) for _ in range(20)]
        told = await asyncio.gather(*(read_all(log.hub, reader) for reader in readers))
    assert told == [list(range(1, last + 1))] * 20
    assert log.reads <= 10 + 20  # the full pages once for all; the last, which may still grow, by each


async def test_a_page_that_cannot_be_read_fails_for_its_readers_alone() -> None:
    log, failures = Log(), [OSError("gone")]

    async def read(conversation: str, after: int) -> tuple[Event, ...]:
        await asyncio.sleep(0)
        if failures:
            raise failures.pop()
        return await log.read(conversation, after)

    hub = Hub(read)
    log.append()
    with hub.open_reader("c", until=1) as reader, pytest.raises(OSError, match="gone"):
        await read_all(hub, reader)
    with hub.open_reader("c", until=1) as reader:
        assert await read_all(hub, reader) == [1]


async def test_a_turns_reader_passes_other_turns_over() -> None:
    log = Log()
    for turn in ("t1", "t2", "t1"):
        log.append(turn=turn)
    with log.hub.open_reader("c1", turn="t1", until=3) as reader:
        assert await read_all(log.hub, reader) == [1, 3]


async def test_nobody_reading_means_nothing_kept() -> None:
    log = Log()
    log.tell("text.delta")
    with log.hub.open_reader("c1"):
        log.tell("text.delta")
        assert log.hub.stream_count == 1
    assert (log.hub.stream_count, log.hub._channels) == (0, {})


async def test_a_quiet_stream_says_that_it_lives() -> None:
    log = Log()
    with log.hub.open_reader("c1") as reader:
        reader.behind = False
        now = asyncio.get_running_loop().time()
        reader.check_heartbeat(now + _hub._HEARTBEAT_S - 1)
        assert not reader.heartbeat_due
        reader.check_heartbeat(now + _hub._HEARTBEAT_S + 1)
        assert await anext(log.hub.follow(reader)) == b": still here\n\n"


Looking = Callable[[Collection[str]], Awaitable[Mapping[str, int]]]


async def _looked_on(hub: Hub, answer: Mapping[str, int], reading: Coroutine[Any, Any, list[int]]) -> list[int]:
    """What a reader is told while the hub looks at a store that answers like this."""

    async def last_seqs(asked: Collection[str]) -> Mapping[str, int]:
        return {name: seq for name, seq in answer.items() if name in asked}

    task = asyncio.create_task(repeat(partial(hub._poll_store, last_seqs), every_s=0, what="it failed"))
    try:
        return await asyncio.wait_for(reading, 60)
    finally:
        task.cancel()


async def test_events_of_another_process_are_found_in_the_store() -> None:
    log = Log()
    with log.hub.open_reader("c1", until=2) as reader:
        reader.behind = False
        log.append()
        log.append()
        assert await _looked_on(log.hub, {"c1": 2}, read_all(log.hub, reader)) == [1, 2]


async def test_the_streams_of_a_deleted_conversation_end() -> None:
    log = Log()
    with log.hub.open_reader("c1") as reader:
        reader.behind = False
        assert await _looked_on(log.hub, {}, read_all(log.hub, reader)) == []


async def test_closing_ends_every_stream() -> None:
    log = Log()
    with log.hub.open_reader("c1") as reader:
        task = asyncio.create_task(read_all(log.hub, reader))
        await asyncio.sleep(0)
        log.hub.close()
        assert await asyncio.wait_for(task, 60) == []
