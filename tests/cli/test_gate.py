import json
from pathlib import Path

import pytest

from metier.cli import run

SKILLS = str(Path(__file__).resolve().parents[2] / "examples" / "skills")
Capture = pytest.CaptureFixture[str]


def _json(capsys: Capture) -> dict[str, object]:
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_a_skill_may_use_its_own_tool(capsys: Capture) -> None:
    assert run(["gate", "speaker_extractor", "--skill", "meeting-minutes", "--dir", SKILLS]) == 0
    assert capsys.readouterr().out == ("allow: speaker_extractor [allowed], skill meeting-minutes lists it\n")


def test_a_refusal_is_exit_code_four_and_explains_itself(capsys: Capture) -> None:
    assert run(["gate", "write_file", "--skill", "meeting-minutes", "--dir", SKILLS, "--explain"]) == 4
    assert capsys.readouterr().out.splitlines() == [
        "deny: write_file [not_allowed_by_skill], skill meeting-minutes does not list 'write_file' among its tools",
        "  skill (skill meeting-minutes): does not list it",
        "  may run: speaker_extractor",
    ]


def test_a_tool_that_asks_first_is_exit_code_zero(capsys: Capture) -> None:
    assert run(["gate", "run_in_terminal", "--dir", SKILLS, "--json"]) == 0
    assert _json(capsys)["answer"] == "confirm"


def test_approval_may_depend_on_the_arguments(capsys: Capture) -> None:
    assert run(["gate", "memory", "--args", '{"action": "forget"}', "--dir", SKILLS, "--json"]) == 0
    assert _json(capsys)["answer"] == "confirm"
    assert run(["gate", "memory", "--args", '{"action": "recall"}', "--dir", SKILLS, "--json"]) == 0
    assert _json(capsys)["answer"] == "allow"


@pytest.mark.parametrize(("tool", "code"), [("web_search", 0), ("write_file", 4), ("run_in_terminal", 4)], ids=str)
def test_a_message_is_taken_for_a_kind_of_work(tool: str, code: int, capsys: Capture) -> None:
    assert run(["gate", tool, "--message", "分析新能源汽车市场趋势", "--dir", SKILLS, "--explain"]) == code
    told = capsys.readouterr().out
    assert "task type: research (one task)" in told
    assert "research: the words 市场, 趋势" in told


def test_a_plan_narrows(capsys: Capture) -> None:
    Path("plan.toml").write_text('allowed = ["read_file"]\n', "utf-8")
    assert run(["gate", "write_file", "--plan", "plan.toml", "--dir", SKILLS, "--json"]) == 4
    verdict = _json(capsys)
    assert (verdict["code"], verdict["layer"], verdict["allowed"]) == ("not_in_plan", "plan", ["read_file"])


def test_the_operators_file_has_the_last_word(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("policy.toml").write_text('forbidden = ["speaker_*"]\n', "utf-8")
    monkeypatch.setenv("METIER_POLICY_FILE", "policy.toml")
    assert run(["gate", "speaker_extractor", "--skill", "meeting-minutes", "--dir", SKILLS, "--json"]) == 4
    assert _json(capsys)["code"] == "denied_by_policy"


def test_task_types_come_from_the_file_of_the_settings(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("types.toml").write_text('[audit]\nforbidden = ["write_file"]\nkeywords = ["审计"]\n', "utf-8")
    monkeypatch.setenv("METIER_TASK_TYPES_FILE", "types.toml")
    assert run(["gate", "write_file", "--task-type", "audit", "--dir", SKILLS, "--json"]) == 4
    assert _json(capsys)["code"] == "forbidden_for_task_type"


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["pdf", "--skill", "nobody"], 3, "skill_not_found"),
        (["pdf", "--plan", "none.toml"], 3, "path_not_found"),
        (["pdf", "--task-type", "cooking"], 3, "not_found"),
        (["pdf", "--args", "{"], 2, "usage"),
        (["pdf", "--args", "[]"], 2, "usage"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_read_is_said(arguments: list[str], code: int, word: str, capsys: Capture) -> None:
    assert run(["gate", *arguments, "--dir", SKILLS, "--json"]) == code
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == word
    assert error["hint"]


def test_a_tool_that_a_skill_names_and_nobody_has_says_so(capsys: Capture) -> None:
    assert run(["gate", "match_scenario", "--skill", "network_optimization", "--dir", SKILLS]) == 4
    assert "lists 'match_scenario', but nothing here provides it" in capsys.readouterr().out


def test_a_plan_by_rule_names_tool_and_check_of_each_step(tmp_path: Path, capsys: Capture) -> None:
    assert run(["plan", "调研固态电池的发展现状", "--dir", str(tmp_path), "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["source"] == "rule"
    assert [step["call"] for step in plan["steps"]] == ["web_search", "fetch_web_content"]
    assert [one["after"] for one in plan["milestones"]] == ["find", "read"]


def test_a_greeting_has_no_plan_and_neither_has_an_unknown_conversation(tmp_path: Path) -> None:
    assert run(["plan", "你好", "--dir", str(tmp_path)]) != 0
    assert run(["plan", "--conversation", "none"]) != 0
    assert run(["plan"]) == 2
