"""Skills that wait for approval over HTTP: what changed, and a person who lets this version run and no other."""

from pathlib import Path

from tests.server.support import SKILL, Open, app_in, opened

OTHER = SKILL.replace("再写一页", "再写两页")


async def test_a_changed_skill_waits_and_is_approved_in_the_version_that_was_shown(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, skill_trust="require", skill_lock=tmp_path / "skills.lock")) as server:
        listed = (await server.client.get("/api/skills/pending")).json()
        (new,) = listed["pending"]
        assert (listed["trust"], new["id"], new["change"], new["approved"]) == ("require", "weekly-report", "new", None)
        assert (await server.client.get("/api/skills")).json()["skills"] == []
        asked = {"skill": "weekly-report", "digest": new["digest"]}
        assert (await server.client.post("/api/skills/approve", json=asked)).json()["by"] == "local"
        (folder,) = server.here.settings.skills_dir
        (folder / "weekly-report.md").write_text(OTHER, "utf-8")
        server.here.runtime.library._mark_stale()  # do not wait for the operating system to tell
        (changed,) = (await server.client.get("/api/skills/pending")).json()["pending"]
        assert (changed["change"], changed["approved"], changed["cut"]) == ("changed", new["digest"], False)
        assert "+先问结论，再写两页。" in changed["diff"]
        assert "再写一页" in (await server.client.get("/api/skills/weekly-report")).json()["instructions"]
        assert (await server.client.post("/api/skills/approve", json=asked)).status_code == 409
        again = {**asked, "digest": changed["digest"]}
        assert (await server.client.post("/api/skills/approve", json=again)).status_code == 200
        assert "再写两页" in (await server.client.get("/api/skills/weekly-report")).json()["instructions"]
        audited = await server.here.store.audit.list(action="skill.approved")
        assert [(one.target, one.data["digest"]) for one in audited] == [
            ("weekly-report", new["digest"]),
            ("weekly-report", changed["digest"]),
        ]


async def test_without_trust_nothing_waits_and_nothing_is_approved(server: Open) -> None:
    assert (await server.client.get("/api/skills/pending")).json() == {"trust": "off", "pending": []}
    answer = await server.client.post("/api/skills/approve", json={"skill": "weekly-report", "digest": "x"})
    assert answer.status_code == 403


async def test_all_skills_are_compared_with_the_lock_file_and_approved_as_they_were_shown(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, skill_trust="require", skill_lock=tmp_path / "skills.lock")) as server:
        (folder,) = server.here.settings.skills_dir
        (folder / "monthly.md").write_text(SKILL.replace("weekly-report", "monthly"), "utf-8")
        shown = (await server.client.get("/api/skill-lock")).json()
        assert (shown["count"], shown["unknown"], shown["changed"]) == (2, ["monthly", "weekly-report"], [])
        (folder / "weekly-report.md").write_text(OTHER, "utf-8")
        late = await server.client.post("/api/skill-lock", json={"digest": shown["digest"]})
        assert (late.status_code, not (tmp_path / "skills.lock").exists()) == (409, True)
        shown = (await server.client.get("/api/skill-lock")).json()
        pinned = (await server.client.post("/api/skill-lock", json={"digest": shown["digest"]})).json()
        assert (pinned["unknown"], pinned["changed"], pinned["missing"]) == ([], [], [])
        (folder / "monthly.md").unlink()
        (folder / "weekly-report.md").write_text(SKILL, "utf-8")
        found = (await server.client.get("/api/skill-lock")).json()
        assert (found["changed"], found["unknown"], found["missing"]) == (["weekly-report"], [], ["monthly"])
        audited = await server.here.store.audit.list(action="skills.pinned")
        assert sorted(one.target for one in audited) == ["monthly", "weekly-report"]
