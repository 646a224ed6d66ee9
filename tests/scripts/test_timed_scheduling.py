"""Test processes get whole files and shares of equal time; who is done early takes from the others."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scripts import timed_scheduling
from scripts.run_tests import Timetable
from scripts.timed_scheduling import TimedScheduling, share_out

ROOT = Path(__file__).resolve().parents[2]
TESTS = [
    *("tests/a/test_slow.py::test_one", "tests/browser/test_chat.py::test_one", "tests/b/test_quick.py::test_one"),
    *("tests/a/test_slow.py::test_two", "tests/browser/test_gate.py::test_one", "tests/c/test_new.py::test_one"),
]
SECONDS = {"tests/a/test_slow.py": 30.0, "tests/browser/test_chat.py": 20.0, "tests/browser/test_gate.py": 21.0}


class FakeProcess:
    """A test process that writes down what it is asked for."""

    shutting_down = False
    gateway = SimpleNamespace(id="gw")

    def __init__(self) -> None:
        self.tests: list[int] = []
        self.given_back: list[int] = []

    def send_runtest_some(self, tests: list[int]) -> None:
        self.tests += tests

    def send_steal(self, tests: list[int]) -> None:
        self.given_back += tests

    def shutdown(self) -> None:
        self.shutting_down = True


def _schedule(tests: list[str], count: int) -> tuple[TimedScheduling, list[Any]]:
    config: Any = SimpleNamespace(getvalue=lambda _: ["popen"] * count)
    scheduling = TimedScheduling(config, SimpleNamespace(workstealsched=print), SECONDS)
    processes: list[Any] = [FakeProcess() for _ in range(count)]
    for process in processes:
        scheduling.add_node(process)
        scheduling.add_node_collection(process, tests)
    scheduling.schedule()
    return scheduling, processes


def test_files_stay_whole_the_tests_of_the_page_stay_together_and_each_share_takes_as_long() -> None:
    assert share_out(TESTS, 2, SECONDS) == [[1, 4], [0, 3, 2, 5]]
    assert share_out(TESTS, 1, SECONDS) == [[1, 4, 0, 3, 2, 5]]
    assert share_out(TESTS[:1], 3, SECONDS) == [[0], [], []]


def test_files_that_wait_more_than_they_compute_are_in_one_process_as_far_as_its_share_goes() -> None:
    tests = [f"{folder}/test_{name}.py::test_one" for folder in ("tests/a", "tests/tools/run") for name in "xyz"]
    seconds = {test.partition("::")[0]: 10.0 for test in tests}
    assert share_out(tests, 2, seconds) == [[3, 4, 5], [0, 1, 2]]
    assert share_out(tests, 3, seconds) == [[3, 4], [5, 1], [0, 2]]


def test_every_file_that_is_said_to_wait_is_there() -> None:
    assert [path for path in timed_scheduling._WAITING if not (ROOT / path).exists()] == []


def test_whatever_reads_the_parsed_source_is_in_one_process() -> None:
    readers = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py") if _reads_source(path)]
    tests = [f"{path}::test_{number}" for path in sorted(readers) for number in range(3)]
    assert len(readers) > 5
    assert [share for share in share_out(tests, 4, {}) if share] == [list(range(len(tests)))]


def _reads_source(path: Path) -> bool:
    return "\nfrom tests.sources import" in path.read_text("utf-8")


def test_every_test_is_given_to_one_process_and_taken_back_from_the_end_of_the_longest_list() -> None:
    tests = [*TESTS, *(f"tests/b/test_quick.py::test_{number}" for number in range(20))]
    scheduling, processes = _schedule(tests, 2)
    assert sorted(processes[0].tests + processes[1].tests) == list(range(len(tests)))
    assert not scheduling.pending
    for test in list(processes[0].tests):
        scheduling.mark_test_complete(processes[0], test)
    assert processes[1].given_back == processes[1].tests[-12:]


def test_only_a_run_that_steals_work_is_shared_out_by_time() -> None:
    config: Any = SimpleNamespace(getvalue=lambda _: "load")
    assert Timetable().pytest_xdist_make_scheduler(config, print) is None
