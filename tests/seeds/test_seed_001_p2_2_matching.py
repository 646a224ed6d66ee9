"""Semantic matching of seed 001 P2-2: its own sentences, and messages for nobody."""

from pathlib import Path

from metier.routing import open_router
from metier.settings import Settings
from metier.skills import SkillLibrary
from metier.testing import FakeModel
from tests.e2e.support import opened, said

DATA = Path(__file__).with_name("data")
SKILLS = DATA / "seed_001" / "skills"
OFFICE = (DATA / "seed_004" / "skills", DATA.parents[2] / "examples" / "skills" / "weekly-report")


def test_the_sentences_of_the_seed_find_their_skills(tmp_path: Path) -> None:
    router, catalog = open_router(Settings(storage_dir=tmp_path)), SkillLibrary.from_folders(SKILLS).catalog()
    for message, skill in (("生成 PPT", "pptx"), ("研究报告", "research"), ("帮我研究一下 AI 发展趋势", "research")):
        decision = router.route(message, catalog=catalog)
        assert (decision.skill, decision.verdict) == (skill, "auto"), message
        assert decision.candidates[0].score > 0.6, message
        assert len(decision.candidates) <= 3
    router.close()


def test_a_message_for_another_service_takes_no_skill(tmp_path: Path) -> None:
    router, catalog = open_router(Settings(storage_dir=tmp_path)), SkillLibrary.from_folders(*OFFICE).catalog()
    foreign = ("把会议室预订到下午三点", "提醒我明天交报告", "今天天气怎么样", "remind me to send the report")
    taken = {message: router.route(message, catalog=catalog) for message in foreign}
    router.close()
    assert {message: one.skill for message, one in taken.items() if one.verdict != "none"} == {}
    assert "另一种服务" in " ".join(note.text("zh") for note in taken[foreign[0]].why)


async def test_the_research_skill_offers_its_tools_and_no_others(tmp_path: Path) -> None:
    model = FakeModel().call("write_file", path="a.txt", content="x").say("好")
    async with opened(tmp_path, model=model, skills_dir=(SKILLS,)) as runtime:
        turn = await said(runtime, "/research 分析新能源汽车市场趋势")
    real = {"web_search", "fetch_web_content", "memory", "write_file", "run_in_terminal", "read_file"}
    assert set(model.prompts[0].tools) & real == {"web_search", "fetch_web_content", "memory"}
    assert turn.one("tool.violation")["code"] == "not_allowed_by_skill"
