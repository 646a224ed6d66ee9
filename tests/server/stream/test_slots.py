"""Open streams: how many there may be, and how one ends before its time."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from metier.errors import RateLimited, Unauthorized, Unavailable
from metier.server.stream import StreamSlots
from metier.store import Principal
from metier.testing import FakeModel
from tests.server.support import Open, app_in, opened

ANN, BOB = Principal("ann", "k1"), Principal("bob", "k2")
SAID = {"id": "m", "role": "user", "content": "hello"}


def test_a_user_and_a_conversation_have_so_many_streams_and_no_more() -> None:
    slots = StreamSlots(2, 3)
    taken = [slots.take(ANN), slots.take(ANN), slots.take(BOB)]
    with pytest.raises(RateLimited, match="2 streams are open"):
        slots.take(ANN)
    for slot in taken:
        slot.enter("c1")
        slot.enter("c1")  # counted once
    extra = slots.take(BOB)
    with pytest.raises(RateLimited, match="3 streams of this conversation") as caught, extra.opening():
        extra.enter("c1")
    assert "METIER_CONVERSATION_STREAMS_MAX" in caught.value.hint
    for slot in taken:
        slot.release()
        slot.release()
    assert slots == StreamSlots(2, 3)


async def test_a_key_that_is_revoked_ends_its_streams_and_no_others() -> None:
    slots = StreamSlots(5, 5)
    ended: list[str] = []
    for caller in (ANN, ANN, BOB):
        slots.take(caller).end_with(lambda name=caller.user: ended.append(name))  # type: ignore[misc]

    async def is_valid(caller: Principal) -> bool:
        return caller.key != "k1"

    await slots.end_revoked(is_valid)
    await slots.end_revoked(is_valid)
    assert ended == ["ann", "ann"]
    slots.close(Unavailable("the server is stopping"))
    assert ended == ["ann", "ann", "bob"]


async def test_a_reader_that_waits_for_nothing_is_ended_too() -> None:
    async def say_once() -> AsyncIterator[int]:
        yield 1
        await asyncio.Event().wait()

    slot = StreamSlots(1, 1).take(ANN)
    items = slot.read(say_once())
    assert await anext(items) == 1
    asyncio.get_running_loop().call_soon(slot.close, Unauthorized("revoked"))
    with pytest.raises(Unauthorized, match="revoked"):
        await anext(items)


async def test_requests_at_the_same_moment_do_not_exceed_the_limit(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(24):
        model.say("hello")
    async with opened(app_in(tmp_path, model=model, streams_max=2)) as server:
        run = {"threadId": "t", "runId": "r", "messages": [SAID]}
        found: dict[str, list[int]] = {}
        asked: dict[str, list[dict[str, object]]] = {
            "/agui": [{**run, "threadId": f"t{number}"} for number in range(6)],
            "/v1/chat/completions": [{"messages": [SAID], "stream": True}] * 6,
            "/v1/chat/completions?stream=no": [{"messages": [SAID]}] * 6,
            "/api/chat": [{"message": "hello"}] * 6,
        }
        for address, bodies in asked.items():
            answers = await asyncio.gather(*(server.client.post(address, json=body) for body in bodies))
            found[address] = sorted(one.status_code for one in answers)
        assert set(map(tuple, found.values())) == {(200, 200, 429, 429, 429, 429)}
        assert server.here.stream_slots == StreamSlots(2, 50)


async def test_streams_of_a_conversation_have_a_limit_whoever_reads(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, conversation_streams_max=1)) as server:
        made = await server.create_conversation("one")
        server.here.stream_slots.take(BOB).enter(made)
        answers = [
            await server.client.get(f"/api/conversations/{made}/events"),
            await server.client.post("/api/chat", json={"message": "hello", "conversation_id": made}),
            await server.client.post("/agui", json={"threadId": made, "runId": "r", "messages": [SAID]}),
            await server.client.post(
                "/v1/chat/completions", json={"messages": [SAID], "stream": True}, headers={"X-Conversation-Id": made}
            ),
        ]
        assert [one.status_code for one in answers] == [429] * 4
        assert (await server.client.get(f"/api/conversations/{made}/turns")).json()["turns"] == []  # nothing began


async def test_streams_of_a_revoked_key_end_with_a_code(tmp_path: Path) -> None:
    model = FakeModel().say("hello")
    async with opened(app_in(tmp_path, model=model)) as server:
        await server.here.store.users.add("ann")
        key = await server.here.store.keys.create("ann")
        headers = {"Authorization": f"Bearer {key.secret}"}
        made = await server.client.post("/api/conversations", json={}, headers=headers)
        address = f"/api/conversations/{made.json()['id']}/events"
        following = asyncio.create_task(server.client.get(address, headers=headers))
        while not server.here.hub.stream_count:  # noqa: ASYNC110 - nothing signals an open stream
            await asyncio.sleep(0)
        await server.here.store.keys.revoke(key.key.id)
        await _end_revoked(server)
        told = (await asyncio.wait_for(following, 30)).text.strip().split("\n\n")[-1].splitlines()
        assert told[0] == "event: stream.closed"
        assert json.loads(told[1].removeprefix("data: "))["code"] == "unauthorized"


async def test_a_turn_over_another_protocol_ends_its_stream_when_the_key_is_revoked(tmp_path: Path) -> None:
    waiting = asyncio.Event()

    class Silent(FakeModel):
        async def _astream(self, *given: Any, **more: Any) -> AsyncIterator[Any]:
            waiting.set()
            await asyncio.Event().wait()
            yield None

    async with opened(app_in(tmp_path, model=Silent())) as server:
        await server.here.store.users.add("ann")
        key = await server.here.store.keys.create("ann")
        headers = {"Authorization": f"Bearer {key.secret}"}
        asked: dict[str, dict[str, object]] = {
            "/agui": {"threadId": "t", "runId": "r", "messages": [SAID]},
            "/v1/chat/completions": {"messages": [SAID], "stream": True},
        }
        reading = []
        for address, body in asked.items():
            waiting.clear()
            reading.append(asyncio.create_task(server.client.post(address, json=body, headers=headers)))
            await asyncio.wait_for(waiting.wait(), 30)
        await server.here.store.keys.revoke(key.key.id)
        await _end_revoked(server)
        agui, openai = [(await asyncio.wait_for(one, 30)).text.strip().split("\n\n") for one in reading]
        assert json.loads(agui[-1].removeprefix("data: "))["code"] == "unauthorized"
        assert json.loads(openai[-2].removeprefix("data: "))["error"]["code"] == "unauthorized"


async def _end_revoked(server: Open) -> None:
    await server.here.stream_slots.end_revoked(server.here.is_valid)
