"""A model writes the first plan of a piece of work; from then on it runs like the steps of a skill."""

import json
from pathlib import Path
from typing import Any

import pytest

from metier.agent.turn import make_plan_tool
from metier.language import Language, language_of
from metier.testing import FakeModel
from metier.tokens import count_tokens
from tests.e2e.support import Desk, answered, opened, said, written

SURVEY = """---
name: survey
title: 路测分析
description: 路测分析
triggers: [路测分析]
examples: [做一次路测分析]
priority: 60
allowed_tools: [find_terms, match_scene, query_cause]
---

# 路测分析

先查术语，再找场景。
"""
STEPS: list[dict[str, Any]] = [
    {"id": "cause", "title": "查根因", "call": "query_cause", "with": {"scene": "$.scene.id", "indicators": ["RSRP"]}},
    {"id": "scene", "title": "找场景", "call": "match_scene", "with": {"region": "东城"}},
]


async def test_the_steps_of_the_models_plan_run_without_asking_it_again(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("write_plan", goal="查东城的根因", steps=STEPS).say("下倾角过大。")
    async with opened(tmp_path, desk, model, skills_dir=(written(tmp_path, survey=SURVEY),)) as runtime:
        turn = await said(runtime, "做一次路测分析")
    assert "write_plan" in model.prompts[0].tools
    assert desk.calls == [
        ("match_scene", {"region": "东城"}),
        ("query_cause", {"scene": "S-7", "indicators": ["RSRP"]}),
    ]
    plan = turn.one("plan.created")
    assert (plan["source"], plan["skill"], plan["goal"]) == ("model", "survey", "查东城的根因")
    assert [step["id"] for step in plan["steps"]] == ["scene", "cause"]  # type: ignore[union-attr,index,call-overload]
    assert turn.one("turn.done")["model_calls"] == 2
    assert turn.one("turn.done")["plan"]["share"] == 0  # type: ignore[index,call-overload]
    assert turn.text == "下倾角过大。"


async def test_a_question_of_the_plan_pauses_and_the_work_goes_on_in_another_process(tmp_path: Path) -> None:
    skills = written(tmp_path, survey=SURVEY)
    steps: list[Any] = [
        {"id": "sure", "title": "确认", "ask": "要查东城吗？"},
        {"id": "scene", "title": "找场景", "call": "match_scene", "with": {"region": "$.sure"}, "needs": ["sure"]},
    ]
    model = FakeModel().call("write_plan", goal="查", steps=steps)
    async with opened(tmp_path, model=model, skills_dir=(skills,)) as runtime:
        first = await said(runtime, "做一次路测分析")
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel().say("S-7"), skills_dir=(skills,)) as runtime:
        last = await answered(runtime, first.pause, "西城")
    assert first.one("pause.opened")["text"] == "要查东城吗？"
    assert desk.calls == [("match_scene", {"region": "西城"})]
    assert last.text == "S-7"


WRONG: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no steps": ([], "plan_empty"),
    "500 steps": ([{"id": f"s{n}", "title": "x"} for n in range(500)], "plan_too_long"),
    "a circle": (
        [{"id": "a", "title": "a", "needs": ["b"]}, {"id": "b", "title": "b", "needs": ["a"]}],
        "plan_cycle",
    ),
    "an unknown dependency": ([{"id": "a", "title": "a", "needs": ["nobody"]}], "unknown_step"),
    "an unknown tool": ([{"id": "a", "title": "a", "call": "teleport"}], "tool_unknown"),
    "a tool that the skill does not allow": ([{"id": "a", "title": "a", "call": "refund"}], "tool_not_allowed"),
}


@pytest.mark.parametrize(("steps", "code"), WRONG.values(), ids=WRONG)
async def test_a_plan_that_breaks_a_rule_goes_back_with_the_reason_and_nothing_runs(
    tmp_path: Path, steps: list[Any], code: str
) -> None:
    desk = Desk()
    model = FakeModel().call("write_plan", goal="查", steps=steps).say("那就直接说吧。")
    async with opened(tmp_path, desk, model, skills_dir=(written(tmp_path, survey=SURVEY),)) as runtime:
        turn = await said(runtime, "做一次路测分析")
    result = turn.one("tool.result")
    assert result["ok"] is False
    assert code in [one["code"] for one in result["data"]["problems"]]  # type: ignore[union-attr,index,call-overload]
    assert desk.names == []
    assert "plan.created" not in turn.kinds
    assert turn.text == "那就直接说吧。"


async def test_after_three_refused_plans_the_tool_is_no_longer_offered(tmp_path: Path) -> None:
    model = FakeModel()
    for _ in range(3):
        model.call("write_plan", goal="查", steps=[])
    model.say("算了。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, survey=SURVEY),)) as runtime:
        await said(runtime, "做一次路测分析")
    assert ["write_plan" in prompt.tools for prompt in model.prompts] == [True, True, True, False]


async def test_without_a_skill_only_a_task_is_worth_a_plan(tmp_path: Path) -> None:
    empty = tmp_path / "none"
    empty.mkdir()
    steps: list[Any] = [{"id": "a", "title": "a", "call": "find_terms", "with": {"query": "RSRP"}}]
    model = FakeModel().say("你好！").call("write_plan", goal="写报告", steps=steps).say("写好了。")
    desk = Desk()
    async with opened(tmp_path, desk, model, skills_dir=(empty,)) as runtime:
        await said(runtime, "你好")
        turn = await said(runtime, "帮我写一份市场调研报告")
    assert ["write_plan" in prompt.tools for prompt in model.prompts] == [False, True, False]
    assert turn.one("plan.created")["skill"] == ""
    assert desk.names == ["find_terms"]


async def test_while_a_plan_is_at_work_another_one_is_refused(tmp_path: Path) -> None:
    steps: list[Any] = [{"id": "own", "title": "想一想"}]
    model = FakeModel().call("write_plan", goal="查", steps=steps)
    model.call("write_plan", goal="再查", steps=steps).say("想好了。")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, survey=SURVEY),)) as runtime:
        turn = await said(runtime, "做一次路测分析")
    assert [data["data"]["status"] for data in turn.all("tool.result")] == ["planned", "plan_knows"]  # type: ignore[index,call-overload]
    assert turn.text == "想好了。"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_offer_of_a_plan_is_cheap_and_in_the_language_of_the_turn(language: Language) -> None:
    tools = ("find_terms", "match_scene", "query_cause")
    for is_changed in (False, True):
        offered = make_plan_tool(tools, language, is_changed=is_changed)
        described = _find_descriptions(offered)
        assert count_tokens(json.dumps(offered, ensure_ascii=False)) < 470
        assert len(described) == 5
        assert {language_of(text) for text in described} == {language}


def _find_descriptions(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["description"]] if isinstance(value.get("description"), str) else []
        return [*own, *(text for one in value.values() for text in _find_descriptions(one))]
    return [text for one in value for text in _find_descriptions(one)] if isinstance(value, list) else []
