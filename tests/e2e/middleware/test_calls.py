"""Middleware that a caller brings sees every call that runs, and may drop calls."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from metier.testing import FakeModel
from tests.e2e.middleware.support import CHAT, SKILL, Handler, Recorder, Result, chat
from tests.e2e.support import RESEARCH_SKILLS, Desk, answered, opened, said, written
from tests.e2e.test_crash import killed, later, recovered


@pytest.mark.parametrize(
    ("decision", "ran"),
    [
        ({"decision": "approve"}, [("refund", {"number": 1})]),
        ({"decision": "edit", "arguments": {"number": 2}}, [("refund", {"number": 2})]),
        ({"decision": "reject"}, []),
    ],
    ids=["approved", "edited", "rejected"],
)
async def test_a_callers_middleware_sees_the_call_that_a_person_decided_about(
    tmp_path: Path, decision: Any, ran: list[Any]
) -> None:
    desk, seen = Desk(), Recorder()
    async with opened(tmp_path, desk, chat().call("refund", number=1).say("done"), middleware=[seen]) as runtime:
        first = await said(runtime, CHAT)
        assert seen.names == ["use_skill"]
        last = await answered(runtime, first.pause, decision)
        history = await runtime.store.messages.get_history(first.conversation)
    assert seen.calls[1:] == desk.calls == ran
    stored = next(call for one in history for call in one.tool_calls if call.name == "refund")
    assert not ran or stored.args == ran[0][1]
    assert last.text == "done"


async def test_a_callers_middleware_sees_the_call_that_a_form_completed(tmp_path: Path) -> None:
    desk, seen = Desk(), Recorder()
    async with opened(tmp_path, desk, FakeModel().call("find_terms").say("好"), middleware=[seen]) as runtime:
        first = await said(runtime, SKILL)
        await answered(runtime, first.pause, {"query": "RSRP"})
    assert seen.calls == desk.calls == [("find_terms", {"query": "RSRP"})]


async def test_a_callers_middleware_sees_the_call_that_a_crash_interrupted(tmp_path: Path) -> None:
    killed(tmp_path, "idempotent")
    desk, seen = Desk(idempotent=True), Recorder()
    async with opened(tmp_path, desk, clock=later(), middleware=[seen]) as runtime:
        await recovered(runtime)
    assert seen.names == desk.names == ["find_order"]


async def test_a_callers_middleware_sees_a_delegated_task_and_the_calls_of_its_sub_agent(tmp_path: Path) -> None:
    skills = written(tmp_path, **RESEARCH_SKILLS)
    model = FakeModel().call("task", description="查一下 RSRP", skill="reader")
    model.call("find_terms", query="RSRP").say("信号强度。").say("结论。")
    desk, seen = Desk(), Recorder()
    async with opened(tmp_path, desk, model, skills_dir=(skills,), middleware=[seen]) as runtime:
        await said(runtime, "做一个专题研究")
    assert seen.names == ["task", "find_terms"]
    assert desk.names == ["find_terms"]


async def test_a_task_that_the_skill_does_not_allow_does_not_reach_a_callers_middleware(tmp_path: Path) -> None:
    seen, model = Recorder(), FakeModel().call("task", description="x").say("好")
    async with opened(tmp_path, model=model, middleware=[seen]) as runtime:
        turn = await said(runtime, SKILL)
    assert seen.calls == []
    assert turn.one("tool.result")["state"] == "refused"


async def test_a_callers_middleware_sees_the_choice_of_a_skill_before_it_is_entered(tmp_path: Path) -> None:
    seen, model = Recorder(), FakeModel().call("use_skill", skill="birth-chart").say("好")
    async with opened(tmp_path, model=model, middleware=[seen]) as runtime:
        turn = await said(runtime, CHAT)
        talk = await runtime.store.conversations.get(turn.conversation)
    assert seen.calls == [("use_skill", {"skill": "birth-chart"})]
    assert talk.skill == "birth-chart"


class Refuse(AgentMiddleware[Any, Any, Any]):
    """Refuses every call of one tool."""

    def __init__(self, tool: str) -> None:
        super().__init__()
        self._tool = tool

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        if request.tool_call["name"] != self._tool:
            return await handler(request)
        return ToolMessage("not on Sundays", tool_call_id=request.tool_call["id"], status="error")


async def test_a_choice_of_a_skill_that_a_callers_middleware_refuses_is_a_refusal_on_record(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").say("Without a skill, then.")
    async with opened(tmp_path, model=model, middleware=[Refuse("use_skill")]) as runtime:
        turn = await said(runtime, CHAT)
        talk = await runtime.store.conversations.get(turn.conversation)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert talk.skill is None
    assert turn.all("skill.activated") == []
    result = turn.one("tool.result")
    assert (result["tool"], result["state"], result["content"]) == ("use_skill", "refused", "not on Sundays")
    assert [one.content for one in history if one.role == "tool"] == ["not on Sundays"]
    assert turn.text == "Without a skill, then."


async def test_a_task_that_a_callers_middleware_refuses_starts_no_sub_agent(tmp_path: Path) -> None:
    skills = written(tmp_path, **RESEARCH_SKILLS)
    model = FakeModel().call("task", description="查一下 RSRP", skill="reader").say("我自己来。")
    async with opened(tmp_path, model=model, skills_dir=(skills,), middleware=[Refuse("task")]) as runtime:
        turn = await said(runtime, "做一个专题研究")
    assert turn.one("tool.result")["state"] == "refused"
    assert turn.all("tool.called") == []
    assert turn.text == "我自己来。"


async def test_a_call_that_the_gate_refuses_does_not_reach_a_callers_middleware(tmp_path: Path) -> None:
    seen = Recorder()
    async with opened(tmp_path, model=FakeModel().call("refund", number=1).say("好"), middleware=[seen]) as runtime:
        turn = await said(runtime, SKILL)
    assert seen.calls == []
    assert turn.one("tool.result")["state"] == "refused"


class KeepFirst(AgentMiddleware[Any, Any, Any]):
    """Drops all calls of a reply but the first."""

    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        message = state["messages"][-1]
        return {"messages": [message.model_copy(update={"tool_calls": message.tool_calls[:1]})]}


async def test_a_call_that_a_callers_middleware_dropped_gets_a_result_and_the_others_are_kept(tmp_path: Path) -> None:
    desk = Desk()
    model = chat().calls(("find_order", {"number": 1}), ("find_terms", {"query": "x"})).say("done")
    async with opened(tmp_path, desk, model, middleware=[KeepFirst()]) as runtime:
        turn = await said(runtime, CHAT)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.names == ["find_order"]
    results = {one["tool"]: one["state"] for one in turn.all("tool.result")}
    assert (results["find_order"], results["find_terms"]) == ("done", "refused")
    assert [one.name for one in history if one.role == "tool"][-2:] == ["find_order", "find_terms"]
    assert history[-1].content == "done"


class Replacing(AgentMiddleware[Any, Any, Any]):
    """Gives its own result to every call."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self._content = content

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        return ToolMessage(self._content, tool_call_id=request.tool_call["id"] or "", name=request.tool_call["name"])


ODD_RESULTS = [
    "a\x00b",
    "half \ud800 of a pair",
    '{"x": NaN, "y": [Infinity]}',
    '{"big": 1e999}',
    '{"n": 12345678901234567890123}',
]


@pytest.mark.parametrize("content", ODD_RESULTS)
async def test_a_result_that_no_database_takes_as_it_is_does_not_fail_the_turn(tmp_path: Path, content: str) -> None:
    model = chat().call("find_order", number=1).say("done")
    async with opened(tmp_path, model=model, middleware=[Replacing(content)]) as runtime:
        turn = await said(runtime, CHAT)
    assert (turn.text, turn.all("tool.result")[-1]["ok"]) == ("done", True)
