"""Things to do: written by the model, or read off the plan without asking anybody."""

from typing import Any

import pytest

from metier.agent.middleware import WRITE_TODOS, read_todos, todos_from_run
from metier.agent.middleware._todos import has_unfinished
from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.plans import Plan, PlanRun, Step
from metier.tools import check_parameters

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


def test_a_list_of_the_model_is_read_with_its_spaces_tidied() -> None:
    assert [todo["content"] for todo in read_todos({"todos": LISTED})] == ["匹配场景", "根因 分析"]


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_a_wrong_list_says_where(value: JsonValue, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_todos(value)
    assert caught.value.message == message


def test_the_tool_has_a_schema_that_the_gate_accepts() -> None:
    check_parameters(WRITE_TODOS.parameters)
