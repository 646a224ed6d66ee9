import asyncio
from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from metier.errors import ConversationBusy, InvalidRecord, LeaseLost, Refused, UsageError
from metier.store import Conversation, EventDraft, EventKind, MessageDraft, Store, Turn, TurnEndStatus
from tests.store.support import FakeClock, OpenStore


async def test_a_turn_holds_the_lease_for_its_time(store: Store, talk: Conversation, clock: FakeClock) -> None:
    turn = await store.turns.start(talk.id, "worker-1", 30)
    until = clock.now + timedelta(seconds=30)
    assert turn == Turn(turn.id, talk.id, "running", "worker-1", until, 1, None, clock.now, None)
    assert await store.turns.get(turn.id) == turn


async def test_a_second_start_is_told_who_is_busy_until_when(store: Store, talk: Conversation) -> None:
    await store.turns.start(talk.id, "worker-1", 30)
    with pytest.raises(ConversationBusy, match=r"'worker-1'.*2026-03-01T12:00:30"):
        await store.turns.start(talk.id, "worker-2", 30)


async def test_of_many_starts_at_once_one_wins(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    tries = [(store, other)[i % 2].turns.start(talk.id, f"worker-{i}", 30) for i in range(10)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(outcome, Turn) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, ConversationBusy) for outcome in outcomes) == 9


