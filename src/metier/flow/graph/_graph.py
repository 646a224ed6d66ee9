"""The outer graph on LangGraph: plan, execute in parallel, reflect, then plan again or report."""

import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from metier.errors import UsageError
from metier.flow._rules import FlowState, Reflection
from metier.flow.roles import (
    FlowRun,
    adopt_kept,
    execute_goal,
    form_from_json,
    goal_from_json,
    goal_to_json,
    name_dag,
    plan_goals,
    reflect_on,
    reflection_from_json,
    reflection_to_json,
    render_flow_sentence,
    write_report,
)
from metier.json_values import JsonObject

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

    from metier.flow.dag import DagTracker

_NODES_PER_ROUND: Final = 4


def _merge(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {**old, **new}


class GraphState(TypedDict, total=False):
    """State that LangGraph keeps: plain JSON; of DAGs only how each ended. Their nodes lie in files of the run."""

    user_instruction: str
    facts: Annotated[dict[str, Any], _merge]
    reflection_history: Annotated[list[str], operator.add]
    high_level_plan: list[dict[str, Any]]
    dag_state: Annotated[dict[str, Any], _merge]
    needs_revision: bool
    final_report: str
    round: int
    reflections: Annotated[list[dict[str, Any]], operator.add]
    answers: Annotated[dict[str, Any], _merge]


class _Task(TypedDict):
    goal: dict[str, Any]
    state: GraphState


async def run_flow(
    run: FlowRun, saver: "BaseCheckpointSaver[Any] | None", thread: str, *, answers: JsonObject | None = None
) -> FlowState:
    """Run the graph to its end, or go on with the one that a crash interrupted; returns the final state.

    A state with a `form` waits for the user: with its `answers` (empty if the form was put away) the run goes on.
    """
    graph = build_graph(run, saver)
    config: RunnableConfig = {
        "configurable": {"thread_id": thread},
        "recursion_limit": _NODES_PER_ROUND * run.budget.rounds + 10,
    }
    given: GraphState | Command[Any] | None = {
        "user_instruction": run.request.user_instruction,
        "facts": dict(run.request.facts),
        "round": 0,
    }
    if saver is not None and await saver.aget_tuple(config) is not None:
        waiting = bool((await graph.aget_state(config)).interrupts)
        # The checkpoint holds the state. Without answers, a run that waits comes back to its question.
        given = Command(resume={"answers": dict(answers)}) if waiting and answers is not None else None
    options: dict[str, Any] = {} if saver is None else {"durability": "sync"}
    ended: dict[str, Any] = await graph.ainvoke(given, config, **options)
    asked = ended.pop("__interrupt__", ())
    view = await _view(run, ended)  # type: ignore[arg-type]  # LangGraph returns the state as a plain dictionary
    return replace(view, form=form_from_json(asked[0].value)) if asked else view


def build_graph(
    run: FlowRun, saver: "BaseCheckpointSaver[Any] | None" = None
) -> "CompiledStateGraph[GraphState, None, GraphState, GraphState]":
    """Compile the graph of a run: START → plan → execute × goals → reflect → (ask → plan | plan | report) → END."""
    graph, role = StateGraph(GraphState), _Role(run, saver)
    graph.add_node("plan", role.plan)
    graph.add_node("execute", role.execute)  # type: ignore[arg-type]  # it gets the part that `Send` carries, not the state
    graph.add_node("reflect", role.reflect)
    graph.add_node("ask", role.ask)
    graph.add_node("report", role.report)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", _send_goals, ["execute", "report"])
    graph.add_edge("execute", "reflect")
    graph.add_conditional_edges("reflect", _choose_next, ["ask", "plan", "report"])
    graph.add_edge("ask", "plan")
    graph.add_edge("report", END)
    return graph.compile(checkpointer=saver)


def _send_goals(state: GraphState) -> list[Send] | str:
    goals = state.get("high_level_plan", [])
    if not goals or state.get("needs_revision", True) is not False:
        return "report"
    return [Send("execute", _Task(goal=goal, state=state)) for goal in goals]


def _choose_next(state: GraphState) -> str:
    if not state.get("needs_revision"):
        return "report"
    return "ask" if state.get("reflections", [{}])[-1].get("ask") else "plan"


class _Role:
    """The nodes of the graph: each turns the state into a view for the roles, and their answer into an update."""

    def __init__(self, run: FlowRun, saver: "BaseCheckpointSaver[Any] | None") -> None:
        self._run = run
        self._saver = saver

    async def plan(self, state: GraphState) -> GraphState:
        view = await _view(self._run, state)
        goals = await plan_goals(self._run, view)
        number = state.get("round", 0) + 1
        first = len(state.get("dag_state", {}))
        planned = [dict(goal_to_json(goal, name_dag(first + at))) for at, goal in enumerate(goals)]
        before = [_key(one) for one in state.get("high_level_plan", [])]
        if not goals or (before and before == [_key(one) for one in planned]):
            code = "same_plan" if goals else "no_plan"
            why = Reflection(False, render_flow_sentence(code, self._run.request.language), "halt")
            await self._emit_reflection(why, state.get("round", 0))
            return {"needs_revision": True, "reflections": [dict(reflection_to_json(why))], "high_level_plan": []}
        await self._run.emit("flow.planned", {"round": number, "goals": [_tell_goal(one) for one in planned]})
        return {"high_level_plan": planned, "needs_revision": False, "round": number}

    async def execute(self, task: _Task) -> GraphState:
        told, state = task["goal"], task["state"]
        name, view = str(told["dag"]), await _view(self._run, state)
        dag = await self._run.open_dag(name)
        adopt_kept(view, dag)
        end = await execute_goal(self._run, view, goal_from_json(told), dag)
        return {"dag_state": {name: {"goal": told["text"], "round": view.round, **end}}}

    async def reflect(self, state: GraphState) -> GraphState:
        view = await _view(self._run, state)
        reflection = await reflect_on(self._run, view, view.dags)
        goes_on = not reflection.is_sufficient and reflection.decision != "halt"
        over = self._run.exceeded
        if reflection.ask is not None and self._saver is None:
            goes_on = False  # nobody can be asked without a place to wait
        if goes_on and (over or view.round >= self._run.budget.rounds):
            code = f"budget_{over}" if over else "rounds_used"
            why = render_flow_sentence(code, view.language, rounds=view.round)
            reflection = Reflection(
                False,
                f"{reflection.reason} {why}",
                "halt",
                reflection.keep,
                reflection.facts,
                (*reflection.findings, why),
            )
            goes_on = False
        await self._emit_reflection(reflection, view.round)
        return {
            "needs_revision": goes_on,
            "reflection_history": [reflection.reason],
            "reflections": [dict(reflection_to_json(reflection))],
            "facts": dict(reflection.facts),
        }

    async def ask(self, state: GraphState) -> GraphState:
        """Wait for the user; the run is stopped here and goes on with the answers."""
        told = interrupt(state.get("reflections", [{}])[-1].get("ask"))  # an empty answer would not wake the run
        return {"answers": dict(told["answers"])}

    async def report(self, state: GraphState) -> GraphState:
        view = await _view(self._run, state)
        return {"final_report": await write_report(self._run, view), "needs_revision": False}

    async def _emit_reflection(self, one: Reflection, number: int) -> None:
        keep = [{"node": name, "why": why} for name, why in one.keep.items()]
        told: JsonObject = {
            "round": number,
            "is_sufficient": one.is_sufficient,
            "decision": "report" if one.is_sufficient else one.decision,
            "reason": one.reason,
            "keep": keep,
            "findings": list(one.findings),
        }
        await self._run.emit("reflect", told)


async def _view(run: FlowRun, state: GraphState) -> FlowState:
    """The state with its DAGs, as rules see it."""
    dags: dict[str, DagTracker] = {}
    for name in state.get("dag_state", {}):
        dags[name] = await run.open_dag(name)
    instruction = state.get("user_instruction")
    if instruction is None:
        raise UsageError("a run has an instruction", hint="start it with run_flow")
    return FlowState(
        user_instruction=instruction,
        language=run.request.language,
        facts=state.get("facts", {}),
        reflection_history=tuple(state.get("reflection_history", [])),
        high_level_plan=tuple(goal_from_json(one) for one in state.get("high_level_plan", [])),
        dag_state=state.get("dag_state", {}),
        needs_revision=state.get("needs_revision", False),
        final_report=state.get("final_report", ""),
        round=state.get("round", 0),
        reflections=tuple(reflection_from_json(one) for one in state.get("reflections", [])),
        dags=dags,
        answers=state.get("answers", {}),
    )


def _key(planned: Mapping[str, Any]) -> tuple[str, str]:
    return str(planned["text"]), repr(planned["data"])


def _tell_goal(planned: Mapping[str, Any]) -> JsonObject:
    return {"dag": planned["dag"], "text": planned["text"]}
