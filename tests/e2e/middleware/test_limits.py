"""A limit of a caller's middleware ends a run with a reply, or blocks a call."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware, ModelCallLimitMiddleware, ToolCallLimitMiddleware

from metier.testing import FakeModel
from tests.e2e.middleware.support import SKILL
from tests.e2e.support import Desk, opened, said


@pytest.mark.parametrize(
    ("limit", "ran"),
    [
        (ToolCallLimitMiddleware(run_limit=1, exit_behavior="end"), ["find_terms"]),
        (ModelCallLimitMiddleware(run_limit=2, exit_behavior="end"), ["find_terms", "find_terms"]),
    ],
    ids=["tools", "model"],
)
async def test_a_limit_that_ends_the_run_becomes_a_reply_with_its_reason(
    tmp_path: Path, limit: AgentMiddleware[Any, Any, Any], ran: list[str]
) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms", query="x").call("find_terms", query="y").call("find_terms", query="z")
    async with opened(tmp_path, desk, model.say("好"), middleware=[limit]) as runtime:
        turn = await said(runtime, SKILL)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.names == ran
    assert turn.text.startswith("已在此停止")
    assert "limit" in turn.text
    assert turn.kinds[-1] == "turn.done"
    assert history[-1].content == turn.text
    called = {call.id for one in history for call in one.tool_calls}
    assert called == {one.tool_call_id for one in history if one.role == "tool"}


async def test_a_limit_that_lets_the_run_go_on_answers_the_call_it_blocked(tmp_path: Path) -> None:
    desk = Desk()
    limit = ToolCallLimitMiddleware[Any, Any](run_limit=1, exit_behavior="continue")
    model = FakeModel().call("find_terms", query="x").call("find_terms", query="y").say("好")
    async with opened(tmp_path, desk, model, middleware=[limit]) as runtime:
        turn = await said(runtime, SKILL)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.calls == [("find_terms", {"query": "x"})]
    assert [data["state"] for data in turn.all("tool.result")] == ["done", "refused"]
    assert [one.role for one in history] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert turn.text == "好"
