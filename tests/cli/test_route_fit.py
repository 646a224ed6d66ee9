"""`metier route`, its message and its fit."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metier.cli import run
from metier.cli._route import insert_message_command
from metier.routing import HEADS_FILE, fitting
from metier.routing.ranking import Heads, load_heads, load_shipped_heads
from metier.skills import SkillLibrary

SKILLS = str(Path(__file__).resolve().parents[2] / "src/metier/bench/models/skills")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    """Three messages for each skill, some for none, and one for a skill that is not installed."""
    rows: list[dict[str, str | None]] = [
        {"message": example, "skill": skill.id}
        for skill in SkillLibrary.from_folders(Path(SKILLS)).catalog()
        for example in skill.examples[:3]
    ]
    rows += [{"message": said, "skill": None} for said in ("今天天气怎么样", "play some music", "讲个笑话")]
    rows.append({"message": "帮我写首诗", "skill": "poems"})
    file = tmp_path / "messages.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return file


# A message


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        pytest.param(["route", "生成 PPT"], ["route", "message", "生成 PPT"], id="a message"),
        pytest.param(["route", "--json", "x"], ["route", "message", "--json", "x"], id="an option first"),
        pytest.param(["route", "/pdf x"], ["route", "message", "/pdf x"], id="a name"),
        pytest.param(["route", ""], ["route", "message", ""], id="nothing said"),
        pytest.param(["route", "message", "fit"], ["route", "message", "fit"], id="said in full"),
        pytest.param(["route", "fit", "m.jsonl"], ["route", "fit", "m.jsonl"], id="fit"),
        pytest.param(["route", "--help"], ["route", "--help"], id="help"),
        pytest.param(["route"], ["route"], id="alone"),
        pytest.param(["gate", "fit"], ["gate", "fit"], id="another command"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_the_word_message_may_be_left_out(said: list[str], meant: list[str]) -> None:
    assert insert_message_command(said) == meant


@pytest.mark.parametrize("words", [["route"], ["route", "message"]], ids=["plain", "in full"])
def test_a_message_is_routed_with_and_without_the_word(words: list[str], capsys: Capture) -> None:
    assert run([*words, "生成 PPT", "--skills", SKILLS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["skill"] == "pptx"


def test_a_message_that_is_a_command_is_routed_in_full(capsys: Capture) -> None:
    assert run(["route", "message", "fit", "--skills", SKILLS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["message"] == "fit"


def test_help_names_both(capsys: Capture) -> None:
    assert run(["route", "--help"]) == 0
    said = capsys.readouterr().out
    assert "message" in said
    assert "fit" in said


def test_a_decision_says_how_likely_any_skill_is_meant(capsys: Capture) -> None:
    assert run(["route", "生成 PPT", "--skills", SKILLS, "--json"]) == 0
    meant = json.loads(capsys.readouterr().out)["meant"]
    assert 0.5 <= meant <= 1
    assert run(["route", "生成 PPT", "--skills", SKILLS, "--explain"]) == 0
    assert f"有 {int(100 * meant)}% 的可能需要某个技能" in capsys.readouterr().out


# Fitting to one's own messages


def test_a_fit_is_saved_and_reported(messages: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out"
    assert run(["route", "fit", str(messages), "--skills", SKILLS, "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["saved"] == str(out / HEADS_FILE)
    assert report["messages"] == len(messages.read_text("utf-8").splitlines()) - 1
    assert report["skipped"] == ["帮我写首诗"]
    fitted = load_heads(out / HEADS_FILE)
    assert not np.allclose(fitted["lex"].right, load_shipped_heads()["lex"].right, atol=1e-3)
    assert fitted["use"] is load_shipped_heads()["use"]


def test_people_are_told_how_far_off_the_probabilities_were(messages: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run(["route", "fit", str(messages), "--skills", SKILLS, "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "messages, the first skill right for" in said.out
    assert "of those that mean one" in said.out
    assert "on messages not fitted" in said.out
    assert "left out: 帮我写首诗" in said.err
    assert HEADS_FILE in said.err


def test_a_fit_goes_to_the_storage_folder_where_the_next_message_finds_it(messages: Path, capsys: Capture) -> None:
    def score() -> float:
        assert run(["route", "整理会议纪要", "--skills", SKILLS, "--json"]) == 0
        found: float = json.loads(capsys.readouterr().out)["candidates"][0]["score"]
        return found

    before = score()
    assert run(["route", "fit", str(messages), "--skills", SKILLS]) == 0
    capsys.readouterr()
    assert Path("storage", HEADS_FILE).is_file()
    assert score() != before


@pytest.mark.parametrize(
    ("errors", "says"),
    [
        pytest.param({"error_after": 1.0}, "没有参与拟合的消息反而更不准", id="a larger error"),
        pytest.param({"loss_after": 9.0, "error_after": 0.0}, "更难区分对错", id="a larger loss"),
    ],
)
def test_a_fit_that_tells_other_messages_worse_is_not_saved_and_says_why(
    errors: dict[str, float],
    says: str,
    messages: Path,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fit_worse(*given: object) -> tuple[Mapping[str, Heads], fitting.FitReport]:
        heads, report = fitted(*given)  # type: ignore[arg-type]
        return heads, replace(report, **errors)  # type: ignore[arg-type]

    fitted, out = fitting.fit_messages, tmp_path / "out"
    monkeypatch.setattr(fitting, "fit_messages", fit_worse)
    command = ["route", "fit", str(messages), "--skills", SKILLS, "--out", str(out)]
    assert run([*command, "--language", "zh"]) == 0
    said = capsys.readouterr().err
    assert says in said
    assert HEADS_FILE not in said
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["saved"] is None
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        pytest.param(None, 3, "no file", id="no file"),
        pytest.param("{}", 5, "line 1", id="a bad line"),
        pytest.param('{"message": "x"}', 5, "1 messages can be used", id="too few"),
    ],
)
def test_what_cannot_be_fitted_is_told_and_nothing_is_written(
    content: str | None, code: int, says: str, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "m.jsonl"
    if content is not None:
        file.write_text(content, "utf-8")
    assert run(["route", "fit", str(file), "--skills", SKILLS, "--out", str(tmp_path / "out")]) == code
    assert says in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_damaged_calibration_says_how_to_go_on(messages: Path, capsys: Capture) -> None:
    place = Path("storage", HEADS_FILE)
    place.parent.mkdir()
    place.write_text("{", "utf-8")
    assert run(["route", "生成 PPT", "--skills", SKILLS]) == 5
    assert "remove it" in capsys.readouterr().err
    place.unlink()
    assert run(["route", "fit", str(messages), "--skills", SKILLS]) == 0
    assert run(["route", "生成 PPT", "--skills", SKILLS]) == 0
