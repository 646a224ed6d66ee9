import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.run_checks import main


def test_every_check_is_named_with_its_result_and_one_failure_fails_the_run(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["first=echo live", "good=echo fine", "bad=echo broken; exit 3"]) == 1
    printed = capfd.readouterr().out
    assert "--- bad ---\nbroken" in printed
    assert [line.rsplit(" (", 1)[0] for line in printed.splitlines()[-3:]] == [
        "ok     good",
        "FAILED bad",
        "ok     first",
    ]


def test_a_run_in_which_all_is_well_succeeds() -> None:
    assert main(["first=true", "second=true"]) == 0


@pytest.mark.parametrize("arguments", [[], ["no-command"]])
def test_a_wrong_command_line_says_how_to_call_it(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "NAME=COMMAND" in capsys.readouterr().err


def test_output_that_is_no_utf_8_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["first=true", r"bad=printf 'caf\xe9'; exit 3"]) == 1
    assert "--- bad ---\ncaf\ufffd\n" in capfd.readouterr().out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_stops_the_run_stops_its_checks(number: signal.Signals, tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "scripts" / "run_checks.py"
    # The pipe has an end when no process holds it any more: neither a check nor what it started.
    holding = f"echo ready > {tmp_path}/$$; sleep 600 & wait"
    running = subprocess.Popen(
        [sys.executable, str(script), f"first={holding}", f"second={holding}"],
        stdout=subprocess.PIPE,
        text=True,
    )
    while len(list(tmp_path.iterdir())) < 2:
        assert running.poll() is None
    running.send_signal(number)
    output, _ = running.communicate(timeout=180)
    assert (running.returncode, output) == (130, "\nstopped before the end\n")
