"""Who chooses the skill: router, model or both (seed 000 §8.1, §8.2; seed 001 P2-2), on the seed's own files."""

from pathlib import Path
from typing import Any

import pytest

from metier.settings import Settings
from metier.testing import FakeModel
from tests.e2e.support import Told, opened, said

SKILLS = Path(__file__).with_name("data") / "seed_000" / "Skills"
MESSAGE = "帮我分析一下 A 区域的弱覆盖问题"


async def _ask(folder: Path, model: FakeModel | None, message: str = MESSAGE, **more: Any) -> Told:
    asked = {key: more.pop(key) for key in ("skill_choice",) if key in more}
    async with opened(folder, model=model, skills_dir=(SKILLS,), **more) as runtime:
        return await said(runtime, message, **asked)


async def test_the_router_takes_the_skill_of_higher_priority_for_the_authors_sentence(tmp_path: Path) -> None:
    for embedder in ("none", "use-multilingual"):
        turn = await _ask(tmp_path / embedder, None, embedder=embedder)
        assert turn.one("skill.activated")["skill"] == "network_optimization", embedder
    assert any("优先级更高" in str(note) for note in turn.one("skill.routed")["notes"])  # type: ignore[union-attr]


@pytest.mark.parametrize("by_request", [False, True])
async def test_the_model_is_asked_even_where_the_router_is_sure(tmp_path: Path, by_request: bool) -> None:
    model = FakeModel().call("use_skill", skill="coverage_analysis").say("好")
    more: dict[str, Any] = {"skill_choice": "model"} if by_request else {}
    settings = {} if by_request else {"skill_choice": "model"}
    if by_request:
        turn = await _ask(tmp_path, model, **more)
    else:
        async with opened(tmp_path, model=model, skills_dir=(SKILLS,), **dict[str, Any](settings)) as runtime:
            turn = await said(runtime, MESSAGE)
    assert "use_skill" in model.prompts[0].tools
    assert turn.one("skill.activated")["skill"] == "coverage_analysis"
    assert turn.one("skill.activated")["by"] == "model"


async def test_the_router_alone_asks_the_user_and_never_the_model(tmp_path: Path) -> None:
    model = FakeModel().say("你好")
    turn = await _ask(tmp_path, model, "你好", skill_choice="router")
    assert model.prompts[0].tools.count("use_skill") == 0
    assert "skill.activated" not in turn.kinds


async def test_where_the_router_chooses_a_skill_that_the_model_names_is_refused_and_recorded(tmp_path: Path) -> None:
    model = FakeModel().call("search_skills", query="弱覆盖").call("use_skill", skill="coverage_analysis").say("你好")
    turn = await _ask(tmp_path, model, "你好", skill_choice="router")
    assert [one["code"] for one in turn.all("tool.violation")] == ["skill_not_offered"] * 2
    assert "coverage_analysis" in str(turn.all("tool.violation")[1]["reason"])
    assert "skill.activated" not in turn.kinds


async def test_a_question_about_details_stays_with_the_skill(tmp_path: Path) -> None:
    model = FakeModel().say("根因分析完成。").say("-112 dBm")
    async with opened(tmp_path, model=model, skills_dir=(SKILLS,)) as runtime:
        first = await said(runtime, MESSAGE)
        second = await said(runtime, "第二个小区的 RSRP 是多少？", first.conversation)
        third = await said(runtime, "我想换一个覆盖问题专项分析", first.conversation)
    assert first.one("skill.activated")["skill"] == "network_optimization"
    assert "skill.left" not in second.kinds
    assert "步骤 4：固定提示" in model.prompts[1].system
    assert third.one("skill.activated")["skill"] == "coverage_analysis"


DETAILS = (
    "那 RSRP 呢？", "为什么覆盖率这么低？", "最差的是哪个小区", "and the SINR?", "what about the RSRP?", "盲区在哪",
    "why is coverage so low there?", "覆盖率能到多少", "你刚才说的覆盖率怎么算的", "弱覆盖的原因是什么",
)  # fmt: skip


async def test_a_detail_question_in_any_words_stays_and_an_order_does_not(tmp_path: Path) -> None:
    wrong: list[tuple[str, str]] = []
    for embedder in ("none", "use-multilingual"):
        model = FakeModel()
        for _ in range(2 * len(DETAILS) + 4):
            model = model.say("好。")
        async with opened(tmp_path / embedder, model=model, skills_dir=(SKILLS,), embedder=embedder) as runtime:
            for asked in (*DETAILS, "换到覆盖问题专项分析", "做一次覆盖问题专项分析"):
                first = await said(runtime, MESSAGE)
                turn = await said(runtime, asked, first.conversation)
                left = any(one["skill"] == "coverage_analysis" for one in turn.all("skill.activated"))
                if left == (asked in DETAILS) or "pause.opened" in turn.kinds:
                    wrong.append((embedder, asked))
    assert wrong == []


def _write_many(folder: Path, count: int, words: int) -> Path:
    home = folder / "many"
    home.mkdir()
    for number in range(count):
        about = f"处理第 {number} 类单据。" + "核对金额和日期。" * words
        (home / f"skill-{number:03}.md").write_text(
            f"---\nname: skill-{number:03}\ndescription: {about}\n---\n\n正文\n", "utf-8"
        )
    return home


async def test_the_whole_catalogue_is_on_the_menu_while_it_fits_and_can_be_searched_beyond(tmp_path: Path) -> None:
    small = FakeModel().call("use_skill", skill="none").say("好")
    async with opened(tmp_path / "a", model=small, skills_dir=(_write_many(tmp_path, 12, 0),)) as runtime:
        turn = await said(runtime, "你好，今天做点什么", skill_choice="model")
    built = turn.all("context.built")[0]
    assert len(built["offered"]) == 12  # type: ignore[arg-type]
    assert int(str(built["tokens"])) <= 2000

    (tmp_path / "many").rename(tmp_path / "few")
    many = FakeModel().call("search_skills", query="处理第 77 类单据").call("use_skill", skill="skill-077").say("好")
    async with opened(tmp_path / "b", model=many, skills_dir=(_write_many(tmp_path, 90, 6),)) as runtime:
        turn = await said(runtime, "你好，今天做点什么", skill_choice="model")
    assert set(many.prompts[0].tools) == {"use_skill", "search_skills"}
    assert int(str(turn.all("context.built")[0]["tokens"])) <= 2000
    assert turn.one("skill.activated")["skill"] == "skill-077"


def test_the_thresholds_are_settings(tmp_path: Path) -> None:
    from metier.routing import open_router
    from metier.skills import SkillLibrary

    catalog = SkillLibrary.from_folders(SKILLS).catalog()
    verdicts = [
        open_router(Settings(embedder="none", storage_dir=tmp_path, route_auto=auto)).route(
            "分析这个区域的盲区", catalog=catalog
        )
        for auto in (0.8, 0.99)
    ]
    assert [one.verdict for one in verdicts] == ["auto", "suggest"]
