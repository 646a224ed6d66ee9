"""Executor: observe, think, act, until the goal is reached or the budget is used up; one goal and one DAG each."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.errors import OperatorNotFound, OperatorRefused
from metier.flow._rules import FlowState, Goal
from metier.flow.dag import STOP, DagTracker
from metier.flow.roles._prompts import executor_prompt
from metier.flow.roles._replies import ask_until_readable, read_move
from metier.flow.roles._run import FlowRun
from metier.json_values import JsonObject

_MAX_FRUITLESS: Final = 3  # refusals or repeated calls in a row


@dataclass(slots=True)
class _Progress:
    notes: list[str] = field(default_factory=list)
    fruitless: int = 0

    def note(self, text: str) -> None:
        self.notes.append(text)
        self.fruitless += 1


async def execute_goal(run: FlowRun, state: FlowState, goal: Goal, dag: DagTracker) -> JsonObject:
    """Pursue one goal on its DAG; returns how it ended: stop, steps, seconds, cost, fruitless or unreadable."""
    progress = _Progress()
    await run.emit_nodes(dag, state.round)
    for _ in range(run.budget.steps):
        if over := run.exceeded:
            return _describe_end(dag, over, progress)
        if progress.fruitless >= _MAX_FRUITLESS:
            return _describe_end(dag, "fruitless", progress)
        move = await _choose_move(run, state, goal, dag, progress.notes)
        if move is None or move.get("op_name") == STOP:
            return _describe_end(dag, "stop" if move is not None else "unreadable", progress)
        await _act(run, dag, move, progress)
        await run.emit_nodes(dag, state.round)
    return _describe_end(dag, "steps", progress)


async def _choose_move(
    run: FlowRun, state: FlowState, goal: Goal, dag: DagTracker, notes: Sequence[str]
) -> JsonObject | None:
    # Goals of the rules carry data that only the rules can follow; a model pursues goals in words.
    if run.rules is not None and (run.ask is None or goal.data):
        return await asyncio.to_thread(run.rules.act, goal, dag)
    if run.ask is None:
        return {"op_name": STOP}
    texts = [one.text for one in state.high_level_plan]
    operators = [dict(one) for one in (run.offered or run.registry).describe(state.language)]
    prompt = executor_prompt(texts, goal.text, state.facts, dag=dag.export_json(), operators=operators, notes=notes)
    return await ask_until_readable(run.ask, "executor", prompt, read_move)


async def _act(run: FlowRun, dag: DagTracker, move: JsonObject, progress: _Progress) -> None:
    op_name, params = str(move.get("op_name", "")), move.get("params")
    given = params if isinstance(params, Mapping) else {}
    inputs = _find_inputs(dag, move)
    before = len(dag)
    try:
        operator = run.registry.get(op_name)
        if run.check is not None:
            await run.check(op_name, given)
        node_id = await asyncio.to_thread(dag.add_execution, op_name, given, inputs)
    except OperatorNotFound as unknown:
        progress.note(f"{unknown.message}; {unknown.hint}")
        return
    except OperatorRefused as refused:
        progress.note(f"{refused.message}; {refused.hint}")
        if all(one in dag.nodes for one in inputs):
            await asyncio.to_thread(dag.add_failure, operator, given, inputs, refused.message)
        return
    if len(dag) == before:
        progress.note(f"{op_name} was executed with these inputs and parameters before: its node is {node_id}")
        return
    progress.fruitless = 0
    node = dag.node(node_id)
    if node.state == "failed":
        progress.notes.append(f"{node_id} failed: {node.error}")


def _find_inputs(dag: DagTracker, move: JsonObject) -> list[str]:
    inputs = move.get("inputs")
    if isinstance(inputs, Sequence) and not isinstance(inputs, str) and inputs:
        return [str(one) for one in inputs]
    leaves = dag.leaves()
    return [leaves[-1]] if leaves else []


def _describe_end(dag: DagTracker, end: str, progress: _Progress) -> JsonObject:
    note = progress.notes[-1] if progress.notes and end != "stop" else ""
    failed = sum(node.state == "failed" for node in dag.nodes.values())
    return {"end": end, "nodes": len(dag), "failed": failed, "leaves": list(dag.leaves()), "note": note}
