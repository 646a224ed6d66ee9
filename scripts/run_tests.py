"""Run pytest; run the tests that failed once more, each alone in a process, and report those that pass then.

The tests share a machine with processes, a browser and databases that they start. A test that fails on a loaded machine
and passes alone is reported as unsteady and does not fail the run. The run fails if a test fails twice, if more than
MAX_RERUNS tests failed, or if pytest ended by anything but failed tests: a crashed process, a file that cannot be read.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scripts.forked_workers import fork_workers

MAX_RERUNS = 15
_RECORD = "--record-seconds"
_SECONDS_FILE = Path(__file__).parents[1] / "tests" / "seconds.json"
_LEAST_S = 0.5  # a file that takes less is not written
_PHASES = ("setup", "call", "teardown")
_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - where Linux keeps files in memory
_ENOUGH_BYTES = 2 << 30  # ten times what a run needs


class Recorder:
    """Plugin of the process that controls a run: which tests failed, and what failed besides tests."""

    def __init__(self) -> None:
        self.failed: dict[str, None] = {}
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a failed test; the report on a crashed process has none of the phases of a test."""
        if report.failed and report.when in _PHASES:
            self.failed[report.nodeid] = None
        elif report.failed:
            self.broken.append(f"the process crashed in {report.nodeid}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file whose tests cannot be read."""
        if report.failed:
            self.broken.append(f"cannot be collected: {report.nodeid}")


class Timetable:
    """Plugin of the process that controls a run: it shares out the tests, and adds up how long each file took."""

    def __init__(self) -> None:
        self._taken: dict[str, float] = {}

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> object:
        """Share out a run that steals work; another is left to pytest-xdist."""
        from scripts.timed_scheduling import TimedScheduling  # pytest must load xdist first, to rewrite its assertions

        known = json.loads(_SECONDS_FILE.read_text("utf-8")) if _SECONDS_FILE.exists() else {}
        return TimedScheduling(config, log, known) if config.getvalue("dist") == "worksteal" else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the seconds of a file."""
        file = report.nodeid.partition("::")[0]
        self._taken[file] = self._taken.get(file, 0.0) + report.duration

    def write(self) -> None:
        """Keep what this run took for the next ones."""
        kept = {file: round(taken, 1) for file, taken in sorted(self._taken.items()) if taken >= _LEAST_S}
        _SECONDS_FILE.write_text(f"{json.dumps(kept, indent=0)}\n", "utf-8")


@contextmanager
def keep_files_in_memory(folder: Path = _MEMORY_FOLDER) -> Iterator[None]:
    """Let the tests write into memory where there is room: on a disk, waiting for it was a third of the run.

    Nothing is left behind: a test that failed runs again alone, and what that one wrote stays on the disk.
    """
    if "TMPDIR" in os.environ or not folder.is_dir() or shutil.disk_usage(folder).free < _ENOUGH_BYTES:
        yield
        return
    made = Path(tempfile.mkdtemp(prefix="tests-", dir=folder))
    made.chmod(0o711)  # scripts in the sandbox run as other users
    os.environ["TMPDIR"] = tempfile.tempdir = str(made)
    owner = os.getpid()
    try:
        yield
    finally:
        if os.getpid() == owner:  # and not a test process forked meanwhile, which ends here too
            del os.environ["TMPDIR"]
            tempfile.tempdir = None
            shutil.rmtree(made, ignore_errors=True)


def run_alone(test: str) -> bool:
    """Whether a test passes in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-n", "0", test]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603 - a test of this project


def judge(recorder: Recorder, code: int, rerun: Callable[[str], bool] = run_alone) -> int:
    """Exit code of a run that ended with `code`, after running its failed tests again."""
    if code != pytest.ExitCode.TESTS_FAILED or recorder.broken or not recorder.failed:
        for sentence in recorder.broken:
            print(f"BROKEN: {sentence}")
        return code
    if len(recorder.failed) > MAX_RERUNS:
        print(f"\n{len(recorder.failed)} tests failed, too many to run again")
        return code
    print(f"\nrunning {len(recorder.failed)} failed tests again, each alone", flush=True)
    passes = {test: rerun(test) for test in recorder.failed}
    for test, has_passed in passes.items():
        print(f"UNSTEADY: passed only when run again alone: {test}" if has_passed else f"FAILED twice: {test}")
    return 0 if all(passes.values()) else code


def main(arguments: list[str]) -> int:
    """Run pytest with the arguments, and judge its result; with `--record-seconds`, keep how long each file took."""
    passed_on = [one for one in arguments if one != _RECORD]
    recorder, timetable = Recorder(), Timetable()
    with keep_files_in_memory(), fork_workers(passed_on):
        code = int(pytest.main(passed_on, plugins=[recorder, timetable]))
    if _RECORD in arguments:
        timetable.write()
    return judge(recorder, code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
