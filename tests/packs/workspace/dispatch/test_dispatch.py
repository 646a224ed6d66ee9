"""DispatchBench: tasks, a model that does not know the arm, measures with values computed by hand, a small run."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from metier.packs.workspace.dispatch import (
    ARMS,
    BARE,
    FULL,
    HELDOUT_DIGEST,
    MEASURES,
    ErrorDraw,
    MadeCall,
    RunKey,
    RunOutcome,
    SimulatedModel,
    choose_reply,
    compute_digest,
    find_differences,
    load_tasks,
    match_keywords,
    measure,
    open_world,
    read_request,
    run_task,
)

EVEN = (1.0, 1.0, 1.0, 1.0, 1.0)


def test_the_tasks_are_as_many_and_as_mixed_as_promised_and_the_held_out_ones_are_frozen() -> None:
    every = load_tasks()

    assert len({one.id for one in every}) == len(every) >= 60
    assert {one.lang for one in every} == {"zh", "en"}
    assert {"research", "creation", "data", "web", "code"} <= {one.type for one in every}
    assert sum(len(one.mixed) > 1 for one in every) >= 10
    assert sum(not one.calls for one in every) >= 8
    assert sum(one.is_hostile for one in every) >= 6
    assert len(load_tasks("heldout")) == 20
    assert compute_digest("heldout") == HELDOUT_DIGEST


def test_the_simulated_model_is_never_told_the_arm_and_draws_the_same_errors_for_any_request() -> None:
    assert "arm" not in {*SimulatedModel.model_fields, *inspect.signature(SimulatedModel.begin).parameters}
    assert "arm" not in inspect.signature(choose_reply).parameters
    task = load_tasks()[0]
    tool = {"function": {"name": "web_search", "parameters": {"type": "object", "properties": {"query": {}}}}}
    said: list[list[str]] = []
    for tools in ([tool], [tool, {"function": {"name": "memory", "parameters": {}}}]):
        model = SimulatedModel(weights=(0.0, 0.0, 0.0, 0.0, 1.0))
        model.begin(RunKey(task, seed=3, rate=0.5))
        replies = [model.bind_tools([]).bind(tools=tools).invoke([HumanMessage(task.message)]) for _ in range(12)]
        said.append([one.text or one.tool_calls[0]["name"] for one in replies])

    assert said[0] == said[1]  # the same replies stop early, whatever else is on offer
    assert task.answer in said[0]
    assert "web_search" in said[0]


def test_under_a_schema_the_model_names_no_tool_that_is_not_in_it() -> None:
    task = next(one for one in load_tasks() if one.id == "research-1")
    branch = {"properties": {"tool": {"enum": ["memory"]}, "arguments": {"type": "object", "properties": {"text": {}}}}}
    schema = {"anyOf": [{"properties": {"answer": {"type": "string"}}}, branch]}
    options = {"extra_body": {"response_format": {"json_schema": {"schema": schema}}}}
    view = read_request([HumanMessage(task.message)], options)

    for error in ("wrong_tool", "invented_tool", "loop"):
        assert choose_reply(view, task, ErrorDraw(error, obeys=False, pick=0.3)).tool in ("", "memory"), error


def _call(tool: str, *, right: bool, state: str = "done", by_plan: bool = False) -> MadeCall:
    return MadeCall(tool, {}, state, by_plan, right)


def test_the_measures_are_those_of_a_computation_by_hand() -> None:
    first = RunOutcome(
        "a",
        "all",
        0,
        attempted=(True, False, True),
        calls=(_call("x", right=True, by_plan=True), _call("y", right=False), _call("z", right=True, state="refused")),
        missing=1,
        withheld=1,
        iterations=5,
        done=False,
        skills=(),
        plan_steps=(True, False),
        questions=1,
    )
    second = RunOutcome("b", "all", 0, (True,), (_call("x", right=True),), 0, 0, 2, True, ())
    expected = {
        "calls attempted right": 3 / 4,
        "calls executed right": 2 / 3,
        "of those the model's own": 1 / 2,
        "right calls refused": (1 + 1) / (3 + 1),
        "deviation": (1 + 1) / (3 + 1),
        "runs that deviate": 1 / 2,
        "iterations": 3.5,
        "tasks done": 1 / 2,
        "all of 4 tries": None,
        "done without a question": 1 / 2,
        "questions a run": 1 / 2,
        "plan clarity": 1 / 2,
    }

    assert {name: compute([first, second]) for name, compute in MEASURES.items()} == pytest.approx(expected)
    tries = [RunOutcome("a", "all", n, (), (), 0, 0, 1, n > 0, ()) for n in range(5)]
    assert measure("all of 4 tries", tries).value == pytest.approx(1 / 5)  # C(4,4) of C(5,4)


def test_keywords_of_the_original_match_the_first_type_that_has_one() -> None:
    assert match_keywords("研究新能源汽车") == ("research",)
    assert match_keywords("Fix the bug") == ()


def test_a_deck_that_is_only_text_is_a_difference_and_does_not_end_the_bench(tmp_path: Path) -> None:
    task = next(one for one in load_tasks() if one.id == "create-1")
    files: Any = task.expect["files"]
    for name in files:
        (tmp_path / name).write_text("no deck at all", "utf-8")
    assert find_differences(task, tmp_path, []) == [f"file {name}" for name in files]


@pytest.mark.parametrize("arm", [BARE, FULL], ids=lambda one: one.name)
async def test_without_errors_a_task_reaches_its_goal_in_the_bare_loop_and_with_all_layers(
    arm: object, tmp_path: Path
) -> None:
    model = SimulatedModel(weights=EVEN)
    chosen = [one for one in load_tasks() if one.id in ("create-1", "mixed-5")]
    async with open_world(next(one for one in ARMS if one is arm), model, tmp_path / "world") as world:
        outcomes = [await run_task(world, "", RunKey(task), model) for task in chosen]

    assert [one.differences for one in outcomes] == [(), ()]
    assert all(call.is_right for one in outcomes for call in one.calls)
