"""Rounds of a run by rules alone, in one thread and in memory: for commands and tools that need an answer now."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from metier.errors import OperatorRefused
from metier.flow._rules import FlowState, Goal, RoundRules
from metier.flow.dag import STOP, DagTracker, NodeLimits, OperatorRegistry, Value, ValueStore, digest_value
from metier.flow.roles._run import FlowBudget, name_dag
from metier.json_values import JsonObject, JsonValue

_NO_LIMIT = NodeLimits(seconds=None)


def run_rules(
    rules: RoundRules,
    roots: Mapping[str, Value],
    registry: OperatorRegistry,
    state: FlowState,
    *,
    budget: FlowBudget | None = None,
) -> FlowState:
    """Plan, execute and reflect by rules until the evidence suffices; returns the final state with its DAGs.

    The rounds are those of `run_flow`: goals one after the other, nothing kept beyond the process, no report written. A
    reflection that asks the user ends them.
    """
    limits, store = budget or FlowBudget(), ValueStore()
    dags: dict[str, DagTracker] = {}
    digests = {name: digest_value(value) for name, value in roots.items()}
    for number in range(1, limits.rounds + 1):
        goals = tuple(rules.plan(replace(state, round=number, dags=dags)))[: limits.goals]
        if not goals or goals == state.high_level_plan:
            break
        for goal in goals:
            dag = DagTracker(registry, name=name_dag(len(dags)), store=store, limits=_NO_LIMIT)
            dags[dag.name] = dag
            for name, value in roots.items():
                dag.root(value, name, digest=digests[name])
            adopt_kept(state, dag)
            _pursue(rules.act, goal, dag, limits.steps)
        state = replace(state, round=number, high_level_plan=goals, dags=dict(dags))
        found = rules.reflect(state, state.dags)
        state = replace(
            state,
            facts={**state.facts, **found.facts},
            reflections=(*state.reflections, found),
            reflection_history=(*state.reflection_history, found.reason),
            needs_revision=not found.is_sufficient and found.decision != "halt" and found.ask is None,
        )
        if not state.needs_revision:
            break
    return state


def adopt_kept(state: FlowState, dag: DagTracker) -> None:
    """Begin a DAG of a patch with the nodes that the last reflection kept."""
    last = state.reflections[-1] if state.reflections else None
    if last is None or last.decision != "patch":
        return
    for source in state.dags.values():
        kept = [node for node in last.keep if node in source.nodes]
        if kept and source is not dag:
            dag.adopt(source, kept)


def _pursue(act: Callable[[Goal, DagTracker], JsonObject], goal: Goal, dag: DagTracker, steps: int) -> None:
    for _ in range(steps):
        move = act(goal, dag)
        before = len(dag)
        params, inputs = move.get("params"), move.get("inputs")
        if move["op_name"] == STOP:
            return
        given: Mapping[str, JsonValue] = params if isinstance(params, Mapping) else {}
        listed = [str(one) for one in inputs] if isinstance(inputs, Sequence) and not isinstance(inputs, str) else []
        operator = dag.registry.get(str(move["op_name"]))
        try:
            dag.add_execution(operator.op_name, given, listed)
        except OperatorRefused as refused:
            dag.add_failure(operator, given, listed, refused.message)
        if len(dag) == before:
            return
