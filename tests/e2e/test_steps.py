"""SOPs that run themselves: with the builtin model and no model call at all, or with a model for the rest."""

from pathlib import Path

import pytest

from metier.routing import Router, Thresholds
from metier.testing import FakeModel
from tests.e2e.support import WEAK, Desk, answered, opened, said

SIX = ["find_terms", "match_scene", "query_cause", "query_simulation", "compare_results"]
FIXED = "根因已经查完。要不要对这个场景做优化仿真？"


async def test_the_six_steps_run_in_chinese_without_a_model(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        form = first.one("pause.opened")
        second = await answered(runtime, first.pause, {"region": "东城"})
        asked = second.one("pause.opened")
        third = await answered(runtime, second.pause, True)
    assert (form["kind"], form["missing"]) == ("parameters", ["region"])
    assert asked["text"] == second.text == FIXED
    assert asked["show"] == {"table": [{"cell": "A1", "rsrp": -115, "cause": "下倾角过大"}]}
    assert second.one("milestone.passed")["milestone"] == "根因不为空"
    assert desk.names == SIX
    assert desk.calls[2] == ("query_cause", {"scene": "S-7", "indicators": ["RSRP", "MR覆盖率"]})
    done = third.one("turn.done")
    assert (done["model_calls"], done["tool_calls"]) == (0, 5)
    assert done["plan"]["share"] == 0.0  # type: ignore[index,call-overload]
    assert "| A1 | -101 |" in third.text


async def test_plain_words_answer_a_form_and_a_question(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        await said(runtime, "东城", first.conversation)
        last = await said(runtime, "先不做", first.conversation)
        history = await runtime.store.messages.get_history(first.conversation)
    assert desk.names == SIX[:3]
    assert [data["state"] for data in last.all("step.done")] == ["done", "skipped", "skipped"]
    assert [one.content for one in history if one.role == "user"] == [WEAK, "东城", "先不做"]


async def test_an_english_order_is_refunded_after_a_form_a_question_and_an_approval(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        second = await answered(runtime, first.pause, {"number": 4711})
        third = await answered(runtime, second.pause, "Yes, refund")
        assert third.one("pause.opened")["kind"] == "approval"
        assert "refund" not in desk.names
        last = await answered(runtime, third.pause, {"decision": "approve"})
    assert desk.names == ["find_order", "refund"]
    assert last.text == "Order 4711 of Ann: sent.\n\nRefund: refunded"


async def test_a_refused_approval_stops_the_plan_and_says_so(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        second = await answered(runtime, first.pause, {"number": 4711})
        third = await answered(runtime, second.pause, True)
        last = await answered(runtime, third.pause, {"decision": "reject", "note": "not today"})
    assert desk.names == ["find_order"]
    assert "not today" in last.text
    assert last.one("turn.done")["plan"]["state"] == "failed"  # type: ignore[index,call-overload]


async def test_edited_arguments_are_what_runs_and_what_is_remembered(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        second = await answered(runtime, first.pause, {"number": 4711})
        third = await answered(runtime, second.pause, True)
        await answered(runtime, third.pause, {"decision": "edit", "arguments": {"number": 12}})
        history = await runtime.store.messages.get_history(first.conversation)
    assert desk.calls[-1] == ("refund", {"number": 12})
    assert [call.args for one in history for call in one.tool_calls][-1] == {"number": 12}


async def test_a_tool_that_fails_stops_the_plan_with_the_reason(tmp_path: Path) -> None:
    desk = Desk()
    desk.broken.add("match_scene")
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        second = await answered(runtime, first.pause, {"region": "东城"})
    assert "match_scene is broken" in second.text
    assert second.find("step.done", lambda data: data["step"] == "scene")["state"] == "failed"


async def test_a_form_that_is_put_away_ends_the_plan(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        second = await answered(runtime, first.pause, None)
    assert "用户取消了" in second.text
    assert desk.names == ["find_terms"]


async def test_a_model_fills_what_it_was_told_and_writes_the_report(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("match_scene", region="东城").say("A1 下倾角过大，仿真后为 -101。")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, WEAK)
        last = await answered(runtime, first.pause, True)
    assert desk.names == SIX
    assert first.one("pause.opened")["text"] == FIXED
    assert last.one("turn.done")["model_calls"] == 2
    assert last.text == "A1 下倾角过大，仿真后为 -101。"
    assert model.prompts[0].tools[0] == "match_scene"
    assert "region" in model.prompts[0].last


async def test_a_model_that_asks_back_opens_the_form_with_its_own_words(tmp_path: Path) -> None:
    model = FakeModel().say("请问是哪个区域？")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, WEAK)
    assert turn.one("pause.opened")["text"] == "请问是哪个区域？"
    assert turn.one("pause.opened")["kind"] == "parameters"


async def test_what_the_builtin_cannot_do_it_says_in_a_sentence(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        zh = await said(runtime, "给我讲个笑话")
        en = await said(runtime, "tell me a joke about cats")
        pleasantries = {one: (await said(runtime, one)).text for one in ("你好", "谢谢啦", "thanks a lot!", "bye bye")}
    assert pleasantries["你好"].startswith("你好！")
    assert pleasantries["谢谢啦"].startswith("不客气")
    assert pleasantries["thanks a lot!"] == "You are welcome."
    assert pleasantries["bye bye"].startswith("Goodbye.")
    assert "没有接入语言模型" in zh.text
    assert "- 弱覆盖分析：" in zh.text
    assert zh.one("suggestions")["suggestions"]  # examples that can be clicked
    assert "without a language model" in en.text
    assert all("METIER_MODEL" in one.text for one in (zh, en))  # what a person can do about it


@pytest.mark.parametrize("wish", ["帮我写一份放假通知，国庆放7天", "Write an email to Tom about his task"])
async def test_a_wish_for_a_text_beside_an_open_question_is_told_that_it_needs_a_model(
    tmp_path: Path, wish: str
) -> None:
    async with opened(tmp_path) as runtime:
        form = await said(runtime, WEAK)
        first = await answered(runtime, form.pause, {"region": "东城"})
        beside = await said(runtime, wish, first.conversation)
    paragraphs = beside.text.split("\n\n")
    assert "METIER_MODEL" in paragraphs[0]
    assert paragraphs[1] == first.one("pause.opened")["text"]


async def test_a_doubtful_request_is_asked_back_with_choices_when_there_is_no_model(tmp_path: Path) -> None:
    desk = Desk()
    never_sure = Router(thresholds=Thresholds(auto=1.1, suggest=0.0, meant=0.0))
    async with opened(tmp_path, desk, router=never_sure) as runtime:
        turn = await said(runtime, "这片弱覆盖")
        pause = turn.one("pause.opened")
        beside = await said(runtime, "你好", turn.conversation)
        chosen = await answered(runtime, turn.pause, "weak-coverage")
    assert "「弱覆盖分析」" in beside.text  # the question stays open and names its choices again
    assert pause["purpose"] == "choose"
    assert pause["choices"][0]["text"] == "弱覆盖分析"  # type: ignore[index,call-overload]
    assert chosen.one("skill.activated")["skill"] == "weak-coverage"
    assert desk.names == ["find_terms"]


async def test_a_side_question_leaves_the_open_question_open(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", region="东城").say("RSRP 是参考信号接收功率。").say("完成。")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, WEAK)
        side = await said(runtime, "RSRP 是什么意思来着？", first.conversation)
        last = await said(runtime, "要做", first.conversation)
    assert side.text == "RSRP 是参考信号接收功率。"
    assert "pause.opened" not in side.kinds
    assert last.text == "完成。"


async def test_without_a_model_an_answer_that_does_not_fit_is_asked_again(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        await said(runtime, "东城", first.conversation)
        again = await said(runtime, "嗯这个嘛不好说", first.conversation)
        waiting = await runtime.store.pauses.list_open(first.conversation)
    assert FIXED in again.text
    assert len(waiting) == 1
    assert desk.names == SIX[:3]


@pytest.mark.parametrize("message", ["/", "／"])
async def test_a_slash_alone_lists_the_skills(tmp_path: Path, message: str) -> None:
    async with opened(tmp_path) as runtime:
        turn = await said(runtime, message)
    assert "/shop-order" in turn.text
