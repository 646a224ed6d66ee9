import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from metier.errors import AlreadyDecided, InvalidRecord, Refused
from metier.store import Conversation, JsonObject, JsonValue, Pause, Store
from tests.store.support import FakeClock, OpenStore

SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}


async def ask(store: Store, talk: Conversation, key: str = "k1", **more: object) -> Pause:
    return await store.pauses.open(
        talk.id,
        "question",
        key=key,
        schema=SCHEMA,
        payload={"ask": "which city?"},
        **more,  # type: ignore[arg-type]
    )


async def test_a_pause_waits_and_survives_a_restart(store: Store, talk: Conversation, open_store: OpenStore) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    pause = await ask(store, talk, turn=turn.id)
    assert (pause.turn, pause.schema, pause.payload) == (turn.id, SCHEMA, {"ask": "which city?"})
    await store.close()
    again = await open_store()
    assert await again.pauses.list_open(talk.id) == (pause,)
    assert (await again.pauses.answer(pause.id, {"city": "杭州"})).answer == {"city": "杭州"}
    assert await again.pauses.list_open() == ()


async def test_the_same_key_is_the_same_pause(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    opened = await asyncio.gather(*(ask((store, other)[i % 2], talk) for i in range(6)))
    assert len({pause.id for pause in opened}) == 1
    assert len(await store.pauses.list_open(talk.id)) == 1


async def test_an_answered_pause_stays_answered_when_it_is_opened_again(store: Store, talk: Conversation) -> None:
    pause = await ask(store, talk)
    answered = await store.pauses.answer(pause.id, None)
    assert answered.answered_at is not None
    assert await ask(store, talk) == answered


async def test_of_many_answers_the_first_stands(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    pause = await ask(store, talk)
    tries = [(store, other)[i % 2].pauses.answer(pause.id, {"n": i}, answer_key=f"a{i}") for i in range(8)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    (winner,) = [outcome for outcome in outcomes if isinstance(outcome, Pause)]
    assert sum(isinstance(outcome, AlreadyDecided) for outcome in outcomes) == 7
    assert await store.pauses.get(pause.id) == winner


AGAIN: dict[str, tuple[JsonValue, str | None, bool]] = {
    "the same answer, the same key": ({"b": 1, "a": 2}, "a1", True),
    "the same answer written in another order": ({"a": 2, "b": 1}, "a1", True),
    "the same answer, another key": ({"a": 2, "b": 1}, "a2", False),
    "the same answer, no key": ({"a": 2, "b": 1}, None, False),
    "another answer, the same key": ({"a": 3, "b": 1}, "a1", False),
}


@pytest.mark.parametrize(("answer", "key", "fine"), AGAIN.values(), ids=AGAIN)
async def test_answering_again(
    store: Store, talk: Conversation, answer: JsonValue, key: str | None, fine: bool
) -> None:
    pause = await ask(store, talk)
    first = await store.pauses.answer(pause.id, {"a": 2, "b": 1}, answer_key="a1")
    if fine:
        assert await store.pauses.answer(pause.id, answer, answer_key=key) == first
    else:
        with pytest.raises(AlreadyDecided):
            await store.pauses.answer(pause.id, answer, answer_key=key)
    assert await store.pauses.get(pause.id) == first


async def test_an_expired_pause_refuses_its_answer(store: Store, talk: Conversation, clock: FakeClock) -> None:
    pause = await ask(store, talk, expires_at=clock.now + timedelta(seconds=60))
    clock.advance(59)
    assert await store.pauses.list_open() == (pause,)
    clock.advance(1)
    assert await store.pauses.list_open() == ()
    with pytest.raises(Refused, match="expired at 2026-03-01T12:01:00"):
        await store.pauses.answer(pause.id, {})


async def test_an_answer_given_in_time_stays_after_the_expiry(
    store: Store, talk: Conversation, clock: FakeClock
) -> None:
    pause = await ask(store, talk, expires_at=clock.now + timedelta(seconds=60))
    await store.pauses.answer(pause.id, True, answer_key="a")
    clock.advance(100)
    assert (await store.pauses.answer(pause.id, True, answer_key="a")).answer is True


async def test_what_an_answered_pause_needs_no_more_can_be_removed(store: Store, talk: Conversation) -> None:
    payload: JsonObject = {"ask": "which city?", "run": "…"}
    pause = await store.pauses.open(talk.id, "question", key="k", schema=SCHEMA, payload=payload)
    with pytest.raises(Refused, match="not answered"):
        await store.pauses.forget(pause.id, ["run"])
    amended = await store.pauses.amend(pause.id, {"run": "!"})
    assert amended == replace(pause, payload={**payload, "run": "!"})
    answered = await store.pauses.answer(pause.id, {"city": "杭州"})
    with pytest.raises(AlreadyDecided):
        await store.pauses.amend(pause.id, {"run": "?"})
    for _ in range(2):
        kept = await store.pauses.forget(pause.id, ["run", "other"])
        assert kept == replace(answered, payload={"ask": "which city?"})
    assert (await store.pauses.get(pause.id)).payload == {"ask": "which city?"}


async def test_a_time_without_a_zone_is_refused(store: Store, talk: Conversation, clock: FakeClock) -> None:
    with pytest.raises(InvalidRecord, match="time zone"):
        await ask(store, talk, expires_at=clock.now.replace(tzinfo=None))
