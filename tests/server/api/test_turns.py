"""Turns and events of a conversation over HTTP."""

import httpx
import pytest

from metier.store import EventDraft
from tests.server.support import Open, events_of


async def test_turns_are_listed_with_their_events(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    (turn,) = (await server.client.get(f"/api/conversations/{told[0]['conversation']}/turns")).json()["turns"]
    assert (turn["id"], turn["state"]) == (told[0]["turn"], "paused")
    assert (await server.client.get(f"/api/turns/{turn['id']}")).json()["events"] == told


async def test_stopping_says_whether_a_turn_ran(server: Open) -> None:
    made = await server.create_conversation("静")
    assert (await server.client.post(f"/api/conversations/{made}/stop")).json() == {"stopped": False}


async def test_events_are_replayed_after_a_number_and_end_when_asked(server: Open) -> None:
    made = await server.create_conversation("事件")
    await server.here.store.events.append_many(made, [EventDraft("error", {"code": f"e{n}"}) for n in range(7)])
    address = f"/api/conversations/{made}/events"
    for headers, params in (
        ({"Last-Event-ID": "4"}, {}),
        ({}, {"after": "4"}),
        ({"Last-Event-ID": "4"}, {"after": "1"}),
    ):
        answer = await server.client.get(address, headers=headers, params={"follow": "false", **params})
        assert [one["seq"] for one in events_of(answer.text)] == [5, 6, 7]
    assert events_of((await server.client.get(address, params={"follow": "false", "after": "7"})).text) == []


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("given", ["-1", "x", "8", "9" * 30, "1e3", "٣", " ", "1;2"])
async def test_a_number_that_is_none_or_lies_ahead_is_refused(server: Open, given: str) -> None:
    made = await server.create_conversation("事件")
    await server.here.store.events.append_many(made, [EventDraft("error", {})] * 7)
    headers = httpx.Headers({"Last-Event-ID": given}, encoding="utf-8")
    answer = await server.client.get(f"/api/conversations/{made}/events", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_input")
