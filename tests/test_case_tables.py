import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_TESTS = """
import pytest

@pytest.fixture(scope="module")
def shared():
    return 2

@pytest.fixture
def own():
    return 2

@pytest.mark.parametrize("value", [1, 2, 3], ids=["one", "two", "three"])
def test_two_cases_fail(value, shared):
    assert value == shared

@pytest.mark.parametrize("value", [1, 2])
async def test_of_a_coroutine(value):
    assert value < 2

@pytest.mark.parametrize("value", [1, 2])
def test_a_case_is_skipped(value):
    if value == 1:
        pytest.skip("not here")

@pytest.mark.parametrize("value", [1, 2])
def test_all_are_skipped(value):
    pytest.skip("not here")

@pytest.mark.parametrize("value", [1, 2])
def test_with_a_fixture_of_its_own(value, own):
    pass

@pytest.mark.parametrize("value", [1, pytest.param(2, marks=pytest.mark.skip)])
def test_with_a_mark(value):
    pass

@pytest.mark.parametrize("own", [1, 2], indirect=True)
def test_with_a_fixture_between(own):
    pass
"""


def _run(folder: Path, *arguments: str) -> str:
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    (folder / "test_it.py").write_text(_TESTS)
    plugins = ("--disable-plugin-autoload", "-p", "pytest_asyncio.plugin", "-p", "tests.case_tables")
    command = [sys.executable, "-m", "pytest", "-vv", *plugins, *arguments]
    environment = {"PYTHONPATH": str(_ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def test_a_table_is_one_test_that_names_each_failed_case_unless_a_case_needs_something_for_itself(
    tmp_path: Path,
) -> None:
    printed = _run(tmp_path)
    assert "2 of 3 cases failed" in printed
    assert "case: test_two_cases_fail[one]" in printed
    assert "case: test_two_cases_fail[three]" in printed
    assert "case: test_two_cases_fail[two]" not in printed
    assert "case: test_of_a_coroutine[2]" in printed
    assert "test_a_case_is_skipped PASSED" in printed
    assert "test_all_are_skipped SKIPPED" in printed
    assert "= 2 failed, 6 passed, 2 skipped in" in printed
    for name in ("test_with_a_fixture_of_its_own", "test_with_a_fixture_between", "test_with_a_mark"):
        assert f"test_it.py::{name}[1] PASSED" in printed


def test_every_case_can_be_a_test(tmp_path: Path) -> None:
    printed = _run(tmp_path, "--each-case", "-k", "three")
    assert "test_it.py::test_two_cases_fail[three] FAILED" in printed
    assert "= 1 failed, 14 deselected in" in printed
