"""Care for weak models: calls that are nearly right are repaired and said, calls that lead nowhere are stopped."""

import json
from pathlib import Path

import pytest

from metier.routing import Router, Thresholds
from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said, written

FREE = (
    "---\nname: free\ndescription: 温和的命理师\nallowed_tools: [find_terms, match_scene, find_order]\n---\n\nDo it.\n"
)


async def test_a_skill_called_as_a_tool_is_chosen(tmp_path: Path) -> None:
    model = FakeModel().call("birth_chart", topic="x").say("先看出生信息。")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert turn.one("skill.activated")["skill"] == "birth-chart"
    assert turn.one("tool.called")["repairs"] == [
        {"argument": "", "code": "renamed", "was": "birth_chart", "now": "use_skill"}
    ]


async def test_a_skill_called_as_a_tool_does_not_leave_what_a_person_named(tmp_path: Path) -> None:
    model = FakeModel().call("shop-order").say("好")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "谢谢", skill="birth-chart")
    assert turn.one("tool.violation")["code"] == "skill_is_bound"
    assert turn.one("turn.done")["skill"] == "birth-chart"


async def test_after_an_unknown_skill_the_menu_stays(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="horoscope").call("use_skill", skill="birth-chart").say("好")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert [prompt.tools for prompt in model.prompts[:2]] == [("use_skill",), ("use_skill",)]
    assert turn.one("skill.activated")["skill"] == "birth-chart"


async def test_a_model_may_be_asked_only_where_the_router_suggests_a_skill(tmp_path: Path) -> None:
    model = FakeModel().say("好")
    async with opened(tmp_path, model=model, model_chooses="suggested") as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert turn.one("skill.routed")["verdict"] == "none"
    assert "use_skill" not in model.prompts[0].tools
    assert turn.one("context.built")["stage"] == "converse"


@pytest.mark.parametrize(("address", "stage"), [("http://127.0.0.1:9/v1", "converse"), ("", "choose")])
async def test_a_model_of_ones_own_is_asked_only_where_the_router_suggests(
    tmp_path: Path, address: str, stage: str
) -> None:
    named = {"mine": {"model": "openai:m", "base_url": address, "api_key": "k"}}
    mine, other = FakeModel().say("好"), FakeModel().say("好")
    stages = {"choose": "mine"}
    async with opened(
        tmp_path, model=other, models={"mine": mine}, settings_models=named, stage_models=stages
    ) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert turn.all("context.built")[0]["stage"] == stage


async def test_skills_that_the_router_suggests_are_offered_below_an_answer_without_one(tmp_path: Path) -> None:
    model = FakeModel().say("请说得具体一些。")
    never_sure = Router(thresholds=Thresholds(auto=1.1, suggest=0.0, meant=0.0))
    async with opened(tmp_path, model=model, router=never_sure) as runtime:
        turn = await said(runtime, "帮我排八字")
    assert turn.one("skill.routed")["verdict"] == "suggest"
    assert "/birth-chart 帮我排八字" in str(turn.one("suggestions")["suggestions"])


NOTES = (
    "---\nname: notes\ndescription: 记要点\nallowed_tools: [find_terms]\nsop:\n"
    "- {id: note, title: 记下, tools: [find_terms], expects: {type: string, minLength: 1}}\n"
    "milestones:\n- {name: 记好, after: note, check: {kind: tool_output, tool: find_terms}}\n---\n\nDo it.\n"
)


async def test_a_tool_is_withdrawn_when_the_step_has_what_it_was_for(tmp_path: Path) -> None:
    desk, model = Desk(), FakeModel().call("find_terms", query="RSRP").say("记好了。").say("完成。")
    async with opened(tmp_path, desk, model=model, skills_dir=(written(tmp_path, notes=NOTES),)) as runtime:
        turn = await said(runtime, "记下要点", skill="notes")
    assert [("find_terms" in prompt.tools) for prompt in model.prompts[:2]] == [True, False]
    assert desk.names == ["find_terms"]
    assert turn.one("milestone.passed")["milestone"] == "记好"


