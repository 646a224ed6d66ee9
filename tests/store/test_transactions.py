import asyncio

import pytest

from metier.errors import InvalidRecord, RecordNotFound, UsageError
from metier.store import Conversation, MessageDraft, Store


async def test_a_message_and_an_event_are_stored_together(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        message = await tx.messages.append(talk.id, MessageDraft("user", "hello"))
        event = await tx.events.append(talk.id, "turn.started", {})
    assert await store.messages.get_history(talk.id) == (message,)
    assert await store.events.read(talk.id) == (event,)


async def test_an_error_inside_keeps_nothing(store: Store, talk: Conversation) -> None:
    async def failing() -> None:
        async with store.transaction() as tx:
            await tx.messages.append(talk.id, MessageDraft("user", "hello"))
            await tx.events.append(talk.id, "turn.started", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await failing()
    assert await store.messages.get_history(talk.id) == ()
    assert (await store.events.append(talk.id, "error", {})).seq == 1


async def test_a_transaction_sees_its_own_writes_and_others_do_not(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        await tx.events.append(talk.id, "turn.started", {})
        assert await tx.events.get_last_seq(talk.id) == 1
        assert await store.events.get_last_seq(talk.id) == 0
    assert await store.events.get_last_seq(talk.id) == 1


async def test_readers_are_not_blocked_by_a_writer(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        await tx.events.append(talk.id, "turn.started", {})
        reads = await asyncio.gather(*(store.events.read(talk.id) for _ in range(10)))
    assert reads == [()] * 10


async def test_calls_made_at_once_inside_a_transaction_wait_for_each_other(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        events = await asyncio.gather(*(tx.events.append(talk.id, "usage", {"i": i}) for i in range(5)))
    assert [event.seq for event in events] == [1, 2, 3, 4, 5]
    assert await store.events.read(talk.id) == tuple(events)


async def test_after_a_failed_call_nothing_can_be_kept(store: Store, talk: Conversation) -> None:
    async def stubborn() -> None:
        async with store.transaction() as tx:
            await tx.events.append(talk.id, "turn.started", {})
            with pytest.raises(RecordNotFound):
                await tx.events.append("nobody", "turn.started", {})
            with pytest.raises(UsageError):
                await tx.events.append(talk.id, "turn.done", {})

    with pytest.raises(UsageError, match="earlier call"):
        await stubborn()
    assert await store.events.get_last_seq(talk.id) == 0


async def test_a_value_refused_before_it_was_sent_does_no_harm(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        with pytest.raises(InvalidRecord):
            await tx.events.append(talk.id, "usage", {"x": float("nan")})
        await tx.events.append(talk.id, "usage", {"x": 0})
    assert await store.events.get_last_seq(talk.id) == 1


async def test_writing_with_the_store_inside_a_transaction_is_refused_and_not_a_deadlock(
    store: Store, talk: Conversation
) -> None:
    async with store.transaction() as tx:
        with pytest.raises(UsageError, match="wait for itself"):
            await store.events.append(talk.id, "error", {})
        with pytest.raises(UsageError, match="wait for itself"):
            async with store.transaction():
                pytest.fail("unreachable")
        await tx.events.append(talk.id, "usage", {})
    assert await store.events.get_last_seq(talk.id) == 1


async def test_a_transaction_is_of_no_use_after_its_end(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        pass
    with pytest.raises(UsageError, match="over"):
        await tx.events.append(talk.id, "error", {})


async def test_another_task_waits_for_the_end_of_the_transaction(store: Store, talk: Conversation) -> None:
    async with store.transaction() as tx:
        await tx.events.append(talk.id, "usage", {"by": "first"})
        waiting = asyncio.create_task(store.events.append(talk.id, "usage", {"by": "second"}))
        await store.events.read(talk.id)
        assert not waiting.done()
        await tx.events.append(talk.id, "usage", {"by": "first"})
    assert (await waiting).seq == 3
    assert [event.data["by"] for event in await store.events.read(talk.id)] == ["first", "first", "second"]


async def test_a_cancelled_transaction_keeps_nothing_and_frees_the_writer(store: Store, talk: Conversation) -> None:
    written = asyncio.Event()

    async def abandoned() -> None:
        async with store.transaction() as tx:
            await tx.events.append(talk.id, "usage", {})
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(abandoned())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await store.events.append(talk.id, "usage", {})).seq == 1


@pytest.mark.parametrize("steps", range(8))
async def test_a_write_cancelled_at_any_moment_is_whole_or_absent(store: Store, talk: Conversation, steps: int) -> None:
    async def both() -> None:
        async with store.transaction() as tx:
            await tx.messages.append(talk.id, MessageDraft("user", "hello"))
            await tx.events.append(talk.id, "turn.started", {})

    task = asyncio.create_task(both())
    for _ in range(steps):
        await store.events.get_last_seq(talk.id)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    after = await store.events.append(talk.id, "usage", {})
    assert len(await store.messages.get_history(talk.id)) == after.seq - 1


async def test_a_closed_store_says_so(store: Store, talk: Conversation) -> None:
    await store.close()
    await store.close()
    with pytest.raises(UsageError, match="closed"):
        await store.events.read(talk.id)
    with pytest.raises(UsageError, match="closed"):
        await store.events.append(talk.id, "error", {})
