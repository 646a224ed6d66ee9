from pathlib import Path

import pytest

from metier.errors import SandboxMissing
from metier.tools.builtin import CommandOutcome
from metier.tools.builtin._files import read_file_tool, write_file_tool
from metier.tools.builtin._terminal import terminal_tool
from metier.tools.sandbox import probe
from tests.tools.builtin.support import code_of, data_of, names_in, place, run


class Runner:
    """Answers every command with one outcome, and remembers how it was asked."""

    def __init__(self, outcome: CommandOutcome) -> None:
        self.outcome = outcome
        self.asked: list[tuple[str, Path, float]] = []

    async def __call__(self, command: str, *, workspace: Path, timeout_s: float) -> CommandOutcome:
        self.asked.append((command, workspace, timeout_s))
        return self.outcome


async def test_a_command_runs_in_the_workspace_and_tells_what_it_said(workspace: Path) -> None:
    runner = Runner(CommandOutcome(3, "结果\n", "oops", "landlock"))
    told = data_of(await run(terminal_tool(runner), workspace, command="ls -l", timeout_s=7))
    assert told == {"exit_code": 3, "stdout": "结果\n", "stderr": "oops", "sandbox": "landlock"}
    assert runner.asked == [("ls -l", workspace, 7)]
    assert names_in(workspace) == []


async def test_without_a_sandbox_the_answer_says_so(workspace: Path) -> None:
    async def none_here(command: str, *, workspace: Path, timeout_s: float) -> CommandOutcome:
        raise SandboxMissing("there is no sandbox on this machine", hint="see `metier doctor`")

    result = await run(terminal_tool(none_here), workspace, command="ls")
    assert code_of(result) == "sandbox_missing"
    assert result.failure is not None
    assert "metier doctor" in result.failure.hint


async def test_a_real_command_works_on_the_workspace_and_nothing_else(tmp_path: Path, workspace: Path) -> None:
    place(tmp_path, **{"secret.txt": "SECRET"})
    await run(write_file_tool(1 << 20), workspace, path="数据.txt", content="b\na\n")
    command = f"sort 数据.txt > sorted.txt; cat sorted.txt; cat {tmp_path}/secret.txt; exit 4"
    result = await run(terminal_tool(), workspace, command=command)
    if probe().tier == 0:
        assert code_of(result) == "sandbox_missing"
        return
    told = data_of(result)
    assert (told["exit_code"], told["stdout"]) == (4, "a\nb\n")
    assert "secret.txt" in str(told["stderr"])
    assert data_of(await run(read_file_tool(), workspace, path="sorted.txt"))["content"] == "a\nb\n"


@pytest.mark.parametrize("command", ["a\x00b", "  "], ids=["a NUL", "nothing"])
async def test_what_is_no_command_does_not_run(command: str, workspace: Path) -> None:
    runner = Runner(CommandOutcome(0, "", "", "x"))
    assert code_of(await run(terminal_tool(runner), workspace, command=command)) == "invalid_command"
    assert runner.asked == []


async def test_a_command_that_took_too_long_leaves_its_last_words(workspace: Path) -> None:
    runner = Runner(CommandOutcome(None, "step 1\nstep 2\n", "", "x", timed_out=True))
    result = await run(terminal_tool(runner), workspace, command="sleep 99", timeout_s=5)
    assert code_of(result) == "command_timeout"
    assert result.failure is not None
    assert "after 5 seconds" in result.failure.message
    assert result.failure.hint.endswith("step 2")


ESCAPES = {
    "colours": ("\x1b[1;31mred\x1b[0m", "red"),
    "a title": ("\x1b]0;owned\x07text", "text"),
    "a link": ("\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"),
    "backspaces": ("a\x08b", "ab"),
    "progress": ("10%\r20%\r\ndone", "10%\n20%\ndone"),
    "tabs stay": ("a\tb\n", "a\tb\n"),
}


@pytest.mark.parametrize(("said", "shown"), ESCAPES.values(), ids=ESCAPES)
async def test_signs_for_terminals_are_taken_out(said: str, shown: str, workspace: Path) -> None:
    told = data_of(await run(terminal_tool(Runner(CommandOutcome(0, said, "", "x"))), workspace, command="x"))
    assert told["stdout"] == shown


async def test_a_flood_is_shown_at_both_ends(workspace: Path) -> None:
    flood = "begin" + "x" * 100_000 + "end"
    result = await run(terminal_tool(Runner(CommandOutcome(0, flood, "", "x", truncated=True))), workspace, command="x")
    shown = str(data_of(result)["stdout"])
    assert shown.startswith("begin")
    assert shown.endswith("end")
    assert len(shown) < 31_000
    assert "cut" in result.notes[0]


def test_a_person_agrees_first() -> None:
    assert terminal_tool().spec.approval.when == "always"
    assert "executes" in terminal_tool().spec.effects
