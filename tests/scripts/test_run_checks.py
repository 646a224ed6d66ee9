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
