"""A DAG refuses what does not fit, computes everything once, and keeps what failed beside what did not."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.errors import InvalidInput
from metier.flow import (
    DagTracker,
    NodeLimits,
    OperatorNotFound,
    OperatorRefused,
    OperatorRegistry,
    ProcessEngine,
    Value,
    ValueStore,
    read_dag,
)
from tests.flow.operators import COMPUTED, record, registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from metier.json_values import JsonObject, JsonValue


def test_what_does_not_fit_is_refused_with_the_reason_and_a_hint() -> None:
    dag = DagTracker(registry())
    root = dag.root(record(), "ch1")
    lines = dag.add_execution("spectrum", {}, [root])
    cases: dict[str, tuple[str, JsonObject, list[str], str, str]] = {
        "raw signal": ("peak", {}, [root], "takes 'spectrum', but 'n1' is 'signal'", "first make 'spectrum' of it"),
        "wrong way": ("spectrum", {}, [lines], "takes 'signal', but 'n2' is 'spectrum'", "choose another input"),
        "too many": ("spectrum", {}, [root, root], "takes 1 input(s), not 2", "signal"),
        "none": ("add", {}, [], "takes at least 1 input(s), not 0", "signals"),
        "misspelt": ("scale", {"facter": 3}, [root], "facter", "did you mean 'factor'?"),
        "wrong type": ("scale", {"factor": "big"}, [root], "$.factor", "parameters: factor"),
        "missing": ("misbehave", {}, [root], "how", "parameters: how"),
        "no node": ("scale", {}, ["n9"], "there is no node 'n9'", "nodes: n1, n2"),
    }
    for case, (op_name, params, inputs, message, hint) in cases.items():
        with pytest.raises(OperatorRefused) as caught:
            dag.add_execution(op_name, params, inputs)
        assert message in caught.value.message, case
        assert hint in caught.value.hint, case
    with pytest.raises(OperatorNotFound, match="there is no operator 'spektrum'") as unknown:
        dag.add_execution("spektrum", {}, [root])
    assert unknown.value.hint == "did you mean 'spectrum'?"
    assert list(dag.nodes) == ["n1", "n2"]


def test_a_failed_node_says_why_and_its_siblings_go_on() -> None:
    dag = DagTracker(registry(), limits=NodeLimits(seconds=0.2, result_bytes=10_000))
    short = dag.root(record(4), "short")
    root = dag.root(record(), "long")
    failures = {
        dag.add_execution("spectrum", {}, [short]): "4 samples are too few for a spectrum",
        dag.add_execution("misbehave", {"how": "nan"}, [root]): "64 of the 64 numbers of its result are not finite",
        dag.add_execution("misbehave", {"how": "kind"}, [root]): "gave 'nonsense' instead of 'signal'",
        dag.add_execution("misbehave", {"how": "large"}, [root]): "20480 bytes, more than the 10000",
        dag.add_execution("misbehave", {"how": "slow"}, [root]): "longer than 0.2 s",
        dag.add_execution("misbehave", {"how": "none"}, [root]): "gave NoneType instead of a value",
        dag.add_execution("misbehave", {"how": "bug"}, [root]): "KeyError: 'a bug in the operator'",
    }
    assert {name: why for name, why in failures.items() if why not in dag.node(name).error} == {}
    good = dag.add_execution("spectrum", {}, [root])
    assert dag.node(good).state == "done"
    assert set(dag.leaves()) == {short, good}
    with pytest.raises(OperatorRefused, match="cannot use 'n3', which failed: 4 samples"):
        dag.add_execution("peak", {}, ["n3"])
    with pytest.raises(OperatorRefused, match="node 'n3' failed"):
        dag.value("n3")


def test_an_inline_operator_takes_the_thread_of_its_caller_for_small_inputs_only() -> None:
    threads: list[int] = []

    def note_thread(inputs: "Sequence[Value]", params: "Mapping[str, JsonValue]") -> Value:
        threads.append(get_ident())
        return inputs[0]

    quick = replace(registry().get("scale"), engine="inline", compute=note_thread)
    dag = DagTracker(OperatorRegistry([quick]))
    for length in (64, 1_000_000):
        assert dag.node(dag.add_execution("scale", {}, [dag.root(record(length), str(length))])).state == "done"
    assert [one == get_ident() for one in threads] == [True, False]


def test_an_operator_in_another_process_is_ended_after_its_time_and_the_next_one_runs() -> None:
    engine = ProcessEngine(1)
    try:
        dag = DagTracker(registry(), limits=NodeLimits(seconds=20), engines={"process": engine})
        root = dag.root(record(), "ch1")
        bug = dag.add_execution("far", {"how": "bug"}, [root])
        assert "a bug in the operator" in dag.node(bug).error
        brief = DagTracker(registry(), limits=NodeLimits(seconds=0.1), engines={"process": engine})
        slow = brief.add_execution("far", {"how": "slow"}, [brief.root(record(), "ch1")])
        assert brief.node(slow).error == "it took longer than 0.1 s"
        kind = dag.add_execution("far", {"how": "kind"}, [root])
        assert "gave 'nonsense'" in dag.node(kind).error
    finally:
        engine.close()


def test_the_same_execution_is_computed_once_in_a_run_and_not_again_after_a_restart(tmp_path: Path) -> None:
    store = ValueStore(tmp_path / "values")
    first = DagTracker(registry(), name="a", store=store, record=tmp_path / "a.jsonl")
    lines = first.add_execution("spectrum", {}, [first.root(record(), "ch1")])
    top = first.add_execution("peak", {}, [lines])
    COMPUTED.clear()
    assert first.add_execution("spectrum", {}, ["a1"]) == lines
    beside = DagTracker(registry(), name="b", store=store)
    taken = beside.add_execution("spectrum", {}, [beside.root(record(), "ch1")])
    assert beside.node(taken).cached
    again = DagTracker(registry(), name="a", store=ValueStore(tmp_path / "values"), record=tmp_path / "a.jsonl")
    assert [node.to_json() for node in again.nodes.values()] == [node.to_json() for node in first.nodes.values()]
    assert float(again.value(top).array) == 8.0
    assert COMPUTED == []
    assert again.add_execution("scale", {"factor": 3}, ["a1"]) == "a4"
    assert COMPUTED == ["scale"]


def test_files_cut_short_by_a_crash_are_computed_again(tmp_path: Path) -> None:
    store = ValueStore(tmp_path / "values")
    dag = DagTracker(registry(), store=store, record=tmp_path / "n.jsonl")
    lines = dag.add_execution("spectrum", {}, [dag.root(record(), "ch1")])
    file = next(tmp_path.rglob(f"{dag.node(lines).digest}.npy"))
    assert file is not None
    file.write_bytes(file.read_bytes()[:-8])
    whole = (tmp_path / "n.jsonl").read_text().splitlines()
    (tmp_path / "n.jsonl").write_text("\n".join([whole[0], whole[1][:40]]))
    again = DagTracker(registry(), store=ValueStore(tmp_path / "values"), record=tmp_path / "n.jsonl")
    assert list(again.nodes) == ["n1"]
    COMPUTED.clear()
    assert again.add_execution("spectrum", {}, ["n1"]) == "n2"
    assert COMPUTED == ["spectrum"]
    third = DagTracker(registry(), store=ValueStore(tmp_path / "values"), record=tmp_path / "n.jsonl")
    assert third.value("n2").array.shape == (33,)
    file.unlink()
    fourth = DagTracker(registry(), store=ValueStore(tmp_path / "values"), record=tmp_path / "n.jsonl")
    assert fourth.value("n2").array.shape == (33,)
    assert {path.suffix for path in (tmp_path / "values").iterdir()} == {".npy"}


def test_the_export_tells_operator_parameters_shapes_and_key_values_of_the_nodes_that_matter() -> None:
    dag = DagTracker(registry())
    root = dag.root(record(), "ch1")
    for factor in range(2, 12):
        dag.add_execution("scale", {"factor": factor}, [root])
    top = dag.add_execution("peak", {}, [dag.add_execution("spectrum", {}, [root])])
    told = dag.export_json(max_nodes=4)
    nodes: dict[str, Any] = {node["id"]: node for node in cast("list[dict[str, Any]]", told["nodes"])}
    assert told["left_out"] == 9
    assert nodes["n1"]["shape"] == [64]
    assert nodes["n1"]["axis"]["step"] == 1 / 64
    assert nodes[top]["key_values"] == {"value": 8.0}
    assert nodes["n11"]["params"] == {"factor": 11}
    assert nodes["n11"]["key_values"]["peak_at"] is not None
    assert "n12" not in nodes
    json.dumps(told)


def test_a_dag_is_replayed_on_other_data_and_says_where_that_does_not_work(tmp_path: Path) -> None:
    dag = DagTracker(registry())
    root = dag.root(record(), "ch1")
    top = dag.add_execution("peak", {}, [dag.add_execution("spectrum", {}, [root])])
    dag.add_execution("scale", {}, [root])
    other = dag.replay({"ch1": record(128, 32.0)})
    assert float(other.value(top).array) == 8.0
    assert [node.op_name for node in other.nodes.values()] == [node.op_name for node in dag.nodes.values()]
    short = dag.replay({"ch1": record(4)})
    assert [node.state for node in short.nodes.values()] == ["done", "failed", "failed", "done"]
    with pytest.raises(OperatorRefused, match="no data for ch1"):
        dag.replay({})
    (tmp_path / "dag.json").write_text(json.dumps(dag.to_json()))
    assert [node.id for node in read_dag(tmp_path / "dag.json")] == list(dag.nodes)
    circle = [{"id": "n1", "op_name": "scale", "inputs": ["n2"]}, {"id": "n2", "op_name": "scale", "inputs": ["n1"]}]
    (tmp_path / "circle.json").write_text(json.dumps({"nodes": circle}))
    with pytest.raises(InvalidInput, match="'n2' of node 'n1' is not before it"):
        read_dag(tmp_path / "circle.json")


def test_parts_of_another_dag_are_adopted_without_computing_them() -> None:
    first, second = DagTracker(registry(), name="a"), DagTracker(registry(), name="b")
    for dag in (first, second):
        dag.root(record(), "ch1")
    top = second.add_execution("peak", {}, [second.add_execution("spectrum", {}, ["b1"])])
    second.add_execution("scale", {}, ["b1"])
    COMPUTED.clear()
    assert first.adopt(second, [top]) == {"b1": "a1", "b2": "a2", "b3": "a3"}
    assert float(first.value("a3").array) == 8.0
    assert COMPUTED == []


def test_values_are_read_only_and_describe_themselves_completely() -> None:
    value = record()
    with pytest.raises(ValueError, match="read-only"):
        value.array[0] = 1.0
    wrong: list[Callable[[], Value]] = [
        lambda: Value(np.zeros(3), ("a", "b"), None, "", "x"),
        lambda: Value(np.zeros(()), (), value.axis, "", "x"),
        lambda: Value(np.array(["a"]), ("a",), None, "", "x"),
        lambda: Value(np.zeros(3), ("a",), None, "", ""),
        lambda: Value(np.zeros(3), ("a",), None, "", "x", {"f": object()}),  # type: ignore[dict-item]
        lambda: record(rate=-1.0),
    ]
    for make in wrong:
        with pytest.raises(InvalidInput):
            make()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["scale", "spectrum", "peak", "add"]), st.integers(0, 9), st.integers(1, 3))))
def test_whatever_is_tried_inputs_stand_before_their_use_and_a_replay_gives_the_same(
    moves: list[tuple[str, int, int]],
) -> None:
    dag = DagTracker(registry())
    dag.root(record(), "ch1")
    for op_name, place, factor in moves:
        names = list(dag.nodes)
        with suppress(OperatorRefused):
            dag.add_execution(op_name, {"factor": factor} if op_name == "scale" else {}, [names[place % len(names)]])
            names = list(dag.nodes)
        assert list(dag.nodes) == names
    order = list(dag.nodes)
    assert all(order.index(one) < order.index(node.id) for node in dag.nodes.values() for one in node.inputs)
    again = dag.replay({"ch1": record()})
    assert {name: node.key_values for name, node in again.nodes.items()} == {
        name: node.key_values for name, node in dag.nodes.items()
    }
    assert {node.digest for node in again.nodes.values()} == {node.digest for node in dag.nodes.values()}
