"""A deep run as its four roles see it: data, DAGs, budget, and ways to ask a model, check a call and emit an event."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from metier.errors import TooManySteps
from metier.flow._rules import FlowForm, FlowRequest, FlowRules, Goal, Reflection
from metier.flow.dag import (
    DagTracker,
    Node,
    NodeLimits,
    OperatorRegistry,
    Value,
    ValueStore,
    digest_value,
    sketch_node,
)
from metier.flow.engines import Engine
from metier.json_values import JsonObject, JsonValue

Emit = Callable[[str, JsonObject], Awaitable[None]]
MAX_REPAIRS: Final = 2
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


class AskModel(Protocol):
    """Asks a language model; returns its text. `role` names who asks."""

    async def __call__(self, role: str, prompt: str) -> str: ...


class CheckCall(Protocol):
    """Checks a call at the gate; raises `OperatorRefused` after recording the refusal."""

    async def __call__(self, op_name: str, params: JsonObject) -> None: ...


FindUnknownNumbers = Callable[[str, Sequence[JsonValue]], Sequence[str]]  # figures of a text that no source has


@dataclass(frozen=True, slots=True)
class FlowBudget:
    """What a run may use: steps of one executor, goals at once, rounds, seconds and cost of the whole run."""

    steps: int = 24
    goals: int = 4
    rounds: int = 3
    seconds: float = 900.0
    cost: float | None = None


@dataclass(slots=True)
class FlowRun:
    """Everything the roles share. DAGs are opened by name and continue from their records after a crash."""

    request: FlowRequest
    registry: OperatorRegistry
    roots: Mapping[str, Value]
    folder: Path
    values: ValueStore
    emit: Emit
    elapsed_s: Callable[[], float]
    rules: FlowRules | None = None
    ask: AskModel | None = None
    check: CheckCall | None = None
    find_unknown_numbers: FindUnknownNumbers = lambda _text, _sources: ()
    offered: OperatorRegistry | None = None  # what a model may choose from, if not all
    spent_cost: Callable[[], float] = lambda: 0.0
    budget: FlowBudget = field(default_factory=FlowBudget)
    limits: NodeLimits = field(default_factory=NodeLimits)
    engines: Mapping[str, Engine] = field(default_factory=dict)
    emitted: set[str] = field(default_factory=set)
    dags: dict[str, DagTracker] = field(default_factory=dict)
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open_dag(self, name: str) -> DagTracker:
        """DAG of this name with the roots in it; one that a crash interrupted goes on where it ended."""
        async with self.opening:  # executors side by side look at the DAGs of earlier rounds: one tracker for each
            if name not in self.dags:
                digests = {} if self.dags else await self._store_roots()
                self.dags[name] = await asyncio.to_thread(self._load_dag, name, digests)
        return self.dags[name]

    async def _store_roots(self) -> Mapping[str, str]:
        """Hash and store the given values side by side: executors wait for it. Returns their digests."""

        def store(value: Value) -> str:
            digest = digest_value(value)
            if self.values.get(digest) is None:
                self.values.put(digest, value)
            return digest

        digests = await asyncio.gather(*(asyncio.to_thread(store, value) for value in self.roots.values()))
        return dict(zip(self.roots, digests, strict=True))

    def _load_dag(self, name: str, digests: Mapping[str, str]) -> DagTracker:
        dag = DagTracker(
            self.registry,
            name=name,
            store=self.values,
            record=self.folder / f"{name}.jsonl",
            limits=self.limits,
            engines=self.engines,
        )
        first = next(iter(self.dags.values()), None)
        known = {node.name: node.id for node in first.nodes.values() if node.is_root} if first is not None else {}
        for root, value in self.roots.items():
            if first is not None and root in known:
                dag.adopt(first, [known[root]])  # a run keeps its data, also if the file changed meanwhile
            else:
                dag.root(value, root, digest=digests.get(root, ""))
        return dag

    async def emit_nodes(self, dag: DagTracker, round_number: int) -> None:
        """Emit the nodes that nobody was told of yet, also those that a crash kept back."""
        for node in dag.nodes.values():
            if node.id not in self.emitted:
                self.emitted.add(node.id)
                points = await asyncio.to_thread(sketch_node, dag, node)
                title = dag.name_node(node, self.request.language)
                line = dag.describe_result(node, self.request.language)
                told = describe_node(node, title, line, points)
                await self.emit("flow.node", {"round": round_number, "dag": dag.name, **told})

    @property
    def exceeded(self) -> str:
        """What part of the budget is used up; empty if none is."""
        if self.elapsed_s() >= self.budget.seconds:
            return "seconds"
        if self.budget.cost is not None and self.spent_cost() >= self.budget.cost:
            return "cost"
        return ""


def describe_node(node: Node, title: str, line: str, points: list[float]) -> JsonObject:
    """Node as event data: what was done, what came out, and a few points to draw."""
    return {
        "node": node.id,
        "title": title,
        "line": line,
        "category": node.category,
        "params": node.params,
        "inputs": list(node.inputs),
        "state": node.state,
        "error": line if node.state == "failed" else "",
        "shape": list(node.shape),
        "kind": node.kind,
        "unit": node.unit,
        "domain": node.domain,
        "axis_unit": "" if node.axis is None else node.axis.unit,
        "axis_start": 0.0 if node.axis is None else node.axis.start,
        "axis_end": _axis_end(node),
        "key_values": node.key_values,
        "notes": node.notes,
        "points": points,
        "elapsed_ms": node.elapsed_ms,
        "cached": node.cached,
    }


def _axis_end(node: Node) -> float:
    if node.axis is None or not node.shape:
        return 0.0
    return node.axis.start + node.axis.step * max(0, node.shape[-1] - 1)


def name_dag(number: int) -> str:
    """Name of the nth DAG of a run: a … z, aa, ab …"""
    if number < 0:
        raise TooManySteps("a run has no DAG before the first", hint="count from 0")
    name = ""
    number += 1
    while number:
        number, place = divmod(number - 1, len(_LETTERS))
        name = _LETTERS[place] + name
    return name


def reflection_to_json(one: Reflection) -> JsonObject:
    """Reflection as the state of a run keeps it."""
    return {
        "is_sufficient": one.is_sufficient,
        "reason": one.reason,
        "decision": one.decision,
        "keep": dict(one.keep),
        "facts": one.facts,
        "findings": list(one.findings),
        "ask": None if one.ask is None else form_to_json(one.ask),
    }


def reflection_from_json(data: JsonObject) -> Reflection:
    """Read what `reflection_to_json` wrote."""
    keep, facts, findings = data.get("keep"), data.get("facts"), data.get("findings")
    decision = data.get("decision")
    return Reflection(
        data.get("is_sufficient") is True,
        str(data.get("reason", "")),
        "patch" if decision == "patch" else "replan" if decision == "replan" else "halt",
        {str(key): str(why) for key, why in keep.items()} if isinstance(keep, Mapping) else {},
        facts if isinstance(facts, Mapping) else {},
        tuple(map(str, findings)) if isinstance(findings, list | tuple) else (),
        form_from_json(data.get("ask")),
    )


def form_to_json(form: FlowForm) -> JsonObject:
    """Form as the state of a run keeps it."""
    return {"title": form.title, "schema": form.schema}


def form_from_json(data: object) -> FlowForm | None:
    """Read what `form_to_json` wrote; None for anything else."""
    schema = data.get("schema") if isinstance(data, Mapping) else None
    return FlowForm(str(data["title"]), schema) if isinstance(data, Mapping) and isinstance(schema, Mapping) else None


def goal_to_json(goal: Goal, dag: str) -> JsonObject:
    """Goal as the state of a run keeps it, with the DAG that pursues it."""
    return {"dag": dag, "text": goal.text, "data": goal.data}


def goal_from_json(data: JsonObject) -> Goal:
    """Read what `goal_to_json` wrote."""
    given = data.get("data")
    return Goal(str(data.get("text", "")), given if isinstance(given, Mapping) else {})
