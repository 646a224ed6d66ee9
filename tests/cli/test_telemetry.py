"""`metier telemetry`: queries, a summary and a clean-up, for people and for programs."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from metier.cli import run
from metier.settings import load_settings
from metier.telemetry import open_telemetry

ROOT = Path(__file__).resolve().parents[2]
SKILLS = str(ROOT / "tests" / "e2e" / "cli_skills")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")


def _happened(*names: str, session: str = "talk", **payload: object) -> None:
    with open_telemetry(load_settings()) as telemetry:
        for name in names:
            telemetry.emit(name, payload, session_id=session)  # type: ignore[arg-type]
        assert telemetry.flush(60)


def _listed(capsys: Capture, *arguments: str) -> list[str]:
    assert run(["telemetry", "query", *arguments, "--json"]) == 0
    return [event["event_name"] for event in json.loads(capsys.readouterr().out)["events"]]


def test_a_turn_of_the_command_line_can_be_looked_up(capsys: Capture) -> None:
    assert run(["run", "帮我记一条笔记", "--skills", SKILLS, "--json"]) == 0
    talk = json.loads(capsys.readouterr().out.splitlines()[0])["conversation"]
    assert {"chat.turn_start", "skills.selected", "skills.activated", "pause"} <= set(
        _listed(capsys, "--session", talk)
    )
    assert _listed(capsys, "--event", "chat.*", "--session", talk) == ["chat.turn_start"]


def test_a_turn_leaves_nothing_when_telemetry_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEMETRY_MODE", "off")
    assert run(["run", "帮我记一条笔记", "--skills", SKILLS]) == 0
    assert not Path("storage/telemetry").exists()


def test_events_are_filtered_and_paged(capsys: Capture) -> None:
    _happened("chat.turn_start", "chat.turn_done", "ui.clicked", skill="弱覆盖")
    _happened("error", session="other")
    assert _listed(capsys, "--limit", "2") == ["error", "ui.clicked"]
    assert _listed(capsys, "--session", "other") == ["error"]
    assert _listed(capsys, "--text", "弱覆盖", "--event", "ui.*") == ["ui.clicked"]
    assert _listed(capsys, "--since", "1h", "--until", "0s", "--turn", "none") == []
    assert run(["telemetry", "query", "--limit", "3", "--json"]) == 0
    cursor = json.loads(capsys.readouterr().out)["next"]
    assert _listed(capsys, "--cursor", cursor) == ["chat.turn_start"]


def test_people_get_a_table_that_cannot_move_the_cursor(capsys: Capture) -> None:
    _happened("error", code="\x1b[2J\u202e坏")
    assert run(["telemetry", "query"]) == 0
    said = capsys.readouterr().out
    assert "error" in said
    assert "坏" in said
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_the_summary_is_for_people_and_for_programs(capsys: Capture) -> None:
    _happened("chat.turn_done", outcome="done", elapsed_ms=120.0)
    _happened("tool.violation", tool="shell", code="not_allowed", layer="skill")
    assert run(["telemetry", "summary"]) == 0
    said = capsys.readouterr().out
    assert "2 events, 1 session, 0 turns, 0 lost" in said
    assert "turn: p50 120.0 ms, p95 120.0 ms (1 measured)" in said
    assert "not_allowed" in said
    assert run(["telemetry", "summary", "--since", "1h", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"] == {"done": 1}


def test_the_summary_is_chinese_with_its_heads_and_states(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_LANGUAGE", "zh")
    _happened("chat.turn_start", "skills.selected", verdict="auto", skill="weekly")
    _happened("chat.turn_done", outcome="interrupted", elapsed_ms=120.0)
    _happened("tool.done", tool="shell", ok=True, elapsed_ms=3.0)
    _happened("chat.llm_call", model="m", elapsed_ms=3.0, input_tokens=1, output_tokens=2)
    _happened("tool.violation", tool="shell", code="not_allowed", layer="skill")
    assert run(["telemetry", "summary"]) == 0
    said = capsys.readouterr().out
    assert [one for one in ("p50（毫秒）", "失败", "输入 token", "中断 1", "直接使用 1") if one not in said] == []
    assert not re.search(r"failed|(?<!\.)selected|applied|p50_ms|interrupted|T\d\d:", said)


def test_nothing_yet_is_said(capsys: Capture) -> None:
    for command in ("query", "summary"):
        assert run(["telemetry", command]) == 0
        assert "no event fits" in capsys.readouterr().err


def test_old_events_are_dropped_by_hand(capsys: Capture) -> None:
    _happened("error", "error")
    assert run(["telemetry", "prune", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 0
    assert run(["telemetry", "prune", "--days", "0"]) == 0
    assert capsys.readouterr().out.startswith("2 events dropped")
    assert _listed(capsys) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["query", "--limit", "0"], 2),
        (["query", "--since", "soon"], 5),
        (["query", "--cursor", "x"], 5),
        (["summary", "--until", "?"], 5),
        (["prune", "--days", "-1"], 2),
    ],
)
def test_what_cannot_be_asked_is_said(arguments: list[str], code: int) -> None:
    assert run(["telemetry", *arguments]) == code


def test_a_damaged_file_is_told_by_query_and_doctor(capsys: Capture) -> None:
    Path("storage/telemetry").mkdir(parents=True)
    Path("storage/telemetry/telemetry.sqlite3").write_bytes(b"broken" * 100)
    assert run(["telemetry", "query"]) == 6
    assert "store_unavailable" in capsys.readouterr().err
    run(["doctor", "--json"])
    (check,) = [one for one in json.loads(capsys.readouterr().out)["checks"] if one["name"] == "telemetry"]
    assert check["status"] == "failed"


def test_doctor_says_how_much_is_kept(capsys: Capture) -> None:
    _happened("error")
    run(["doctor", "--json"])
    (check,) = [one for one in json.loads(capsys.readouterr().out)["checks"] if one["name"] == "telemetry"]
    assert check["status"] == "ok"
    assert check["message"].startswith("local, 1 events, ")


def test_the_script_is_the_same_command() -> None:
    _happened("chat.turn_done")
    script = str(ROOT / "scripts" / "query_telemetry.py")
    words = [sys.executable, script, "--limit", "200", "--event", "chat.turn_done", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert [event["event_name"] for event in json.loads(done.stdout)["events"]] == ["chat.turn_done"]
