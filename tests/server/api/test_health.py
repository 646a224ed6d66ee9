"""Whether the server runs, whether it can answer, and its counters."""

from pathlib import Path

import pytest

from metier.errors import StoreUnavailable
from metier.pack import Packs
from metier.server import create_app
from tests.server.support import Open, opened, settings_in


async def test_readiness_follows_the_store(server: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (await server.client.get("/readyz")).json() == {"ok": True, "checks": {"store": "ok", "skills": "ok"}}

    async def gone(*_: object, **__: object) -> None:
        raise StoreUnavailable("the database is gone")

    monkeypatch.setattr(server.here.store.conversations, "list", gone)
    answer = await server.client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["store"]) == (503, "the database is gone")
    assert (await server.client.get("/healthz")).status_code == 200


async def test_the_counters_count(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    await server.client.post(f"/api/pauses/{told[-1]['data']['pause']}", json={"answer": "上线了"})
    text = (await server.client.get("/metrics")).text
    found = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(found['metier_turns_total{state="done"}']) == 1
    assert float(found['metier_turns_total{state="paused"}']) == 1
    assert float(found['metier_events_total{kind="turn.started"}']) == 1
    assert float(found["metier_route_ms_count"]) == 1
    assert float(found["metier_tool_calls_total"]) == 1
    assert float(found["metier_streams"]) == 0
    assert float(found["metier_stream_frames"]) > len(told)


async def test_two_servers_in_one_process_count_apart(tmp_path: Path, server: Open) -> None:
    async with opened(create_app(settings_in(tmp_path / "skills"), packs=Packs())) as other:
        await server.chat("周报")
        text = (await other.client.get("/metrics")).text
        assert 'kind="turn.started"' not in text
