"""Tools of MCP servers in a whole turn."""

import json
import sys
from pathlib import Path

from metier.testing import FakeModel
from tests.e2e.support import opened, said

SERVER = Path(__file__).parents[1] / "tools" / "mcp" / "old_server.py"


async def test_a_tool_of_a_server_runs_under_its_servers_name_and_one_that_is_down_is_only_missed(
    tmp_path: Path,
) -> None:
    servers = {
        "old": {"command": sys.executable, "args": [str(SERVER)], "connect_timeout_s": 120},
        "gone": {"command": "no-such-command"},
    }
    model = FakeModel().call("old__echo", word="你好").say("好了。")
    async with opened(tmp_path, model=model, mcp_servers=servers) as runtime:
        turn = await said(runtime, "随便试一个工具")
    result = turn.find("tool.result", lambda data: data["tool"] == "old__echo")
    assert "你好" in json.dumps(result, ensure_ascii=False)
    assert turn.text == "好了。"


async def test_an_approved_tool_is_offered_in_the_next_turn_without_a_restart(tmp_path: Path) -> None:
    servers = {"old": {"command": sys.executable, "args": [str(SERVER)], "connect_timeout_s": 120}}
    model = FakeModel().say("没有这样的工具。").call("old__echo", word="早").say("好了。")
    async with opened(tmp_path, model=model, mcp_servers=servers, mcp_trust="approved") as runtime:
        await said(runtime, "随便试一个工具")
        assert "old__echo" not in runtime.tools()
        assert [one.code for one in runtime.tools().problems] == ["tool_not_approved"] * 2
        assert runtime.mcp is not None
        runtime.mcp.approve("old", "echo", by="li")
        assert "old__echo" in runtime.tools()
        after = await said(runtime, "再随便试一个工具")
    assert after.find("tool.result", lambda data: data["tool"] == "old__echo")["ok"] is True
