import asyncio
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from metier.errors import InvalidRecord
from metier.store import EVENT_KINDS, Conversation, Event, EventDraft, EventKind, JsonObject, Store
from scripts.forked_children import Child
from tests.store import child
from tests.store.support import FakeClock, OpenStore, closed_gate


async def test_an_event_is_read_as_it_was_appended(store: Store, talk: Conversation, clock: FakeClock) -> None:
    data: JsonObject = {"text": "小区 7 😀", "n": 1.0, "big": 2**63 - 1, "list": [None, True, {"z": 1, "a": 2}]}
    stored = await store.events.append(talk.id, "tool.result", data)
    assert stored == Event(talk.id, None, 1, clock.now, "tool.result", data)
    (read,) = await store.events.read(talk.id)
    assert read == stored
    assert [type(value) for value in read.data.values()] == [str, float, int, list]
    assert list(read.data) == list(data)


async def test_numbers_begin_at_one_in_every_conversation(store: Store, talk: Conversation) -> None:
    other = await store.conversations.create("bob")
    numbers = [(await store.events.append(one, "usage", {})).seq for one in (talk.id, other.id, talk.id, other.id)]
    assert numbers == [1, 1, 2, 2]


async def test_reading_goes_on_after_a_number(store: Store, talk: Conversation) -> None:
    await store.events.append_many(talk.id, [EventDraft("text.delta", {"i": i}) for i in range(1, 8)])
    read = await store.events.read(talk.id, after=2, limit=3)
    assert [event.seq for event in read] == [3, 4, 5]
    assert await store.events.read(talk.id, after=7) == ()
    assert await store.events.get_last_seq(talk.id) == (await store.conversations.get(talk.id)).last_seq == 7


async def test_the_events_of_one_turn_are_read_alone(store: Store, talk: Conversation) -> None:
    first = await store.turns.start(talk.id, "a", 60)
    await store.events.append(talk.id, "turn.started", {"n": 1}, turn=first.id, fence=first.fence)
    await store.turns.finish(first.id, first.fence, "paused")
    second = await store.turns.start(talk.id, "a", 60)
    await store.events.append(talk.id, "turn.started", {"n": 2}, turn=second.id, fence=second.fence)
    await store.turns.finish(second.id, second.fence, "done")
    again = await store.turns.resume(first.id, "a", 60)
    await store.events.append_many(
        talk.id, [EventDraft("usage", {"n": 3}), EventDraft("turn.done", {"n": 4})], turn=first.id, fence=again.fence
    )
    await store.events.append(talk.id, "error", {"n": 5})
    assert [event.data["n"] for event in await store.events.read(talk.id, turn=first.id)] == [1, 3, 4]
    assert [event.seq for event in await store.events.read(talk.id, turn=first.id, after=1, limit=1)] == [3]
    assert [event.data["n"] for event in await store.events.read(talk.id, turn=second.id)] == [2]
    assert await store.events.read(talk.id, turn="nobody's") == ()


async def test_a_batch_with_one_bad_event_stores_none(store: Store, talk: Conversation) -> None:
    with pytest.raises(InvalidRecord):
        await store.events.append_many(talk.id, [EventDraft("usage", {}), EventDraft("usage", {"x": float("nan")})])
    assert await store.events.get_last_seq(talk.id) == 0


async def test_an_empty_batch_is_refused(store: Store, talk: Conversation) -> None:
    with pytest.raises(InvalidRecord):
        await store.events.append_many(talk.id, [])


def test_the_set_of_kinds_is_the_literal() -> None:
    assert frozenset(get_args(EventKind)) == EVENT_KINDS
    assert len(EVENT_KINDS) == len(get_args(EventKind))


async def test_an_unknown_kind_is_refused_with_the_nearest(store: Store, talk: Conversation) -> None:
    with pytest.raises(InvalidRecord) as caught:
        await store.events.append(talk.id, "tool.call", {})  # type: ignore[arg-type]
    assert caught.value.hint == "did you mean 'tool.called'?"


TAMPERING = {
    "update": "UPDATE events SET data = '{}'",
    "update of a key": "UPDATE events SET seq = 9 WHERE seq = 1",
    "delete": "DELETE FROM events WHERE seq = 2",
    "delete all": "DELETE FROM events",
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("statement", TAMPERING.values(), ids=TAMPERING)
async def test_the_database_itself_refuses_to_change_an_event(store: Store, talk: Conversation, statement: str) -> None:
    await store.events.append_many(talk.id, [EventDraft("usage", {"n": n}) for n in range(3)])
    before = await store.events.read(talk.id)
    with pytest.raises(DBAPIError, match="append-only"):
        await store._session.write(lambda connection: connection.exec_driver_sql(statement))
    assert await store.events.read(talk.id) == before


OVERWRITING = {"sqlite": "REPLACE INTO events SELECT conversation, seq, turn, at, kind, 'x' FROM events"}
OVERWRITING["postgresql"] = "TRUNCATE events"


async def test_replacing_and_truncating_are_refused_too(store: Store, talk: Conversation, backend: str) -> None:
    await store.events.append(talk.id, "usage", {})
    with pytest.raises(DBAPIError, match="append-only"):
        await store._session.write(lambda connection: connection.exec_driver_sql(OVERWRITING[backend]))


async def test_two_appends_at_once_leave_no_gap_in_the_sequence(
    store: Store, open_store: OpenStore, talk: Conversation
) -> None:
    other = await open_store()
    appended = await asyncio.gather(
        *((store, other)[i % 2].events.append(talk.id, "text.delta", {"i": i}) for i in range(60))
    )
    read = await store.events.read(talk.id)
    assert [event.seq for event in read] == list(range(1, 61))
    assert sorted(appended, key=lambda event: event.seq) == list(read)


async def test_two_processes_appending_leave_no_gap(store: Store, talk: Conversation, url: str, tmp_path: Path) -> None:
    with closed_gate(tmp_path) as gate:
        children = [Child(child.append, url, talk.id, 40, gate.path) for _ in range(2)]
        assert [one.hear() for one in children] == ["ready", "ready"]
    acknowledged = [one.hear() for _ in range(40) for one in children]
    assert [one.wait().code for one in children] == [0, 0]
    read = [event.seq for event in await store.events.read(talk.id)]
    assert read == sorted(acknowledged) == list(range(1, 81))


@settings(max_examples=15, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.tuples(st.integers(0, 1), st.integers(1, 5), st.booleans()), max_size=12))
async def test_any_mix_of_batches_and_failures_is_gap_free(store: Store, batches: list[tuple[int, int, bool]]) -> None:
    """A batch that fails inside its transaction gives its numbers back."""
    talks = [(await store.conversations.create("ann")).id for _ in range(2)]
    expected = [0, 0]

    async def one(which: int, size: int, fails: bool) -> None:
        async with store.transaction() as tx:
            await tx.events.append_many(talks[which], [EventDraft("usage", {})] * size)
            if fails:
                raise ZeroDivisionError
        expected[which] += size

    await asyncio.gather(*(one(*batch) for batch in batches), return_exceptions=True)
    for which, talk in enumerate(talks):
        read = [event.seq for event in await store.events.read(talk)]
        assert read == list(range(1, expected[which] + 1))
        assert await store.events.get_last_seq(talk) == expected[which]
