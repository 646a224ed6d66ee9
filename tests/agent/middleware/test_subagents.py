"""Work handed to a second agent: never more rights, a budget of its own, and a digest back."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.outputs import ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from metier.agent import Limits, SubAgentMiddleware, SubAgents
from metier.agent.middleware import Delegation, task_tool
from metier.agent.middleware._subagents import TaskResult
from metier.errors import SkillNotFound, Unavailable
from metier.events import find_event_problems
from metier.store import EventDraft
from metier.testing import FakeModel
from metier.tools import ALWAYS, Gate, MemoryLedger, Rules, ToolSpec, check_parameters
from tests.agent.support import Toolbox, answers, asked, both_ways, run


def told(result: Any) -> list[dict[str, Any]]:
    return [json.loads(answer.text) for answer in answers(result)]


def first(model: FakeModel, agents: SubAgents, events: list[EventDraft] | None = None, **options: Any) -> Any:
    middleware = SubAgentMiddleware(agents, on_event=None if events is None else events.append)
    return create_agent(model, [], middleware=[middleware], **options)


@both_ways
async def test_the_work_is_done_by_another_agent_and_a_digest_comes_back(way: str) -> None:
    box, events = Toolbox(), list[EventDraft]()
    second = FakeModel().call("web_search", query="弱覆盖").say("原因是天线下倾角。")
    model = FakeModel().call("task", description="查一下弱覆盖的原因").say("好了。")
    result = await run(way, first(model, SubAgents(second, box.tools()), events), asked("分析"))
    assert told(result) == [{"status": "done", "answer": "原因是天线下倾角。", "steps": 1}]
    assert box.names == ["web_search"]
    assert [message.text for message in second.prompts[0].messages] == ["查一下弱覆盖的原因"]
    kinds = [event.kind for event in events]
    assert kinds == ["usage", "tool.called", "tool.result", "usage"]
    assert [problem for event in events for problem in find_event_problems(event.kind, event.data)] == []
    assert all((event.data["parent"], event.data["depth"]) == ("call-1", 1) for event in events)


@both_ways
async def test_several_run_side_by_side_and_a_crowd_does_not(way: str) -> None:
    second = FakeModel()
    for _ in range(4):
        second.say("done")
    model = FakeModel().calls(*[("task", {"description": f"part {n}"}) for n in range(6)]).say("All done.")
    result = await run(way, first(model, SubAgents(second)), asked())
    texts = [answer.text for answer in answers(result)]
    assert sum('"done"' in text for text in texts) == 4
    assert texts[4:] == ["At most 4 tasks at once; this one was not started. Wait for the others first."] * 2


def gate_of(*allowed: str, confirm: str = "") -> Gate:
    specs = {
        name: ToolSpec(name, "", approval=ALWAYS) if name == confirm else ToolSpec(name, "")
        for name in ("web_search", "delete_file", "task")
    }
    return Gate([Rules("skill", "skill first", allowed=frozenset(allowed))], specs)


@both_ways
async def test_the_second_agent_may_not_do_what_the_first_may_not(way: str) -> None:
    box, ledger, events = Toolbox(), MemoryLedger(), list[EventDraft]()
    second = FakeModel().call("delete_file", path="a").say("I could not.")
    agents = SubAgents(second, box.tools(), gate=gate_of("web_search", "task"), ledger=ledger)
    await run(way, first(FakeModel().call("task", description="delete a").say("ok"), agents, events), asked())
    assert box.ran == []
    assert [refused.tool for refused in ledger.violations] == ["delete_file"]
    assert "tool.violation" in [event.kind for event in events]
    assert sorted(second.prompts[0].tools) == ["task", "web_search"]


@both_ways
async def test_a_gate_that_depends_on_the_first_agents_state_is_asked_at_the_call(way: str) -> None:
    box, second = Toolbox(), FakeModel().call("web_search", query="x").say("no")
    agents = SubAgents(second, box.tools(), gate=lambda state, runtime: gate_of("task"))
    await run(way, first(FakeModel().call("task", description="look").say("ok"), agents), asked())
    assert box.ran == []


@both_ways
async def test_nobody_is_asked_from_below_a_call_that_needs_a_person_is_refused(way: str) -> None:
    box, second = Toolbox(), FakeModel().call("delete_file", path="a").say("I could not.")
    agents = SubAgents(second, box.tools(), gate=gate_of("delete_file", "task", confirm="delete_file"))
    agent = first(FakeModel().call("task", description="x").say("ok"), agents, checkpointer=InMemorySaver())
    result = await run(way, agent, asked(), {"configurable": {"thread_id": "t"}})
    assert "__interrupt__" not in result
    assert box.ran == []
    assert "nobody can be asked here" in second.prompts[-1].last


NAMES = ("web_search", "delete_file", "task")
lists = st.none() | st.sets(st.sampled_from(NAMES)).map(frozenset)


def rules(allowed: frozenset[str] | None) -> tuple[Rules, ...]:
    return () if allowed is None else (Rules("skill", "skill second", allowed=allowed),)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(above=lists, below=lists, third=lists)
def test_depth_only_narrows(
    above: frozenset[str] | None, below: frozenset[str] | None, third: frozenset[str] | None
) -> None:
    box = Toolbox()
    calls = (("web_search", {"query": "x"}), ("delete_file", {"path": "a"}))
    script = FakeModel().call("task", description="deeper").calls(*calls).say("third").say("second").say("spare")
    gate = None if above is None else gate_of(*above)
    agents = SubAgents(script, box.tools(), gate=gate, rules_of=lambda work: rules(below if work.depth == 1 else third))
    first(FakeModel().call("task", description="go").say("ok"), agents).invoke(asked())
    everything = frozenset(NAMES)
    second_may = (above if above is not None else everything) & (below if below is not None else everything)
    third_may = second_may & (third if third is not None else everything)
    assert set(box.names) <= (third_may if "task" in second_may else second_may)


@both_ways
async def test_below_the_second_there_is_a_third_and_then_no_more(way: str) -> None:
    script = FakeModel().call("task", description="deeper").call("task", description="deepest").say("third")
    script.say("second")
    events: list[EventDraft] = []
    result = await run(
        way, first(FakeModel().call("task", description="go").say("ok"), SubAgents(script), events), asked()
    )
    assert told(result)[0]["answer"] == "second"
    assert [prompt.tools for prompt in script.prompts] == [("task",), (), (), ("task",)]
    assert "task is not a valid tool" in script.prompts[2].last
    assert {event.data["depth"] for event in events} == {1, 2}


@both_ways
async def test_the_budget_is_its_own_and_what_was_found_comes_back(way: str) -> None:
    box, second = Toolbox(), FakeModel()
    second.calls(("web_search", {"query": "a"}), text="Found a so far.").call("web_search", query="b")
    agents = SubAgents(second, box.tools(), limits=Limits(model_calls=1))
    model = FakeModel().call("task", description="find everything").say("ok")
    result = await run(way, first(model, agents), asked())
    (task,) = told(result)
    assert task["status"] == "limit_reached"
    assert task["answer"].startswith("Found a so far.\nI stopped here: this turn may use 1 model calls")
    assert result["messages"][-1].text == "ok"


@both_ways
async def test_a_second_agent_that_fails_is_an_answer_and_not_the_end(way: str) -> None:
    second = FakeModel().fail(Unavailable("model 'x' failed 3 times"))
    model = FakeModel().call("task", description="x").say("I will do it myself.")
    result = await run(way, first(model, SubAgents(second)), asked())
    assert told(result) == [{"status": "failed", "answer": "model 'x' failed 3 times", "steps": 0}]
    assert answers(result)[0].status == "error"
    assert result["messages"][-1].text == "I will do it myself."


class CutModel(FakeModel):
    """A model whose replies reach their limit of length."""

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        result = super()._generate(*args, **kwargs)
        result.generations[0].message.response_metadata["metier"] = {"end": "length"}
        return result


@both_ways
async def test_an_answer_that_is_missing_or_broke_off_is_no_success(way: str) -> None:
    cases = (
        (FakeModel().say(""), "[the sub-agent gave no answer]"),
        (CutModel().say("It is"), "It is\n[the reply broke"),
    )
    for second, answer in cases:
        model = FakeModel().call("task", description="x").say("I will do it myself.")
        result = await run(way, first(model, SubAgents(second)), asked())
        assert told(result)[0]["status"] == "failed"
        assert told(result)[0]["answer"].startswith(answer)


BAD: list[Any] = [
    pytest.param({"description": " "}, "description is empty", id="empty"),
    pytest.param({"description": 3}, "description is empty", id="number"),
    pytest.param({"description": "x" * 8001}, "description has 8001 characters", id="long"),
    pytest.param({"description": "x", "skill": "shell"}, "there is no skill 'shell'. skills: report", id="skill"),
]


@both_ways
@pytest.mark.parametrize(("arguments", "message"), BAD)
async def test_work_that_cannot_be_handed_over_says_why(way: str, arguments: Any, message: str) -> None:
    model = FakeModel().calls(("task", arguments)).say("ok")
    result = await run(way, first(model, SubAgents(FakeModel(), skills=("report",))), asked())
    assert answers(result)[0].text.startswith(message)
    assert answers(result)[0].status == "error"


async def test_a_skill_brings_its_prompt_and_its_rules() -> None:
    box, seen = Toolbox(), list[Delegation]()

    def prompt_of(work: Delegation) -> str:
        seen.append(work)
        return f"You write: {work.skill}"

    second = FakeModel().say("报告")
    agents = SubAgents(
        second,
        box.tools(),
        skills=("report",),
        prompt_of=prompt_of,
        rules_of=lambda work: [Rules("skill", "skill report", allowed=frozenset({"web_search"}))],
    )
    await run("async", first(FakeModel().call("task", description="写", skill="report").say("ok"), agents), asked())
    assert second.prompts[0].system == "You write: report"
    assert second.prompts[0].tools == ("web_search",)
    assert seen == [Delegation("call-1", "写", "report", 1)]


@both_ways
async def test_a_skill_that_nobody_has_is_an_answer(way: str) -> None:
    def prompt_of(work: Delegation) -> str:
        raise SkillNotFound(f"no skill {work.skill!r}")

    agents = SubAgents(FakeModel(), skills=None, prompt_of=prompt_of)
    model = FakeModel().call("task", description="写", skill="诗").say("ok")
    result = await run(way, first(model, agents), asked())
    assert told(result) == [{"status": "failed", "answer": "no skill '诗'", "steps": 0}]


@both_ways
async def test_the_second_agent_works_in_the_context_of_the_firsts_run(way: str) -> None:
    seen: list[object] = []

    @wrap_model_call
    def inside(request: Any, handler: Any) -> Any:
        seen.append(request.runtime.context)
        return handler(request)

    @wrap_model_call
    async def inside_async(request: Any, handler: Any) -> Any:
        seen.append(request.runtime.context)
        return await handler(request)

    part: Any = inside if way == "sync" else inside_async
    agents = SubAgents(FakeModel().say("done"), middleware_of=lambda work: [part])
    agent = first(FakeModel().call("task", description="x").say("ok"), agents)
    context: Any = {"turn": 7}
    if way == "sync":
        agent.invoke(asked(), context=context)
    else:
        await agent.ainvoke(asked(), context=context)
    assert seen == [context]


async def test_a_long_answer_is_cut_and_says_so() -> None:
    second = FakeModel().say("".join(f"{n} " for n in range(3000)))
    result = await run("async", first(FakeModel().call("task", description="x").say("ok"), SubAgents(second)), asked())
    assert told(result)[0]["answer"].endswith("characters are left out]")


async def test_the_words_of_a_second_agent_are_not_streamed_as_those_of_the_first() -> None:
    second = FakeModel().say("inner words")
    agent = first(FakeModel().call("task", description="x").say("outer words"), SubAgents(second))
    texts = [piece.text async for piece, _ in agent.astream(asked(), stream_mode="messages") if piece.type != "tool"]
    assert "outer words" in texts
    assert "inner words" not in texts


def test_the_tool_has_a_schema_that_the_gate_accepts() -> None:
    tool = task_tool(["report"])
    assert isinstance(tool.args_schema, dict)
    check_parameters(tool.args_schema)
    assert TaskResult("done", "x").to_json() == {"status": "done", "answer": "x", "steps": 0}