async def test_the_same_request_is_the_same_turn(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    tries = [(store, other)[i % 2].turns.start(talk.id, f"w{i}", 30, request_key="r1") for i in range(10)]
    turns = await asyncio.gather(*tries)
    assert len({turn.id for turn in turns}) == 1
    assert sum(not turn.replayed for turn in turns) == 1
    await store.turns.finish(turns[0].id, turns[0].fence, "done")
    again = await store.turns.start(talk.id, "w", 30, request_key="r1")
    assert (again.id, again.state, again.replayed) == (turns[0].id, "done", True)


async def test_the_same_request_key_in_another_conversation_is_another_turn(store: Store, talk: Conversation) -> None:
    other = await store.conversations.create("bob")
    first = await store.turns.start(talk.id, "w", 30, request_key="r1")
    second = await store.turns.start(other.id, "w", 30, request_key="r1")
    assert first.id != second.id


async def test_fences_only_grow(store: Store, talk: Conversation) -> None:
    fences = []
    for _ in range(3):
        turn = await store.turns.start(talk.id, "w", 30)
        fences.append(turn.fence)
        await store.turns.finish(turn.id, turn.fence, "paused")
    fences.append((await store.turns.resume(turn.id, "w", 30)).fence)
    assert fences == sorted(set(fences))


async def test_many_leases_are_renewed_together_and_lost_ones_left_alone(
    store: Store, talk: Conversation, clock: FakeClock
) -> None:
    mine = await store.turns.start(talk.id, "one", 30)
    lost = await store.turns.start((await store.conversations.create("ann")).id, "one", 30)
    ended = await store.turns.start((await store.conversations.create("ann")).id, "one", 30)
    await store.turns.finish(ended.id, ended.fence, "done")
    clock.now += timedelta(seconds=31)
    await store.turns.resume(lost.id, "two", 10)
    assert await store.turns.renew_many({turn.id: turn.fence for turn in (mine, lost, ended)}) == 1
    assert await store.turns.renew_many({}) == 0
    assert (await store.turns.get(mine.id)).lease_until == clock.now + timedelta(seconds=30)
    assert (await store.turns.get(lost.id)).lease_until == clock.now + timedelta(seconds=10)
    assert (await store.turns.get(ended.id)).state == "done"


async def test_that_a_lease_has_expired_is_seen_without_a_write(
    store: Store, talk: Conversation, clock: FakeClock
) -> None:
    turn = await store.turns.start(talk.id, "one", 30)
    assert not await store.turns.has_expired()
    clock.now += timedelta(seconds=31)
    assert await store.turns.has_expired()
    assert not await store.turns.has_expired(but={turn.id})
    assert (await store.turns.get(turn.id)).state == "running"


async def test_renewing_moves_the_end(store: Store, talk: Conversation, clock: FakeClock) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    clock.advance(20)
    renewed = await store.turns.renew(turn.id, turn.fence)
    assert renewed.lease_until == clock.now + timedelta(seconds=30)
    clock.advance(29)
    assert await store.turns.interrupt_expired() == ()


ENDS: tuple[TurnEndStatus, ...] = ("paused", "done", "failed", "interrupted")


@pytest.mark.parametrize("state", ENDS)
async def test_a_finished_turn_lets_the_lease_go(store: Store, talk: Conversation, state: TurnEndStatus) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    ended = await store.turns.finish(turn.id, turn.fence, state)
    assert (ended.state, ended.ended_at) == (state, turn.started_at)
    assert await store.turns.finish(turn.id, turn.fence, state) == ended
    assert (await store.turns.start(talk.id, "w", 30)).fence == turn.fence + 1


async def test_a_turn_cannot_finish_as_running(store: Store, talk: Conversation) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    with pytest.raises(InvalidRecord):
        await store.turns.finish(turn.id, turn.fence, "running")  # type: ignore[arg-type]


async def test_an_expired_lease_is_taken_over(store: Store, talk: Conversation, clock: FakeClock) -> None:
    lost = await store.turns.start(talk.id, "worker-1", 30)
    clock.advance(30)
    taken = await store.turns.start(talk.id, "worker-2", 30)
    assert taken.fence > lost.fence
    assert (await store.turns.get(lost.id)).state == "interrupted"
    assert [turn.id for turn in await store.turns.list(talk.id)] == [taken.id, lost.id]


async def test_turns_are_listed_by_a_kind_of_event_among_the_newest(store: Store, talk: Conversation) -> None:
    kinds: tuple[EventKind, ...] = ("file", "table", "file")
    turns = [await _finish_turn_with(store, talk, kind) for kind in kinds]
    with_file = await store.turns.list(talk.id, having="file")
    assert [turn.id for turn in with_file] == [turns[2], turns[0]]
    assert [turn.id for turn in await store.turns.list(talk.id, limit=2, having="file")] == [turns[2]]
    assert await store.turns.list(talk.id, having="chart") == ()
    with pytest.raises(InvalidRecord, match="event kind"):
        await store.turns.list(talk.id, having="files")  # type: ignore[arg-type]


async def _finish_turn_with(store: Store, talk: Conversation, kind: EventKind) -> str:
    turn = await store.turns.start(talk.id, "w", 30)
    await store.events.append_many(talk.id, [EventDraft(kind, {})] * 2, turn=turn.id, fence=turn.fence)
    await store.turns.finish(turn.id, turn.fence, "done")
    return turn.id


async def test_only_expired_turns_are_interrupted_and_they_are_returned(store: Store, clock: FakeClock) -> None:
    talks = [(await store.conversations.create("ann")).id for _ in range(3)]
    turns = [await store.turns.start(talk, "w", ttl) for talk, ttl in zip(talks, (10, 10, 60), strict=True)]
    clock.advance(10)
    interrupted = await store.turns.interrupt_expired()
    assert {turn.id for turn in interrupted} == {turns[0].id, turns[1].id}
    assert {turn.state for turn in interrupted} == {"interrupted"}
    assert await store.turns.interrupt_expired() == ()
    later = clock.now + timedelta(hours=1)
    assert [turn.id for turn in await store.turns.interrupt_expired(later)] == [turns[2].id]


async def _write_everywhere(store: Store, turn: Turn) -> list[BaseException | None]:
    token = {"turn": turn.id, "fence": turn.fence}
    writes = (
        store.events.append(turn.conversation, "text.delta", {}, turn=turn.id, fence=turn.fence),
        store.messages.append(turn.conversation, MessageDraft("user", "x"), turn=turn.id, fence=turn.fence),
        store.plans.save(turn.conversation, {}, "draft", turn=turn.id, fence=turn.fence),
        store.pauses.open(
            turn.conversation, "question", key="k", schema={}, payload={}, turn=turn.id, fence=turn.fence
        ),
        store.turns.renew(turn.id, turn.fence),
    )
    assert token["fence"] == turn.fence
    outcomes = await asyncio.gather(*writes, return_exceptions=True)
    return [outcome if isinstance(outcome, BaseException) else None for outcome in outcomes]


LOSSES = ("taken over", "interrupted", "finished", "resumed")


@pytest.mark.parametrize("loss", LOSSES)
async def test_a_write_under_an_old_fence_is_refused(
    store: Store, talk: Conversation, clock: FakeClock, loss: str
) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    assert await _write_everywhere(store, turn) == [None] * 5
    clock.advance(31)
    if loss == "taken over":
        await store.turns.start(talk.id, "w", 30)
    elif loss == "interrupted":
        await store.turns.interrupt_expired()
    else:
        await store.turns.finish(turn.id, turn.fence, "paused")
    if loss == "resumed":
        await store.turns.resume(turn.id, "w", 30)
    before = await store.events.get_last_seq(talk.id)
    assert [type(outcome) for outcome in await _write_everywhere(store, turn)] == [LeaseLost] * 5
    with pytest.raises(LeaseLost):
        await store.turns.finish(turn.id, turn.fence, "done")
    assert await store.events.get_last_seq(talk.id) == before


async def test_an_expired_lease_that_nobody_took_still_writes(
    store: Store, talk: Conversation, clock: FakeClock
) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    clock.advance(3600)
    assert await _write_everywhere(store, turn) == [None] * 5


async def test_a_takeover_and_late_writes_never_interleave(
    store: Store, open_store: OpenStore, talk: Conversation, clock: FakeClock
) -> None:
    """On PostgreSQL the late writer waits for the row lock and must judge the lease again afterwards."""
    other = await open_store()
    old = await store.turns.start(talk.id, "w1", 30)
    clock.advance(31)

    async def late() -> None:
        await store.events.append(talk.id, "text.delta", {}, turn=old.id, fence=old.fence)

    async def take_over() -> None:
        new = await other.turns.start(talk.id, "w2", 30)
        await other.events.append(talk.id, "turn.started", {}, turn=new.id, fence=new.fence)

    await asyncio.gather(
        *(late() for _ in range(10)), take_over(), *(late() for _ in range(10)), return_exceptions=True
    )
    turns = [event.turn for event in await store.events.read(talk.id)]
    assert turns.count(old.id) == len(turns) - 1
    assert turns[-1] != old.id


async def test_a_late_writer_that_waited_for_the_takeover_is_refused(
    store: Store, open_store: OpenStore, talk: Conversation, clock: FakeClock
) -> None:
    other = await open_store()
    old = await store.turns.start(talk.id, "w1", 30)
    clock.advance(31)
    async with other.transaction() as tx:
        await tx.turns.start(talk.id, "w2", 30)
        late = asyncio.create_task(store.events.append(talk.id, "error", {}, turn=old.id, fence=old.fence))
        for _ in range(50):
            await asyncio.sleep(0)
        assert not late.done()
    with pytest.raises(LeaseLost):
        await late


async def test_a_fence_needs_its_turn(store: Store, talk: Conversation) -> None:
    with pytest.raises(UsageError, match="turn"):
        await store.events.append(talk.id, "error", {}, fence=1)


async def test_a_paused_turn_is_resumed_by_another_worker(store: Store, talk: Conversation) -> None:
    turn = await store.turns.start(talk.id, "w1", 30)
    await store.turns.finish(turn.id, turn.fence, "paused")
    resumed = await store.turns.resume(turn.id, "w2", 30)
    assert (resumed.id, resumed.state, resumed.owner, resumed.ended_at) == (turn.id, "running", "w2", None)
    with pytest.raises(ConversationBusy):
        await store.turns.resume(turn.id, "w3", 30)


async def test_an_expired_running_turn_can_be_resumed(store: Store, talk: Conversation, clock: FakeClock) -> None:
    turn = await store.turns.start(talk.id, "w1", 30)
    clock.advance(30)
    assert (await store.turns.resume(turn.id, "w2", 30)).fence > turn.fence


async def test_a_paused_turn_waits_while_another_runs(store: Store, talk: Conversation) -> None:
    turn = await store.turns.start(talk.id, "w1", 30)
    await store.turns.finish(turn.id, turn.fence, "paused")
    await store.turns.start(talk.id, "w2", 30)
    with pytest.raises(ConversationBusy, match="'w2'"):
        await store.turns.resume(turn.id, "w1", 30)


FINAL: tuple[TurnEndStatus, ...] = ("done", "failed")


@pytest.mark.parametrize("state", FINAL)
async def test_a_finished_turn_cannot_be_resumed(store: Store, talk: Conversation, state: TurnEndStatus) -> None:
    turn = await store.turns.start(talk.id, "w1", 30)
    await store.turns.finish(turn.id, turn.fence, state)
    with pytest.raises(Refused, match=state):
        await store.turns.resume(turn.id, "w1", 30)


async def test_the_database_itself_refuses_a_second_running_turn(store: Store, talk: Conversation) -> None:
    await store.turns.start(talk.id, "w1", 30)
    second = (
        "INSERT INTO turns (id, conversation, state, owner, lease_until, lease_ttl, fence, started_at)"
        f" VALUES ('x', '{talk.id}', 'running', 'w', 0, 0, 9, 0)"
    )
    with pytest.raises(IntegrityError):
        await store._session.write(lambda connection: connection.exec_driver_sql(second))


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("ttl_s", [0, -1, float("nan"), float("inf")], ids=str)
async def test_a_lease_needs_a_length(store: Store, talk: Conversation, ttl_s: float) -> None:
    with pytest.raises(InvalidRecord, match="ttl_s"):
        await store.turns.start(talk.id, "w", ttl_s)


async def test_the_turn_of_a_request_is_found_by_its_key(store: Store, talk: Conversation) -> None:
    lease = await store.turns.start(talk.id, "me", 30, request_key="k")
    found = await store.turns.find_by_request_key(talk.id, "k")
    assert (found.id, found.replayed) == (lease.id, True) if found else False
    assert await store.turns.find_by_request_key(talk.id, "other") is None


async def test_a_turn_that_the_caller_runs_is_not_interrupted_however_late_it_is(
    store: Store, clock: FakeClock
) -> None:
    mine, other = [await store.turns.start((await store.conversations.create("ann")).id, "us", 1) for _ in range(2)]
    clock.advance(60)
    assert [one.id for one in await store.turns.interrupt_expired(but={mine.id})] == [other.id]
    assert (await store.turns.get(mine.id)).state == "running"


async def test_a_process_that_froze_in_a_transaction_keeps_no_other_turn_from_being_taken_over(
    open_store: OpenStore, clock: FakeClock, url: str
) -> None:
    if url.startswith("sqlite"):
        pytest.skip("its transactions exclude each other")
    frozen, other = await open_store(), await open_store(busy_timeout_s=0.3)
    talks = [await other.conversations.create("ann") for _ in range(2)]
    turns = [await other.turns.start(talk.id, "us", 1) for talk in talks]
    clock.advance(60)
    async with frozen.transaction() as tx:
        await tx.events.append(talks[0].id, "text.done", {"text": "half"})
        assert [one.id for one in await other.turns.interrupt_expired()] == [turns[1].id]
        assert await other.turns.has_expired()
    assert [one.id for one in await other.turns.interrupt_expired()] == [turns[0].id]


async def test_a_released_lease_is_over_at_once(store: Store, talk: Conversation) -> None:
    turn = await store.turns.start(talk.id, "us", 60)
    await store.turns.release(turn.id, turn.fence)
    assert await store.turns.renew_many({turn.id: turn.fence}) == 0
    assert (await store.turns.get(turn.id)).state == "running"
    assert [one.id for one in await store.turns.interrupt_expired()] == [turn.id]
    with pytest.raises(LeaseLost):
        await store.turns.release(turn.id, turn.fence)
