"""Seed 002, the four agents and the tracker, by the seed's own prompts, keys and field names."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import pytest

from metier.flow import CATEGORIES, DagTracker, FlowRequest, FlowState, Reflection, ValueStore, run_flow
from metier.flow.roles import FlowBudget, FlowRun
from metier.json_values import JsonObject
from tests.flow.operators import record, registry

PLANNER = "Your task is to break down a high-level user request into a clear, step-by-step analysis plan."
LIST = "Provide the plan as a numbered list of high-level goals."
FEEDBACK = "Based on the previous feedback, please refine or create a new plan."
EXECUTOR = (
    "You are a signal processing expert. Your goal is to select the next best action to achieve the high-level plan."
)
REFLECTOR = "You are a quality assurance expert for a data analysis pipeline."
REPORTER = (
    "Start with a clear conclusion, then provide a step-by-step justification referencing the operations in the graph"
)


async def run_by_model(folder: Path, replies: list[str], **budget: int) -> tuple[FlowState, dict[str, list[str]]]:
    asked: dict[str, list[str]] = {}

    async def ask(role: str, prompt: str) -> str:
        asked.setdefault(role, []).append(prompt)
        return replies.pop(0)

    async def emit(kind: str, data: JsonObject) -> None:
        return None

    request = FlowRequest("Is this bearing healthy?", "en")
    values = ValueStore(folder / "values")
    run = FlowRun(request, registry(), {"ch1": record()}, folder, values, emit, lambda: 0.0, ask=ask)
    run.budget = FlowBudget(**budget)
    return await run_flow(run, None, "t"), asked


async def test_plan_execute_reflect_plan_again_and_report_with_the_prompts_of_the_seed(tmp_path: Path) -> None:
    replies = [
        "1. Compute the spectrum",
        '{"op_name": "spectrum", "params": {}}',
        '{"op_name": "stop"}',
        '{"is_sufficient": false, "reason": "the peak is missing"}',
        "1. Find the peak",
        '{"op_name": "spectrum", "params": {}}',
        '{"op_name": "peak", "params": {}}',
        '{"op_name": "stop"}',
        '{"is_sufficient": true, "reason": "a peak at 8 Hz"}',
        "# Conclusion: healthy",
    ]
    state, asked = await run_by_model(tmp_path, replies)
    assert PLANNER in asked["planner"][0]
    assert LIST in asked["planner"][0]
    assert FEEDBACK not in asked["planner"][0]
    assert FEEDBACK in asked["planner"][1]
    assert "the peak is missing" in asked["planner"][1]
    assert EXECUTOR in asked["executor"][0]
    assert '"op_name": "spectrum"' in asked["executor"][1]  # the DAG so far
    assert REFLECTOR in asked["reflector"][0]
    assert REPORTER in asked["reporter"][0]
    assert [goal.text for goal in state.high_level_plan] == ["Find the peak"]
    assert state.reflection_history == ("the peak is missing", "a peak at 8 Hz")
    assert not state.needs_revision
    assert state.final_report == "# Conclusion: healthy"


def test_the_state_has_the_fields_of_the_seed() -> None:
    wanted = {
        "user_instruction",
        "reflection_history",
        "high_level_plan",
        "dag_state",
        "needs_revision",
        "final_report",
    }
    assert wanted <= {one.name for one in fields(FlowState)}


async def test_an_executor_stops_after_its_last_step(tmp_path: Path) -> None:
    moves = [f'{{"op_name": "scale", "params": {{"factor": {number}}}}}' for number in range(2, 6)]
    ends = ['{"is_sufficient": true, "reason": "enough"}', "Report"]
    state, asked = await run_by_model(tmp_path, ["1. Scale", *moves[:3], *ends], steps=3)
    assert len(asked["executor"]) == 3
    told = state.dag_state["a"]
    assert isinstance(told, Mapping)
    assert told["end"] == "steps"


def test_operators_are_of_the_five_classes_of_the_seed() -> None:
    assert set(CATEGORIES) == {"aggregate", "decision", "expand", "transform", "multi"}
    assert [one.op_name for one in registry().by_category("multi")] == ["add"]


def test_the_tracker_executes_exports_and_draws(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    tracker = DagTracker(registry())
    lines = tracker.add_execution("spectrum", {}, [tracker.root(record(), "ch1")])
    assert tracker.leaves() == (lines,)
    told = tracker.export_json()
    assert str(told).count("op_name") == 2
    tracker.write_png(tmp_path / "final_dag.png")
    assert (tmp_path / "final_dag.png").stat().st_size > 1000


def test_a_judgement_has_the_keys_of_the_seed() -> None:
    assert {"is_sufficient", "reason"} <= {one.name for one in fields(Reflection)}
