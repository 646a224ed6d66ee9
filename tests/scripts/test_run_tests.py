import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.run_tests import MAX_RERUNS, Recorder, judge, keep_files_in_memory

_ROOT = Path(__file__).parents[2]
_FAILED = int(pytest.ExitCode.TESTS_FAILED)


def _recorder_of(*failed: str) -> Recorder:
    recorder = Recorder()
    recorder.failed = dict.fromkeys(failed)
    return recorder


def _run_in(folder: Path, test_file: str) -> subprocess.CompletedProcess[str]:
    """Run the script on one file of tests, in two processes as the Makefile does."""
    (folder / "pytest.ini").write_text(
        "[pytest]\naddopts = -q --disable-plugin-autoload -p xdist.plugin\nfilterwarnings = error\n"
    )
    (folder / "test_it.py").write_text(test_file)
    command = [sys.executable, "-m", "scripts.run_tests", "-n", "1", "--dist", "worksteal"]
    # The folder decides what pytest reads; the script is found by its own folder's parent.
    environment = {"PYTHONPATH": str(_ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_test_that_passes_alone_is_named_and_does_not_fail_the_run(tmp_path: Path) -> None:
    ended = _run_in(
        tmp_path,
        "from pathlib import Path\n"
        "def test_good(): pass\n"
        "def test_shaky():\n"
        "    seen = Path('seen'); was_seen = seen.exists(); seen.touch(); assert was_seen\n",
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "UNSTEADY: passed only when run again alone: test_it.py::test_shaky" in ended.stdout
    assert "test_good" not in ended.stdout


def test_a_crashed_process_fails_the_run_at_once(tmp_path: Path) -> None:
    ended = _run_in(tmp_path, "import os\ndef test_crash(): os._exit(7)\n")
    assert ended.returncode == _FAILED, ended.stdout + ended.stderr
    assert "BROKEN: the process crashed in test_it.py::test_crash" in ended.stdout
    assert "again" not in ended.stdout


def test_a_file_that_cannot_be_read_fails_the_run_at_once(tmp_path: Path) -> None:
    ended = _run_in(tmp_path, "def test_good(): pass\nimport no_such_module\n")
    assert ended.returncode != 0
    assert "BROKEN: cannot be collected: test_it.py" in ended.stdout


def test_a_test_that_fails_twice_fails_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(_recorder_of("a.py::one", "a.py::two"), _FAILED, lambda test: test == "a.py::one") == _FAILED
    printed = capsys.readouterr().out
    assert "UNSTEADY: passed only when run again alone: a.py::one" in printed
    assert "FAILED twice: a.py::two" in printed


def test_many_failed_tests_are_not_run_again() -> None:
    ran: list[str] = []

    def rerun(test: str) -> bool:
        ran.append(test)
        return True

    names = [f"a.py::{number}" for number in range(MAX_RERUNS + 1)]
    assert judge(_recorder_of(*names), _FAILED, rerun) == _FAILED
    assert ran == []
    assert judge(_recorder_of(*names[:-1]), _FAILED, rerun) == 0
    assert ran == names[:-1]


def test_an_end_that_is_no_failed_test_is_kept() -> None:
    codes = (
        pytest.ExitCode.OK,
        pytest.ExitCode.INTERRUPTED,
        pytest.ExitCode.INTERNAL_ERROR,
        pytest.ExitCode.USAGE_ERROR,
    )
    assert [judge(_recorder_of("a.py::one"), code, lambda _: True) for code in codes] == list(codes)
    assert judge(_recorder_of(), _FAILED, lambda _: True) == _FAILED


def test_tests_write_where_there_is_room_in_memory_and_leave_nothing_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4 << 30))
    with keep_files_in_memory(tmp_path):
        assert Path(tempfile.mkdtemp()).parents[1] == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert not Path(tempfile.gettempdir()).is_relative_to(tmp_path)


def test_a_small_memory_folder_and_a_chosen_one_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=64 << 20))
    with keep_files_in_memory(tmp_path):
        assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("TMPDIR", tempfile.gettempdir())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4 << 30))
    with keep_files_in_memory(tmp_path):
        assert list(tmp_path.iterdir()) == []
