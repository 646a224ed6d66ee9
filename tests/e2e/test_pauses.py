"""Questions to a person: one mechanism, answered once, by any process, with an answer that fits."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from metier.errors import AlreadyDecided, ConversationBusy, InvalidInput, RecordNotFound, Refused, SkillNotFound
from metier.testing import FakeModel
from metier.tools import DenyAll
from tests.e2e.support import WEAK, Desk, Told, answered, opened, said
from tests.policies import grant


async def test_another_runtime_answers_after_a_restart(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        first = await said(runtime, WEAK)
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        second = await answered(runtime, first.pause, {"region": "东城"})
    assert desk.names == ["match_scene", "query_cause"]
    assert second.one("pause.opened")["purpose"] == "ask"
    assert second.events[0].seq == first.events[-1].seq + 1
    assert second.events[0].turn == first.events[0].turn


async def test_the_same_answer_twice_runs_once(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, WEAK)
        await answered(runtime, first.pause, {"region": "东城"})
        again = await answered(runtime, first.pause, {"region": "东城"})
        with pytest.raises(AlreadyDecided):
            await answered(runtime, first.pause, {"region": "西城"})
    assert desk.names == ["find_terms", "match_scene", "query_cause"]
    assert again.kinds[-1] == "pause.opened"


async def test_the_same_answer_from_two_processes_at_once_runs_once(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as one, opened(tmp_path, desk) as other:
        first = await said(one, WEAK)
        given = {"region": "东城"}
        ends = await asyncio.gather(
            answered(one, first.pause, given), answered(other, first.pause, given), return_exceptions=True
        )
        (turn,) = await one.store.turns.list(first.conversation)
        last = await said(one, "先不做", first.conversation)
    assert desk.names == ["find_terms", "match_scene", "query_cause"]
    assert all(isinstance(end, Told | ConversationBusy) for end in ends)
    assert turn.state == "paused"
    assert last.kinds[-1] == "turn.done"


@pytest.mark.parametrize("wrong", [{}, {"region": 7}, {"region": "东城", "more": 1}, 5, [1]], ids=repr)
async def test_an_answer_that_does_not_fit_is_refused_and_the_question_stays(tmp_path: Path, wrong: object) -> None:
    async with opened(tmp_path) as runtime:
        first = await said(runtime, WEAK)
        with pytest.raises(InvalidInput):
            await answered(runtime, first.pause, wrong)  # type: ignore[arg-type]
        second = await answered(runtime, first.pause, {"region": "东城"})
    assert "tool.result" in second.kinds


async def test_a_question_of_a_skill_that_is_not_loaded_stays_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        first = await said(runtime, WEAK)
    (tmp_path / "elsewhere").mkdir()
    async with opened(tmp_path, skills_dir=(tmp_path / "elsewhere",)) as runtime:
        with pytest.raises(SkillNotFound) as caught:
            await answered(runtime, first.pause, {"region": "东城"})
    async with opened(tmp_path) as runtime:
        second = await answered(runtime, first.pause, {"region": "东城"})
    assert "--skills" in caught.value.hint
    assert "tool.result" in second.kinds


async def test_an_approval_that_a_missing_skill_asked_for_is_refused_but_may_be_rejected(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("use_skill", skill="none").call("refund", number=1).say("好")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "你好")
        await runtime.store.conversations.set_skill(first.conversation, "gone-skill")
        with pytest.raises(SkillNotFound, match="stays open"):
            await answered(runtime, first.pause, {"decision": "approve"})
        await answered(runtime, first.pause, {"decision": "reject"})
    assert desk.calls == []


async def test_a_wrong_edit_names_the_arguments_and_the_question_stays_open(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("use_skill", skill="none").call("refund", number=1).say("好")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "你好")
        wrongs: list[dict[str, Any]] = [{"number": "three"}, {}, {"number": 1, "more": [1]}]
        for wrong in wrongs:
            with pytest.raises(InvalidInput, match=r"'refund' do not fit: \$") as caught:
                await answered(runtime, first.pause, {"decision": "edit", "arguments": wrong})
            assert "nothing was decided" in caught.value.hint
        await answered(runtime, first.pause, {"decision": "edit", "arguments": {"number": 2}})
    assert desk.calls == [("refund", {"number": 2})]


async def test_the_answer_to_a_turn_that_died_while_it_asked_resumes_it(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("use_skill", skill="none").call("refund", number=1).say("好")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "你好")
        (turn,) = await runtime.store.turns.list(first.conversation)
        lease = await runtime.store.turns.resume(turn.id, "a process that died", 1e-6)
        assert lease.state == "running"
        last = await answered(runtime, first.pause, {"decision": "approve"})
    assert desk.calls == [("refund", {"number": 1})]
    assert last.kinds[-1] == "turn.done"


async def test_an_expired_question_cannot_be_answered(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    async with opened(tmp_path, clock=lambda: now[0], pause_expires_s=60) as runtime:
        first = await said(runtime, WEAK)
        now[0] += timedelta(seconds=61)
        with pytest.raises(Refused):
            await answered(runtime, first.pause, {"region": "东城"})


async def test_an_unknown_question_is_not_found(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        with pytest.raises(RecordNotFound):
            await answered(runtime, "nope", True)


async def test_a_forbidden_tool_does_not_run_is_recorded_and_the_model_goes_on(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("refund", number=1).say("这个做不了。")
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "帮我算个八字")
        (violation,) = await runtime.store.violations.list()
    assert desk.names == []
    assert (violation.tool, violation.turn) == ("refund", turn.events[0].turn)
    assert turn.one("tool.violation")["code"] == "not_allowed_by_skill"
    assert turn.one("tool.result")["state"] == "refused"
    assert "tool.called" not in turn.kinds
    assert "find_terms" in model.prompts[1].last
    assert turn.text == "这个做不了。"


async def test_the_third_refusal_ends_the_turn(tmp_path: Path) -> None:
    model = FakeModel()
    for number in range(3):
        model.call("refund", number=number)
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert "3 次工具调用被拒绝" in turn.text
    assert turn.one("turn.done")["refusals"] == 3


async def test_several_calls_that_need_a_person_are_one_question(tmp_path: Path) -> None:
    desk = Desk()
    calls = (("find_order", {"number": 1}), ("refund", {"number": 1}), ("refund", {"number": 2}))
    model = FakeModel().call("use_skill", skill="none").calls(*calls).say("done")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "hello there")
        pause = first.one("pause.opened")
        one, two = (str(call["id"]) for call in pause["calls"])  # type: ignore[union-attr,index,call-overload]
        decisions = {one: {"decision": "approve"}, two: {"decision": "reject"}}
        last = await answered(runtime, first.pause, {"decisions": decisions})
        history = await runtime.store.messages.get_history(first.conversation)
    assert desk.calls == [("find_order", {"number": 1}), ("refund", {"number": 1})]
    assert [one.role for one in history] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "tool",
        "tool",
        "assistant",
    ]
    assert last.text == "done"


async def test_a_model_asks_the_user_and_goes_on_with_the_answer(tmp_path: Path) -> None:
    model = FakeModel().call("ask_user", question="哪一年出生？", choices=["1990", "1991"]).say("1990 年。")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "帮我算个八字")
        last = await said(runtime, "1990", first.conversation)
    assert first.one("pause.opened")["text"] == "哪一年出生？"
    assert model.prompts[1].last == '<data from="tool ask_user">\n{"answer": "1990"}\n</data>'
    assert last.text == "1990 年。"


async def test_an_exception_is_asked_for_granted_and_holds_for_this_turn(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_order", number=3).call("request_exception", tool="find_order", reason="user insists")
    model.call("find_order", number=3).say("找到了。").call("find_order", number=4).say("不行。")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "帮我算个八字")
        pause = first.one("pause.opened")
        second = await answered(runtime, first.pause, {"decision": "approve"})
        third = await said(runtime, "继续", first.conversation)
        (kept,) = await runtime.store.exceptions.list()
    assert pause["kind"] == "exception"
    assert second.one("exception.decided")["state"] == "granted"
    assert desk.names == ["find_order"]
    assert (kept.state, kept.tool, kept.turn) == ("granted", "find_order", first.events[0].turn)
    assert third.one("tool.violation")["tool"] == "find_order"


@pytest.mark.parametrize(
    ("policy", "ran"),
    [(grant("find_order"), ["find_order"]), (DenyAll(), [])],
    ids=["granted", "denied"],
)
async def test_a_policy_decides_exceptions_without_a_person(tmp_path: Path, policy: object, ran: list[str]) -> None:
    desk = Desk()
    model = FakeModel().call("request_exception", tool="find_order", reason="user insists")
    model.call("find_order", number=3).say("好了。")
    async with opened(tmp_path, desk, model, exceptions=policy) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert desk.names == ran
    assert "pause.opened" not in turn.kinds


async def test_words_approve_or_refuse_a_call(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("use_skill", skill="none").call("refund", number=1).say("好")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "你好")
        await said(runtime, "同意", first.conversation)
    assert desk.calls == [("refund", {"number": 1})]


@pytest.mark.parametrize("reply", ["", "   \n"], ids=["empty", "blank"])
async def test_an_empty_reply_is_asked_again_at_most_twice(tmp_path: Path, reply: str) -> None:
    model = FakeModel().say(reply).say(reply).say(reply)
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "你好")
    assert turn.one("error")["code"] == "no_answer"
    assert turn.text == "模型没有给出回答。"


async def test_wrong_arguments_are_said_and_nothing_runs(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms", query=["x"]).call("Find_Terms", query="x").say("算了")
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert desk.names == []
    assert [data["state"] for data in turn.all("tool.result")] == ["invalid", "refused"]
    assert "是不是想用 'find_terms'？" in str(turn.all("tool.result")[-1]["content"])


async def test_a_model_that_never_stops_is_stopped(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(40):
        model.call("find_terms", query="x")
    async with opened(tmp_path, model=model, turn_max_steps=5) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert "5" in turn.text
    assert turn.kinds[-1] == "turn.done"


async def test_a_models_call_that_lacks_arguments_becomes_a_form(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms").say("好了")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "帮我算个八字")
        pause = first.one("pause.opened")
        last = await answered(runtime, first.pause, {"query": "RSRP"})
    assert (pause["kind"], pause["missing"]) == ("parameters", ["query"])
    assert desk.calls == [("find_terms", {"query": "RSRP"})]
    assert last.text == "好了"


async def test_a_form_that_is_put_away_is_said_to_the_model(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms").say("那就算了")
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "帮我算个八字")
        last = await answered(runtime, first.pause, None)
    assert desk.calls == []
    assert "用户取消了" in model.prompts[1].last
    assert last.text == "那就算了"


async def test_todos_are_kept_and_hide_the_choice_until_they_are_done(tmp_path: Path) -> None:
    todos = [{"content": "排盘", "status": "in_progress"}, {"content": "解读", "status": "pending"}]
    done = [{"content": "排盘", "status": "completed"}, {"content": "解读", "status": "completed"}]
    model = FakeModel().call("write_todos", todos=todos).say("一").call("write_todos", todos=done).say("二").say("三")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "帮我算个八字")
        await said(runtime, "继续分析", first.conversation)
        await said(runtime, "继续分析", first.conversation)
    assert first.one("todos")["todos"] == todos
    assert "use_skill" not in model.prompts[2].tools
    assert "use_skill" in model.prompts[4].tools


async def test_a_table_goes_to_the_user_whole_and_to_the_model_as_a_digest(tmp_path: Path) -> None:
    rows = [{"cell": f"A{number}", "rsrp": -100 - number} for number in range(40)]

    def find_terms(query: str) -> dict[str, object]:
        """Find terms."""
        return {"table": {"title": "小区", "rows": rows}}

    desk = Desk()
    desk.instead["find_terms"] = find_terms
    model = FakeModel().call("find_terms", query="x").say("好")
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert turn.one("table")["total"] == 40
    assert "共 40 条" in model.prompts[1].last
    assert "A20" not in model.prompts[1].last
    result = turn.one("tool.result")
    assert result["data"] == {"table": {"title": "小区", "rows": rows}}
    assert "共 40 条" in str(result["content"])


async def test_suggestions_of_the_model_are_taken_out_of_its_text(tmp_path: Path) -> None:
    block = '```suggestions\n{"suggestions": [{"text": "看事业"}, {"text": "看财运"}]}\n```'
    model = FakeModel().say("先看年柱。\n\n", block)
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert [one["text"] for one in turn.one("suggestions")["suggestions"]] == ["看事业", "看财运"]  # type: ignore[union-attr,index,call-overload]
    assert turn.text.strip() == "先看年柱。"
    assert "suggestions" not in "".join(str(data["text"]) for data in turn.all("text.delta"))


async def test_tokens_are_counted_and_a_limit_ends_the_turn_with_figures(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(9):
        model.call("find_terms", query="x")
    async with opened(tmp_path, model=model, turn_max_steps=4) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert turn.one("error")["code"] == "limit_reached"
    assert "4" in turn.text


PRICED: dict[str, Any] = {"price_input": 1000.0, "price_output": 2000.0}


async def test_every_call_of_the_model_is_told_as_one_usage(tmp_path: Path) -> None:
    model = FakeModel().call("find_terms", query="x").say("好了")
    async with opened(tmp_path, model=model, **PRICED) as runtime:
        turn = await said(runtime, "帮我算个八字")
    used, done = turn.all("usage"), turn.one("turn.done")
    assert len(used) == len(model.prompts) == done["model_calls"] == 2
    assert all(one["estimated"] for one in used)
    assert [one["input_tokens"] for one in used] == [one["tokens"] for one in turn.all("context.built")]
    for key in ("input_tokens", "output_tokens", "cost"):
        assert sum(one[key] for one in used) == pytest.approx(done[key])  # type: ignore[misc]


async def test_what_a_turn_may_cost_is_a_setting(tmp_path: Path) -> None:
    model = FakeModel().call("find_terms", query="x").call("find_terms", query="y").say("好了")
    async with opened(tmp_path, model=model, turn_max_cost=0.001, **PRICED) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert (turn.one("error")["code"], turn.one("error")["limit"]) == ("limit_reached", "cost")
    assert "费用" in turn.text
    assert model.replies_left == 2


async def test_a_yes_after_its_question_was_put_aside_asks_that_question_again_and_does_nothing(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        await answered(runtime, first.pause, {"number": 4711})
        await said(runtime, WEAK, first.conversation)
        await said(runtime, "算了", first.conversation)
        again = await said(runtime, "ok", first.conversation)
        assert again.one("pause.opened")["text"] == "Shall I refund this order?"
        approval = await said(runtime, "sure, do it", first.conversation)
        assert approval.one("pause.opened")["kind"] == "approval"
        await said(runtime, WEAK, first.conversation)
        await said(runtime, "算了", first.conversation)
        reopened = await said(runtime, "go ahead", first.conversation)
        assert reopened.one("pause.opened")["kind"] == "approval"
        assert "put aside" in reopened.text
        assert "refund" not in desk.names
        await said(runtime, "yes", first.conversation)
        assert desk.names.count("refund") == 1
        nothing = await said(runtime, "ok", first.conversation)
    assert "No question is waiting" in nothing.text
    assert desk.names.count("refund") == 1


async def test_another_request_puts_the_question_aside_and_it_can_be_taken_up_again(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        asked = await answered(runtime, first.pause, {"number": 4711})
        assert asked.one("pause.opened")["text"] == "Shall I refund this order?"
        other = await said(runtime, WEAK, first.conversation)
        assert any("Shall I refund this order?" in str(one["text"]) for one in other.all("text.done"))
        assert "find_terms" in desk.names
        await said(runtime, "算了", first.conversation)
        back = await said(runtime, "back to the question", first.conversation)
        assert back.one("pause.opened")["text"] == "Shall I refund this order?"
        approval = await said(runtime, "sure, do it", first.conversation)
        assert approval.one("pause.opened")["kind"] == "approval"
        assert (await said(runtime, "sure, do it please, it is fine", first.conversation)).kinds[-1] != "turn.failed"
        assert "refund" not in desk.names  # an approval takes a plain yes only
        await said(runtime, "never mind, no refund", first.conversation)
    assert "refund" not in desk.names
