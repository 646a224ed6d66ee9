"""After a crash, open calls, choices of a skill and approvals pass a caller's middleware like any other call."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware, hook_config
from langgraph.prebuilt.tool_node import ToolCallRequest

from metier.agent import Runtime
from metier.store import EventDraft
from metier.testing import FakeModel
from tests.e2e.middleware.support import CHAT, Handler, Result, chat, interrupted_turn
from tests.e2e.support import Desk, Told, answered, opened, said
from tests.e2e.test_crash import killed, later, recovered


async def test_a_choice_of_skill_that_a_crash_left_open_is_made(tmp_path: Path) -> None:
    calls: Any = [
        {"id": "c1", "name": "find_terms", "args": {"query": "x"}},
        {"id": "c2", "name": "use_skill", "args": {"skill": "birth-chart"}},
    ]
    called = EventDraft(
        "tool.called", {"call": "c1", "tool": "find_terms", "arguments": {"query": "x"}, "text": "", "calls": calls}
    )
    result = EventDraft("tool.result", {"call": "c1", "tool": "find_terms", "ok": True, "state": "done", "data": {}})
    await interrupted_turn(tmp_path, called, result)
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel().say("排盘好了。"), clock=later()) as runtime:
        turn = await recovered(runtime)
        talk = await runtime.store.conversations.get(turn.conversation)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.calls == []  # its result was stored
    assert talk.skill == "birth-chart"
    assert [one.role for one in history] == ["assistant", "tool", "tool", "assistant"]
    assert turn.text == "排盘好了。"


class Refund(AgentMiddleware[Any, Any, Any]):
    """Refunds order 2, whatever was asked for."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        call = request.tool_call
        if call["name"] != "use_skill":
            call = {**call, "name": "refund", "args": {"number": 2}}
        return await handler(request.override(tool_call=call))


async def answer_and_die(runtime: Runtime, turn: Told, answer: Any, *drafts: EventDraft) -> None:
    """Answer the question of a turn, in a process that dies when it has stored the answer and these events."""
    await runtime.store.pauses.answer(turn.pause, answer, answer_key="k")
    lease = await runtime.store.turns.resume(str(turn.events[0].turn), "a process that is gone", 1)
    asked = {"pause": turn.pause, "purpose": turn.one("pause.opened")["purpose"]}
    told = EventDraft("pause.answered", {**asked, "answer": answer})
    await runtime.store.events.append_many(turn.conversation, [told, *drafts], turn=lease.id, fence=lease.fence)


@pytest.mark.parametrize(
    ("tool", "middleware", "questions", "number"),
    [("refund", [], 1, 1), ("find_order", [Refund()], 1, 2), ("refund", [Refund()], 2, 2)],
    ids=["as the model wrote it", "as it was rewritten", "before and after it was rewritten"],
)
async def test_an_approval_that_a_crash_left_unused_is_not_asked_for_again(
    tmp_path: Path, tool: str, middleware: list[Any], questions: int, number: int
) -> None:
    async with opened(tmp_path, model=chat().call(tool, number=1), middleware=middleware) as runtime:
        turn = await said(runtime, CHAT)
        for _ in range(questions - 1):
            turn = await answered(runtime, turn.pause, {"decision": "approve"})
        await answer_and_die(runtime, turn, {"decision": "approve"})
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel().say("done"), middleware=middleware, clock=later()) as runtime:
        turn = await recovered(runtime)
    assert desk.calls == [("refund", {"number": number})]
    assert turn.text == "done"


class EndAtOnce(AgentMiddleware[Any, Any, Any]):
    """Ends every run before the model is called."""

    @hook_config(can_jump_to=["end"])
    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any]:
        return {"jump_to": "end"}


def began(tool: str, *, called: str) -> EventDraft:
    """`tool.called` of a tool that ran in the place of the one that the model called, and has no result."""
    arguments: Any = {"number": 1}
    calls: Any = [{"id": "c1", "name": called, "args": arguments}]
    told: Any = {"call": "c1", "tool": tool, "arguments": arguments, "text": "I look", "calls": calls}
    return EventDraft("tool.called", told)


async def test_a_call_that_began_is_closed_as_unknown_if_the_run_ends_before_a_person_is_asked(tmp_path: Path) -> None:
    await interrupted_turn(tmp_path, began("find_order", called="find_order"))
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel(), middleware=[EndAtOnce()], clock=later()) as runtime:
        turn = await recovered(runtime)
    assert desk.calls == []
    assert turn.one("tool.result")["state"] == "unknown"
    assert turn.kinds.count("tool.called") == 1


async def test_a_plan_is_stopped_if_the_outcome_of_its_call_stays_unknown(tmp_path: Path) -> None:
    killed(tmp_path, "tool")
    desk = Desk()
    async with opened(tmp_path, desk, middleware=[EndAtOnce()], clock=later()) as runtime:
        turn = await recovered(runtime)
        saved = await runtime.store.plans.get_latest(turn.conversation)
    assert desk.calls == []
    assert turn.all("tool.result")[-1]["state"] == "unknown"
    assert saved is not None
    assert saved.state == "failed"


async def test_a_call_is_not_run_again_if_the_tool_that_ran_in_its_place_may_not_run_twice(tmp_path: Path) -> None:
    await interrupted_turn(tmp_path, began("refund", called="find_order"))
    desk = Desk(idempotent=True)
    async with opened(tmp_path, desk, FakeModel(), clock=later()) as runtime:
        turn = await recovered(runtime)
    assert desk.calls == []
    assert turn.one("pause.opened")["purpose"] == "outcome"


async def test_a_call_that_a_second_crash_interrupted_is_asked_about_again(tmp_path: Path) -> None:
    await interrupted_turn(tmp_path, began("find_order", called="find_order"))
    async with opened(tmp_path, clock=later()) as runtime:
        first = await recovered(runtime)
        await answer_and_die(runtime, first, "retry", began("find_order", called="find_order"))
    desk, model = Desk(), FakeModel().say("done")
    async with opened(tmp_path, desk, model, clock=later(minutes=2)) as runtime:
        second = await recovered(runtime)
        assert desk.calls == []
        last = await answered(runtime, str(second.all("pause.opened")[-1]["pause"]), "retry")
    assert [data["purpose"] for data in second.all("pause.opened")] == ["outcome", "outcome"]
    assert desk.names == ["find_order"]
    assert last.text == "done"
