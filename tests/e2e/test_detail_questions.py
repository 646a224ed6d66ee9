"""A question about results stays with the skill: a model words what was computed, without one it is the answer."""

from pathlib import Path
from typing import Any

from metier.testing import FakeModel
from tests.e2e.support import WEAK, Desk, answered, opened, said


def query_cause(scene: str, indicators: list[str]) -> dict[str, Any]:
    """Find the cause."""
    rows = [{"cell": f"A{number}", "rsrp": -116 + number, "cause": "下倾角过大"} for number in range(1, 9)]
    return {"rows": rows, "table": {"title": "根因", "rows": rows}}


async def test_a_model_gets_the_computed_answer_and_the_facts(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", region="东城").say("东城的根因是下倾角过大。").say("A1 的 RSRP 是 -115。")
    desk = Desk()
    desk.instead["query_cause"] = query_cause
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, WEAK)
        second = await answered(runtime, first.pause, False)
        assert second.kinds[-1] == "turn.done"
        third = await said(runtime, "第一个小区的 rsrp 是多少？", first.conversation)
    assert third.text == "A1 的 RSRP 是 -115。"
    assert {"skill.routed", "skill.left", "tool.called"}.isdisjoint(third.kinds)
    prompt = "\n".join(message.text for message in model.prompts[-1].messages)
    assert "computed from results on screen" in prompt
    assert "第 1 行 A1：rsrp 为 -115" in prompt


async def test_a_small_model_is_not_asked_for_what_is_computed_and_simulates_nothing_unasked(tmp_path: Path) -> None:
    mine = {"mine": {"model": "openai:m", "base_url": "http://127.0.0.1:9/v1", "api_key": "k"}}
    stages = {"fill": "mine", "act": "mine", "converse": "mine"}
    model = FakeModel().call("match_scene", region="东城").call("query_simulation", scene="S1").say("请先回答。")
    desk = Desk()
    desk.instead["query_cause"] = query_cause
    async with opened(
        tmp_path, desk, model=FakeModel(), models={"mine": model}, settings_models=mine, stage_models=stages
    ) as runtime:
        first = await said(runtime, WEAK)
        asked = len(model.prompts)
        second = await said(runtime, "第一个小区的 rsrp 是多少？", first.conversation)
        assert len(model.prompts) == asked
        assert "第 1 行 A1：rsrp 为 -115" in second.text
        third = await said(runtime, "这些小区为什么会这样呢", first.conversation)
    assert "query_simulation" not in model.prompts[asked].tools
    assert third.all("tool.result")[0]["state"] != "done"
    assert "query_simulation" not in desk.names


async def test_a_command_that_no_skill_has_is_told_and_a_wish_to_save_too(tmp_path: Path) -> None:
    async with opened(tmp_path, Desk()) as runtime:
        unknown = await said(runtime, "/nosuch hello")
        saved = await said(runtime, "导出报告", unknown.conversation)
    assert "no skill is called 'nosuch'" in unknown.text
    assert "导出 PDF" in saved.text
