"""Stages of a turn with a model: each has its own prompt and tools, and a report is checked before it is shown."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic import PrivateAttr

from metier.agent import TurnRequest
from metier.agent.loop._report import (
    _add_conclusion,
    _add_missing_parts,
    _drop_repeats,
    copies_template,
    mixes_findings,
)
from metier.errors import ContextOverflow, Unavailable
from metier.testing import FakeModel
from tests.e2e.support import WEAK, Desk, Told, answered, opened, said, told

GOOD = "东城弱覆盖：小区 A1 的 RSRP 为 -115，下倾角过大。"
FALSE = "东城弱覆盖：小区 A1 的 RSRP 为 -116，共 37 个栅格。"


def _find_long_terms(query: str) -> dict[str, str]:
    """Find terms."""
    return {query: "参考信号接收功率。" * 140}


def _find_many_terms(query: str) -> dict[str, Any]:
    """Find terms."""
    return {"rows": [{"name": f"第{number}项", "text": "长" * 60} for number in "一二三七" * 20]}


_find_long_terms.__name__ = _find_many_terms.__name__ = "find_terms"


def _model() -> FakeModel:
    """A model that has filled in the region, and is asked for the report next."""
    return FakeModel().call("match_scene", region="东城")


async def _reported(folder: Path, model: FakeModel) -> Told:
    """The conversation about weak coverage to its report; the user's last words are no question."""
    async with opened(folder, Desk(), model) as runtime:
        first = await said(runtime, WEAK)
        return await said(runtime, "先不做", first.conversation)


