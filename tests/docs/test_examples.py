"""Commands and code of the READMEs and guides run exactly as printed."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from metier import Runtime
from metier.cli import run
from metier.tools.sandbox import probe

ROOT = Path(__file__).resolve().parents[2]
READMES = ["README.md", "README.zh-CN.md"]
GUIDE = "docs/guides/routing.md"
TOOLS_GUIDE = "docs/guides/tools-and-gate.md"
MIDDLEWARE_GUIDE = "docs/guides/middleware.md"


def _blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text("utf-8"), re.DOTALL)


def _commands(name: str) -> list[list[str]]:
    lines = "\n".join(_blocks(name, "sh")).splitlines()
    words = (shlex.split(line.split(" > ")[0], comments=True) for line in lines if line.startswith("metier "))
    return [found[1:] for found in words]


@pytest.fixture
def _examples_at_hand(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")


@pytest.mark.usefixtures("_examples_at_hand")
def test_every_command_of_the_tour_works(tmp_path: Path) -> None:
    commands = _commands(READMES[0])
    assert len(commands) > 10
    for command in commands:
        expected = 1 if command[:2] == ["tools", "call"] and probe().tier == 0 else 0  # a script needs a sandbox
        if command != ["bench"]:
            assert run([word.replace("/tmp/", f"{tmp_path}/") for word in command]) == expected, command


@pytest.mark.usefixtures("_examples_at_hand")
def test_every_command_of_the_routing_guide_works() -> None:
    commands = _commands(GUIDE)
    assert len(commands) > 5
    for command in commands:
        assert run(command) == 0, command


@pytest.mark.usefixtures("_examples_at_hand")
@pytest.mark.parametrize("name", [*READMES, GUIDE, TOOLS_GUIDE])
def test_every_piece_of_code_works(name: str) -> None:
    blocks = _blocks(name, "python")
    assert blocks
    for block in blocks:
        exec(block, {})


def test_the_middleware_guide_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = _blocks(MIDDLEWARE_GUIDE, "python")
    exec(code, {})
    said, seen = capsys.readouterr().out.splitlines()
    assert said == "The mail is sent."
    assert f"print(log.calls)  # {seen}" in code


def test_both_readmes_show_the_same_commands() -> None:
    assert _commands(READMES[0]) == _commands(READMES[1])


def test_every_method_of_the_runtime_that_a_guide_names_exists() -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "guides").glob("*.md"))
    named = set(re.findall(r"\bruntime\.(\w+)\(", text))
    assert {"answer", "turn", "wait_until_idle"} <= named
    assert [name for name in sorted(named) if not hasattr(Runtime, name)] == []
