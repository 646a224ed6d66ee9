"""The DAG of an analysis: every execution is checked, computed once, limited, and recorded."""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

from metier.errors import InvalidInput, OperatorRefused, TooLarge
from metier.flow.dag._edges import check_edges, describe_misfit, fill_params
from metier.flow.dag._files import ValueStore
from metier.flow.dag._node import Node, digest_call, digest_value, summarize
from metier.flow.dag._operator import Operator, OperatorRegistry
from metier.flow.dag._value import Value
from metier.flow.engines import Engine, JobFailed, ThreadEngine, run_here
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.language import Language

DEFAULT_EXPORT_NODES: Final = 40
_INLINE_NUMBERS: Final = 1 << 18  # a few milliseconds for an operator whose time grows with its inputs only


@dataclass(frozen=True, slots=True)
class NodeLimits:
    """What one node may cost, and how many nodes a DAG may have."""

    seconds: float | None = 60.0
    result_bytes: int = 1024 * 1024 * 1024
    nodes: int = 500


class DagTracker:
    """Builds a DAG by executing operators on values.

    Node ids are `<name><number>` and never reused. The same execution twice is one node. A node that fails is recorded
    with the reason; nodes beside it go on. Edges lead only from nodes that exist to new ones, so there are no cycles.
    With a `record` file every node is appended to it, and a tracker opened on that file goes on where it ended.
    """

    def __init__(
        self,
        registry: OperatorRegistry,
        *,
        name: str = "n",
        store: ValueStore | None = None,
        record: Path | None = None,
        limits: NodeLimits | None = None,
        engines: Mapping[str, Engine] | None = None,
        check: Callable[[str, JsonObject], None] | None = None,
        on_node: Callable[[Node], None] | None = None,
    ) -> None:
        self.registry = registry
        self.name = name
        self.store = store or ValueStore()
        self.limits = limits or NodeLimits()
        self._record = record
        self._engines = dict(engines or {})
        self._thread_engine = self._engines.get("thread") or ThreadEngine()
        self._check = check
        self._on_node = on_node
        self._nodes: dict[str, Node] = {}
        self._by_digest: dict[str, str] = {}
        self._lock = Lock()
        if record is not None and record.is_file():
            end_cut_line(record)
            for node in read_record(record):
                self._keep(node)
        elif record is not None:
            record.parent.mkdir(parents=True, exist_ok=True)

    @property
    def nodes(self) -> Mapping[str, Node]:
        """All nodes by id, inputs before what was made of them."""
        return dict(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def root(self, value: Value, name: str, *, digest: str = "") -> str:
        """Add a value that was given; the same value under the same name is the same node.

        `digest` is its key (`digest_value`) where it is known already: to hash a long record takes time.
        """
        digest = digest or digest_value(value)
        known = self._by_digest.get(f"{name}:{digest}")
        is_stored = self.store.get(digest) is not None
        if known is not None and is_stored:
            return known
        if any(node.is_root and node.name == name and node.digest != digest for node in self._nodes.values()):
            raise OperatorRefused(f"there is another root {name!r} already", hint="give it another name")
        if not is_stored:
            self.store.put(digest, value)
        if known is not None:
            return known
        return self._add(_describe(Node("", digest, name=name), value, summarize(value)))

    def add_execution(self, op_name: str, params: Mapping[str, JsonValue], inputs: Sequence[str]) -> str:
        """Execute an operator on nodes and return the id of its node, which may have failed.

        Raises `OperatorNotFound`, or `OperatorRefused` if inputs or parameters do not fit or the call is not allowed;
        nothing is added then. What was computed before is taken from the store.
        """
        operator = self.registry.get(op_name)
        if self._check is not None:
            self._check(op_name, params)
        given = [self.node(node_id) for node_id in inputs]
        filled = fill_params(operator, params)
        check_edges(operator, given)
        digest = digest_call(op_name, operator.version, filled, [node.digest for node in given])
        if (known := self._by_digest.get(digest)) is not None:
            return known
        if len(self._nodes) >= self.limits.nodes:
            raise OperatorRefused(f"the DAG has {self.limits.nodes} nodes already", hint="stop, or use what is there")
        made_of = tuple(one.id for one in given)
        node = Node("", digest, "", op_name, operator.category, operator.version, filled, made_of)
        return self._add(self._execute(operator, node, given))

    def node(self, node_id: str) -> Node:
        """Node of this id; `OperatorRefused` lists those there are."""
        found = self._nodes.get(node_id)
        if found is None:
            listed = ", ".join(list(self._nodes)[-20:]) or "none"
            raise OperatorRefused(f"there is no node {node_id!r}", hint=f"nodes: {listed}")
        return found

    def name_node(self, node: Node, language: Language) -> str:
        """Title of a node for people: `title` in the notes of a root or its name, otherwise the operator's."""
        if node.is_root or node.op_name not in self.registry:
            told = node.notes.get("title")
            return str(told.get(language, node.title)) if isinstance(told, Mapping) else node.title
        return self.registry.get(node.op_name).name_in(language)

    def describe_result(self, node: Node, language: Language) -> str:
        """One line for people about what came out: verdict, number, level or peak, or why it failed."""
        if node.state == "failed":
            return self.describe_failure(node, language)
        verdict = str(node.notes.get("verdict") or "")
        if not verdict or node.op_name not in self.registry:
            return node.describe_result(verdict, language)
        operator = self.registry.get(node.op_name)
        return node.describe_result(operator.name_verdict(verdict, language), language, operator.measure)

    def describe_figures(self, node: Node, language: Language) -> tuple[str, ...]:
        """All key values of a node that is no decision, each in words; figures in a list by the names of its notes."""
        names = node.notes.get("names")
        listed = [str(one) for one in names] if isinstance(names, list | tuple) else []
        return node.describe_figures(language, [self._name_figure(node, one, language) for one in listed])

    def _name_figure(self, node: Node, name: str, language: Language) -> str:
        """Name of a figure: the title of the operator that computes it alone, or what the node's own operator says."""
        if name in self.registry:
            return self.registry.get(name).name_in(language)
        return self.registry.get(node.op_name).name_verdict(name, language) if node.op_name in self.registry else name

    def describe_failure(self, node: Node, language: Language) -> str:
        """Why a node failed; empty for one that is done."""
        return self.registry.translate_reason(node.error, language)

    def value(self, node_id: str) -> Value:
        """Value of a node; `OperatorRefused` says why a failed one has none."""
        node = self.node(node_id)
        if node.state == "failed":
            raise OperatorRefused(f"node {node_id!r} failed: {node.error}", hint="choose one that is done")
        found = self.store.get(node.digest)
        return found if found is not None else self._restore(node)

    def _restore(self, node: Node) -> Value:
        """Compute a value again whose file is gone or cut short."""
        if node.is_root or node.op_name not in self.registry:
            raise OperatorRefused(f"the data of node {node.id!r} is gone", hint="run the analysis again")
        try:
            value, _ = self._compute(self.registry.get(node.op_name), node, [self.value(one) for one in node.inputs])
        except JobFailed as failed:
            raise OperatorRefused(f"node {node.id!r} failed: {failed}", hint="choose one that is done") from failed
        self.store.put(node.digest, value)
        return value

    def leaves(self) -> tuple[str, ...]:
        """Ids of done nodes that nothing was made of yet."""
        used = {name for node in self._nodes.values() if node.state == "done" for name in node.inputs}
        return tuple(name for name, node in self._nodes.items() if node.state == "done" and name not in used)

    def ancestors(self, node_ids: Iterable[str]) -> tuple[str, ...]:
        """Ids of these nodes and of everything they were made of, inputs first."""
        wanted: set[str] = set()
        waiting = [self.node(name).id for name in node_ids]
        while waiting:
            name = waiting.pop()
            if name not in wanted:
                wanted.add(name)
                waiting.extend(self._nodes[name].inputs)
        return tuple(name for name in self._nodes if name in wanted)

    def export_json(self, max_nodes: int = DEFAULT_EXPORT_NODES) -> JsonObject:
        """The DAG for a model or a reader; with too many nodes, roots, leaves and the latest ones are kept."""
        chosen = self._choose_nodes(max_nodes)
        return {
            "dag": self.name,
            "nodes": [node.export() for name, node in self._nodes.items() if name in chosen],
            "leaves": [name for name in self.leaves() if name in chosen],
            "left_out": len(self._nodes) - len(chosen),
        }

    def to_json(self) -> JsonObject:
        """The whole DAG as `replay` and `metier flow replay` read it; arrays are not part of it."""
        return {"dag": self.name, "nodes": [node.to_json() for node in self._nodes.values()]}

    def replay(self, new_roots: Mapping[str, Value]) -> "DagTracker":
        """Execute the same operators on other roots, by name; returns a new tracker with values in memory.

        Nodes whose inputs failed, and operators that refuse the new data, become failed nodes with the reason.
        """
        from metier.flow.dag._replay import replay_nodes

        fresh = DagTracker(self.registry, name=self.name, limits=self.limits, engines=self._engines, check=self._check)
        replay_nodes(tuple(self._nodes.values()), fresh, new_roots)
        return fresh

    def write_svg(self, path: Path, language: Language = "en") -> None:
        """Write a picture of the DAG as one SVG file with its thumbnails inside; never an empty one."""
        from metier.flow.pictures import draw_dags, render_svg

        path.write_text(render_svg(draw_dags([self], language=language)), "utf-8")

    def write_png(self, path: Path, language: Language = "en") -> None:
        """Write a picture of the DAG as PNG; never an empty one."""
        from metier.flow.pictures import draw_dags, render_png

        path.write_bytes(render_png(draw_dags([self], language=language)))

    def adopt(self, other: "DagTracker", node_ids: Iterable[str]) -> Mapping[str, str]:
        """Take nodes of another DAG with all they were made of; returns the new id of each. Nothing is computed."""
        new_ids: dict[str, str] = {}
        for name in other.ancestors(node_ids):
            node = other.node(name)
            key = f"{node.name}:{node.digest}" if node.is_root else node.digest
            known = self._by_digest.get(key)
            if known is None:
                is_elsewhere = node.state == "done" and self.store is not other.store
                if is_elsewhere and self.store.get(node.digest) is None:
                    self.store.put(node.digest, other.value(name))
                inputs = tuple(new_ids[one] for one in node.inputs)
                known = self._add(replace(node, id="", inputs=inputs))
            new_ids[name] = known
        return new_ids

    def add_failure(self, operator: Operator, params: JsonObject, inputs: Sequence[str], error: str) -> str:
        """Record an execution that could not start, with the reason."""
        digest = digest_call(operator.op_name, operator.version, params, [*inputs, error])
        described = (operator.op_name, operator.category, operator.version, params, tuple(inputs))
        return self._add(Node("", digest, "", *described, state="failed", error=error))

    def _execute(self, operator: Operator, node: Node, given: Sequence[Node]) -> Node:
        with self.store.claim(node.digest):  # an executor beside this one may be computing the same value
            return self._execute_once(operator, node, given)

    def _execute_once(self, operator: Operator, node: Node, given: Sequence[Node]) -> Node:
        stored = self.store.get(node.digest)
        if stored is not None:
            return _describe(node, stored, summarize(stored), cached=True)
        start = time.perf_counter()
        try:
            value, key_values = self._compute(operator, node, [self.value(one.id) for one in given])
            self.store.put(node.digest, value)
        except JobFailed as failed:
            elapsed = round((time.perf_counter() - start) * 1000, 3)
            return replace(node, state="failed", error=str(failed), elapsed_ms=elapsed)
        elapsed = round((time.perf_counter() - start) * 1000, 3)
        return _describe(node, value, key_values, elapsed_ms=elapsed)

    def _compute(self, operator: Operator, node: Node, inputs: list[Value]) -> tuple[Value, JsonObject]:
        arguments = (operator.compute, inputs, dict(node.params))
        if operator.engine == "inline" and sum(one.array.size for one in inputs) <= _INLINE_NUMBERS:
            value = run_here(compute_quietly, arguments)
        else:
            engine = self._engines.get(operator.engine, self._thread_engine)
            value = engine.run(compute_quietly, arguments, seconds=self.limits.seconds)
        if not isinstance(value, Value):
            raise JobFailed(f"operator {operator.op_name!r} gave {type(value).__name__} instead of a value")
        if misfit := describe_misfit(operator, value):
            raise JobFailed(misfit)
        if value.array.nbytes > self.limits.result_bytes:
            raise JobFailed(
                f"its result has {value.array.nbytes} bytes, more than the {self.limits.result_bytes} of a node"
            )
        if wrong := count_not_finite(value):
            raise JobFailed(f"{wrong} of the {value.array.size} numbers of its result are not finite")
        return value, summarize(value)

    def _add(self, node: Node) -> str:
        with self._lock:
            key = f"{node.name}:{node.digest}" if node.is_root else node.digest
            if (known := self._by_digest.get(key)) is not None:
                return known  # another thread was faster
            named = replace(node, id=f"{self.name}{len(self._nodes) + 1}")
            if self._record is not None:
                append_record(self._record, named)
            self._keep(named)
        if self._on_node is not None:
            self._on_node(named)
        return named.id

    def _keep(self, node: Node) -> None:
        self._nodes[node.id] = node
        self._by_digest[f"{node.name}:{node.digest}" if node.is_root else node.digest] = node.id

    def _choose_nodes(self, max_nodes: int) -> frozenset[str]:
        names = list(self._nodes)
        if len(names) <= max_nodes:
            return frozenset(names)
        roots = [name for name in names if self._nodes[name].is_root]
        order = dict.fromkeys([*roots, *reversed(self.leaves()), *reversed(names)])
        return frozenset(list(order)[: max(0, max_nodes)])


def compute_quietly(
    compute: Callable[[Sequence[Value], Mapping[str, JsonValue]], Value],
    inputs: Sequence[Value],
    params: Mapping[str, JsonValue],
) -> Value:
    """Run an operator without numpy's warnings: numbers that are not finite fail its node."""
    with np.errstate(all="ignore"):
        return compute(inputs, params)


def count_not_finite(value: Value) -> int:
    """How many numbers of a value are not finite; their sum tells quickly that there are none."""
    with np.errstate(all="ignore"):
        if np.isfinite(np.add.reduce(value.array, axis=None)):
            return 0
    return int(value.array.size - np.count_nonzero(np.isfinite(value.array)))


def append_record(path: Path, node: Node) -> None:
    """Append a node to the record of a DAG: one line of JSON."""
    line = json.dumps(node.to_json(), ensure_ascii=False, default=dict)
    with open(path, "ab") as file:  # noqa: PTH123 - `Path.open` takes as long as the rest
        file.write(line.encode() + b"\n")


def end_cut_line(path: Path) -> None:
    """Make a line that a crash cut short a line of its own, so that the next one is readable."""
    with path.open("a+b") as file:
        if file.tell():
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")


def read_record(path: Path) -> tuple[Node, ...]:
    """Nodes of a record; a line cut short by a crash is left out. `InvalidInput` if an input comes after its use."""
    nodes: list[Node] = []
    for line in path.read_text("utf-8").splitlines():
        try:
            told = load_json(line)
        except JsonInvalid:
            continue
        if isinstance(told, Mapping):
            nodes.append(Node.from_json(told))
    return check_order(nodes)


def check_order(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Nodes as given; `InvalidInput` unless every input comes before its use, so that cycles cannot be."""
    known: set[str] = set()
    listed = tuple(nodes)
    if len(listed) > 100_000:
        raise TooLarge("a DAG has at most 100000 nodes", hint="replay a part of it")
    for node in listed:
        late = [name for name in node.inputs if name not in known]
        if late or node.id in known or not node.id:
            what = f"input {late[0]!r} of node {node.id!r} is not before it" if late else f"id {node.id!r} is not new"
            raise InvalidInput(f"this is no DAG: {what}", hint="a file written by export; cycles are refused")
        known.add(node.id)
    return listed


def _describe(
    node: Node, value: Value, key_values: JsonObject, *, elapsed_ms: float = 0.0, cached: bool = False
) -> Node:
    return replace(
        node,
        elapsed_ms=elapsed_ms,
        cached=cached,
        shape=value.shape,
        dims=value.dims,
        axis=value.axis,
        unit=value.unit,
        kind=value.kind,
        notes=dict(value.notes),
        key_values=key_values,
    )
