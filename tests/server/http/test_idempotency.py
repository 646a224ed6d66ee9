"""The same request twice is one turn."""

import asyncio

import pytest

from metier.errors import ConversationBusy
from metier.server.http import StartedTurn, find_started_turn
from metier.server.http import _idempotency as _requests
from metier.server.http._idempotency import IdempotencyCache
from tests.server.support import Open

KEY = ("ann", None, "k1")
STARTED = StartedTurn("c1", "t1", 1)


async def test_who_comes_at_the_same_time_waits_for_the_first() -> None:
    requests = IdempotencyCache()
    go = asyncio.Event()
    begun = 0

    async def begin() -> StartedTurn:
        nonlocal begun
        begun += 1
        await go.wait()
        return STARTED

    tasks = [asyncio.create_task(requests.run_once(KEY, begin)) for _ in range(3)]
    await asyncio.sleep(0)
    go.set()
    assert await asyncio.gather(*tasks) == [STARTED] * 3
    assert begun == 1


async def test_when_the_first_fails_the_next_may_try() -> None:
    requests = IdempotencyCache()
    tries = 0

    async def begin() -> StartedTurn:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0)
        if tries == 1:
            raise ConversationBusy("not now")
        return STARTED

    one, two = [asyncio.create_task(requests.run_once(KEY, begin)) for _ in range(2)]
    with pytest.raises(ConversationBusy):
        await one
    assert await two == STARTED
    assert tries == 2


async def test_a_request_that_is_given_up_while_it_waits_harms_nobody() -> None:
    requests = IdempotencyCache()
    go = asyncio.Event()

    async def begin() -> StartedTurn:
        await go.wait()
        return STARTED

    first = asyncio.create_task(requests.run_once(KEY, begin))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(requests.run_once(KEY, begin))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go.set()
    assert await first == STARTED


async def test_old_keys_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_requests, "_KEPT", 2)
    requests = IdempotencyCache()
    begun: list[str] = []

    async def ask(key: str) -> None:
        async def begin() -> StartedTurn:
            begun.append(key)
            return STARTED

        await requests.run_once(("ann", None, key), begin)

    for key in ("a", "b", "c", "c", "a"):
        await ask(key)
    assert begun == ["a", "b", "c", "a"]


async def test_after_a_restart_the_store_knows_the_keys_of_a_conversation(server: Open) -> None:
    made = (await server.client.post("/api/conversations", json={})).json()["id"]
    told = await server.chat("帮我写这周的周报", conversation_id=made, idempotency_key="k1")
    found = await find_started_turn(server.here.store, ("local", made, "k1"))
    assert found == StartedTurn(made, told[0]["turn"], told[0]["seq"])
    assert await find_started_turn(server.here.store, ("local", made, "k2")) is None
    server.here.idempotency = IdempotencyCache()
    assert await server.chat("帮我写这周的周报", conversation_id=made, idempotency_key="k1") == told
