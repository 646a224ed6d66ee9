"""Every command in a Chinese run: its help, what it prints and what is wrong with a command line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from metier.cli import run
from metier.cli._main import app
from metier.cli.terminal import PackCommandGroup
from metier.settings import Settings
from tests.cli.test_words import find_english

if TYPE_CHECKING:
    from typer._click import Command

ROOM = Path(__file__).parents[2] / "src" / "metier"
GUIDE = "---\nname: setup\ndescription: 安装说明\n---\n\n打开设置。\n"
PLAN = {"schema_version": "ah32.plan.v1", "host_app": "et", "actions": []}
# What each command is run with, in this order; `KEY` is the id of the key that was made before.
RUNS: dict[str, list[str]] = {
    "run": ["你好"],
    "gate": ["nothing", "--explain"],
    "plan": ["你好"],
    "lint": ["skills", "--fix"],
    "convert": ["skills", "converted"],
    "backup": ["copy.db"],
    "doctor": [],
    "settings": [],
    "bench": ["--list"],
    "model list": [],
    "model test": [],
    "packs list": [],
    "packs show": ["life"],
    "packs check": ["telecom", "skills/setup/SKILL.md"],
    "skills add": ["skills", "--to", "others", "--yes"],
    "skills pin": [],
    "skills approve": ["setup", "--yes"],
    "skills verify": [],
    "skills eval": ["--generate"],
    "skills list": [],
    "skills show": ["setup"],
    "skills new": ["weekly", "--language", "zh"],
    "skills graph": [],
    "skills schema": [],
    "route message": ["打开设置", "--explain"],
    "route fit": [],
    "tools list": [],
    "tools call": ["setup", "get_current_time"],
    "tools approve": [],
    "violations list": [],
    "exceptions list": [],
    "exceptions report": [],
    "approvals list": [],
    "approvals approve": ["nobody"],
    "approvals reject": ["nobody"],
    "conversations list": [],
    "conversations export": ["nobody"],
    "conversations delete": ["nobody", "--yes"],
    "feedback list": [],
    "feedback case": ["nobody"],
    "users add": ["ann"],
    "users list": [],
    "users export": ["ann"],
    "keys create": ["--user", "ben"],
    "keys list": [],
    "keys revoke": ["nobody"],
    "users remove": ["ann"],
    "users delete": ["ben", "--yes"],
    "profile set": ["city", "Beijing"],
    "profile show": [],
    "profile export": ["profile.json"],
    "profile delete": ["--yes"],
    "audit export": ["--format", "csv"],
    "audit verify": [],
    "telemetry query": [],
    "telemetry summary": [],
    "telemetry prune": [],
    "flow operators": [],
    "flow replay": ["nothing.json"],
    "journeys run": ["life", "--journey", "nobody"],
    "journeys crawl": ["nobody"],
    "life redraw": ["-", "--seed", "00" * 32],
    "life remind": [],
    "life lines": [],
    "office validate": ["plan.json"],
    "office preview": ["nothing.xlsx", "plan.json"],
    "office apply": ["nothing.xlsx", "plan.json"],
    "office undo": ["nothing.xlsx"],
    "office pdf": ["nothing.docx"],
    "phm diagnose": ["nothing.csv"],
    "phm gear": ["nothing.csv", "--teeth", "20"],
    "phm fleet": ["skills"],
    "phm bearings": [],
    "skills remove": ["setup", "--yes"],
}
DATA = {"skills schema", "audit export"}  # for programs
NOT_RUN = {"chat", "serve", "mcp", "phm limits"}  # they talk until they are stopped, or draw thousands of records


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"METIER_EMBEDDER": "none", "METIER_LANGUAGE": "zh"}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "skills" / "setup").mkdir(parents=True)
    (tmp_path / "skills" / "setup" / "SKILL.md").write_bytes(GUIDE.replace("\n", "\r\n").encode())
    (tmp_path / "skills" / "old_notes.md").write_text(
        "---\nname: old_notes\ntitle: 旧笔记\ndescription: 整理旧笔记\ntriggers: [旧笔记]\n---\n\n整理。\n", "utf-8"
    )
    (tmp_path / "skills" / "glossary").mkdir()
    (tmp_path / "skills" / "glossary" / "SYSTEM.md").write_text("# 术语\n\n解释术语。\n", "utf-8")
    (tmp_path / "plan.json").write_text(json.dumps(PLAN), "utf-8")


def _iter_commands(command: "Command", path: str = "") -> Iterator[tuple[str, "Command"]]:
    yield path, command
    if not isinstance(command, TyperGroup):
        return
    for name, inner in command.commands.items():
        yield from _iter_commands(inner, f"{path} {name}".strip())
    if isinstance(command, PackCommandGroup):
        with command.make_context("metier", [], resilient_parsing=True) as context:
            for name in command.pack_commands:
                found = command.resolve_command(context, [name])[1]
                assert found is not None
                yield from _iter_commands(found, name)


def test_the_help_of_every_command_is_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    said = {}
    for path, _ in _iter_commands(get_command(app)):
        assert run([*path.split(), "--help"]) == 0
        said[path] = find_english(capsys.readouterr().out)
    assert len(said) > 80
    assert {path: lines for path, lines in said.items() if lines} == {}


def test_lists_of_commands_are_in_one_form_and_not_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_LANGUAGE", "en")
    found = {}
    for path, command in _iter_commands(get_command(app)):
        if isinstance(command, TyperGroup):
            assert run([*path.split(), "--help"]) == 0
            listed = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
            found[path] = [line for line in listed if not line.endswith(".") or line.endswith("...")]
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_skills_folders_and_packs_are_named_alike_everywhere() -> None:
    taken: dict[str, set[tuple[str, ...]]] = {"folders": set(), "packs": set()}
    for _, command in _iter_commands(get_command(app)):
        for param in command.params:
            text = (getattr(param, "help", None) or "").split(" (")[0]
            if text in ("Skills folder", "技能文件夹"):
                taken["folders"].add(tuple(param.opts))
            if param.name == "packs":
                taken["packs"].add(tuple(param.opts))
    assert taken == {"folders": {("--skills", "--dir", "-d")}, "packs": {("--pack", "-p")}}


def test_every_text_in_chinese_belongs_to_a_text_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_LANGUAGE", "en")
    shown = {
        getattr(one, "help", None)
        for _, command in _iter_commands(get_command(app))
        for one in (command, *command.params)
    } | {getattr(command, "epilog", None) for _, command in _iter_commands(get_command(app))}
    files = [*(ROOM / "packs").glob("*/help.zh.json"), ROOM / "cli" / "terminal" / "help.zh.json"]
    kept = {text for file in files for text in json.loads(file.read_text("utf-8"))}
    assert kept - shown - {"Show this message and exit."} == set()
    assert (
        json.loads((ROOM / "cli" / "setup" / "settings.zh.json").read_text("utf-8")).keys()
        == Settings.model_fields.keys()
    )
    for english, chinese in json.loads((ROOM / "cli" / "terminal" / "sentences.zh.json").read_text("utf-8")).items():
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", chinese)), english


def test_no_command_prints_an_english_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    leaves = {path for path, command in _iter_commands(get_command(app)) if not isinstance(command, TyperGroup)}
    assert leaves == RUNS.keys() | NOT_RUN
    said = {}
    for path, arguments in RUNS.items():
        code = run([*path.split(), *arguments])
        told = capsys.readouterr()
        output = "" if path in DATA else told.out
        said[path] = [str(code)] * (code not in (0, 1, 3, 4, 5)) + find_english(output + told.err)
    assert {path: lines for path, lines in said.items() if lines} == {}


def test_what_is_wrong_with_a_command_line_is_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        ("gate",): "缺少 'tool'",
        ("gate", "x", "--foo"): "没有选项 --foo",
        ("skills", "shw"): "是不是 'show'",
        ("nothing-like-it",): "没有命令 'nothing-like-it'",
        ("doctor", "now"): "多余的参数（now）",
        ("serve", "--port"): "需要一个值",
        ("serve", "--port", "abc"): "'--port' 的值无效",
    }
    for arguments, words in cases.items():
        assert run(arguments) == 2
        told = capsys.readouterr().err
        assert words in told
        assert find_english(told) == []
