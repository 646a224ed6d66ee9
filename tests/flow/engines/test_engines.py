"""Every engine runs the same jobs by the same calls; failures come among the results."""

import os
import signal
import time
from pathlib import Path

import pytest

from metier.flow import DagTracker, Engine, JobFailed, ProcessEngine, ThreadEngine
from metier.flow.engines import DaskEngine
from tests.flow.operators import record, registry


def square(number: int) -> int:
    if number == 3:
        raise ValueError("three is not squared")
    return number * number


def wait_long() -> None:
    time.sleep(60)


def die_once(told: tuple[int, str]) -> int:
    """The first job of the list kills its worker once."""
    number, mark = told
    if number == 0 and not Path(mark).exists():
        Path(mark).write_text("killed")
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


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


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_goes_on_when_a_worker_is_killed_midway(tmp_path: Path) -> None:
    engine = DaskEngine(workers=2)
    try:
        check_engine(engine)
        mark = str(tmp_path / "killed")
        found = {one.place: one.value for one in engine.map(die_once, [(number, mark) for number in range(8)])}
        assert Path(mark).is_file()
        assert found == {number: number * number for number in range(8)}
        dag = DagTracker(registry(), engines={"thread": engine})
        assert dag.node(dag.add_execution("spectrum", {}, [dag.root(record(), "ch1")])).state == "done"
    finally:
        engine.close()
