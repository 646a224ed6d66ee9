"""Skills over HTTP: the catalog, what reloading changed, and why a message means a skill."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from metier.server.observe import Reloads
from metier.skills import SkillLibrary
from tests.server.support import SKILL, Open

AT = datetime(2026, 1, 20, 8, 0, tzinfo=UTC)


async def test_the_catalog_is_listed_with_findings_and_usage(server: Open) -> None:
    listed = (await server.client.get("/api/skills")).json()
    (skill,) = listed["skills"]
    assert (skill["id"], skill["usage"]["activated"], skill["usage"]["last_at"]) == ("weekly-report", 0, None)
    told = await server.chat("帮我写这周的周报")
    await server.client.post(f"/api/pauses/{told[-1]['data']['pause']}", json={"answer": "上线了"})
    (used,) = (await server.client.get("/api/skills")).json()["skills"]
    assert (used["usage"]["activated"], used["usage"]["turns"]) == (1, 1)
    assert used["usage"]["last_at"] is not None


async def test_one_skill_is_told_with_its_text_and_what_the_linter_says(server: Open) -> None:
    skill = (await server.client.get("/api/skills/weekly-report")).json()
    assert skill["instructions"].strip() == "先问结论，再写一页。"
    assert skill["before"] == []
    assert all({"code", "severity", "hint"} <= one.keys() for one in skill["findings"])


async def test_an_unknown_skill_names_the_nearest(server: Open) -> None:
    answer = await server.client.get("/api/skills/weekly-reprot")
    assert (answer.status_code, answer.json()["error"]["hint"]) == (404, "did you mean 'weekly-report'?")


async def test_the_decision_says_why(server: Open) -> None:
    answer = await server.client.post("/api/route", json={"message": "帮我写这周的周报"})
    decision = answer.json()
    assert (decision["verdict"], decision["skill"]) == ("auto", "weekly-report")
    assert decision["thresholds"] == {"auto": 0.8, "suggest": 0.6, "meant": 0.4, "surely_meant": 0.55}
    assert decision["titles"] == {"weekly-report": "周报"}
    (candidate,) = decision["candidates"]
    assert candidate["trigger_hits"] == ["周报"]
    assert candidate["why"]


@pytest.mark.parametrize(
    ("message", "language", "head"),
    [
        pytest.param("周报", None, "直接使用：weekly-report", id="as the message"),
        pytest.param("/weekly-report now", None, "auto: weekly-report", id="as the message, in English"),
        pytest.param("周报", "en", "auto: weekly-report", id="as asked"),
        pytest.param("/weekly-report now", "zh", "直接使用：weekly-report", id="as asked, in Chinese"),
    ],
)
async def test_the_decision_is_explained_in_a_language(
    message: str, language: str | None, head: str, server: Open
) -> None:
    answer = await server.client.post("/api/route", json={"message": message, "language": language})
    decision = answer.json()
    assert decision["explain"][0].startswith(head)
    assert decision["explain"][1 : 1 + len(decision["notes"])] == decision["notes"]
    assert len(decision["why"]) == len(decision["notes"]) > 0


async def test_a_language_that_nobody_speaks_is_refused(server: Open) -> None:
    answer = await server.client.post("/api/route", json={"message": "周报", "language": "fr"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_input")


async def test_a_skill_may_be_left_out_of_the_decision(server: Open) -> None:
    body = {"message": "帮我写这周的周报", "without": ["weekly-report"]}
    decision = (await server.client.post("/api/route", json=body)).json()
    assert (decision["verdict"], decision["candidates"]) == ("none", [])
    assert (await server.client.get("/api/conversations")).json()["conversations"] == []


def _reloads(folder: Path) -> Reloads:
    library = SkillLibrary.from_folders(folder)
    return Reloads(library.catalog, clock=lambda: AT)


def _log(reloads: Reloads) -> list[Any]:
    return [*reloads.list_entries(10, lambda catalog: catalog)]


def test_a_changed_skill_is_told_with_a_diff(tmp_path: Path) -> None:
    path = tmp_path / "weekly-report.md"
    path.write_text(SKILL, "utf-8")
    reloads = _reloads(tmp_path)
    assert _log(reloads) == []
    path.write_text(SKILL.replace("先问结论", "先查数据"), "utf-8")
    (entry,) = _log(reloads)
    (change,) = entry["changes"]
    assert (entry["at"], change["skill"], change["change"]) == (AT.isoformat(), "weekly-report", "changed")
    assert "-先问结论，再写一页。\n+先查数据，再写一页。" in str(change["diff"])
    assert change["before"] != change["after"]


def test_skills_that_come_and_go_are_told(tmp_path: Path) -> None:
    reloads = _reloads(tmp_path)
    reloads.check_catalog()
    path = tmp_path / "weekly-report.md"
    path.write_text(SKILL, "utf-8")
    reloads.check_catalog()
    path.unlink()
    told = [[(one["skill"], one["change"]) for one in entry["changes"]] for entry in _log(reloads)]
    assert told == [[("weekly-report", "removed")], [("weekly-report", "added")]]


def test_a_broken_edit_is_told_as_a_finding_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "weekly-report.md"
    path.write_text(SKILL, "utf-8")
    reloads = _reloads(tmp_path)
    reloads.check_catalog()
    path.write_text("---\nname: [\n---\n", "utf-8")
    (entry,) = _log(reloads)
    assert entry["changes"] == []
    assert "skill_kept" in {one["code"] for one in entry["findings"]}


async def test_an_edit_is_in_the_log_of_the_server(server: Open) -> None:
    (folder,) = server.here.settings.skills_dir
    server.here.reloads.check_catalog()
    (folder / "weekly-report.md").write_text(SKILL.replace("再写一页", "再写两页"), "utf-8")
    server.here.runtime._resources.library._mark_stale()  # do not wait for the operating system to tell
    log = (await server.client.get("/api/skills/log")).json()
    assert "+先问结论，再写两页。" in log["reloads"][0]["changes"][0]["diff"]
    assert log["digest"] == log["reloads"][0]["after"]
