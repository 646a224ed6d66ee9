"""The scenario and the problem are facts: the next request uses them, and no other place is guessed."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, change_fact
from metier.pack import select_packs
from metier.settings import Settings
from metier.store import Principal
from tests.e2e.support import said

CHAOYANG, PUDONG, TIANHE = "DT20260101", "DT20260103", "DT20260105"


@pytest.fixture
async def runtime(tmp_path: Path) -> AsyncIterator[Runtime]:
    settings = Settings(storage_dir=tmp_path, skills_dir=(), packs=("telecom",))
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


async def scenario_of(runtime: Runtime, conversation: str) -> tuple[object, str]:
    found = {one.fact.name: one.fact for one in await runtime.store.facts.list(conversation)}
    return found["scenario"].value, found["scenario"].source


def calls_of(turn: Any, tool: str) -> list[object]:
    return [call["arguments"]["digitaltwins_id"] for call in turn.all("tool.called") if call["tool"] == tool]


async def ask_about_results(runtime: Runtime, talk: str) -> None:
    """Questions about the results stay with the skill, call nothing, and leave the open question open."""
    asked = {
        "第二个小区的 RSRP 是多少？": "RSRP均值 为 ",
        "哪些小区低于 -104": "低于 -104 dBm",
        "换成折线图": "已换成折线图",
        "and the second cell?": "Row 2",
        "第二个小区的 CQI 是多少？": "没有这一项",
    }
    for words, wanted in asked.items():
        turn = await said(runtime, words, talk)
        assert wanted in turn.text, words
        assert "根因分析完成" in turn.text or "The question above is still open." in turn.text, words
        assert {"skill.routed", "skill.left", "tool.called", "turn.failed"}.isdisjoint(turn.kinds), words
    assert len(await runtime.store.pauses.list_open(talk)) == 1


async def test_what_follows_an_analysis_is_about_the_same_scenario_until_another_is_named(runtime: Runtime) -> None:
    first = await said(runtime, "帮我分析一下朝阳区的弱覆盖问题")
    talk = first.conversation
    assert await scenario_of(runtime, talk) == (CHAOYANG, "words")
    await ask_about_results(runtime, talk)
    no = await said(runtime, "暂不需要", talk)
    chips = str(no.one("suggestions")["suggestions"])
    assert "参数下发与撤销" not in chips  # it applies what a simulation recommends
    assert "自定义仿真" in chips
    after = await said(runtime, "继续", talk)
    assert "参数下发与撤销" in after.text
    asked = await said(runtime, "下发参数", talk)
    assert calls_of(asked, "check_simulation") == [CHAOYANG]
    assert "还没有仿真" in str(asked.one("pause.opened")["text"])
    await said(runtime, "先不", talk)
    undone = await said(runtime, "撤销刚才下发的参数", talk)
    assert calls_of(undone, "undo_parameters") == [CHAOYANG]
    assert "无需撤销" in undone.text
    again = await said(runtime, "再看看干扰", talk)
    assert calls_of(again, "query_root_cause_analysis") == [CHAOYANG, CHAOYANG]
    await said(runtime, "暂不需要", talk)
    other = await said(runtime, "做一次浦东的干扰专项分析", talk)
    assert calls_of(other, "query_root_cause_analysis") == [PUDONG, PUDONG]
    detail = await said(runtime, "MR覆盖率最低的小区是哪个", talk)
    assert "从低到高" in detail.text
    assert "skill.routed" not in detail.kinds
    await change_fact(runtime.store, talk, "scenario", TIANHE, Principal("local"))
    last = await said(runtime, "做一次干扰专项分析", talk)
    assert calls_of(last, "query_root_cause_analysis") == [TIANHE, TIANHE]


async def test_an_unknown_place_is_asked_for_by_name_and_never_guessed(runtime: Runtime) -> None:
    cases = {
        "帮我分析一下 A 区域的干扰问题": ("浦东", PUDONG, "上海市浦东新区"),
        "Analyse the interference in Springfield": ("tianhe", TIANHE, "Tianhe, Guangzhou"),
    }
    for words, (answer, wanted, listed) in cases.items():
        first = await said(runtime, words)
        asked = first.one("pause.opened")
        assert (asked["missing"], calls_of(first, "query_root_cause_analysis")) == (["digitaltwins_id"], [])
        assert listed in str(asked["text"])
        then = await said(runtime, answer, first.conversation)
        assert calls_of(then, "query_root_cause_analysis") == [wanted, wanted]
        assert await scenario_of(runtime, first.conversation) == (wanted, "form")
