"""What is offered after an answer of the office skills leads on."""

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.pack import find_installed_packs, pack_skill_roots
from metier.routing import Router
from metier.settings import Settings
from metier.skills import SkillLibrary

PACKS = find_installed_packs().select(["office"])
WRITERS = ("contract-review", "meeting-minutes", "finance-audit")


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_offered_after_a_write_is_about_the_file_in_both_languages(name: str) -> None:
    text = (resources.files("metier.packs.office") / "skills" / name / "skill.json").read_text("utf-8")
    offered = json.loads(text)["x-metier"]["metadata"]["next_messages"]
    catalog = SkillLibrary(pack_skill_roots(PACKS)).catalog()
    router = Router()
    for language in ("zh", "en"):
        found = [router.route(_read_text(one), catalog=catalog).skill for one in offered[language]]
        assert set(found) == {name, "document_overview"}, (language, found)
    tied = [[one.get("after") for one in offered[language] if isinstance(one, dict)] for language in ("zh", "en")]
    assert tied[0] == tied[1], "what is offered after a step is tied to it in both languages"


def _read_text(offered: str | dict[str, str]) -> str:
    return offered if isinstance(offered, str) else offered["text"]


async def test_the_list_of_skills_is_whole_and_offers_no_list_again(tmp_path: Path) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none")
    async with Runtime.open(settings, packs=PACKS) as runtime:
        first = TurnRequest("这个对话里有哪些文件", skill="document_overview")
        begun = [event async for event in runtime.turn(first)]
        listed = [event async for event in runtime.turn(TurnRequest("/", conversation=begun[-1].conversation))]
    text = next(str(event.data["text"]) for event in listed if event.kind == "text.done")
    chips: Any = next(event.data["suggestions"] for event in listed if event.kind == "suggestions")
    assert all(title in text for title in ("合同审查", "会议纪要", "表格核查", "文件概览"))
    assert "输入 / 可查看全部" not in text
    assert chips[0]["text"] == PACKS[0].examples[0].zh
    assert "/" not in [one["value"] for one in chips]
