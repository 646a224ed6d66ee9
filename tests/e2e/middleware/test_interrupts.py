"""An interrupt of a caller's middleware is a pause that a person answers."""

from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import interrupt

from metier.errors import InvalidInput
from metier.testing import FakeModel
from tests.e2e.middleware.support import CHAT, SKILL, Handler, Recorder, Result, chat, reviewing
from tests.e2e.support import RESEARCH_SKILLS, Desk, answered, opened, said, written


class AskFirst(AgentMiddleware[Any, Any, Any]):
    """Asks a question of its own before a tool runs, and gives the answer to the tool."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        answer = interrupt({"question": "which word?"})
        return await handler(request.override(tool_call={**request.tool_call, "args": {"query": answer}}))


async def test_a_sub_agents_call_under_review_is_not_run_because_nobody_can_be_asked(tmp_path: Path) -> None:
    skills = written(tmp_path, **RESEARCH_SKILLS)
    model = (
        FakeModel().call("task", description="查一下 RSRP", skill="reader").call("find_terms", query="RSRP").say("好")
    )
    desk = Desk()
    async with opened(tmp_path, desk, model, skills_dir=(skills,), middleware=[reviewing(find_terms=True)]) as runtime:
        turn = await said(runtime, "做一个专题研究")
    assert desk.calls == []
    assert "person" in str(turn.find("tool.result", lambda data: data["tool"] == "task")["content"])
    assert turn.text == "好"


@pytest.mark.parametrize("mode", ["batched", "per_call"])
@pytest.mark.parametrize(
    ("decision", "ran", "state"),
    [
        ({"decision": "approve"}, [("find_order", {"number": 1})], "done"),
        ({"decision": "edit", "arguments": {"number": 2}}, [("find_order", {"number": 2})], "done"),
        ({"decision": "reject", "note": "not today"}, [], "refused"),
    ],
    ids=["approved", "edited", "rejected"],
)
async def test_langchains_review_is_a_pause_that_another_process_answers(
    tmp_path: Path, mode: str, decision: Any, ran: list[Any], state: str
) -> None:
    async with opened(tmp_path, model=chat().call("find_order", number=1), middleware=[reviewing(mode)]) as runtime:
        first = await said(runtime, CHAT)
    pause = first.one("pause.opened")
    call: Any = pause["calls"][0]  # type: ignore[index]
    assert (pause["kind"], pause["purpose"]) == ("approval", "approve")
    assert (call["name"], call["args"]) == ("find_order", {"number": 1})
    assert first.kinds[-1] == "pause.opened"
    desk, model = Desk(), FakeModel().say("done")
    async with opened(tmp_path, desk, model, middleware=[reviewing(mode)]) as runtime:
        last = await answered(runtime, first.pause, decision)
        history = await runtime.store.messages.get_history(first.conversation)
    assert desk.calls == ran
    result = last.one("tool.result")
    assert (result["call"], result["state"]) == (call["id"], state)
    assert "note" not in decision or "not today" in model.prompts[0].last
    assert [one.role for one in history] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert last.text == "done"


@pytest.mark.parametrize("mode", ["batched", "per_call"])
async def test_several_calls_under_review_are_one_question_and_decided_one_by_one(tmp_path: Path, mode: str) -> None:
    desk = Desk()
    calls = (("find_terms", {"query": "x"}), ("find_order", {"number": 1}), ("find_order", {"number": 2}))
    model = chat().calls(*calls).say("done")
    async with opened(tmp_path, desk, model, middleware=[reviewing(mode)]) as runtime:
        first = await said(runtime, CHAT)
        one, two = (str(call["id"]) for call in first.one("pause.opened")["calls"])  # type: ignore[union-attr,index,call-overload]
        decisions = {one: {"decision": "reject"}, two: {"decision": "approve"}}
        last = await answered(runtime, first.pause, {"decisions": decisions})
    assert desk.calls == [("find_terms", {"query": "x"}), ("find_order", {"number": 2})]
    assert last.text == "done"


async def test_words_answer_langchains_review(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(
        tmp_path, desk, chat().call("find_order", number=1).say("好"), middleware=[reviewing()]
    ) as runtime:
        first = await said(runtime, CHAT)
        await said(runtime, "yes", first.conversation)
    assert desk.names == ["find_order"]


@pytest.mark.parametrize("mode", ["batched", "per_call"])
async def test_a_review_accepts_only_the_decisions_that_it_allows(tmp_path: Path, mode: str) -> None:
    review = reviewing(mode, find_order={"allowed_decisions": ["approve", "reject"]})
    async with opened(tmp_path, model=chat().call("find_order", number=1), middleware=[review]) as runtime:
        first = await said(runtime, CHAT)
        with pytest.raises(InvalidInput):
            await answered(runtime, first.pause, {"decision": "edit", "arguments": {"number": 2}})


async def test_a_review_and_the_gates_own_approval_follow_each_other(tmp_path: Path) -> None:
    desk = Desk()
    calls = (("find_order", {"number": 1}), ("refund", {"number": 1}))
    async with opened(tmp_path, desk, chat().calls(*calls).say("done"), middleware=[reviewing()]) as runtime:
        first = await said(runtime, CHAT)
        second = await answered(runtime, first.pause, {"decision": "approve"})
        last = await answered(runtime, second.pause, {"decision": "approve"})
    assert desk.names == ["find_order", "refund"]
    assert last.text == "done"


async def test_a_call_that_was_rejected_does_not_run_in_a_runtime_with_other_middleware(tmp_path: Path) -> None:
    seen = Recorder()
    script = chat().call("find_order", number=1)
    async with opened(tmp_path, model=script, middleware=[reviewing("per_call"), seen]) as runtime:
        first = await said(runtime, CHAT)
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel().say("done"), middleware=[seen]) as runtime:
        with pytest.raises(InvalidInput, match="middleware that is not here"):
            await answered(runtime, first.pause, {"decision": "reject"})
    assert desk.calls == []


@pytest.mark.parametrize("others", [True, False])
async def test_a_question_stays_open_if_the_middleware_that_asked_is_not_here(tmp_path: Path, others: bool) -> None:
    desk, more = Desk(), [Recorder()] if others else []
    async with opened(tmp_path, model=chat().call("find_order", number=1), middleware=[reviewing()]) as runtime:
        first = await said(runtime, CHAT)
    async with opened(tmp_path, desk, FakeModel(), middleware=more) as runtime:
        with pytest.raises(InvalidInput, match="middleware that is not here"):
            await answered(runtime, first.pause, {"decision": "approve"})
    async with opened(tmp_path, desk, FakeModel().say("done"), middleware=[reviewing()]) as runtime:
        last = await answered(runtime, first.pause, {"decision": "approve"})
    assert (last.text, desk.names) == ("done", ["find_order"])


async def test_a_review_without_a_decision_is_no_approval(tmp_path: Path) -> None:
    desk = Desk()
    script = chat().call("find_order", number=1)
    async with opened(tmp_path, desk, script, middleware=[reviewing()]) as runtime:
        first = await said(runtime, CHAT)
        with pytest.raises(InvalidInput):
            await answered(runtime, first.pause, {"decision": "edit"})
    assert desk.calls == []


async def test_a_question_of_a_callers_middleware_is_asked_and_its_answer_returned(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms", query="x").say("好")
    async with opened(tmp_path, desk, model, middleware=[AskFirst()]) as runtime:
        first = await said(runtime, SKILL)
        await answered(runtime, first.pause, "RSRP")
    assert (first.one("pause.opened")["kind"], first.one("pause.opened")["text"]) == ("question", "which word?")
    assert desk.calls == [("find_terms", {"query": "RSRP"})]


RUN_KEYS = {"checkpoint", "edited", "final_text"}


@pytest.mark.parametrize(
    ("middleware", "message", "model", "answer"),
    [
        (reviewing(), CHAT, chat().call("find_order", number=1).say("done"), {"decision": "approve"}),
        (reviewing("per_call"), CHAT, chat().call("find_order", number=1).say("done"), {"decision": "reject"}),
        (AskFirst(), SKILL, FakeModel().call("find_terms", query="x").say("好"), "RSRP"),
    ],
    ids=["review", "review per call", "question"],
)
async def test_nothing_of_the_interrupted_run_stays_in_the_store_after_the_answer(
    tmp_path: Path, middleware: Any, message: str, model: FakeModel, answer: Any
) -> None:
    async with opened(tmp_path, model=model, middleware=[middleware]) as runtime:
        first = await said(runtime, message)
        asked = await runtime.store.pauses.get(first.pause)
        await answered(runtime, first.pause, answer)
        kept = await runtime.store.pauses.get(first.pause)
    assert asked.payload.keys() >= RUN_KEYS
    assert asked.payload.keys() - kept.payload.keys() == RUN_KEYS
    assert kept.answer == answer


async def test_nothing_of_the_interrupted_run_stays_in_the_store_if_nobody_needs_the_answer(tmp_path: Path) -> None:
    model = FakeModel().call("find_terms", query="x").say("好")
    async with opened(tmp_path, model=model, middleware=[AskFirst()]) as runtime:
        first = await said(runtime, SKILL)
        last = await said(runtime, "退出", first.conversation)
        kept = await runtime.store.pauses.get(first.pause)
    assert last.one("pause.answered")["cancelled"] is True
    assert kept.payload.keys().isdisjoint(RUN_KEYS)
