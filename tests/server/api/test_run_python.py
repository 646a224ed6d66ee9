"""`run_python` in a conversation: one approval, and what its code leaves."""

from pathlib import Path
from typing import Any

import pytest

from metier.testing import FakeModel
from metier.tools.sandbox import probe
from tests.server.support import Open, app_in, events_of, opened

pytestmark = pytest.mark.skipif(not probe().tier, reason="there is no sandbox on this machine")


async def approve(server: Open, pause: str) -> list[Any]:
    return events_of((await server.client.post(f"/api/pauses/{pause}", json={"answer": {"decision": "approve"}})).text)


async def test_a_person_agrees_once_and_later_runs_of_the_conversation_need_no_question(tmp_path: Path) -> None:
    model = FakeModel().call("run_python", code="print(6 * 7)").say("42").call("run_python", code="print(6 * 9)")
    async with opened(app_in(tmp_path, model=model.say("54").call("run_python", code="1").say("no"))) as server:
        asked = (await server.chat("multiply"))[-1]["data"]
        assert asked["kind"] == "approval"
        assert "all of this conversation" in asked["text"]
        told = await approve(server, asked["pause"])
        assert [one["data"]["data"]["output"] for one in told if one["kind"] == "tool.result"] == ["42\n"]
        conversation = told[0]["conversation"]
        again = await server.chat("once more", conversation_id=conversation)
        assert [one["data"]["data"]["output"] for one in again if one["kind"] == "tool.result"] == ["54\n"]
        other = (await server.chat("and in another conversation"))[-1]
        assert other["data"]["kind"] == "approval"
