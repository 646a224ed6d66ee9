"""Plans with a model in them: steps of its own, milestones that fail, a new plan, a prompt that only grows."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from metier.testing import FakeModel
from tests.e2e.support import WEAK, Desk, answered, opened, said


def skill_in(folder: Path, sop: list[dict[str, Any]], **more: Any) -> Path:
    """A folder with one skill, `job`, that has these steps."""
    tools = ["find_terms", "match_scene", "query_cause"]
    front = {"name": "job", "title": "Job", "description": "Do the job", "allowed_tools": tools, "sop": sop, **more}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in front.items()]
    (folder / "own" / "job").mkdir(parents=True)
    (folder / "own" / "job" / "SKILL.md").write_text("\n".join(["---", *lines, "---", "", "Be exact."]), "utf-8")
    return folder / "own"


TERMS = {"id": "terms", "call": "find_terms", "with": {"query": "x"}}
SCENE = {"id": "scene", "call": "match_scene", "with": {"region": "east"}}


async def test_a_step_of_the_model_is_done_between_determined_ones(tmp_path: Path) -> None:
    think = {"id": "think", "title": "Think about it", "tools": ["query_cause"]}
    desk = Desk()
    model = FakeModel().call("query_cause", scene="S", indicators=[]).say("I thought.").say("All done.")
    folder = skill_in(tmp_path, [TERMS, think, SCENE])
    async with opened(tmp_path, desk, model, skills_dir=(folder,)) as runtime:
        turn = await said(runtime, "go", skill="job")
        history = await runtime.store.messages.get_history(turn.conversation)
    assert desk.names == ["find_terms", "query_cause", "match_scene"]
    assert model.prompts[0].tools[0] == "query_cause"
    assert "find_terms" not in model.prompts[0].tools
    assert "Think about it" in model.prompts[0].last
    assert [data["text"] for data in turn.all("text.done")] == ["I thought.", "All done."]
    assert [one.content for one in history if one.role == "assistant"][-1] == "All done."
    assert turn.one("turn.done")["plan"]["share"] == 0.0  # type: ignore[index,call-overload]


async def test_in_a_step_of_the_model_only_its_tools_run(tmp_path: Path) -> None:
    think = {"id": "think", "title": "Think", "tools": ["query_cause"]}
    desk = Desk()
    model = FakeModel().call("match_scene", region="x").say("Then not.")
    async with opened(tmp_path, desk, model, skills_dir=(skill_in(tmp_path, [think]),)) as runtime:
        turn = await said(runtime, "go", skill="job")
    assert desk.names == []
    assert turn.one("tool.violation")["code"] == "not_in_plan"
    assert turn.one("turn.done")["plan"]["strayed_to"] == {"match_scene": 1}  # type: ignore[index,call-overload]
    assert turn.text == "Then not."


async def test_the_last_words_of_a_step_are_the_answer(tmp_path: Path) -> None:
    model = FakeModel().say("The report.")
    folder = skill_in(tmp_path, [TERMS, {"id": "write", "title": "Write the report", "tools": []}])
    async with opened(tmp_path, model=model, skills_dir=(folder,)) as runtime:
        turn = await said(runtime, "go", skill="job")
    assert turn.all("text.done") == [{"text": "The report."}]
    assert turn.one("turn.done")["model_calls"] == 1


async def test_the_builtin_writes_the_last_step_itself_and_stops_at_any_other(tmp_path: Path) -> None:
    write = {"id": "write", "title": "Write the report", "tools": []}
    async with opened(tmp_path, skills_dir=(skill_in(tmp_path / "a", [TERMS, write]),)) as runtime:
        last = await said(runtime, "go", skill="job")
    async with opened(tmp_path, skills_dir=(skill_in(tmp_path / "b", [write, TERMS]),)) as runtime:
        first = await said(runtime, "go", skill="job")
    assert "RSRP" in last.text
    assert "needs a language model" in first.text


async def test_a_milestone_that_fails_is_told_and_the_step_is_tried_again(tmp_path: Path) -> None:
    check = {"kind": "contains", "text": "never"}
    milestones = [{"name": "there", "after": "terms", "check": check, "on_fail": {"retry": 1, "then": "stop"}}]
    desk = Desk()
    folder = skill_in(tmp_path, [TERMS, SCENE], milestones=milestones)
    async with opened(tmp_path, desk, skills_dir=(folder,)) as runtime:
        turn = await said(runtime, "go", skill="job")
    assert desk.names == ["find_terms", "find_terms"]
    assert [data["action"] for data in turn.all("milestone.failed")] == ["retry", "stop"]
    assert turn.all("milestone.failed")[0]["suggestion"]
    assert turn.one("turn.done")["plan"]["state"] == "failed"  # type: ignore[index,call-overload]


async def test_a_model_writes_a_new_plan_when_the_old_one_failed(tmp_path: Path) -> None:
    broken = {"id": "scene", "call": "match_scene", "with": {"region": "east"}, "on_fail": "replan"}
    desk = Desk()
    desk.broken.add("match_scene")
    wrong: dict[str, Any] = {"goal": "g", "steps": [{"id": "a", "call": "refund", "with": {"number": 1}}]}
    right: dict[str, Any] = {"goal": "g", "steps": [{"id": "a", "call": "find_terms", "with": {"query": "y"}}]}
    model = FakeModel().call("write_plan", **wrong).call("write_plan", **right).say("Done another way.")
    async with opened(tmp_path, desk, model, skills_dir=(skill_in(tmp_path, [broken]),)) as runtime:
        turn = await said(runtime, "go", skill="job")
    assert desk.calls == [("match_scene", {"region": "east"}), ("find_terms", {"query": "y"})]
    assert model.prompts[0].tools == ("write_plan",)
    assert "refund" in model.prompts[1].last
    assert [data["source"] for data in turn.all("plan.created")] == ["sop", "model"]
    assert turn.text == "Done another way."


async def test_steps_that_cannot_be_used_are_told_and_the_skill_still_works(tmp_path: Path) -> None:
    model = FakeModel().say("By hand then.").say("那就手工做。")
    folder = skill_in(tmp_path, [{"id": "a", "call": "find_terms", "with": {"query": "$.nobody"}}])
    async with opened(tmp_path, model=model, skills_dir=(folder,)) as runtime:
        turn = await said(runtime, "go", skill="job")
        chinese = await said(runtime, "开始做吧", skill="job")
    assert turn.one("error")["code"] == "invalid_skill"
    assert turn.text == "By hand then."
    assert chinese.one("error")["message"] == "这个技能目前无法使用。"
    assert "'nobody'" in str(chinese.one("error")["detail"])


async def test_a_step_reads_the_profile_that_the_skill_declares(tmp_path: Path) -> None:
    step = {"id": "scene", "call": "match_scene", "with": {"region": "$.profile.home.region"}}
    desk = Desk()
    folder = skill_in(tmp_path, [step], profile_fields=["home.region"])
    async with opened(tmp_path, desk, skills_dir=(folder,)) as runtime:
        await runtime.store.profiles.set("local", {"home": {"region": "west", "street": "x"}})
        await said(runtime, "go", skill="job")
    assert desk.calls == [("match_scene", {"region": "west"})]


@pytest.mark.parametrize("mode", ["rewrite", "append"])
async def test_the_skill_reaches_the_model_in_both_modes(tmp_path: Path, mode: str) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").call("find_terms", query="x").say("好")
    async with opened(tmp_path, model=model, prompt_mode=mode) as runtime:
        await said(runtime, "我有件事想请教")
    first, second, third = model.prompts
    everything = ["\n".join(one.text for one in prompt.messages) for prompt in model.prompts]
    assert ["温和的命理师" in text for text in everything] == [False, True, True]
    if mode == "append":
        assert first.system == second.system == third.system
        assert third.messages[: len(second.messages)] == second.messages


async def test_two_conversations_run_at_once_and_do_not_meet(tmp_path: Path) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        one, two = await asyncio.gather(said(runtime, WEAK), said(runtime, "refund my order please"))
        ends = await asyncio.gather(
            answered(runtime, one.pause, {"region": "东城"}), answered(runtime, two.pause, {"number": 7})
        )
    assert [end.one("pause.opened")["step"] for end in ends] == ["confirm", "sure"]
    assert {event.conversation for event in ends[0].events} == {one.conversation}


async def test_a_base_prompt_of_ones_own_is_used(tmp_path: Path) -> None:
    prompt = tmp_path / "base.txt"
    prompt.write_text("You are Otto.{% if skill_content %}\n{{ skill_content }}{% endif %}", "utf-8")
    model = FakeModel().say("好")
    async with opened(tmp_path, model=model, prompt_file=prompt) as runtime:
        await said(runtime, "帮我算个八字")
    assert model.prompts[0].system.startswith("You are Otto.")
    assert "温和的命理师" in model.prompts[0].system


async def test_a_skill_that_the_model_leaves_abandons_its_plan(tmp_path: Path) -> None:
    model = FakeModel().call("match_scene", region="东城").call("leave_skill").say("好的。")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "帮我分析一下东城的弱覆盖问题")
        await said(runtime, "那 RSRP 呢？", first.conversation)
        saved = await runtime.store.plans.get_latest(first.conversation)
        talk = await runtime.store.conversations.get(first.conversation)
    assert talk.skill is None
    assert saved is not None
    assert saved.state == "abandoned"
