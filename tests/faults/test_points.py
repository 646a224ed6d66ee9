"""Fault points: inert without the setting, each named once in a table and passed somewhere in the code."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from metier.errors import InvalidSettings
from metier.faults import FAULT_POINTS, InjectedFault, arm_faults, fault_point, parse_faults
from metier.server import create_app
from metier.settings import Settings

ROOT = Path(__file__).parents[2]
_PASSED = re.compile(r'fault_point\(\s*"(\w+)"(?: if [^)]*? else "(\w+)")?')


def find_passed() -> set[str]:
    """Names that the package and the fault suite pass."""
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "benchmarks" / "faults").rglob("*.py")]
    found = (name for path in files for match in _PASSED.findall(path.read_text("utf-8")) for name in match)
    return {name for name in found if name}


def test_every_point_of_the_table_is_passed_and_no_other() -> None:
    assert find_passed() == set(FAULT_POINTS)


def test_the_twenty_kill_points_are_all_there() -> None:
    assert {number for number, _ in FAULT_POINTS.values()} == {f"K{number:02}" for number in range(1, 21)}


def test_without_the_setting_nothing_happens() -> None:
    fault_point("tool_done")


def test_a_point_acts_at_the_passage_that_was_named_and_only_then() -> None:
    with arm_faults("tool_done=raise@2"):
        fault_point("tool_done")
        fault_point("tool_announced")
        with pytest.raises(InjectedFault, match="tool_done"):
            fault_point("tool_done")
        fault_point("tool_done")
    fault_point("tool_done")


@pytest.mark.parametrize(
    ("action", "code"), [("kill", -signal.SIGKILL), ("term", -signal.SIGTERM)], ids=["kill", "term"]
)
def test_an_action_ends_the_process(action: str, code: int) -> None:
    text = f"from metier.faults import *\nwith arm_faults('routing={action}'): fault_point('routing')"
    assert subprocess.run([sys.executable, "-c", text], check=False, capture_output=True).returncode == code


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("tool_don=kill", "did you mean 'tool_done'"),
        ("tool_done=explode", "kill, term, stop, raise, sleep, hang"),
        ("tool_done=sleep:long", "point=action:seconds@passage"),
        ("tool_done=kill@first", "point=action:seconds@passage"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused(text: str, word: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        parse_faults(text)
    assert word in caught.value.hint


def test_that_faults_are_on_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with arm_faults("tool_done=raise"):
        pass
    assert "FAULT INJECTION IS ON" in caplog.text


@pytest.mark.parametrize(
    "given", [{}, {"dev_routes": True, "host": "0.0.0.0"}], ids=["no development server", "open to others"]
)
def test_only_a_development_server_of_this_machine_may_have_faults(tmp_path: Path, given: dict[str, object]) -> None:
    settings = Settings(storage_dir=tmp_path, faults="tool_done=kill", **given)  # type: ignore[arg-type]
    with pytest.raises(InvalidSettings, match="for tests only"):
        create_app(settings)
