"""What the server is and how it is doing."""

import json
from pathlib import Path

import pytest

from metier.errors import StoreUnavailable
from metier.pack import BilingualText, Pack, PackProblem, Packs
from metier.server import create_app
from tests.server.support import SKILL, Open, opened, settings_in


async def test_the_server_says_what_it_is(server: Open) -> None:
    info = (await server.client.get("/api/info")).json()
    assert (info["model"], info["user"], info["keys"], info["skills"]) == ("builtin", "local", False, 1)


async def test_packs_are_listed_with_their_skills_and_what_to_try(tmp_path: Path) -> None:
    folder = tmp_path / "pack" / "skills"
    folder.mkdir(parents=True)
    (folder / "monthly-report.md").write_text(SKILL.replace("weekly-report", "monthly-report"), "utf-8")
    said = BilingualText("月报", "Monthly")
    pack = Pack(
        "office", said, said, "1.0.0", tmp_path / "pack", skills=folder, examples=(BilingualText("写月报", "Write it"),)
    )
    broken = PackProblem("other", "invalid_pack", "it is broken")
    app = create_app(settings_in(tmp_path), packs=Packs((pack,), (broken,)))
    async with opened(app) as server:
        listed = (await server.client.get("/api/packs")).json()
    assert [(one["id"], one["title"]) for one in listed["packs"]] == [("office", {"zh": "月报", "en": "Monthly"})]
    assert [one["id"] for one in listed["packs"][0]["skills"]] == ["monthly-report"]
    assert listed["packs"][0]["examples"] == [{"zh": "写月报", "en": "Write it"}]
    assert listed["problems"][0]["pack"] == "other"


async def test_saved_runs_are_listed_the_newest_first_and_a_broken_one_says_so(server: Open) -> None:
    folder = server.here.bench_folder
    folder.mkdir()
    run = {"at": "2026-01-20T08:00:00+00:00", "machine": {}, "figures": [{"suite": "turn", "value": 9.8}]}
    (folder / "2026-01-20T080000Z.json").write_text(json.dumps(run), "utf-8")
    (folder / "2026-01-21T080000Z.json").write_text("{", "utf-8")
    (folder.parent / "secret.json").write_text("{}", "utf-8")
    listed = (await server.client.get("/api/bench")).json()["runs"]
    assert [one["name"] for one in listed] == ["2026-01-21T080000Z", "2026-01-20T080000Z"]
    assert listed[0]["error"]["code"] == "invalid_input"
    assert (await server.client.get("/api/bench/2026-01-20T080000Z")).json()["run"] == run
    assert (await server.client.get("/api/bench/2026-01-21T080000Z")).status_code == 400
    assert (await server.client.get("/api/bench/..%2Fsecret")).status_code == 404


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
