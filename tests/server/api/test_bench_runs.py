"""Saved benchmark runs over HTTP."""

import json

from tests.server.support import Open


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
