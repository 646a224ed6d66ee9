"""What people say around the work: undo it, no and something else, after all, and a request beside a form."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from metier.agent import Runtime, TurnRequest
from metier.pack import select_packs
from metier.settings import Settings
from metier.store import MessageDraft
from metier.tools import Executor, Outcome, ToolCall, ToolFailure, ToolResult
from tests.e2e.support import answered, said

pytestmark = pytest.mark.asyncio(loop_scope="module")
ANALYSE = "帮我分析一下朝阳区的弱覆盖问题"
FORM = "下发参数"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    settings = Settings(storage_dir=tmp_path_factory.mktemp("talk"), skills_dir=(), packs=("telecom", "office", "life"))
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


def tools_of(turn: Any) -> list[object]:
    return [call["tool"] for call in turn.all("tool.called")]


async def test_a_bare_undo_takes_back_the_last_change_whatever_other_skill_undoes_things(runtime: Runtime) -> None:
    first = await said(runtime, "撤回吧")
    assert "没有可以撤销的内容" in first.text
    talk = first.conversation
    for words in (FORM, "西湖", "仿真"):
        await said(runtime, words, talk)
    applied = await said(runtime, "没问题，就这么办", talk)
    assert tools_of(applied) == ["apply_parameters"]
    for words in ("撤回吧", "取消刚才的下发", "恢复原来的", "roll it back", "revert"):
        asked = await said(runtime, words, talk)
        assert ("undo_parameters" in str(asked.one("pause.opened")), asked.all("skill.left")) == (True, []), words
        await said(runtime, "不", talk)
    await said(runtime, "undo it", talk)
    undone = await said(runtime, "yes", talk)
    assert tools_of(undone) == ["undo_parameters"]


async def test_a_request_beside_a_form_is_done_or_asked_about_among_skills_of_its_kind(runtime: Runtime) -> None:
    form = await said(runtime, FORM)
    beside = await said(runtime, "帮我看看西湖的信号和路面", form.conversation)
    opened: Any = beside.one("pause.opened")["choices"]
    choices = [str(one["value"]) for one in opened]
    assert "coverage_analysis" in choices
    assert {runtime.catalog()[one].group for one in choices if one} == {"telecom"}
    other = await said(runtime, "不，告诉我RSRP是什么", form.conversation)
    assert "来源" in other.text
    assert await runtime.store.pauses.list_open(form.conversation) == ()


async def test_after_a_stop_no_and_something_else_does_that_and_what_was_declined_can_be_done_after_all(
    runtime: Runtime,
) -> None:
    talk = ""
    async for event in runtime.turn(TurnRequest(ANALYSE)):
        talk = event.conversation
        if event.kind == "tool.called" and event.data["tool"] == "query_root_cause_analysis":
            asyncio.get_running_loop().create_task(runtime.stop(talk))
    await runtime.wait_until_idle()
    other = await said(runtime, "no, tell me what RSRP means instead", talk)
    assert tools_of(other) == ["explain_term"]
    assert await runtime.store.pauses.list_open(talk) == ()
    analysed = await said(runtime, ANALYSE)
    await said(runtime, "暂不需要", analysed.conversation)
    simulated = await said(runtime, "然后仿真", analysed.conversation)
    assert "query_simulation_results" in tools_of(simulated)


async def test_words_choose_rows_of_an_approval_which_stays_open_beside_terms_and_questions(runtime: Runtime) -> None:
    talk = (await said(runtime, FORM)).conversation
    for words in ("浦东", "仿真"):
        asked = await said(runtime, words, talk)
    opened: Any = asked.one("pause.opened")
    preview = opened["calls"][0]["preview"]
    kinds = [row["values"]["parameter"]["zh"] for row in preview["rows"]]
    tilts = sum("下倾角" in one for one in kinds)
    for words, told in {
        "下倾角改了几个": f"{len(kinds)} 处改动中有 {tilts} 处",
        "弱覆盖是什么意思": "来源：无线网络术语",
        "前3条就行": f"{len(kinds)} 行中选出 3 行",
        "全部下发": f"现在是全部 {len(kinds)} 行",
        "除了下倾角": f"选出 {len(kinds) - tilts} 行",
        "所有改动都是方位角吗？": "",
        "Is that all?": "",
        "show me all changes": "",
        "除了下倾角都不要": "取消勾选",
        "同意，下次不用问，直接下发": "单独询问",
        "还没批准吧，谁批准的？": "还没有批准过",
    }.items():
        turn = await said(runtime, words, talk)
        assert told in turn.text, (words, turn.text)
        assert len(await runtime.store.pauses.list_open(talk)) == 1, words
        assert [one["call"] for one in turn.all("tool.called")] == [one["call"] for one in turn.all("tool.result")]
    for at in range(24):  # a choice of rows outlives any number of messages
        await runtime.store.messages.append(talk, MessageDraft("user", f"还有所有小区的问题 {at}"))
    done = await answered(runtime, opened["pause"], {"decision": "approve"})  # the button, as a plain yes in words
    given: Any = done.one("pause.answered")["answer"]
    assert tools_of(done) == ["apply_parameters"]
    assert len(given["rows"]) == len(kinds) - tilts
    assert f"{len(kinds) - tilts} 处参数写入" in done.text
    assert f"{len(kinds)} 行中的 {len(kinds) - tilts} 行" in (await said(runtime, "谁批准的", talk)).text


async def test_a_term_that_cannot_be_looked_up_beside_a_question_leaves_the_failure_in_the_events(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Executor.run

    async def fail(self: Executor, call: ToolCall, **given: Any) -> Outcome:
        done = await run(self, call, **given)
        return replace(done, result=ToolResult(failure=ToolFailure("tool_failed", "the glossary is gone")))

    talk = (await said(runtime, FORM)).conversation
    monkeypatch.setattr(Executor, "run", fail)
    turn = await said(runtime, "弱覆盖是什么意思", talk)
    first: Any = turn.all("tool.result")[0]
    assert (first["tool"], first["state"], first["error"]["code"]) == ("explain_term", "failed", "tool_failed")


async def test_work_without_a_language_model_counts_no_tokens(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(encoding: str) -> None:
        raise AssertionError("the tokenizer takes 65 MB, and nobody reads a prompt here")

    monkeypatch.setattr("metier.tokens._load_counter", refuse)
    report = await said(runtime, "帮我分析 DT20260102 的弱覆盖问题")
    simulated = await said(runtime, "好的，开始仿真", report.conversation)
    assert "compare_simulation_data" in tools_of(simulated)
    assert "仿真" in simulated.text
    assert [turn.all("error") for turn in (report, simulated)] == [[], []]


async def test_an_order_of_some_parameters_opens_an_approval_of_these_and_what_is_not_read_is_asked(
    runtime: Runtime,
) -> None:
    talk = (await said(runtime, ANALYSE)).conversation
    await said(runtime, "需要", talk)
    for words, bound in (
        ("只下发下倾角", {"parameters": ["tilt"]}),
        ("only push the tilt changes", {"parameters": ["tilt"]}),
        ("只下发460-00-100031", {"cells": ["460-00-100031"]}),
        ("把改善最大的3个小区的参数下发", {"count": 3, "rank": "improved"}),
        ("apply it to the three worst cells", {"count": 3, "rank": "worst"}),
    ):
        asked: Any = (await said(runtime, words, talk)).one("pause.opened")["calls"]
        assert {name: asked[0]["args"][name] for name in bound} == bound, words
        assert 0 < len(asked[0]["preview"]["rows"]) < 49, words
        await said(runtime, "不", talk)
    for words in ("下发信号差的小区", "apply half of them"):
        told = await said(runtime, words, talk)
        assert (told.all("pause.opened"), tools_of(told)) == ([], ["match_scenario", "read_change_request"]), words
        assert words.split()[-3 if words.isascii() else 0][:2] in told.text, told.text


async def test_thanks_and_impatience_get_a_short_answer_and_approve_nothing(runtime: Runtime) -> None:
    reactions = {"谢谢，挺好的": "不客气", "不错": "那就好", "烦死了，怎么这么慢": "抱歉", "that's great!": "Glad"}
    for words, told in reactions.items():
        turn = await said(runtime, words)
        assert (told in turn.text, "METIER_MODEL" in turn.text, len(turn.text) < 80) == (True, False, True), words
    talk = (await said(runtime, "下发天河的参数")).conversation
    await said(runtime, "仿真", talk)
    for words, told in (
        ("等等，我再看看", "不急"),
        ("i need to think about it", "No hurry"),
        ("好的，麻烦了", "同意就只回答「好的」"),
        ("谢谢，挺好的", "同意就只回答「好的」"),
        ("就这样吧", "看不出"),
        ("that works, thanks", "plain “yes”"),
        ("怎么这么慢", "等你的回答"),
    ):
        turn = await said(runtime, words, talk)
        assert (told in turn.text, tools_of(turn), turn.all("pause.answered")) == (True, [], []), (words, turn.text)
    assert len(await runtime.store.pauses.list_open(talk)) == 1


async def test_a_plain_yes_after_a_half_answer_is_enough_and_a_cell_that_is_not_there_is_named(
    runtime: Runtime,
) -> None:
    first = await said(runtime, "下发天河的参数")
    talk, opened = first.conversation, first.one("pause.opened")
    if "calls" not in opened:
        opened = (await said(runtime, "仿真", talk)).one("pause.opened")
    asked: Any = opened["calls"]
    there = {row["values"]["cell"] for row in asked[0]["preview"]["rows"]}
    idle = next(one for at in range(1, 97) if (one := f"460-00-{200000 + at}") not in there)
    for words in (f"只下发{idle}", f"only push {idle}", f"只下发{min(there)}和{idle}"):
        turn = await said(runtime, words, talk)
        assert (idle in turn.text, tools_of(turn), turn.all("pause.answered")) == (True, [], []), turn.text
        assert min(there) not in turn.text
    assert "只批准这些" in (await said(runtime, f"只下发{min(there)}", talk)).text
    assert "看不出" in (await said(runtime, "就这样吧", talk)).text
    done = await said(runtime, "好的", talk)
    assert "apply_parameters" in tools_of(done), done.text
    back = await said(runtime, "怎么撤销？", talk)
    assert ("「撤销参数」" in back.text, tools_of(back), back.all("pause.opened")) == (True, [], []), back.text
    await said(runtime, "撤销", talk)
    await said(runtime, "好的", talk)