async def test_a_file_that_nobody_named_is_given_back_once_and_then_taken_as_meant(tmp_path: Path) -> None:
    model = FakeModel().call("read_file", path="data.csv").call("read_file", path="data.csv").say("好")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "看看 sales.csv 里有什么")
    first, second = turn.all("tool.result")
    assert (first["state"], second["state"]) == ("refused", "failed")
    assert "sales.csv" in str(first["content"])


async def test_to_thanks_the_model_answers_without_tools_and_may_still_choose_a_skill(tmp_path: Path) -> None:
    model = FakeModel().say("不客气。")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "谢谢，辛苦了")
    assert [prompt.tools for prompt in model.prompts] == [("use_skill",)]
    assert turn.one("context.built")["stage"] == "converse"


async def test_where_the_message_names_one_skill_the_menu_has_no_others(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="horoscope").call("use_skill", skill="birth-chart").say("好")
    shy = Router(thresholds=Thresholds(auto=1.1, suggest=1.05, meant=0.0))
    async with opened(tmp_path, model=model, router=shy) as runtime:
        turn = await said(runtime, "帮我算个八字")
    assert turn.one("skill.routed")["verdict"] == "none"
    assert "weak-coverage" not in str(turn.all("tool.result")[0])
    assert turn.one("skill.activated")["skill"] == "birth-chart"


async def test_a_misspelt_argument_is_repaired_and_recorded(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("find_terms", Query="RSRP").say("好")
    async with opened(tmp_path, desk, model=model, skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        turn = await said(runtime, "hello", skill="free")
    assert desk.calls == [("find_terms", {"query": "RSRP"})]
    assert turn.one("tool.called")["repairs"] == [
        {"argument": "query", "code": "renamed", "was": "Query", "now": "query"}
    ]


async def test_a_number_as_text_becomes_a_number(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("functions.find_order", number="7").say("好")
    async with opened(tmp_path, desk, model=model, skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        await said(runtime, "hello", skill="free")
    assert desk.calls == [("find_order", {"number": 7})]


async def test_unknown_arguments_go_back_to_the_model_before_a_person_is_asked(tmp_path: Path) -> None:
    desk = Desk()
    model = FakeModel().call("match_scene", place="东城").call("match_scene", region="东城").say("好")
    async with opened(tmp_path, desk, model=model, skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        turn = await said(runtime, "hello", skill="free")
    assert "pause.opened" not in turn.kinds
    assert desk.calls == [("match_scene", {"region": "东城"})]


async def test_a_person_is_asked_when_the_model_gets_it_wrong_again(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", place="东城").call("match_scene", where="东城").say("好")
    async with opened(tmp_path, model=model, skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        turn = await said(runtime, "hello", skill="free")
    assert turn.one("pause.opened")["kind"] == "parameters"


async def test_the_same_call_with_the_same_result_is_not_run_for_ever(tmp_path: Path) -> None:
    desk = Desk(idempotent=True)
    model = FakeModel()
    for _ in range(5):
        model = model.call("find_order", number=7)
    async with opened(tmp_path, desk, model=model.say("好"), skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        turn = await said(runtime, "hello", skill="free")
    assert desk.names == ["find_order"] * 3
    assert [event.data["code"] for event in turn.events if event.kind == "error"] == ["repeated_call"] * 2
    assert "相同" in json.dumps(turn.all("tool.result"), ensure_ascii=False) or "same" in str(turn.all("tool.result"))


async def test_a_call_whose_result_changes_may_be_repeated(tmp_path: Path) -> None:
    desk, count = Desk(idempotent=True), iter(range(10))

    def find_terms(query: str) -> dict[str, int]:
        """Find terms."""
        return {"at": next(count)}

    desk.instead["find_terms"] = find_terms
    model = FakeModel()
    for _ in range(5):
        model = model.call("find_terms", query="x")
    async with opened(tmp_path, desk, model=model.say("好"), skills_dir=(written(tmp_path, free=FREE),)) as runtime:
        turn = await said(runtime, "hello", skill="free")
    assert next(count) == 5
    assert "error" not in turn.kinds
