"""Several reads or writes in one visit to the database."""

import asyncio

import pytest

from metier.errors import InvalidRecord, RecordNotFound, UsageError
from metier.store import Conversation, Event, Message, MessageDraft, Store, Transaction


async def test_writes_made_together_are_all_kept(store: Store, talk: Conversation) -> None:
    async def writes(tx: Transaction) -> tuple[Message, Event]:
        message = await tx.messages.append(talk.id, MessageDraft("user", "你好"))
        return message, await tx.events.append(talk.id, "turn.started", {})

    message, event = await store.write_together(writes)
    assert await store.messages.get_history(talk.id) == (message,)
    assert await store.events.read(talk.id) == (event,)


async def test_of_writes_made_together_an_error_keeps_nothing(store: Store, talk: Conversation) -> None:
    async def writes(tx: Transaction) -> None:
        await tx.messages.append(talk.id, MessageDraft("user", "hello"))
        await tx.events.append(talk.id, "turn.started", {"size": float("nan")})

    with pytest.raises(InvalidRecord):
        await store.write_together(writes)
    assert await store.messages.get_history(talk.id) == ()
    assert (await store.events.append(talk.id, "error", {})).seq == 1


async def test_an_error_that_is_swallowed_keeps_nothing_either(store: Store, talk: Conversation) -> None:
    async def writes(tx: Transaction) -> None:
        await tx.events.append(talk.id, "turn.started", {})
        with pytest.raises(RecordNotFound):
            await tx.events.append("nobody", "turn.started", {})

    with pytest.raises(UsageError, match="earlier call"):
        await store.write_together(writes)
    assert await store.events.read(talk.id) == ()


async def test_work_that_waits_for_something_else_is_refused(store: Store, talk: Conversation) -> None:
    async def writes(tx: Transaction) -> None:
        await tx.events.append(talk.id, "turn.started", {})
        await asyncio.sleep(0)

    with pytest.raises(UsageError, match="waited for something else"):
        await store.write_together(writes)
    assert await store.events.read(talk.id) == ()


async def test_reads_made_together_see_one_moment(store: Store, talk: Conversation) -> None:
    event = await store.events.append(talk.id, "turn.started", {})

    async def reads(view: Transaction) -> tuple[Conversation, tuple[Event, ...]]:
        return await view.conversations.get(talk.id), await view.events.read(talk.id)

    conversation, events = await store.read_together(reads)
    assert (conversation.last_seq, events) == (event.seq, (event,))


async def test_writes_made_together_by_many_wait_for_each_other(store: Store, talk: Conversation) -> None:
    async def writes(tx: Transaction) -> int:
        await tx.messages.append(talk.id, MessageDraft("user", "hello"))
        return (await tx.events.append(talk.id, "usage", {})).seq

    assert sorted(await asyncio.gather(*(store.write_together(writes) for _ in range(8)))) == list(range(1, 9))
