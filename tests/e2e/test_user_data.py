"""What a skill must know of the user is asked for by a form, kept, and not asked again."""

from pathlib import Path
from typing import Any

from metier.testing import FakeModel
from tests.e2e.support import Desk, answered, opened, said, written

FORTUNE = """---
name: fortune
title: 运势解读
description: 根据出生信息解读运势
triggers: [运势]
examples: [看看我的运势]
priority: 60
requires_birth_info: true
profile_fields: [birth_info, work.job]
allowed_tools: [find_terms]
metadata:
  ask_for:
    work.job: {type: string, minLength: 1, x-ui: {title: {zh: 职业, en: Job}}}
---

# 运势解读

先复述出生信息。
"""
STEPS = """---
name: lucky
title: 幸运指标
description: 查幸运指标
triggers: [幸运]
examples: [查我的幸运指标]
priority: 60
requires_compute: true
compute_type: stars
allowed_tools: [find_terms, match_scene]
sop:
  - {id: find, title: 查指标, call: find_terms, with: {query: $.message}}
metadata:
  ask_for:
    skill_data.stars: {type: object, properties: {sign: {type: string, title: 星座}}, required: [sign]}
---

# 幸运指标

直接查。
"""
ASKED = "看看我的运势"


async def test_missing_data_is_asked_by_a_form_kept_and_used_in_the_same_turn(tmp_path: Path) -> None:
    model = FakeModel().say("您生于 1990 年。").say("再说一遍。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, fortune=FORTUNE),)) as runtime:
        first = await said(runtime, ASKED)
        second = await answered(runtime, first.pause, {"birth_info.date": "1990-05-01", "work.job": "工程师"})
        profile = await runtime.store.profiles.get("local")
        again = await said(runtime, "再说说", first.conversation)
    asked = first.one("pause.opened")
    assert (asked["kind"], asked["purpose"]) == ("parameters", "profile")
    assert asked["missing"] == ["birth_info", "work.job"]
    assert asked["text"] == "使用「运势解读」需要知道：出生日期、职业。"
    form: Any = asked["form"]
    fields = {one["name"]: one for one in form["fields"]}
    assert fields["birth_info.date"]["widget"] == "date"
    assert fields["birth_info.gender"]["options"][0] == {"value": "female", "label": "女"}
    assert second.events[0].turn == first.events[0].turn
    assert second.text == "您生于 1990 年。"
    assert profile == {"birth_info": {"date": "1990-05-01"}, "work": {"job": "工程师"}}
    assert "1990-05-01" in model.prompts[0].system
    assert second.all("context.built")[0]["missing"] == []
    assert "pause.opened" not in again.kinds


async def test_what_is_known_already_is_not_asked(tmp_path: Path) -> None:
    async with opened(
        tmp_path, model=FakeModel().say("好"), skills_dir=(written(tmp_path, fortune=FORTUNE),)
    ) as runtime:
        await runtime.store.profiles.set("local", {"birth_info": {"date": "1990-05-01"}})
        first = await said(runtime, ASKED)
    asked = first.one("pause.opened")
    assert asked["missing"] == ["work.job"]


async def test_one_field_may_be_answered_in_words(tmp_path: Path) -> None:
    model = FakeModel().say("好")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, fortune=FORTUNE),)) as runtime:
        await runtime.store.profiles.set("local", {"birth_info": {"date": "1990-05-01"}})
        first = await said(runtime, ASKED)
        await said(runtime, "老师", first.conversation)
        profile = await runtime.store.profiles.get("local", ["work.job"])
    assert profile == {"work.job": "老师"}


async def test_who_would_rather_not_say_is_not_asked_again_and_the_model_is_told(tmp_path: Path) -> None:
    model = FakeModel().say("那就说说一般的运势。").say("好的。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, fortune=FORTUNE),)) as runtime:
        first = await said(runtime, ASKED)
        second = await answered(runtime, first.pause, None)
        third = await said(runtime, "继续说说", first.conversation)
        profile = await runtime.store.profiles.get("local")
    assert second.text == "那就说说一般的运势。"
    assert model.prompts[0].last == "我不想提供这些信息。"
    assert "pause.opened" not in third.kinds
    assert profile == {}


async def test_the_steps_wait_for_the_data_without_a_model_too(tmp_path: Path) -> None:
    skills = written(tmp_path, lucky=STEPS)
    async with opened(tmp_path, skills_dir=(skills,)) as runtime:
        first = await said(runtime, "查我的幸运指标")
    assert "plan.created" not in first.kinds
    desk = Desk()
    async with opened(tmp_path, desk, skills_dir=(skills,)) as runtime:
        second = await answered(runtime, first.pause, {"skill_data.stars.sign": "金牛"})
        kept = await runtime.store.skill_data.get("local", "stars")
    assert kept.data == {"sign": "金牛"}
    assert desk.names == ["find_terms"]
    assert second.one("plan.created")["source"] == "sop"
    assert second.one("turn.done")["plan"]["state"] == "done"  # type: ignore[index,call-overload]


async def test_a_model_that_chooses_the_skill_is_followed_by_the_form(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="fortune").say("好的。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, fortune=FORTUNE),)) as runtime:
        first = await said(runtime, "我有件事想请教")
        last = await answered(runtime, first.pause, {"birth_info.date": "1990-05-01", "work.job": "医生"})
    assert first.one("tool.result")["data"]["status"] == "activated"  # type: ignore[index,call-overload]
    assert first.one("pause.opened")["purpose"] == "profile"
    assert last.text == "好的。"


async def test_a_side_question_is_answered_and_the_form_stays_open(tmp_path: Path) -> None:
    model = FakeModel().say("因为要排盘。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, fortune=FORTUNE),)) as runtime:
        first = await said(runtime, ASKED)
        side = await said(runtime, "为什么要问这个？", first.conversation)
        (waiting,) = await runtime.store.pauses.list_open(first.conversation)
    assert side.text == "因为要排盘。"
    assert waiting.id == first.pause
