import json
import threading
from pathlib import Path

import pytest

from metier import background, cli
from metier.cli import run
from metier.cli._main import _keep_branch, app
from metier.tools.browser import probe_browser
from metier.tools.sandbox import SandboxFinding, SandboxReport, probe

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "skills"
Capture = pytest.CaptureFixture[str]


def _json(capsys: Capture) -> dict[str, object]:
    """The one document on stdout: anything else there is an error."""
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_folder_of_all_four_layouts_is_listed_as_json(capsys: Capture) -> None:
    assert run(["skills", "list", "--dir", str(EXAMPLES), "--json"]) == 0
    listed = _json(capsys)["skills"]
    assert isinstance(listed, list)
    assert {skill["layout"] for skill in listed} == {"flat", "agent-skill", "manifest", "bare"}
    assert listed[0]["id"] == "network_optimization"


def test_a_list_for_people_shows_titles_and_says_what_was_noticed(capsys: Capture) -> None:
    assert run(["skills", "list", "--dir", str(EXAMPLES)]) == 0
    said = capsys.readouterr()
    assert "网络优化仿真分析" in said.out
    assert "description_advised" in said.err


def test_the_settings_name_the_folder_when_nobody_else_does(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLS_DIR", str(EXAMPLES))
    assert run(["skills", "show", "weekly-report", "--json"]) == 0
    skill = _json(capsys)["skill"]
    assert isinstance(skill, dict)
    assert skill["title"] == "Weekly report"
    assert skill["instructions"].startswith("# Weekly report")


def test_a_skill_is_shown_to_people_with_its_instructions(capsys: Capture) -> None:
    assert run(["skills", "show", "meeting-minutes", "--dir", str(EXAMPLES)]) == 0
    assert "先用 `speaker_extractor` 弄清谁在场" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["skills", "list", "--dir", "nowhere"], 3, "path_not_found"),
        (["skills", "show", "weekly-repot", "--dir", str(EXAMPLES)], 3, "skill_not_found"),
        (["lint", "nowhere"], 3, "path_not_found"),
        (["convert", "nowhere", "there"], 3, "path_not_found"),
        (["bench", "nothing"], 3, "not_found"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_is_not_there_is_exit_code_three(arguments: list[str], code: int, word: str, capsys: Capture) -> None:
    assert run([*arguments, "--json"]) == code
    said = capsys.readouterr()
    error = json.loads(said.out)["error"]
    assert error["code"] == word
    assert error["hint"]
    assert word in said.err


def test_a_misspelt_skill_is_answered_with_the_nearest(capsys: Capture) -> None:
    run(["skills", "show", "weekly-repot", "--dir", str(EXAMPLES)])
    assert "did you mean 'weekly-report'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["skills", "list", "--nonsense"], ["lint", str(EXAMPLES), "--format", "xml"], ["skills", "show"]],
    ids=" ".join,
)
def test_a_wrong_call_is_exit_code_two(arguments: list[str]) -> None:
    assert run(arguments) == 2


