"""Every engine runs the same jobs by the same calls; failures come among the results."""

import asyncio
import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from metier.flow import (
    DaskEngine,
    Engine,
    FlowRequest,
    FlowRun,
    JobFailed,
    NodeLimits,
    ProcessEngine,
    Reflection,
    ThreadEngine,
    Value,
    ValueStore,
    run_flow,
)
from metier.json_values import JsonObject, JsonValue
from tests.flow.operators import record, registry
from tests.flow.rules import PeakRules


def square(number: int) -> int:
    if number == 3:
        raise ValueError("three is not squared")
    return number * number


def wait_long() -> None:
    time.sleep(60)


def check_engine(engine: Engine) -> None:
    assert engine.run(square, (4,)) == 16
    with pytest.raises(JobFailed, match="three is not squared"):
        engine.run(square, (3,))
    found = {one.place: one.value or one.error for one in engine.map(square, [1, 2, 3, 4])}
    assert found == {0: 1, 1: 4, 2: "three is not squared", 3: 16}


def test_threads_and_processes_run_the_same_jobs() -> None:
    for engine in (ThreadEngine(2), ProcessEngine(2)):
        check_engine(engine)
        with pytest.raises(JobFailed, match=r"longer than 0\.2 s"):
            engine.run(wait_long, (), seconds=0.2)
        engine.close()


def kill_worker(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    """Kills its worker while the file `left` has marks, of which it takes one."""
    left = Path(str(params["left"]))
    if marks := left.read_text():
        left.write_text(marks[1:])
        os.kill(os.getpid(), signal.SIGKILL)
    return inputs[0]


async def _ignore(kind: str, data: JsonObject) -> None:
    return None


@pytest.mark.filterwarnings("ignore")
def test_a_deep_run_on_a_cluster_goes_on_when_its_workers_are_killed(tmp_path: Path) -> None:
    deadly: JsonObject = {"type": "object", "properties": {"left": {"type": "string"}}}
    operators = registry()
    operators.add(replace(operators.get("scale"), op_name="deadly", params=deadly, compute=kill_worker))
    moves: list[JsonObject] = [
        {"op_name": "deadly", "params": {"left": str(tmp_path / "x")}, "inputs": ["a1"]},
        {"op_name": "deadly", "params": {"left": str(tmp_path / "y")}, "inputs": ["a1"]},
        {"op_name": "spectrum", "params": {}, "inputs": ["a1"]},
    ]
    (tmp_path / "x").write_text("-")
    (tmp_path / "y").write_text("--------")
    rules = PeakRules(lambda state, dags: Reflection(True, "enough"), moves=moves, goals=1)
    engine = DaskEngine(workers=2)
    try:
        check_engine(engine)
        run = FlowRun(
            FlowRequest("Where is the peak?", "en"),
            operators,
            {"ch1": record()},
            tmp_path,
            ValueStore(tmp_path / "values"),
            emit=_ignore,
            elapsed_s=lambda: 0.0,
            rules=rules,
            limits=NodeLimits(seconds=120.0),
            engines={"thread": engine},
        )
        nodes = asyncio.run(run_flow(run, None, "t")).dags["a"].nodes
    finally:
        engine.close()
    assert [(one.op_name, one.state, one.error) for one in nodes.values()] == [
        ("", "done", ""),
        ("deadly", "done", ""),
        ("deadly", "failed", "every worker that ran it died, perhaps for lack of memory"),
        ("spectrum", "done", ""),
    ]
    assert len((tmp_path / "y").read_text()) == 6