async def test_each_model_call_of_a_plan_has_its_stage(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", region="东城").say(GOOD)
    async with opened(tmp_path, Desk(), model) as runtime:
        first = await said(runtime, WEAK)
        second = await said(runtime, "先不做", first.conversation)
    assert [one["stage"] for one in first.all("context.built")] == ["fill"]
    assert [one["stage"] for one in first.all("usage")] == ["fill"]
    assert [one["stage"] for one in second.all("context.built")] == ["report"]
    assert [one["stage"] for one in second.all("usage")] == ["report"]


async def test_to_fill_in_arguments_the_model_sees_the_question_and_that_tool_only(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", region="东城")
    async with opened(tmp_path, Desk(), model) as runtime:
        await said(runtime, WEAK)
    (prompt,) = model.prompts
    assert prompt.tools == ("match_scene",)
    assert WEAK in prompt.last
    assert "region" in prompt.last
    assert "先查指标的含义" not in prompt.system


async def test_the_report_is_written_from_the_question_the_template_and_digests(tmp_path: Path) -> None:
    model = _model().say(GOOD)
    turn = await _reported(tmp_path, model)
    prompt = model.prompts[-1]
    assert prompt.tools == ()
    assert [one.type for one in prompt.messages] == ["system", "human"]
    assert WEAK in prompt.last
    assert "- 先不做" in prompt.last
    assert "| A1 | -115 | 下倾角过大 |" in prompt.last
    assert turn.text == GOOD
    assert turn.all("error") == []


async def test_a_report_with_a_false_figure_is_replaced_by_the_template(tmp_path: Path) -> None:
    turn = await _reported(tmp_path, _model().say(FALSE))
    assert "| A1 | -115 | 下倾角过大 |" in turn.text
    assert turn.text.endswith("（以上报告由系统根据结果生成：模型写的回答里有结果中没有的数字，未采用。）")
    error = turn.one("error")
    assert (error["code"], error["numbers"]) == ("numbers_unknown", ["-116", "37"])
    assert FALSE not in str([event.data for event in turn.events])


async def test_a_report_is_not_streamed_before_it_is_checked(tmp_path: Path) -> None:
    turn = await _reported(tmp_path, _model().say(*FALSE))
    assert "".join(str(one["text"]) for one in turn.all("text.delta")) == ""
    assert "-116" not in turn.text


@pytest.mark.parametrize("error", [Unavailable("the model is down"), RuntimeError("boom"), ContextOverflow("too long")])
async def test_when_the_model_fails_the_report_is_that_of_the_template(tmp_path: Path, error: Exception) -> None:
    model = _model()
    for _ in range(8):
        model.fail(error)
    turn = await _reported(tmp_path, model)
    assert "| A1 | -115 | 下倾角过大 |" in turn.text
    assert turn.text.endswith("（以上报告由系统根据结果生成：模型没有写出完整的报告。）")
    assert turn.kinds[-1] == "turn.done"
    assert turn.all("error")[-1]["code"] in ("model_unavailable", "unavailable", "model_failed", "context_overflow")


async def test_when_the_model_says_nothing_the_report_is_that_of_the_template(tmp_path: Path) -> None:
    turn = await _reported(tmp_path, _model().say("").say("").say(""))
    assert "| A1 | -115 | 下倾角过大 |" in turn.text


def test_a_report_keeps_the_verdict_and_says_nothing_twice() -> None:
    template = "## Pump 1\n\n**Inner race damage**, condition faulty.\n\n**Evidence**\n\n- 6.28"
    twice = "Speed 1771.8 rpm.\n\nConfidence 87 %.\n\nSpeed 1771.8 rpm."
    assert _drop_repeats(twice) == "Speed 1771.8 rpm.\n\nConfidence 87 %."
    assert _add_conclusion("Speed 1771.8 rpm.", template).startswith(
        "**Inner race damage**, condition faulty.\n\nSpeed"
    )
    assert _add_conclusion("It is inner-race damage.", template) == "It is inner-race damage."
    assert _add_conclusion("Done.", "Plain report.") == "Done."


def test_a_report_never_loses_a_part_of_the_template() -> None:
    parts = (
        "**Weak.** 53 cells.",
        "**Before and after** (means)",
        "- level: -89.9 → -87.1 dBm",
        "## Worse",
        "- 7 cells",
    )
    template = "\n\n".join(parts)
    lost, told = (
        "Coverage is weak in 53 cells.",
        "Coverage is weak; the level rises from -89.9 to -87.1 dBm in all but 7.",
    )
    assert _add_missing_parts(lost, template).split("\n\n")[1:] == template.split("\n\n")[1:]
    assert _add_missing_parts(told, template) == told
    assert _add_missing_parts(lost, "No part has a title.") == lost
    assert (
        _add_missing_parts("### Before and after\nnone; 7 are worse", template)
        == "### Before and after\nnone; 7 are worse"
    )


def test_a_report_that_copies_the_template_adds_nothing() -> None:
    cause = "**Missing neighbour**: cells that lack a neighbour they would hand over to: 38. Add the relations."
    symptom = "**Interference**: cells with a mean SINR below 10 dB: 37; the worst is 460-00-100031."
    template = f"**Causes**\n\n1. {cause}\n\n**Symptoms**\n\n- {symptom}"
    assert copies_template(f"The main causes are:\n\n1. {cause}\n2. {symptom}", template)
    assert not copies_template("38 cells lack a neighbour, which explains the low SINR of 460-00-100031.", template)


def test_figures_of_one_finding_given_to_another_are_found() -> None:
    template = (
        "朝阳区，96 个小区。\n\n1. **下倾角过大**：22个小区，首先核查460-00-100031（总下倾角 17.0 °）。\n"
        "- **弱覆盖**：53个小区（RSRP低于-110 dBm），最差为460-00-100031（RSRP均值 -104.9 dBm）。"
    )
    mixed = "- **下倾角过大**：22个小区，RSRP均值为-104.9 dBm，低于-110 dBm。"
    right = (
        "- **下倾角过大**：96 个小区中有 22 个，先查 460-00-100031。\n- **弱覆盖**：最差 -104.9 dBm。\n\n一共 53 个。"
    )
    assert mixes_findings(mixed, template)
    assert not mixes_findings(right, template)


async def test_a_model_that_recites_its_prompt_is_not_shown(tmp_path: Path) -> None:
    recited = f'用户的问题：\n{WEAK}\n\n已完成工作的报告：\n<data from="report">\n{GOOD}'
    turn = await _reported(tmp_path, _model().say(recited))
    assert "<data" not in turn.text
    assert "| A1 | -115 | 下倾角过大 |" in turn.text


async def test_a_tool_called_in_a_report_does_not_run(tmp_path: Path) -> None:
    model = _model().calls(("query_simulation", {"scene": "S-7"}), text=GOOD)
    turn = await _reported(tmp_path, model)
    assert "query_simulation" not in [one["tool"] for one in turn.all("tool.called")]
    assert turn.text == GOOD


async def test_a_prompt_beyond_the_window_is_sent_again_with_less(tmp_path: Path) -> None:
    overflow = ContextOverflow("too long", window_tokens=4096, sent_tokens=8000)
    model = FakeModel().call("use_skill", skill="birth-chart")
    for query in "甲乙":
        model.call("find_terms", query=query)
    model.fail(overflow).say("好了")
    desk = Desk()
    desk.instead["find_terms"] = _find_long_terms
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "说说你的看法")
    *_, before, after = [one["tokens"] for one in turn.all("context.built")]
    assert isinstance(before, int)
    assert isinstance(after, int)
    assert after < before * 0.45
    assert turn.text == "好了"


async def test_a_prompt_that_never_fits_fails_the_turn_with_its_reason(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(8):
        model.fail(ContextOverflow("the window has 10 tokens"))
    async with opened(tmp_path, Desk(), model) as runtime:
        turn = await said(runtime, "说说你的看法")
    assert turn.one("turn.failed")["code"] == "context_overflow"


async def test_a_small_window_keeps_every_prompt_within_it(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart")
    for query in "甲乙丙丁":
        model.call("find_terms", query=query)
    model.say("好了")
    desk = Desk()
    desk.instead["find_terms"] = _find_long_terms
    async with opened(tmp_path, desk, model, model_window=2000) as runtime:
        turn = await said(runtime, "说说你的看法")
    assert all(one["tokens"] <= 1500 for one in turn.all("context.built"))  # type: ignore[operator]
    assert turn.text == "好了"


async def test_the_question_of_the_turn_stays_in_a_long_turn_and_comes_first(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart")
    for number in range(12):
        model.call("find_terms", query=str(number))
    model.call("ask_user", question="继续吗？").say("好了")
    desk = Desk()
    desk.instead["find_terms"] = _find_long_terms
    async with opened(tmp_path, desk, model) as runtime:
        first = await said(runtime, "说说你的看法")
        await answered(runtime, first.pause, "继续")
    messages = model.prompts[-1].messages[1:]
    assert [messages[0].type, messages[0].text] == ["human", "说说你的看法"]
    assert sum(one.type == "tool" for one in messages) == 14


async def test_what_a_digest_leaves_out_can_be_read(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").call("find_terms", query="甲")
    model.call("read_result", call="call-2", find="第七").call("read_result", call="call-2", page=2)
    model.call("read_result", call="nothing").say("好了")
    desk = Desk()
    desk.instead["find_terms"] = _find_many_terms
    async with opened(tmp_path, desk, model) as runtime:
        turn = await said(runtime, "说说你的看法")
    found, page, unknown = (one["data"] for one in turn.all("tool.result")[-3:])
    assert (found["count"], '"name": "第七项"' in found["text"]) == (20, True)  # type: ignore[index, call-overload, operator]
    assert (page["page"], page["pages"] > 1) == (2, True)  # type: ignore[index, call-overload, operator]
    assert unknown["status"] == "unknown"  # type: ignore[index, call-overload]
    assert "read_result" in model.prompts[2].tools
    assert "read_result" not in model.prompts[1].tools


async def test_a_step_of_a_plan_offers_its_tools_and_what_it_takes_to_ask(tmp_path: Path) -> None:
    step = {"id": "think", "title": "Think", "tools": ["query_cause"]}
    folder = _skill(tmp_path, [step])
    model = FakeModel().say("Thought.").say("Done.")
    async with opened(tmp_path, Desk(), model, skills_dir=(folder,)) as runtime:
        await said(runtime, "go", skill="job")
    assert model.prompts[0].tools == ("query_cause", "ask_user")


def _skill(folder: Path, sop: list[dict[str, Any]]) -> Path:
    home = folder / "own" / "job"
    home.mkdir(parents=True)
    front = f"name: job\ntitle: Job\ndescription: Do the job\nallowed_tools: [query_cause, find_terms]\nsop: {sop}"
    (home / "SKILL.md").write_text(f"---\n{front}\n---\n\nBe exact.\n", "utf-8")
    return folder / "own"


async def test_a_stopped_report_leaves_no_unchecked_text(tmp_path: Path) -> None:
    """A user who stops while the report is written sees nothing of it."""
    model = _SlowModel().call("match_scene", region="东城").say("共 37 个栅格，")
    async with opened(tmp_path, Desk(), model) as runtime:
        first = await said(runtime, WEAK)
        running = asyncio.create_task(told(runtime.turn(TurnRequest("先不做", conversation=first.conversation))))
        await model.began.wait()
        await runtime.stop(first.conversation)
        turn = await running
    assert "37 个栅格" not in str([event.data for event in turn.events])


class _SlowModel(FakeModel):
    """Fills in the region; then begins a report and never ends it."""

    _began: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    @property
    def began(self) -> asyncio.Event:
        return self._began

    async def _astream(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        async for chunk in super()._astream(messages, stop, run_manager, **kwargs):
            yield chunk
        if chunk.text:
            self._began.set()
            await asyncio.Event().wait()