def test_a_bad_setting_is_exit_code_five(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("METIER_DURABILITY", "maybe")
    assert run(["skills", "list", "--json"]) == 5
    assert _json(capsys)["ok"] is False


def test_no_skills_at_all_is_not_an_error(capsys: Capture, tmp_path: Path) -> None:
    assert run(["skills", "list", "--dir", str(tmp_path)]) == 0
    assert "metier skills new" in capsys.readouterr().err


def test_text_from_a_file_cannot_move_the_cursor(tmp_path: Path, capsys: Capture) -> None:
    _write(tmp_path / "x.md", '---\nname: x\ndescription: "a\\e[31mred"\n---\nbody \x1b[2J end\n')
    assert run(["skills", "show", "x", "--dir", str(tmp_path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_graph_is_mermaid_for_people_and_json_for_programs(capsys: Capture) -> None:
    assert run(["skills", "graph", "--dir", str(EXAMPLES)]) == 0
    assert "网络优化仿真分析" in capsys.readouterr().out
    assert run(["skills", "graph", "--dir", str(EXAMPLES), "--json"]) == 0
    assert _json(capsys)["edges"]


def test_the_published_schema_is_printed(capsys: Capture) -> None:
    assert run(["skills", "schema"]) == 0
    assert _json(capsys)["$id"] == "ah32.skill.v1"


@pytest.mark.parametrize("layout", ["agent-skill", "flat", "manifest", "bare"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_new_skill_loads_and_lints_clean(layout: str, language: str, tmp_path: Path, capsys: Capture) -> None:
    home = str(tmp_path / "skills")
    made = ["skills", "new", "quote-checker", "--dir", home, "--layout", layout, "--language", language, "--json"]
    assert run(made) == 0
    assert Path(str(_json(capsys)["path"])).exists()
    assert run(["lint", home, "--json"]) == 0
    assert run(["skills", "new", "quote-checker", "--dir", home, "--layout", layout]) == 4


def test_lint_finds_an_error_and_exits_with_five(tmp_path: Path, capsys: Capture) -> None:
    _write(tmp_path / "bad" / "SKILL.md", "---\nname: bad\n---\n")
    assert run(["lint", str(tmp_path), "--json"]) == 5
    codes = [found["code"] for found in _json(capsys)["findings"]]  # type: ignore[attr-defined]
    assert "standard_description" in codes


def test_lint_speaks_sarif(tmp_path: Path, capsys: Capture) -> None:
    _write(tmp_path / "bad" / "SKILL.md", "---\nname: bad\n---\n")
    assert run(["lint", str(tmp_path), "--format", "sarif"]) == 5
    document = _json(capsys)
    assert document["version"] == "2.1.0"


def test_lint_mends_what_is_safe(tmp_path: Path, capsys: Capture) -> None:
    text = "---\nname: mine\ntitle: Mine\ndescription: Use it: now\n---\r\nBody\n"
    path = _write(tmp_path / "mine" / "SKILL.md", text)
    assert run(["lint", str(tmp_path), "--fix"]) == 0
    assert "\r" not in path.read_text("utf-8")
    assert "fixed" in capsys.readouterr().err


def test_converted_skills_are_reported(tmp_path: Path, capsys: Capture) -> None:
    assert run(["convert", str(EXAMPLES), str(tmp_path / "out"), "--json"]) == 0
    converted = _json(capsys)["converted"]
    assert isinstance(converted, list)
    assert {one["skill"] for one in converted} >= {"network_optimization", "meeting-minutes", "weekly-report"}
    assert run(["convert", str(EXAMPLES), str(tmp_path / "out")]) == 4


def test_the_doctor_looks_at_everything(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_SKILLS_DIR", str(EXAMPLES))
    monkeypatch.setenv("METIER_SKILL_OVERRIDES", "network_optimization,meeting-minutes")  # which packs have too
    browser = probe_browser()
    assert run(["doctor", "--json"]) == 0
    checks = _json(capsys)["checks"]
    assert isinstance(checks, list)
    assert {check["name"]: check["status"] for check in checks} == {
        "python": "ok",
        "settings": "ok",
        "packs": "ok",
        "skills": "ok",
        "store": "ok",
        "telemetry": "ok",
        "model": "ok",
        "tokenizer": "ok",
        "routing": "ok",
        "guards": "ok",
        "sandbox": "ok" if probe().tier else "warning",
        "documents": "ok",
        "browser": "ok" if not browser.is_usable or browser.sandboxed else "warning",
    }


def test_the_doctor_says_why_there_is_no_sandbox(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = SandboxFinding("landlock", False, "the kernel has no Landlock", "use Linux 5.13 or newer")
    monkeypatch.setattr("metier.tools.sandbox.probe", lambda: SandboxReport(0, 0, False, (missing,)))
    assert run(["doctor"]) == 0
    told = capsys.readouterr().out
    assert (
        "! sandbox: tier 0: no sandbox: scripts of untrusted skills are refused: the kernel has no Landlock\n" in told
    )
    assert "    use Linux 5.13 or newer\n" in told


def test_the_doctor_says_when_routing_goes_by_words_alone(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_EMBEDDER", "no-such-embedder")
    assert run(["doctor", "--json"]) == 0
    checks = _json(capsys)["checks"]
    assert isinstance(checks, list)
    (routing,) = (check for check in checks if check["name"] == "routing")
    assert routing["status"] == "warning"
    assert "no-such-embedder" in routing["message"]


def test_the_doctor_says_that_the_database_cannot_be_reached(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    assert run(["doctor"]) == 6
    assert "✗ store" in capsys.readouterr().out


def test_settings_hide_passwords(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_DATABASE_URL", "postgresql://me:secret@localhost/db")
    assert run(["settings", "--json"]) == 0
    said = capsys.readouterr().out
    assert "secret" not in said
    assert "postgresql://me:***@localhost/db" in said


def test_an_unexpected_failure_is_one_line_and_not_a_traceback(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("metier.cli._skills.open_library", broken)
    assert run(["skills", "list"]) == 1
    said = capsys.readouterr().err
    assert "error [failed]: RuntimeError: boom" in said
    assert "Traceback" not in said


def test_the_version_is_printed(capsys: Capture) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == "0.1.0"


def test_a_built_in_tool_need_not_be_declared(capsys: Capture, tmp_path: Path) -> None:
    text = "---\nname: clock\ndescription: Tells the time; use it when somebody asks for the time.\n"
    (tmp_path / "clock.md").write_text(
        text + "allowed_tools: [get_current_time, no_such_tool]\n---\nTell it.\n", "utf-8"
    )
    run(["lint", str(tmp_path), "--format", "json"])
    said = [found["message"] for found in json.loads(capsys.readouterr().out)["findings"]]
    assert any("no_such_tool" in message for message in said)
    assert not any("get_current_time" in message for message in said)


def test_the_options_of_other_commands_are_not_read() -> None:
    branch = _keep_branch(app, "serve")
    assert [one.name for one in branch.registered_commands] == ["serve"]
    assert branch.registered_groups == []
    assert _keep_branch(app, "serv") is app  # so that it can say which there are


def test_a_command_ends_at_once_while_an_encoder_is_loaded_that_nobody_waits_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[int] = []
    encoder = threading.Thread(name="metier-embedder")
    monkeypatch.setattr(cli, "keep_compiled", lambda: None)
    monkeypatch.setattr(cli, "run", lambda: 3)
    monkeypatch.setattr(background, "leave_process", left.append)
    for threads in ([encoder], [threading.main_thread()]):
        monkeypatch.setattr(threading, "enumerate", lambda threads=threads: threads)
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert (left, ended.value.code) == ([3], 3)


def test_a_skill_is_shown_without_json(capsys: Capture) -> None:
    for skill in ("meeting-minutes", "weekly-report", "network_optimization"):
        assert run(["skills", "show", skill, "--dir", str(EXAMPLES)]) == 0
        fields = capsys.readouterr().out.partition("\n\n#")[0]
        assert [mark for mark in ('{"', '["', "None", "True", "sha256", "'id'") if mark in fields] == []
        assert "SKILL.md" in fields or ".md" in fields
