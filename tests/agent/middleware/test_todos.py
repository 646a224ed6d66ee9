"""Things to do: written by the model, or read off the plan without asking anybody."""

from typing import Any

import pytest
from langchain.agents import create_agent

from metier.agent import TodosMiddleware
from metier.agent.middleware import read_todos, todos_from_run
from metier.agent.middleware._todos import has_unfinished, write_todos_tool
from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.plans import Plan, PlanRun, Step
from metier.store import EventDraft
from metier.testing import FakeModel
from metier.tools import check_parameters
from tests.agent.support import answers, asked, both_ways, run

PLAN = Plan(
    "分析弱覆盖",
    steps=(
        Step("match", "匹配场景", call="match_scenario"),
        Step("cause", "根因分析", call="root_cause"),
        Step("chart", call="compare", when="`false`"),
        Step("confirm", "确认", ask="是否需要优化仿真？"),
    ),
)
LISTED: list[JsonValue] = [
    {"content": "匹配场景", "status": "completed"},
    {"content": "根因  分析", "status": "in_progress"},
]


def agent_of(model: FakeModel, events: list[EventDraft], **options: Any) -> Any:
    return create_agent(model, [], middleware=[TodosMiddleware(on_event=events.append, **options)])


@both_ways
async def test_the_model_writes_the_list_and_it_is_told(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().call("write_todos", todos=LISTED).say("好的。")
    result = await run(way, agent_of(model, events), asked("开始"))
    kept = [{"content": "匹配场景", "status": "completed"}, {"content": "根因 分析", "status": "in_progress"}]
    assert result["todos"] == kept
    assert events == [EventDraft("todos", {"todos": kept, "from": "model"})]
    assert answers(result)[0].text == "已记录 2 项，完成 1 项"


@both_ways
async def test_two_lists_in_one_message_leave_the_later_one(way: str) -> None:
    model = FakeModel().calls(("write_todos", {"todos": LISTED}), ("write_todos", {"todos": LISTED[:1]})).say("ok")
    result = await run(way, agent_of(model, []), asked())
    assert len(result["todos"]) == 1
    assert len(answers(result)) == 2


@both_ways
async def test_a_plan_that_knows_costs_no_model_call(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().say("Done.")
    plan = PlanRun.start(PLAN, {"message": "分析"})
    result = await run(way, agent_of(model, events, plan_of=lambda state, runtime: plan), asked())
    assert [todo["status"] for todo in result["todos"]] == ["in_progress", "pending", "pending", "pending"]
    assert [event.data["from"] for event in events] == ["plan"]
    assert model.prompts[0].tools == ()
    assert len(model.prompts) == 1


@both_ways
async def test_the_list_follows_the_plan_and_only_changes_are_told(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().call("write_todos", todos=LISTED).say("Done.")

    def plan_of(state: Any, runtime: Any) -> PlanRun:
        started = PlanRun.start(PLAN)
        return started if len(state["messages"]) <= 2 else started.record_result("match", {"id": 1})

    result = await run(way, agent_of(model, events, plan_of=plan_of), asked())
    (answer,) = answers(result)
    assert answer.text.startswith("The plan keeps the list: 匹配场景: in_progress")
    assert [todo["status"] for todo in result["todos"]][:2] == ["completed", "in_progress"]
    assert len(events) == 2


def test_a_plan_says_what_was_skipped_and_what_failed() -> None:
    done = PlanRun.start(PLAN).record_result("match", {}).record_result("cause", {})
    assert [todo["status"] for todo in todos_from_run(done)] == ["completed", "completed", "skipped", "in_progress"]
    assert [todo["content"] for todo in todos_from_run(done)][2] == "chart"
    stopped = PlanRun.start(PLAN).record_failure("match", "no scenario")
    assert [todo["status"] for todo in todos_from_run(stopped)] == ["failed", "pending", "pending", "pending"]


UNFINISHED: list[Any] = [
    pytest.param(None, False, id="no list"),
    pytest.param([], False, id="empty"),
    pytest.param([{"content": "a", "status": "completed"}], False, id="done"),
    pytest.param([{"content": "a", "status": "skipped"}, {"content": "b", "status": "failed"}], False, id="over"),
    pytest.param([{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}], True, id="pending"),
    pytest.param([{"content": "a", "status": "in_progress"}], True, id="in progress"),
]


@pytest.mark.parametrize(("todos", "left"), UNFINISHED)
def test_unfinished_means_that_something_is_left_to_do(todos: Any, left: bool) -> None:
    assert has_unfinished(todos) is left


WRONG: list[Any] = [
    pytest.param({}, "todos is no list", id="none"),
    pytest.param({"todos": "a"}, "todos is no list", id="text"),
    pytest.param({"todos": ["a"]}, "todos[0].content is no text", id="item"),
    pytest.param({"todos": [{"content": " ", "status": "pending"}]}, "todos[0].content is no text", id="blank"),
    pytest.param({"todos": [{"content": "a", "status": "maybe"}]}, "todos[0].status is 'maybe'", id="status"),
    pytest.param({"todos": LISTED * 11}, "todos has 22 items", id="too many"),
]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_list_says_where(value: JsonValue, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_todos(value)
    assert caught.value.message == message


@both_ways
async def test_a_wrong_list_is_answered_and_changes_nothing(way: str) -> None:
    events: list[EventDraft] = []
    model = FakeModel().call("write_todos", todos="everything").say("Sorry.")
    result = await run(way, agent_of(model, events), {**asked(), "todos": [{"content": "a", "status": "pending"}]})
    assert answers(result)[0].status == "error"
    assert result["todos"] == [{"content": "a", "status": "pending"}]
    assert events == []


def test_the_tool_has_a_schema_that_the_gate_accepts() -> None:
    tool = write_todos_tool()
    assert isinstance(tool.args_schema, dict)
    check_parameters(tool.args_schema)
