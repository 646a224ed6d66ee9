"""What the server is, and its packs."""

from pathlib import Path

from metier.pack import BilingualText, Pack, PackProblem, Packs
from metier.server import create_app
from tests.server.support import SKILL, Open, opened, settings_in


async def test_the_server_says_what_it_is(server: Open) -> None:
    info = (await server.client.get("/api/info")).json()
    assert (info["model"], info["user"], info["keys"], info["skills"]) == ("builtin", "local", False, 1)


async def test_packs_are_listed_with_their_skills_and_what_to_try(tmp_path: Path) -> None:
    folder = tmp_path / "pack" / "skills"
    folder.mkdir(parents=True)
    (folder / "monthly-report.md").write_text(SKILL.replace("weekly-report", "monthly-report"), "utf-8")
    said = BilingualText("月报", "Monthly")
    pack = Pack(
        "office", said, said, "1.0.0", tmp_path / "pack", skills=folder, examples=(BilingualText("写月报", "Write it"),)
    )
    broken = PackProblem("other", "invalid_pack", "it is broken")
    app = create_app(settings_in(tmp_path), packs=Packs((pack,), (broken,)))
    async with opened(app) as server:
        listed = (await server.client.get("/api/packs")).json()
    assert [(one["id"], one["title"]) for one in listed["packs"]] == [("office", {"zh": "月报", "en": "Monthly"})]
    assert [one["id"] for one in listed["packs"][0]["skills"]] == ["monthly-report"]
    assert listed["packs"][0]["examples"] == [{"zh": "写月报", "en": "Write it"}]
    assert listed["problems"][0]["pack"] == "other"
