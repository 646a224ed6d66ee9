"""The gate inside a LangChain agent: what is refused does not run, is answered, recorded and told."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from metier.errors import SkillNotFound, StoreUnavailable, UsageError
from metier.langchain import GateMiddleware, StoreLedger, ViolationLog
from metier.store import EventDraft, Store
from metier.testing import FakeModel
from metier.tools import ALWAYS, Gate, RefusedCall, Rules, ToolSpec
from tests.agent.support import Toolbox, agent_of, answers, asked, both_ways, run


async def test_a_forbidden_call_does_not_run_is_stored_and_told_and_the_model_goes_on(tmp_path: Path) -> None:
    box, events = Toolbox(), list[EventDraft]()
    model = FakeModel().call("delete_file", path="/etc/passwd").call("web_search", query="5G").say("Done.")
    async with Store.open(f"sqlite:///{tmp_path / 'metier.sqlite3'}") as store:
        talk = await store.conversations.create("ann")
        gate = GateMiddleware(
            allowed=["web_search"], ledger=StoreLedger(store), conversation=talk.id, on_event=events.append
        )
        result = await agent_of(model, box, gate).ainvoke(asked())
        (stored,) = await store.violations.list(conversation=talk.id)

    assert box.names == ["web_search"]
    assert (stored.tool, stored.layer, stored.code) == ("delete_file", "operator", "denied_by_policy")
    assert stored.args_digest.startswith("sha256:")
    assert [(event.kind, event.data["level"], event.data["tool"]) for event in events] == [
        ("tool.violation", "warning", "delete_file")
    ]
    refused = answers(result)[0]
    assert (refused.status, refused.tool_call_id) == ("error", "call-1")
    assert "delete_file" in refused.text
    assert "allowed: web_search" in refused.text
    assert result["messages"][-1].text == "Done."
    assert model.replies_left == 0


@pytest.mark.parametrize("key", ["allowed", "forbidden", "confirm"])
def test_a_name_where_a_list_belongs_is_refused(key: str) -> None:
    with pytest.raises(UsageError) as caught:
        GateMiddleware(**{key: "delete_file"})  # type: ignore[arg-type]
    assert caught.value.hint == f"write {key}=['delete_file']"


async def test_without_the_gate_langchain_runs_a_tool_that_is_only_hidden() -> None:
    @wrap_model_call
    async def hide(request: Any, handler: Any) -> Any:
        return await handler(request.override(tools=[one for one in request.tools if one.name == "web_search"]))

    box, model = Toolbox(), FakeModel().call("delete_file", path="a.txt").say("Done.")
    agent: Any = create_agent(model, box.tools(), middleware=[hide])
    await agent.ainvoke(asked())
    assert model.prompts[0].tools == ("web_search",)
    assert box.names == ["delete_file"]


@both_ways
async def test_the_model_is_shown_only_what_it_may_call(way: str) -> None:
    model = FakeModel().say("Hello.")
    await run(way, agent_of(model, Toolbox(), GateMiddleware(forbidden=["delete_*"])), asked())
    assert model.prompts[0].tools == ("web_search",)


@both_ways
async def test_two_refused_calls_of_one_message_are_both_answered_and_kept(way: str) -> None:
    box, log = Toolbox(), ViolationLog()
    model = FakeModel().calls(
        ("delete_file", {"path": "a"}), ("web_search", {"query": "x"}), ("delete_file", {"path": "b"})
    )
    model.say("好的。")
    result = await run(way, agent_of(model, box, GateMiddleware(allowed=["web_search"], ledger=log)), asked("删掉它们"))
    assert box.names == ["web_search"]
    assert [message.status for message in answers(result)] == ["error", "success", "error"]
    assert "可以使用：web_search" in answers(result)[0].text
    assert [one["call"] for one in result["violations"]] == ["call-1", "call-3"]
    assert [refused.tool for refused in log.violations] == ["delete_file", "delete_file"]


@both_ways
async def test_a_tool_that_nobody_has_is_answered_with_those_that_are_there(way: str) -> None:
    model = FakeModel().call("Web-Search", query="x").say("Sorry.")
    result = await run(way, agent_of(model, Toolbox(), GateMiddleware(forbidden=["nothing"])), asked())
    (answer,) = answers(result)
    assert answer.status == "error"
    assert "delete_file, web_search" in answer.text
    assert result["violations"][0]["code"] == "unknown_tool"


@both_ways
async def test_the_third_refusal_ends_the_run(way: str) -> None:
    box, model = Toolbox(), FakeModel()
    for path in ("a", "b", "c", "never asked"):
        model.call("delete_file", path=path)
    result = await run(way, agent_of(model, box, GateMiddleware(allowed=["web_search"])), asked())
    last = result["messages"][-1]
    assert isinstance(last, AIMessage)
    assert last.text.startswith("I stopped: 3 tool calls of this turn were refused (delete_file).")
    assert last.response_metadata["metier"]["ended"] == "too_many_refusals"
    assert (model.replies_left, box.ran) == (1, [])


@both_ways
async def test_refusals_of_an_earlier_turn_do_not_count(way: str) -> None:
    model = FakeModel()
    for _ in range(2):
        model.call("delete_file", path="a").call("delete_file", path="b").say("I cannot.")
    agent = agent_of(model, Toolbox(), GateMiddleware(allowed=["web_search"]), checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    await run(way, agent, asked(), config)
    second = await run(way, agent, asked("again"), config)
    assert second["messages"][-1].text == "I cannot."
    assert len(second["violations"]) == 4


def _gate() -> Gate:
    tools = {
        "web_search": ToolSpec("web_search", ""),
        "delete_file": ToolSpec("delete_file", "", approval=ALWAYS),
    }
    return Gate([Rules("skill", "skill files", allowed=frozenset(tools))], tools, skills=("files",))


CONFIRMED = [
    pytest.param({"decision": "approve"}, [{"path": "a.txt"}], "deleted a.txt", "success", id="approve"),
    pytest.param(
        {"decision": "edit", "arguments": {"path": "b.txt"}}, [{"path": "b.txt"}], "deleted b.txt", "success", id="edit"
    ),
    pytest.param({"decision": "reject", "note": "too risky"}, [], "too risky", "error", id="reject"),
]


@both_ways
@pytest.mark.parametrize(("answer", "ran", "said", "status"), CONFIRMED)
async def test_a_call_that_needs_a_person_waits_for_the_answer(
    way: str, answer: Mapping[str, Any], ran: list[Any], said: str, status: str
) -> None:
    box, model = Toolbox(), FakeModel().call("delete_file", path="a.txt").say("Done.")
    agent = agent_of(model, box, GateMiddleware(_gate()), checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    paused = await run(way, agent, asked(), config)
    (question,) = paused["__interrupt__"]
    assert question.value["tool"] == "delete_file"
    assert question.value["arguments"] == {"path": "a.txt"}
    assert question.value["parameters"]["required"] == ["path"]
    assert question.response_schema["properties"]["decision"]["enum"] == ["approve", "edit", "reject"]
    assert box.ran == []

    done = await run(way, agent, Command(resume=answer), config)
    assert [arguments for _, arguments in box.ran] == ran
    assert said in answers(done)[0].text
    assert answers(done)[0].status == status
    assert done.get("violations", []) == []


async def test_an_answer_that_is_none_leaves_the_question_open() -> None:
    box, model = Toolbox(), FakeModel().call("delete_file", path="a.txt").say("Done.")
    agent = agent_of(model, box, GateMiddleware(_gate()), checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    await agent.ainvoke(asked(), config)
    with pytest.raises(ValueError, match="decision"):
        await agent.ainvoke(Command(resume={"decision": "maybe"}), config)
    assert box.ran == []
    done = await agent.ainvoke(Command(resume={"decision": "approve"}), config)
    assert box.names == ["delete_file"]
    assert done["messages"][-1].text == "Done."


@both_ways
async def test_where_nobody_can_be_asked_a_call_that_needs_a_person_is_refused(way: str) -> None:
    box, model = Toolbox(), FakeModel().call("delete_file", path="a.txt").say("Done.")
    result = await run(way, agent_of(model, box, GateMiddleware(confirm=["delete_file"])), asked())
    assert box.ran == []
    assert "nobody can be asked" in answers(result)[0].text
    assert result["violations"][0]["code"] == "approval_needed"


@both_ways
async def test_the_gate_may_depend_on_the_state(way: str) -> None:
    def strict_after_a_search(state: Mapping[str, Any], runtime: object) -> Gate:
        searched = any(message.name == "web_search" for message in state["messages"])
        rules = Rules("plan", "plan", allowed=frozenset() if searched else None)
        return Gate([rules], {"web_search": ToolSpec("web_search", "")})

    box = Toolbox()
    model = FakeModel().call("web_search", query="a").call("web_search", query="b").say("Done.")
    result = await run(way, agent_of(model, box, GateMiddleware(strict_after_a_search)), asked())
    assert box.names == ["web_search"]
    assert result["violations"][0]["layer"] == "plan"
    assert [prompt.tools for prompt in model.prompts] == [("web_search",), (), ()]


def _write_skill(folder: Path, tools: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(
        f"---\nname: research\ndescription: 研究. Use it for research.\nallowed_tools: [{tools}]\n---\nSearch.\n",
        "utf-8",
    )


async def test_a_skill_file_governs_the_agent_and_an_edit_holds_at_the_next_call(tmp_path: Path) -> None:
    _write_skill(tmp_path / "research", "web_search")
    log = ViolationLog()
    gate = GateMiddleware(skills=tmp_path, skill="research", ledger=log)
    box, model = (
        Toolbox(),
        FakeModel().call("delete_file", path="a").say("No.").call("delete_file", path="a").say("Ok."),
    )
    agent = agent_of(model, box, gate)
    await agent.ainvoke(asked())
    assert (box.ran, log.violations[0].skill, log.violations[0].layer) == ([], "research", "skill")
    _write_skill(tmp_path / "research", "web_search, delete_file")
    await agent.ainvoke(asked())
    assert box.names == ["delete_file"]


async def test_a_skill_that_is_not_there_stops_the_run_with_a_clear_error(tmp_path: Path) -> None:
    agent = agent_of(FakeModel().say("Hi."), Toolbox(), GateMiddleware(skills=tmp_path, skill="pptx"))
    with pytest.raises(SkillNotFound, match="pptx"):
        await agent.ainvoke(asked())


class _BrokenLedger(ViolationLog):
    async def record_violation(self, refused: RefusedCall) -> None:
        raise StoreUnavailable("the database is locked")


@both_ways
async def test_a_refusal_that_cannot_be_recorded_stops_the_run(way: str) -> None:
    box, model = Toolbox(), FakeModel().call("delete_file", path="a").say("Done.")
    agent = agent_of(model, box, GateMiddleware(allowed=[], ledger=_BrokenLedger()))
    with pytest.raises(StoreUnavailable):
        await run(way, agent, asked())
    assert box.ran == []


async def test_an_asynchronous_listener_is_awaited_by_both_doors() -> None:
    heard: list[str] = []

    async def listen(event: EventDraft) -> None:
        heard.append(str(event.data["tool"]))

    for way in ("sync", "async"):
        model = FakeModel().call("delete_file", path="a").say("Done.")
        await run(way, agent_of(model, Toolbox(), GateMiddleware(allowed=[], on_event=listen)), asked())
    assert heard == ["delete_file", "delete_file"]


def test_two_gates_in_one_agent_need_two_names_and_the_stricter_one_wins() -> None:
    box, model = Toolbox(), FakeModel().call("delete_file", path="a").call("web_search", query="x").say("Done.")
    gates = GateMiddleware(allowed=["*"], name="house"), GateMiddleware(forbidden=["delete_file"], name="pack")
    result = agent_of(model, box, *gates).invoke(asked())
    assert box.names == ["web_search"]
    assert [one["source"] for one in result["violations"]] == ["pack"]


WRONG: list[Any] = [
    pytest.param({}, id="nothing"),
    pytest.param({"gate": _gate(), "allowed": ["a"]}, id="two ways"),
    pytest.param({"skill": "pptx"}, id="a skill without a folder"),
    pytest.param({"skills": "skills"}, id="a folder without a skill"),
]


@pytest.mark.parametrize("given", WRONG)
def test_a_gate_comes_from_exactly_one_place(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        GateMiddleware(**given)
