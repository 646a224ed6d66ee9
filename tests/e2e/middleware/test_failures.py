"""A caller's middleware that fails: what ran is remembered, and the failure is named."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langgraph.errors import GraphRecursionError
from langgraph.prebuilt.tool_node import ToolCallRequest

from tests.e2e.middleware.support import CHAT, Handler, Result, chat
from tests.e2e.support import Desk, opened, said


class FailAfter(AgentMiddleware[Any, Any, Any]):
    """Fails after `find_order` has run."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        result = await handler(request)
        if request.tool_call["name"] == "find_order":
            raise self._error
        return result


@pytest.mark.parametrize(
    ("error", "end"),
    [(RuntimeError("no disk"), "turn.failed"), (GraphRecursionError("too many"), "turn.done")],
    ids=["fails", "too many steps"],
)
async def test_a_call_that_ran_is_remembered_if_a_callers_middleware_fails_after_it(
    tmp_path: Path, error: Exception, end: str
) -> None:
    desk = Desk()
    model = chat().call("find_order", number=1).say("done")
    async with opened(tmp_path, desk, model, middleware=[FailAfter(error)]) as runtime:
        turn = await said(runtime, CHAT)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.names == ["find_order"]
    assert turn.kinds[-1] == end
    assert turn.all("tool.result")[-1]["state"] == "unknown"
    (result,) = [one.content for one in history if one.role == "tool" and one.name == "find_order"]
    assert "nobody knows whether it took effect" in result


async def test_a_failure_of_a_callers_middleware_is_not_said_to_be_the_models(tmp_path: Path) -> None:
    model = chat().call("find_order", number=1).say("done")
    async with opened(tmp_path, model=model, middleware=[FailAfter(RuntimeError("no disk"))]) as runtime:
        turn = await said(runtime, CHAT)
    failed = turn.one("turn.failed")
    assert failed["code"] == "turn_failed"
    assert failed["message"] == "The turn ended by an error inside Metier."
    assert "RuntimeError: no disk" in str(failed["detail"])
    assert "See what the tools did" in str(failed["hint"])
