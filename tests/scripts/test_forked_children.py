"""Children of the tests: what they return, say and die of is told."""

import logging
import os
import signal
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from scripts.forked_children import Child, fork_source, run_in_child


def _where_and_how(name: str) -> tuple[str, str, int]:
    return str(Path.cwd()), os.environ[name], os.getpid()


def _say_twice(word: str, says: Connection) -> None:
    for _ in range(2):
        says.send(word)
    signal.pause()


def _leave_a_process(says: Connection) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            signal.pause()
        finally:
            os._exit(0)
    says.send(pid)
    signal.pause()


def _log_a_warning() -> None:
    logging.getLogger("metier.of_a_child").warning("this process will fail on purpose")


def _fail() -> None:
    raise ValueError("no such thing")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_child_has_the_folder_and_the_variables_of_its_test_and_returns_a_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_STORAGE_DIR", "here")
    ended = run_in_child(_where_and_how, "METIER_STORAGE_DIR")
    folder, variable, pid = ended.returned
    assert (ended.code, folder, variable) == (0, str(tmp_path), "here")
    assert pid != os.getpid()


def test_a_child_is_heard_and_killed() -> None:
    child = Child(_say_twice, "早")
    assert [child.hear(), child.hear()] == ["早", "早"]
    assert child.kill().code == -signal.SIGKILL


def test_a_child_that_fails_brings_its_traceback_and_one_that_dies_its_signal() -> None:
    failed = run_in_child(_fail)
    assert failed.code == 1
    assert "ValueError: no such thing" in failed.error
    assert run_in_child(_die).code == -signal.SIGTERM


def test_a_child_that_hangs_fails_its_test_and_is_killed() -> None:
    child = Child(_say_twice, "早")
    child.hear(), child.hear()
    child.max_silence_s = 0.01
    with pytest.raises(TimeoutError, match=r"0\.01 s"):
        child.hear()
    child.max_silence_s = 60
    assert child.wait().code == -signal.SIGKILL


def test_a_killed_child_is_not_waited_for_as_long_as_a_process_of_its_own_lives() -> None:
    child = Child(_leave_a_process)
    grandchild = child.hear()
    try:
        assert child.kill().code == -signal.SIGKILL
        assert child.pid != grandchild
        os.kill(grandchild, 0)  # it lives, with the pipe of the child
    finally:
        os.kill(grandchild, signal.SIGKILL)


def test_a_child_prints_nothing_that_it_logs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_in_child(_log_a_warning).code == 0
    assert "on purpose" not in capfd.readouterr().err


def test_a_test_process_that_ends_leaves_the_source_of_children_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESTS_FORK_FROM", "")  # what it was before is put back
    with ExitStack() as stack:
        stack.enter_context(fork_source())
        pid = os.fork()
        if pid == 0:  # a test process comes out of the same context
            code = 1
            try:
                stack.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert run_in_child(_die).code == -signal.SIGTERM
