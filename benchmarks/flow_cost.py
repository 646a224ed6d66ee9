"""Cost of the DAG itself: executing operators through a tracker beside calling them by hand."""

import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from metier.flow import Axis, DagTracker, NodeLimits, Operator, OperatorRegistry, Port, Value, ValueStore
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText

NODES = 400


def shift(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    """Add a number: almost nothing, so that only the DAG is measured."""
    (one,) = inputs
    by = params["by"]
    return Value(one.array + (by if isinstance(by, int | float) else 0), one.dims, one.axis, one.unit, one.kind)


def measure(folder: Path | None) -> float:
    """CPU milliseconds of one node beyond the operator itself, all threads: mean over the nodes of a chain."""
    schema: JsonObject = {"type": "object", "properties": {"by": {"type": "number", "default": 1}}}
    port = Port("signal", ("signal",), ("time",))
    operator = Operator("shift", "transform", BilingualText("加", "add"), schema, (port,), port, shift)
    dag = DagTracker(
        OperatorRegistry([operator]),
        store=ValueStore(folder / "values" if folder else None),
        record=folder / "n.jsonl" if folder else None,
        limits=NodeLimits(nodes=NODES + 10),
    )
    value = Value(np.random.default_rng(1).normal(size=2048), ("time",), Axis("time", 1e-4, unit="s"), "g", "signal")
    node, took = dag.root(value, "ch1"), []
    for number in range(NODES):
        began = time.process_time()
        node = dag.add_execution("shift", {"by": number}, [node])
        through = time.process_time() - began
        began = time.process_time()
        shift([value], {"by": number})
        took.append((through - (time.process_time() - began)) * 1000)
    return statistics.mean(took[20:])


def main() -> None:
    """Print the overhead with values in memory and with files of a run."""
    with TemporaryDirectory(prefix="metier-bench-") as folder:
        for name, where in (("in memory", None), ("files of a run", Path(folder))):
            sys.stdout.write(f"DAG overhead per node, {name}: {measure(where):.3f} ms of CPU\n")


if __name__ == "__main__":
    main()
