"""Tier and trial count are the server's: a free user begins a paid skill so often, and no reading is cut halfway."""

from pathlib import Path

import pytest

from metier.agent import Runtime
from metier.errors import Refused
from metier.pack import find_installed_packs
from metier.settings import Settings
from metier.store import Principal
from metier.testing import FakeModel
from metier.user_data import correct_profile, delete_profile
from tests.e2e.support import said

ASK = "抽一张塔罗牌给我今天的提示"


async def test_the_fourth_reading_of_a_free_user_is_declined_and_open_work_goes_on(tmp_path: Path) -> None:
    pack = find_installed_packs().select(["life"])[-1]
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none", model="builtin", premium_users=("vip",))
    async with Runtime.open(settings, packs=[pack]) as runtime:
        for _ in range(3):
            drawn = await said(runtime, ASK, user="ann")
            assert "draw_cards" in [one["tool"] for one in drawn.all("tool.called")]
        declined = await said(runtime, ASK, user="ann")
        assert "用完" in declined.text
        assert "tool.called" not in declined.kinds
        assert "tool.called" in (await said(runtime, ASK, user="vip")).kinds
        assert "tool.called" in (await said(runtime, "打卡", user="ann")).kinds
        asked = await said(runtime, "去大厂还是留在创业公司，帮我做个决策矩阵", user="ann")
        await runtime.store.skill_data.merge("ann", "_trials", {"career": 3})
        going_on = await said(runtime, "收入:3 成长:5", asked.conversation, user="ann")
        assert "打分" in going_on.text
        by = Principal("ann")
        await delete_profile(runtime.store, "ann", by)
        assert "用完" in (await said(runtime, ASK, user="ann")).text
        with pytest.raises(Refused, match="counted by the server"):
            await correct_profile(runtime.store, "ann", {"skill_data._trials.tarot": 0}, by=by)


async def test_a_paid_skill_that_a_model_a_list_or_a_pair_asks_for_is_declined_too(tmp_path: Path) -> None:
    pack = find_installed_packs().select(["life"])[-1]
    settings = Settings(
        skills_dir=(), storage_dir=tmp_path, embedder="none", skill_choice="model", premium_users=("vip",)
    )
    model = FakeModel().call("use_skill", skill="tarot").say("抱歉。")
    async with Runtime.open(settings, packs=[pack], model=model) as runtime:
        await runtime.store.skill_data.merge("ann", "_trials", {"tarot": 3})
        for message in ("今天适合做什么", "/tarot 抽牌，然后 /zodiac 本周运势", "/tarot /zodiac 看看今天"):
            turn = await said(runtime, message, user="ann")
            assert "tarot" not in [one.get("skill") for one in turn.all("skill.activated")], message
            if message.startswith("/"):
                assert any("用完" in str(one["text"]) for one in turn.all("text.done")), message
            assert "draw_cards" not in [one["tool"] for one in turn.all("tool.called")], message
