import json
from pathlib import Path

import pytest

from metier.cli import run
from metier.routing import Decision, Router
from metier.skills import Catalog

SKILLS = str(Path(__file__).resolve().parents[2] / "src/metier/bench/models/skills")
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")


def _json(capsys: Capture) -> dict[str, object]:
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_a_message_is_routed_and_the_decision_is_one_json_document(capsys: Capture) -> None:
    assert run(["route", "帮我分析一下A区域的弱覆盖问题", "--skills", SKILLS, "--json"]) == 0
    decision = _json(capsys)
    assert (decision["verdict"], decision["skill"], decision["vectors"]) == ("auto", "coverage_analysis", False)


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("你好", "不用技能（检索"),
        ("生成 PPT", "直接使用：pptx（检索"),
        ("不要做PPT，写一份研究报告", "直接使用：research（检索"),
        ("/pdf 合并这两个文件", "直接使用：pdf（点名"),
        ("/pdf merge these two files", "auto: pdf (explicit"),
    ],
)
def test_people_get_one_line(message: str, line: str, capsys: Capture) -> None:
    assert run(["route", message, "--skills", SKILLS]) == 0
    said = capsys.readouterr().out
    assert said.startswith(line)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "setting", "said"),
    [
        pytest.param([], "auto", ("消息里说了不要「ppt」", "技能的用词覆盖消息的"), id="as the message"),
        pytest.param(["--language", "en"], "zh", ("the message denies ppt", "its words cover"), id="as asked"),
        pytest.param([], "en", ("the message denies ppt", "its words cover"), id="as the settings say"),
    ],
)
def test_explain_gives_the_reasons(
    words: list[str], setting: str, said: tuple[str, ...], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_LANGUAGE", setting)
    assert run(["route", "不要做PPT，写一份研究报告", "--skills", SKILLS, "--explain", *words]) == 0
    shown = capsys.readouterr().out
    assert all(one in shown for one in said)


def test_a_program_picks_the_language_of_the_sentences(capsys: Capture) -> None:
    asked = ["route", "no slides please, 不要做PPT", "--skills", SKILLS, "--json", "--language", "en"]
    assert run(asked) == 0
    english = _json(capsys)
    assert run([*asked[:-1], "zh"]) == 0
    chinese = _json(capsys)
    assert english["why"] == chinese["why"]
    assert english["notes"] != chinese["notes"]


def test_a_language_that_nobody_speaks_is_refused(capsys: Capture) -> None:
    assert run(["route", "生成 PPT", "--skills", SKILLS, "--language", "fr"]) == 2
    assert "zh or en" in capsys.readouterr().err


@pytest.mark.parametrize(("message", "loaded"), [("生成PPT", ["prepare", "route"]), ("/pptx 三页", ["route"])])
def test_the_time_told_is_without_loading_the_encoders(
    message: str, loaded: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    called: list[str] = []
    route, prepare = Router.route, Router.prepare

    def spy_route(router: Router, said: str, *, catalog: Catalog, host: str | None, active: str | None) -> Decision:
        called.append("route")
        return route(router, said, catalog=catalog, host=host, active=active)

    def spy_prepare(router: Router, catalog: Catalog, *, host: str | None) -> tuple[str, ...]:
        called.append("prepare")
        return prepare(router, catalog, host=host)

    monkeypatch.setattr(Router, "route", spy_route)
    monkeypatch.setattr(Router, "prepare", spy_prepare)
    assert run(["route", message, "--skills", SKILLS, "--json"]) == 0
    assert called == loaded
    assert _json(capsys)["skill"] == "pptx"


def test_a_slash_alone_lists_what_can_be_named(capsys: Capture) -> None:
    assert run(["route", "/", "--skills", SKILLS]) == 0
    head, *listed = capsys.readouterr().out.splitlines()
    assert head.startswith("none (list")
    assert "/bazi  八字命理" in listed


def test_the_skill_in_use_keeps_a_follow_up(capsys: Capture) -> None:
    assert run(["route", "换成柱状图", "--skills", SKILLS, "--active", "network_optimization", "--json"]) == 0
    decision = _json(capsys)
    assert (decision["route"], decision["skill"]) == ("sticky", "network_optimization")


def test_a_host_decides_what_is_offered(capsys: Capture) -> None:
    assert run(["route", "把会议记录整理成纪要", "--skills", SKILLS, "--host", "browser", "--json"]) == 0
    filtered = _json(capsys)["filtered"]
    assert isinstance(filtered, list)
    assert "meeting-minutes" in {one["skill"] for one in filtered}


def test_a_skill_is_judged_by_its_own_queries(capsys: Capture) -> None:
    assert run(["skills", "eval", "pptx", "--dir", SKILLS, "--json"]) == 0
    report = _json(capsys)["skills"]
    assert isinstance(report, list)
    (one,) = report
    assert one["skill"] == "pptx"
    assert one["tp"] + one["fn"] == 7
    assert one["fp"] + one["tn"] == 7


def test_an_eval_is_a_gate(capsys: Capture) -> None:
    assert run(["skills", "eval", "--dir", SKILLS, "--min-f1", "0"]) == 0
    assert "precision" in capsys.readouterr().out
    assert run(["skills", "eval", "--dir", SKILLS, "--min-f1", "1"]) == 1
    assert "below the F1" in capsys.readouterr().err


def test_owners_get_queries_collisions_and_texts_to_write(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "none")
    for name, said in (("minutes", "Write minutes of a meeting"), ("notes", "Take notes of a meeting, list decisions")):
        (tmp_path / name).mkdir()
        text = f"---\nname: {name}\ndescription: {said}. Use when the user wants minutes or notes.\n---\nWrite.\n"
        (tmp_path / name / "SKILL.md").write_text(text, "utf-8")
    arguments = ["skills", "eval", "--dir", str(tmp_path), "--suggest", "--write"]
    assert run([*arguments, "--json"]) == 0
    told = _json(capsys)
    file = tmp_path / "notes" / "evals" / "eval_queries.json"
    assert told["generated"]["notes"] == json.loads(file.read_text("utf-8"))  # type: ignore[index]
    assert str(file) in told["written"]  # type: ignore[operator]
    assert [(one["first"], one["second"]) for one in told["collisions"]] == [("minutes", "notes")]  # type: ignore[attr-defined]
    assert {one["skill"] for one in told["improvements"]} == {"minutes", "notes"}  # type: ignore[attr-defined]
    assert run([*arguments, "--language", "zh"]) == 0
    said = capsys.readouterr().out
    assert "「minutes」与「notes」冲突" in said
    assert "只有 0 条示例" in said


def test_an_unknown_embedder_costs_the_vectors_and_not_the_answer(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "nobody")
    assert run(["route", "生成 PPT", "--skills", SKILLS, "--json"]) == 0
    decision = _json(capsys)
    assert decision["skill"] == "pptx"
    assert any("nobody" in str(note) for note in decision["notes"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("message", "words"), [("整理会议纪要", "适合但尚未启用"), ("Make minutes of the meeting", "fits")]
)
def test_without_a_pack_that_fits_the_message_route_names_it_and_the_command(
    message: str, words: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["route", message]) == 0
    told = capsys.readouterr()
    assert words in told.out + told.err
    assert "metier route --pack office" in told.out + told.err


def test_the_help_of_route_says_where_its_options_are(capsys: Capture) -> None:
    run(["route", "--help"])
    assert "metier route message --help" in " ".join(capsys.readouterr().out.split())
