import signal
from pathlib import Path

import pytest

from metier.tools.run._script_result import result_from_run
from metier.tools.sandbox import CapturedOutput, WorkerResult

NOTHING = CapturedOutput()


def ended(code: int | None = 0, result: bytes = b"", *, refused: str = "", timed_out: bool = False) -> WorkerResult:
    return WorkerResult(code, refused, timed_out, CapturedOutput(result), NOTHING, NOTHING)


@pytest.mark.parametrize(
    ("how", "code", "message"),
    [
        (ended(None, timed_out=True), "timed_out", "total was stopped after 2 s"),
        (ended(-signal.SIGXCPU), "timed_out", "total used up its processor time"),
        (ended(None), "script_crashed", "total ended, and nobody saw how"),
        (ended(-signal.SIGKILL, b'{"data": {}}'), "script_crashed", "total was killed by SIGKILL"),
        (ended(-99), "script_crashed", "total was killed by signal 99"),
        (ended(1, b'{"data": {}}'), "script_crashed", "total ended with exit code 1 and without a result"),
        (ended(125, refused="no rules"), "sandbox_missing", "the sandbox for total could not be set up: no rules"),
        (ended(0, b"\xff"), "result_not_json", "the result of total is not JSON: "),
        (ended(0, b"[]"), "result_not_json", "total wrote something else in place of its result"),
        (ended(0, b'{"data": [1]}'), "result_not_json", "total wrote something else in place of its result"),
        (ended(0, b'{"data": {"a": 1, "a": 2}}'), "result_not_json", "the result of total is not JSON: key 'a'"),
        (ended(0, b'{"failure": {"code": "made_up"}}'), "result_not_json", "total wrote something else in place"),
        (ended(0, b'{"failure": {"code": 7}}'), "result_not_json", "total wrote something else in place"),
    ],
    ids=lambda value: "",
)
def test_every_bad_end_has_a_code_and_a_sentence(how: WorkerResult, code: str, message: str, tmp_path: Path) -> None:
    result = result_from_run("total", how, limit_s=2, elapsed_ms=1, folder=tmp_path)
    assert result.failure is not None
    assert (result.data, result.failure.code) == (None, code)
    assert result.failure.message.startswith(message)


def test_more_files_than_anybody_reads_are_not_all_named(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}").touch()
    (note,) = result_from_run("total", ended(0, b'{"data": {}}'), limit_s=2, elapsed_ms=1, folder=tmp_path).notes
    assert note.endswith(" and more")
    assert note.count(",") == 9
