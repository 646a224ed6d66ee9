"""Telemetry over HTTP: batches in, questions only where they are switched on."""

from pathlib import Path

from tests.server.support import Open, app_in, opened

KEYS = {"ann": "ann-key-0123456789", "bob": "bob-key-0123456789"}


async def test_a_batch_is_taken_and_what_does_not_fit_is_named(server: Open) -> None:
    batch = {"events": [{"event_name": "ui.clicked", "payload": {"on": "停止"}}, {"event_name": "Not A Name"}, 5]}
    answer = (await server.client.post("/telemetry/events", json=batch)).json()
    assert answer["accepted"] == 1
    assert [one["index"] for one in answer["rejected"]] == [1, 2]


async def test_too_large_a_batch_is_refused_whole(server: Open) -> None:
    batch = {"events": [{"event_name": "ui.clicked"}] * 501}
    answer = await server.client.post("/telemetry/events", json=batch)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_input")


async def test_questions_are_off_unless_they_are_switched_on(server: Open) -> None:
    for address in ("/dev/telemetry/events", "/dev/telemetry/summary"):
        assert (await server.client.get(address)).status_code == 404


async def test_a_turn_can_be_found_again(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, dev_routes=True)) as server:
        told = await server.chat("帮我写这周的周报")
        assert server.here.telemetry.flush()
        params = {"session": told[0]["conversation"], "event": "chat.*", "since": "1h"}
        found = (await server.client.get("/dev/telemetry/events", params=params)).json()["events"]
        assert "chat.turn_start" in {one["event_name"] for one in found}
        assert (await server.client.get("/dev/telemetry/summary", params=params)).json()["events"] == len(found)
        for turn, count in ((told[0]["turn"], len(found)), ("another", 0)):
            asked = {**params, "turn": turn}
            assert (await server.client.get("/dev/telemetry/summary", params=asked)).json()["events"] == count
        for bad in ({"since": "soon"}, {"limit": "0"}, {"cursor": "x"}):
            assert (await server.client.get("/dev/telemetry/events", params=bad)).status_code == 400


async def test_with_keys_everybody_asks_about_their_own_conversations(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, dev_routes=True, api_keys=KEYS)) as server:
        made = (await server.client.post("/api/conversations", json={}, headers={"X-API-Key": KEYS["ann"]})).json()[
            "id"
        ]
        statuses = [
            (
                await server.client.get("/dev/telemetry/events", params=params, headers={"X-API-Key": KEYS[user]})
            ).status_code
            for user, params in (("ann", {}), ("ann", {"session": made}), ("bob", {"session": made}))
        ]
        assert statuses == [400, 200, 404]


async def test_what_an_operator_reads_is_in_the_audit_log(tmp_path: Path) -> None:
    roles = {"bob": "operator"}
    async with opened(app_in(tmp_path, dev_routes=True, api_keys=KEYS, roles=roles)) as server:
        bob = {"X-API-Key": KEYS["bob"]}
        for address in ("/dev/telemetry/events?event=chat*", "/dev/telemetry/summary?session=c1"):
            assert (await server.client.get(address, headers=bob)).status_code == 200
        lines = await server.here.store.audit.list(action="telemetry.read")
        assert [(one.user, one.target, one.data) for one in lines] == [
            ("bob", "*", {"filter": {"event": "chat*"}}),
            ("bob", "c1", {"filter": {}}),
        ]
