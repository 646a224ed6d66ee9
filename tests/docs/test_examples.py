"""Commands and code of the READMEs and guides run exactly as printed."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from metier import Runtime, Settings, SkillLibrary
from metier.cli import run
from metier.language import language_of
from metier.pack import select_packs
from metier.tools.sandbox import probe

ROOT = Path(__file__).resolve().parents[2]
READMES = ["README.md", "README.zh-CN.md"]
GUIDE = "docs/guides/routing.md"
TOOLS_GUIDE = "docs/guides/tools-and-gate.md"
MIDDLEWARE_GUIDE = "docs/guides/middleware.md"
# A script of a skill, which runs beside its folder below; a computation of several seconds, as tests/packs/telecom has.
NOT_RUN = ("docs/guides/script-tools.md", "docs/guides/telecom-twin.md")


_SPOKEN = ("route", "run")  # commands that take a message


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
    english, chinese = (_commands(name) for name in READMES)
    assert len(english) > 10
    for command in [*english, *(one for one in chinese if one not in english)]:
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
def test_every_piece_of_code_runs_as_printed_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    guides = [f"docs/guides/{path.name}" for path in sorted((ROOT / "docs" / "guides").glob("*.md"))]
    pages = {name: blocks for name in (*READMES, *guides) if (blocks := _blocks(name, "python"))}
    for name, blocks in pages.items():
        names: dict[str, object] = {"__name__": "guide"}
        for block in blocks if name not in NOT_RUN else ():
            exec(compile(block, name, "exec"), names)
            shown = capsys.readouterr().out
            # A comment behind a print is what it prints.
            assert [one for one in re.findall(r"^print\(.*\)  # ([A-Z_a-z.]+)$", block, re.M) if one not in shown] == []
    assert pages.keys() >= {*READMES, GUIDE, TOOLS_GUIDE, MIDDLEWARE_GUIDE, "docs/guides/langchain.md", *NOT_RUN}


def test_the_middleware_guide_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = _blocks(MIDDLEWARE_GUIDE, "python")
    exec(code, {})
    said, seen = capsys.readouterr().out.splitlines()
    assert said == "The mail is sent."
    assert f"print(log.calls)  # {seen}" in code


def test_both_readmes_show_the_same_commands_with_messages_in_their_own_language() -> None:
    english, chinese = (_commands(name) for name in READMES)
    assert [_hide_message(one) for one in english] == [_hide_message(one) for one in chinese]
    languages = [[language_of(one) for one in map(_message, commands) if one] for commands in (english, chinese)]
    assert languages == [["en"] * 7, ["zh"] * 7]


def _message(command: list[str]) -> str:
    """The message of a command that takes one: the only word with blanks or Chinese."""
    return next((word for word in command if " " in word or not word.isascii()), "") if command[0] in _SPOKEN else ""


def _hide_message(command: list[str]) -> list[str]:
    return ["…" if word == _message(command) else word for word in command]


def test_every_method_of_the_runtime_that_a_guide_names_exists() -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "guides").glob("*.md"))
    named = set(re.findall(r"\bruntime\.(\w+)\(", text))
    assert {"answer", "turn", "wait_until_idle"} <= named
    assert [name for name in sorted(named) if not hasattr(Runtime, name)] == []


def _guide_yaml(name: str) -> str:
    (found,) = _blocks(f"docs/guides/{name}", "yaml")
    return found


def test_the_front_matter_of_the_guide_lints_clean(capsys: pytest.CaptureFixture[str]) -> None:
    Path("skills").mkdir()
    Path("skills/quote-checker.md").write_text(
        f"{_guide_yaml('writing-skills.md')}\n# Quotes\n\nCheck them.\n", "utf-8"
    )
    assert run(["lint", "skills"]) == 0
    assert "0 errors, 0 warnings, 0 remarks" in capsys.readouterr().out


def test_the_script_tool_of_the_guide_lints_clean_once_it_is_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "new", "quote-checker"]) == 0
    skill = Path("skills/quote-checker/SKILL.md")
    skill.write_text(
        skill.read_text("utf-8").replace("metadata:", f"{_guide_yaml('script-tools.md')}metadata:", 1), "utf-8"
    )
    scripts = skill.parent / "scripts"
    scripts.mkdir()
    (scripts / "lookup_price.py").write_text(_blocks("docs/guides/script-tools.md", "python")[0], "utf-8")
    (scripts / "_money.py").write_text("def times(price, count):\n    return float(price) * count\n", "utf-8")
    assert run(["lint", "skills", "--fix"]) == 0
    said = capsys.readouterr().out
    assert "0 errors, 0 warnings, 3 remarks" in said
    assert said.count("template_text") == 3
    assert run(["skills", "show", "quote-checker", "--json"]) == 0
    assert '"lookup_price"' in capsys.readouterr().out


def test_what_make_run_serves_hides_no_skill_of_a_pack() -> None:
    (arguments,) = re.findall(r"^ARGS \?= serve(.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    given = re.findall(r"--skills (\S+)", arguments) or ["skills"]
    folders = [ROOT / folder for folder in given if (ROOT / folder).is_dir()]
    own = {skill.id for skill in SkillLibrary.from_folders(*folders).catalog()} if folders else set()
    for pack in select_packs(Settings(), all_by_default=True).found:
        assert pack.skills is not None
        assert own.isdisjoint(skill.id for skill in SkillLibrary.from_folders(pack.skills).catalog())
