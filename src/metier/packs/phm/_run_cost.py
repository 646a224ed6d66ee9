"""Cost of deep runs: executors side by side, the DAG itself per node, and what a run leaves in the store."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

import numpy as np

from metier.bench import Figure
from metier.flow import (
    STOP,
    Axis,
    DagTracker,
    FlowBudget,
    FlowForm,
    FlowRequest,
    FlowRun,
    FlowState,
    Goal,
    NodeLimits,
    Operator,
    OperatorRegistry,
    Reflection,
    StoreSaver,
    Value,
    ValueStore,
    run_flow,
)
from metier.json_values import JsonObject
from metier.packs.phm.operators import list_operators
from metier.store import Store

_Emit = Callable[[str, JsonObject], Awaitable[None]]
_FS: Final = 12_000.0
_SAMPLES: Final = 2_000_000
_NODES: Final = 400
_STORED_NODES: Final = 40
_REPEATS: Final = 5  # a host that takes a core away for a moment must not decide
_ENGINES: Final[tuple[Literal["inline", "thread"], ...]] = ("inline", "thread")
_IDLE: Final = 0.9  # a single executor that gets less than this of a core shares it with others


def measure_run_cost() -> Iterator[Figure]:
    """Measure executors side by side, the overhead of a node, and the size of a run in the store."""
    registry = OperatorRegistry(list_operators())
    yield from _measure_executors(registry)
    for is_kept, where in ((False, "in memory"), (True, "files of a run")):
        for engine in _ENGINES:
            name = f"DAG overhead of a node, {where}, {engine}"
            yield Figure("phm", name, _measure_overhead(registry, engine, is_kept=is_kept), 1.0, _NODES)
    yield Figure("phm", "40-node run in the store", _measure_store(registry), 1000, _STORED_NODES, unit="kB")


class _ChainRules:
    """Each goal works on its own channel: whitening, envelope spectrum, bearing test, kurtogram; then scales."""

    def __init__(self, channels: Sequence[str], scales: int = 0) -> None:
        self._channels = channels
        self._scales = scales

    def roots(self, request: FlowRequest) -> Mapping[str, Value] | FlowForm:
        return FlowForm("", {})

    def plan(self, state: FlowState) -> Sequence[Goal]:
        return [Goal(one, {"channel": one}) for one in self._channels]

    def act(self, goal: Goal, dag: DagTracker) -> JsonObject:
        nodes = list(dag.nodes.values())
        root = next(node.id for node in nodes if node.name == goal.data["channel"])
        done, last = [node for node in nodes if not node.is_root], nodes[-1].id
        moves: list[JsonObject] = [
            {"op_name": "cepstrum_prewhitening", "params": {}, "inputs": [root]},
            {"op_name": "envelope_spectrum", "params": {}, "inputs": [last]},
            {"op_name": "bearing_test", "params": {"bearing": "6205", "shaft_hz": 29.5}, "inputs": [last]},
            {"op_name": "kurtogram", "params": {}, "inputs": [root]},
            {"op_name": "envelope_spectrum", "params": {}, "inputs": [root]},
        ]
        if self._scales:
            scale: JsonObject = {"factor": 1.0 + len(done), "unit": "g"}
            moves = [{"op_name": "scale", "params": scale, "inputs": [root]}] * self._scales
        return moves[len(done)] if len(done) < len(moves) else {"op_name": STOP}

    def reflect(self, state: FlowState, dags: Mapping[str, DagTracker]) -> Reflection:
        return Reflection(True, "measured")

    def report(self, state: FlowState) -> str:
        return "measured"


def _make_channels(count: int, samples: int) -> dict[str, Value]:
    random, axis = np.random.default_rng(1), Axis("time", 1 / _FS, 0.0, "s")
    names = [f"channel {number + 1}" for number in range(count)]
    return {name: Value(random.standard_normal(samples), ("time",), axis, "g", "vibration") for name in names}


async def _ignore(kind: str, data: JsonObject) -> None:
    return None


def _build_run(
    registry: OperatorRegistry, roots: Mapping[str, Value], rules: _ChainRules, folder: Path, emit: _Emit = _ignore
) -> FlowRun:
    request, values = FlowRequest("measure", "en"), ValueStore(folder / "values")
    budget = FlowBudget(steps=100)
    return FlowRun(request, registry, roots, folder, values, emit, lambda: 0.0, rules=rules, budget=budget)


def _time_goals(registry: OperatorRegistry, roots: Mapping[str, Value], goals: Sequence[str]) -> tuple[float, float]:
    """Seconds and CPU seconds of a run with these goals."""
    with TemporaryDirectory(prefix="metier-bench-") as folder:
        given = {name: roots[name] for name in goals}
        run = _build_run(registry, given, _ChainRules(goals), Path(folder))
        began, cpu = time.perf_counter(), time.process_time()
        asyncio.run(run_flow(run, None, "bench"))
        return time.perf_counter() - began, time.process_time() - cpu


def _measure_executors(registry: OperatorRegistry) -> Iterator[Figure]:
    """Two goals at once beside one after the other; the best of several, as anything else only slows them down."""
    roots = _make_channels(2, _SAMPLES)
    first, second = roots
    _time_goals(registry, _make_channels(1, 20_000), ["channel 1"])  # loads the libraries
    alone, together, share = [], [], 0.0
    for _ in range(_REPEATS):
        runs = [_time_goals(registry, roots, [one]) for one in (first, second)]
        alone.append(sum(seconds for seconds, _ in runs))
        share = max(share, sum(cpu for _, cpu in runs) / alone[-1])
        together.append(_time_goals(registry, roots, [first, second])[0])
    is_idle = share >= _IDLE
    name = "two executors, times as fast as one" + ("" if is_idle else " (cores busy: not judged)")
    yield Figure("phm", name, min(alone) / min(together), 1.7 if is_idle else None, _REPEATS, unit="×", more=True)
    yield Figure("phm", "share of a core that one executor got", 100 * share, None, _REPEATS, unit="%")


def _measure_overhead(registry: OperatorRegistry, engine: Literal["inline", "thread"], *, is_kept: bool) -> float:
    """CPU milliseconds of one node beyond the operator itself, all threads: mean over many nodes of 2,048 samples."""
    with TemporaryDirectory(prefix="metier-bench-") as folder:
        operator = replace(registry.get("scale"), engine=engine)
        dag = DagTracker(
            OperatorRegistry([operator]),
            store=ValueStore(Path(folder) / "values" if is_kept else None),
            record=Path(folder) / "n.jsonl" if is_kept else None,
            limits=NodeLimits(nodes=_NODES + 10),
        )
        return _time_nodes(dag, operator)


def _time_nodes(dag: DagTracker, operator: Operator) -> float:
    value = _make_channels(1, 2048)["channel 1"]
    root, took = dag.root(value, "channel"), []
    for number in range(_NODES):
        params: JsonObject = {"factor": 1.0 + number, "unit": "g"}
        began = time.process_time()
        dag.add_execution(operator.op_name, params, [root])
        through = time.process_time() - began
        began = time.process_time()
        operator.compute([value], params)
        took.append((through - (time.process_time() - began)) * 1000)
    return float(np.mean(took[20:]))


def _measure_store(registry: OperatorRegistry) -> float:
    """Kilobytes that a run of 40 nodes takes in the store: its events, and its checkpoints before they are removed."""
    events: list[bytes] = []

    async def keep(kind: str, data: JsonObject) -> None:
        events.append(json.dumps({"kind": kind, "data": data}, ensure_ascii=False, default=dict).encode())

    async def run() -> int:
        with TemporaryDirectory(prefix="metier-bench-") as folder:
            place = Path(folder)
            async with Store.open(f"sqlite:///{place / 'bench.db'}") as store:
                conversation = (await store.conversations.create("bench")).id
                rules = _ChainRules(["channel 1"], scales=_STORED_NODES)
                flow = _build_run(registry, _make_channels(1, 120_000), rules, place, keep)
                await run_flow(flow, StoreSaver(store, conversation), "bench")
                kept = await store.checkpoints.list(conversation)
                return sum(len(one.content) + len(one.details) for one in kept) + sum(map(len, events))

    return asyncio.run(run()) / 1000
