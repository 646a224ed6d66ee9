"""`metier packs`, and --pack where other commands take it."""

import json
from pathlib import Path

import pytest

from metier.cli import run
from tests.packs.telecom.twin.support import entry, write


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("METIER_EMBEDDER", "none")


def _json(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("words", [["packs"], ["packs", "list"]])
def test_installed_packs_are_listed(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "telecom" in out
    assert "Radio network optimisation" in out


def test_the_list_is_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["packs", "--json"]) == 0
    packs = _json(capsys)["packs"]
    assert isinstance(packs, list)
    telecom = next(one for one in packs if one["id"] == "telecom")
    assert "network_optimization" in telecom["skills"]
    assert "match_scenario" in telecom["tools"]
    assert telecom["findings"] == []


def test_a_pack_is_shown_with_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["packs", "show", "telecom"]) == 0
    out = capsys.readouterr().out
    for word in ("coverage_analysis", "apply_parameters", "Analyse the weak coverage problem in Chaoyang district"):
        assert word in out


def test_a_pack_is_shown_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["packs", "show", "telecom", "--json"]) == 0
    examples = _json(capsys)["examples"]
    assert isinstance(examples, list)
    assert len(examples) == 3


def test_an_unknown_pack_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--pack", "telekom", "你好"]) == 3
    said = capsys.readouterr().err
    assert "pack_not_found" in said
    assert "telecom" in said


def test_a_pack_can_be_linted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--pack", "telecom"]) == 0
    assert "0 errors, 0 warnings" in capsys.readouterr().out


def test_a_folder_with_a_pack_file_is_linted_as_a_pack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "bells"
    folder.mkdir()
    (folder / "pack.toml").write_text('id = "bells"\nversion = "1"\ntitle = "钟"\ntools = "x"\n', "utf-8")
    assert run(["lint", str(folder)]) == 5
    assert "description is not said" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["lint"], ["lint", "skills", "--pack", "telecom"]])
def test_lint_takes_a_path_or_a_pack(words: list[str]) -> None:
    assert run(words) == 2


def test_a_pack_s_skills_are_listed_and_routed_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["skills", "list", "--pack", "telecom", "--json"]) == 0
    skills = _json(capsys)["skills"]
    assert isinstance(skills, list)
    assert {"network_optimization", "capacity_analysis"} <= {one["id"] for one in skills}
    assert run(["route", "做一次天河的容量专项分析", "--pack", "telecom", "--json"]) == 0
    assert _json(capsys)["skill"] == "capacity_analysis"


def test_the_settings_can_name_a_pack(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_PACKS", "telecom")
    assert run(["skills", "list", "--json"]) == 0
    skills = _json(capsys)["skills"]
    assert isinstance(skills, list)
    assert len(skills) == 7


def test_a_scenario_file_is_checked_by_its_pack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = write(tmp_path)
    bad = write(tmp_path, lambda made: entry(made, "cell").update(power_dbm=99, colour="red"), name="bad.json")
    assert run(["packs", "check", "telecom", str(good)]) == 0
    assert "0 errors" in capsys.readouterr().out
    assert run(["packs", "check", "telecom", str(good), str(bad)]) == 5
    said = capsys.readouterr().out
    assert "cell[0].power_dbm (460-00-100001)" in said
    assert "[out_of_range]\n    give a value within the range" in said
    assert "[unknown_field]" in said


def test_what_a_pack_finds_in_a_file_is_json_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("[scenario", "utf-8")
    assert run(["packs", "check", "telecom", str(bad), "--json"]) == 5
    files = _json(capsys)["files"]
    assert isinstance(files, dict)
    (finding,) = files[str(bad)]
    assert (finding["code"], finding["severity"], finding["place"]) == ("scenario_unreadable", "error", "bad.toml")


def test_a_file_that_is_not_there_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["packs", "check", "telecom", "gone.toml"]) == 3
    assert "path_not_found" in capsys.readouterr().err


def test_tools_of_a_pack_are_listed_gated_and_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "list", "--pack", "telecom", "--skill", "coverage_analysis", "--json"]) == 0
    listed = _json(capsys)
    tools = listed["tools"]
    assert isinstance(tools, list)
    found = {one["name"]: one["answer"] for one in tools}
    assert (found["match_scenario"], found["write_file"]) == ("allow", "deny")
    assert listed["problems"] == []
    assert run(["gate", "apply_parameters", "--pack", "telecom", "--skill", "network_optimization", "--json"]) == 0
    assert _json(capsys)["answer"] == "confirm"
    asked = json.dumps({"description": "朝阳区弱覆盖"})
    assert run(["tools", "call", "--pack", "telecom", "coverage_analysis", "match_scenario", asked]) == 0
    assert _json(capsys)["digitaltwins_id"] == "DT20260101"


def test_without_the_pack_its_tools_are_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "list", "--json"]) == 0
    tools = _json(capsys)["tools"]
    assert isinstance(tools, list)
    assert "match_scenario" not in [one["name"] for one in tools]
    assert run(["gate", "match_scenario"]) == 4


def test_a_run_with_a_pack_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--pack", "telecom", "--skill", "simulation_plan", "自定义仿真"]) == 0
    said = capsys.readouterr().err
    assert "metier run --pack telecom --answer" in said
