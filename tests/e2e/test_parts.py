"""Charts, sub-agents, old results that are dropped, and text as it is generated: each in a whole turn."""

from pathlib import Path
from typing import Any

import pytest

from metier.testing import FakeModel
from tests.e2e.support import RESEARCH_SKILLS, Desk, opened, said, written

ROWS: Any = [{"day": "周一", "rsrp": -101}, {"day": "周二", "rsrp": -99}]


async def test_a_chart_of_the_model_goes_to_the_user_and_one_line_to_the_model(tmp_path: Path) -> None:
    model = FakeModel().call("find_terms", query="x")
    model.call("show_chart", kind="line", title="趋势", rows=ROWS, x="day", y=["rsrp"])
    model.call("show_chart", kind="pie", title="趋势", rows=ROWS, x="day", y=["rsrp"]).say("如图。")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert "show_chart" in model.prompts[0].tools
    assert turn.one("chart")["spec"]["kind"] == "line"  # type: ignore[index,call-overload]
    drawn, refused = turn.all("tool.result")[1:]
    assert "2 个数据点" in str(drawn["content"])
    assert (refused["ok"], refused["state"]) == (False, "failed")
    assert turn.text == "如图。"


async def test_work_is_handed_to_a_second_agent_which_can_do_no_more_than_the_first(tmp_path: Path) -> None:
    skills = written(tmp_path, **RESEARCH_SKILLS)
    model = FakeModel().calls(("task", {"description": "查一下 RSRP", "skill": "reader"}), text="我先查一下。")
    model.calls(("find_terms", {"query": "RSRP"}), ("match_scene", {"region": "东城"}), ("refund", {"number": 1}))
    model.say("RSRP 是信号强度。").say("结论：信号弱。")
    desk = Desk()
    prices = {"price_input": 1000.0, "price_output": 2000.0}
    async with opened(tmp_path, desk, model, skills_dir=(skills,), **prices) as runtime:
        turn = await said(runtime, "做一个专题研究")
        violations = await runtime.store.violations.list(conversation=turn.conversation)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.names == ["find_terms"]
    first, second = model.prompts[0], model.prompts[1]
    assert "task" in first.tools
    assert set(second.tools) == {"find_terms", "show_chart"}  # no more than both skills allow
    assert "只查，不写结论。" in second.system
    assert [message.text for message in second.messages if message.type == "human"] == ["查一下 RSRP"]
    below = [data for data in turn.all("tool.result") if "parent" in data]
    assert {str(data["tool"]): data["state"] for data in below} == {
        "find_terms": "done",
        "match_scene": "refused",
        "refund": "refused",
    }
    assert {one.tool for one in violations} == {"match_scene", "refund"}
    assert {one.turn for one in violations} == {turn.events[0].turn}
    handed = turn.find("tool.called", lambda data: data["tool"] == "task")
    assert all(data["parent"] == handed["call"] for data in below)
    assert len(turn.all("usage")) == turn.one("turn.done")["model_calls"] == 4
    costs = [data["cost"] for data in turn.all("usage")]
    assert sum(costs) == pytest.approx(turn.one("turn.done")["cost"])  # type: ignore[arg-type]
    assert "RSRP 是信号强度。" in [one for one in history if one.role == "tool"][-1].content
    assert turn.text == "结论：信号弱。"


async def test_without_leave_of_the_skill_nothing_is_handed_over(tmp_path: Path) -> None:
    model = FakeModel().call("task", description="查一下").say("好吧。")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert "task" not in model.prompts[0].tools
    assert turn.one("tool.result")["state"] == "refused"
    assert len(model.prompts) == 2


async def test_old_results_become_digests_in_a_long_turn_and_those_of_skills_stay(tmp_path: Path) -> None:
    def find_terms(query: str) -> dict[str, str]:
        """Find terms."""
        return {query: "参考信号接收功率。" * 120}

    desk = Desk()
    desk.instead["find_terms"] = find_terms
    model = FakeModel().call("use_skill", skill="birth-chart")
    for query in "甲乙丙丁":
        model.call("find_terms", query=query)
    model.say("好了")
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "说说你的看法")
        history = await runtime.store.messages.get_history(turn.conversation)
    results = [one.text for one in model.prompts[-1].messages if one.type == "tool"]
    assert "activated" in results[0]
    assert ["查看其余" in text for text in results[1:]] == [True, True, False, False]
    assert "read_result" in model.prompts[-1].tools
    assert all("查看其余" not in one.content for one in history)
    assert any(one["code"] == "digest" for one in turn.all("context.built")[-1]["dropped"])  # type: ignore[union-attr,index,call-overload]


BLOCKS = {
    "suggestions": '好的，先看年柱。\n\n```suggestions\n{"suggestions": [{"text": "看事业"}, {"text": "看财运"}]}\n```',
    "a tag": "好的，先看年柱。\n<suggestions>\n- 看事业\n- 看财运\n</suggestions>",
    "a block that is never closed": '好的，先看年柱。\n\n```suggestions\n{"suggestions": [{"te',
}


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS)
async def test_a_block_for_the_program_is_never_shown_not_even_its_beginning(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path, model=FakeModel().say(*text)) as runtime:
        turn = await said(runtime, "帮我算个八字")
    shown = "".join(str(data["text"]) for data in turn.all("text.delta"))
    assert shown.strip() == "好的，先看年柱。"
    assert "`" not in shown
    assert "<" not in shown


async def test_a_request_for_parameters_is_never_shown_either(tmp_path: Path) -> None:
    block = '{"tool_name": "find_terms", "known_params": {}, "missing_params": ["query"]}'
    text = f"还缺一些信息。\n```params_request\n{block}\n```"
    async with opened(tmp_path, model=FakeModel().say(*text)) as runtime:
        turn = await said(runtime, "帮我算个八字")
    shown = "".join(str(data["text"]) for data in turn.all("text.delta"))
    assert shown.strip() == "还缺一些信息。"
    assert turn.one("pause.opened")["purpose"] == "parameters"


async def test_text_that_only_looks_like_a_block_is_shown_to_its_end(tmp_path: Path) -> None:
    text = "看代码：\n```python\nprint(1)\n```\n比较 a<s"
    async with opened(tmp_path, model=FakeModel().say(*text)) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert "".join(str(data["text"]) for data in turn.all("text.delta")) == text == turn.text


async def test_a_second_agent_ends_with_the_budget_of_the_turn_and_not_only_with_its_own(tmp_path: Path) -> None:
    skills = written(tmp_path, **RESEARCH_SKILLS)
    model = FakeModel().call("task", description="查一下 RSRP", skill="reader")
    for number in range(20):
        model.call("find_terms", query=f"第 {number} 个词")
    desk = Desk()
    async with opened(tmp_path, desk, model, skills_dir=(skills,), turn_max_steps=6) as runtime:
        turn = await said(runtime, "做一个专题研究")
    assert len(model.prompts) <= 6  # its own limit is ten
    reached = [data for data in turn.all("error") if data["code"] == "limit_reached"]
    assert reached
    assert {data["limit"] for data in reached} == {"steps"}
