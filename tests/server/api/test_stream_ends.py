"""However a turn ends, its stream tells the end as the last thing, and tells of no other turn."""

import asyncio
from pathlib import Path

import pytest

from metier.errors import ModelUnavailable
from metier.testing import FakeModel
from tests.server.support import app_in, events_of, kinds, opened

ENDS = [
    pytest.param(FakeModel().say("hello"), "hi", "turn.done", id="answered"),
    pytest.param(FakeModel().fail(ModelUnavailable("no service")), "hi", "turn.failed", id="the model fails"),
    pytest.param(FakeModel().fail(RuntimeError("a bug")), "hi", "turn.failed", id="a bug"),
    pytest.param(None, "帮我写这周的周报", "pause.opened", id="a question"),
]


@pytest.mark.parametrize(("model", "message", "end"), ENDS)
async def test_the_last_event_of_a_stream_is_the_end_of_its_turn(
    tmp_path: Path, model: FakeModel | None, message: str, end: str
) -> None:
    async with opened(app_in(tmp_path, model=model)) as server, asyncio.timeout(60):
        told = await server.chat(message)
    assert kinds(told)[-1] == end
    assert {event["turn"] for event in told} == {told[0]["turn"]}


async def test_a_stream_stays_with_its_turn_while_others_follow_in_the_conversation(tmp_path: Path) -> None:
    model = FakeModel().say("one").say("two").say("three")
    async with opened(app_in(tmp_path, model=model)) as server, asyncio.timeout(60):
        first = await server.chat("hi")
        conversation = first[0]["conversation"]
        body = {"message": "hi", "conversation_id": conversation}
        others = [events_of((await server.client.post("/api/chat", json=body)).text) for _ in range(2)]
    streams = [first, *others]
    assert [kinds(one)[-1] for one in streams] == ["turn.done"] * 3
    assert len({event["turn"] for one in streams for event in one}) == 3
    assert all(len({event["turn"] for event in one}) == 1 for one in streams)
