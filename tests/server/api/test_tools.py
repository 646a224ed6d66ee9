"""Tools over HTTP: what there is, what waits for approval, and what the gate says."""

import sys
from pathlib import Path

import pytest

from metier.errors import StorageFull
from tests.server.support import Open, app_in, opened

MCP_SERVER = Path(__file__).parents[2] / "tools" / "mcp" / "old_server.py"


async def test_tools_are_listed_with_what_they_do_to_the_world(server: Open) -> None:
    tools = {one["name"]: one for one in (await server.client.get("/api/tools")).json()["tools"]}
    clock = tools["get_current_time"]
    assert (clock["origin"], clock["skill"], clock["approval"]) == ("builtin", None, "never")
    assert clock["parameters"]["type"] == "object"


async def test_the_gate_says_which_layer_refuses_and_what_is_allowed(server: Open) -> None:
    body = {"tool": "fetch_web_content", "skill": "weekly-report", "arguments": {"url": "https://a.example"}}
    verdict = (await server.client.post("/api/gate", json=body)).json()
    assert (verdict["answer"], verdict["code"], verdict["layer"]) == ("deny", "not_allowed_by_skill", "skill")
    assert "get_current_time" in verdict["allowed"]
    assert verdict["explain"][0].startswith("deny")
    allowed = (
        await server.client.post("/api/gate", json={"tool": "get_current_time", "skill": "weekly-report"})
    ).json()
    assert allowed["answer"] == "allow"


async def test_the_task_type_is_found_from_a_message(server: Open) -> None:
    body = {"tool": "fetch_web_content", "message": "帮我调研一下竞品"}
    assert (await server.client.post("/api/gate", json=body)).json()["task_type_reason"]


async def test_an_unknown_skill_or_task_type_is_not_there(server: Open) -> None:
    for body in ({"tool": "x", "skill": "nope"}, {"tool": "x", "task_type": "nope"}):
        answer = await server.client.post("/api/gate", json=body)
        assert 400 <= answer.status_code < 500


async def test_a_tool_that_waits_is_approved_in_the_version_that_was_shown(tmp_path: Path) -> None:
    servers = {"old": {"command": sys.executable, "args": [str(MCP_SERVER)], "connect_timeout_s": 120}}
    async with opened(app_in(tmp_path, mcp_servers=servers, mcp_trust="approved")) as server:
        echo, turn = (await server.client.get("/api/tools/pending")).json()["pending"]
        assert (echo["server"], echo["tool"], echo["code"]) == ("old", "echo", "tool_not_approved")
        assert echo["current"].startswith("Say it back.")
        assert "+Say it back." in echo["diff"]
        asked = {"server": "old", "tool": "echo", "digest": turn["digest"]}
        assert (await server.client.post("/api/tools/approve", json=asked)).status_code == 409
        approved = await server.client.post("/api/tools/approve", json={**asked, "digest": echo["digest"]})
        assert approved.status_code == 200
        (line,) = await server.here.store.audit.list(action="tool.approved")
        assert (line.target, line.data) == (echo["name"], {"digest": echo["digest"]})
        assert [one["tool"] for one in (await server.client.get("/api/tools/pending")).json()["pending"]] == ["turn"]
        tools = {one["name"]: one for one in (await server.client.get("/api/tools")).json()["tools"]}
        assert tools["old__echo"]["source"] == "old"
        assert "old__turn" not in tools


async def test_without_mcp_servers_nothing_waits(server: Open) -> None:
    assert (await server.client.get("/api/tools/pending")).json() == {"pending": []}
    asked = {"server": "old", "tool": "echo", "digest": "sha256:1"}
    assert (await server.client.post("/api/tools/approve", json=asked)).status_code == 404


async def test_a_tool_is_not_approved_if_that_cannot_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = {"old": {"command": sys.executable, "args": [str(MCP_SERVER)], "connect_timeout_s": 120}}

    async def fail(*_: object) -> None:
        raise StorageFull("the disk is full")

    async with opened(app_in(tmp_path, mcp_servers=servers, mcp_trust="approved")) as server:
        waiting = (await server.client.get("/api/tools/pending")).json()["pending"]
        monkeypatch.setattr(server.here.store.audit, "append", fail)
        asked = {"server": "old", "tool": "echo", "digest": waiting[0]["digest"]}
        assert (await server.client.post("/api/tools/approve", json=asked)).status_code == 503
        assert (await server.client.get("/api/tools/pending")).json()["pending"] == waiting
