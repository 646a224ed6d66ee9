"""Several skills in one turn: 先把试卷答题做了，再写会议纪要 (seed 004 §6)."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from metier.agent import TurnRequest
from metier.testing import FakeModel
from scripts.forked_children import run_in_child
from tests.e2e.support import Desk, Told, answered, opened, said, written
from tests.e2e.test_crash import later, recovered
from tests.e2e.test_stop import Slow, listening
from tests.seeds.children import run_two_tasks

SKILLS = Path(__file__).with_name("data") / "seed_004" / "skills"
MESSAGE = "先把试卷答题做了，再写会议纪要"
EXAM, MINUTES = "exam-answering", "meeting-minutes"


def states(turn: Told, at: int = -1) -> list[tuple[str, str]]:
    listed: Any = turn.all("tasks")[at]["tasks"]
    return [(one["skill"], one["state"]) for one in listed]


def two(folder: Path, model: FakeModel | None = None, **more: Any) -> Any:
    return opened(folder, Desk(), model, **{"skills_dir": (SKILLS,), **more})


async def test_two_requests_are_done_one_after_the_other_each_under_its_own_gate(tmp_path: Path) -> None:
    model = FakeModel().say("第 1 题选 A。").call("exam_parse_questions", doc_text="1").say("决议：按答案归档。")
    async with two(tmp_path, model) as runtime:
        turn = await said(runtime, MESSAGE)
    first, second, _ = model.prompts
    assert [states(turn, at) for at in range(len(turn.all("tasks")))] == [
        [(EXAM, "running"), (MINUTES, "pending")],
        [(EXAM, "done"), (MINUTES, "pending")],
        [(EXAM, "done"), (MINUTES, "running")],
        [(EXAM, "done"), (MINUTES, "done")],
    ]
    assert "exam_parse_questions" in first.tools
    assert "minutes_extract_speakers" not in first.tools
    assert "minutes_extract_speakers" in second.tools
    assert "exam_parse_questions" not in second.tools
    assert turn.one("tool.violation")["code"] == "not_allowed_by_skill"
    assert second.messages[-1].text.endswith("写会议纪要")
    assert '<data from="result of the task before: 试卷答题">\n第 1 题选 A。' in second.system
    assert [one["text"] for one in turn.all("text.done")] == ["第 1 题选 A。", "决议：按答案归档。"]
    assert [one["skill"] for one in turn.all("skill.activated")] == [EXAM, MINUTES]


async def test_where_the_model_chooses_it_chooses_for_each_part_of_the_message(tmp_path: Path) -> None:
    model = (
        FakeModel().call("use_skill", skill=EXAM).say("第 1 题选 A。").call("use_skill", skill=MINUTES).say("决议。")
    )
    async with two(tmp_path, model, skill_choice="model") as runtime:
        turn = await said(runtime, MESSAGE)
        asked = await said(runtime, "写会议纪要，先做试卷答题")
    assert [states(turn, at) for at in (0, 1, -1)] == [
        [("", "running"), ("", "pending")],
        [(EXAM, "running"), ("", "pending")],
        [(EXAM, "done"), (MINUTES, "done")],
    ]
    assert [one["by"] for one in turn.all("skill.activated")] == ["model", "model"]
    assert ["use_skill" in one.tools for one in model.prompts] == [True, False, True, False]
    assert model.prompts[2].messages[-1].text.endswith("写会议纪要")
    assert '<data from="result of the task before: 试卷答题">\n第 1 题选 A。' in model.prompts[3].system
    assert "exam_parse_questions" not in model.prompts[3].tools
    assert asked.one("pause.opened")["purpose"] == "choose"  # the order is not clear

    model = FakeModel().call("use_skill", skill="").say("没有。").call("use_skill", skill=MINUTES).say("决议。")
    async with two(tmp_path / "none", model, skill_choice="model") as runtime:
        turn = await said(runtime, MESSAGE)
    assert states(turn) == [("", "done"), (MINUTES, "done")]


def _with_same_tool(folder: Path) -> Path:
    """The two skills, both with a tool `parse`."""
    home = folder / "skills"
    shutil.copytree(SKILLS, home)
    for skill, tool in ((EXAM, "exam_parse_questions"), (MINUTES, "minutes_extract_speakers")):
        for path in (home / skill / "skill.json", home / skill / "scripts" / f"{tool}.py"):
            path.write_text(path.read_text("utf-8").replace(tool, "parse"), "utf-8")
        (home / skill / "scripts" / f"{tool}.py").rename(home / skill / "scripts" / "parse.py")
    return home


async def test_skills_that_are_selected_together_bring_the_tools_of_both(tmp_path: Path) -> None:
    for number, (message, more) in enumerate(
        [
            (f"/{EXAM} /{MINUTES} 整理一下", {}),
            ("整理一下", {"skill": EXAM, "skills": (MINUTES,)}),
        ]
    ):
        model = FakeModel().say("好")
        async with two(tmp_path / str(number), model) as runtime:
            turn = await said(runtime, message, **dict[str, Any](more))
        assert {"exam_parse_questions", "minutes_extract_speakers"} <= set(model.prompts[0].tools)
        assert "# 试卷答题" in model.prompts[0].system
        assert "# 会议纪要" in model.prompts[0].system
        assert turn.one("skill.activated")["together"] == [MINUTES]


async def test_a_name_in_both_is_refused_as_ambiguous_and_qualified_names_run(tmp_path: Path) -> None:
    model = FakeModel().call("parse", doc_text="张工：好").call(f"{MINUTES}__parse", doc_text="张工：好").say("好")
    async with two(tmp_path, model, skills_dir=(_with_same_tool(tmp_path),)) as runtime:
        turn = await said(runtime, f"/{EXAM} /{MINUTES} 整理一下")
    offered = set(model.prompts[0].tools)
    assert {f"{EXAM}__parse", f"{MINUTES}__parse"} <= offered
    assert "parse" not in offered
    assert turn.one("tool.violation")["code"] == "ambiguous_tool"
    result: Any = turn.all("tool.result")[-1]
    assert result["data"] == {"speakers": ["张工"]}


async def test_commands_in_turn_report_the_unknown_and_do_the_rest(tmp_path: Path) -> None:
    model = FakeModel().say("第 1 题选 A。")
    async with two(tmp_path, model) as runtime:
        turn = await said(runtime, f"/{EXAM} 做 /tmp 里的试卷，然后 /nobody 写周报")
    assert [one["text"] for one in turn.all("text.done")] == [
        "没有名为「nobody」的技能，这部分没有做。",
        "第 1 题选 A。",
    ]
    assert model.prompts[0].messages[-1].text.endswith("做 /tmp 里的试卷")


async def test_where_the_order_is_not_clear_the_user_is_asked_first(tmp_path: Path) -> None:
    model = FakeModel().say("第 1 题选 A。").say("决议。")
    async with two(tmp_path, model) as runtime:
        asked = await said(runtime, "写会议纪要，先做试卷答题")
        pause: Any = asked.one("pause.opened")
        done = await said(runtime, "先做「试卷答题」，再做「会议纪要」", asked.conversation)
    assert [one["value"] for one in pause["choices"]][:2] == [f"{MINUTES} {EXAM}", f"{EXAM} {MINUTES}"]
    assert "# 试卷答题" in model.prompts[0].system
    assert states(done) == [(EXAM, "done"), (MINUTES, "done")]


async def test_a_stop_in_the_middle_leaves_the_second_undone_and_says_so(tmp_path: Path) -> None:
    model = Slow().say("第 1 题")
    async with two(tmp_path, model) as runtime:
        reader = listening(runtime.turn(TurnRequest(MESSAGE)))
        await asyncio.wait_for(model.waits(), 60)
        (talk,) = await runtime.store.conversations.list("local")
        assert await runtime.stop(talk.id)
        stopped = await reader
    assert states(stopped) == [(EXAM, "stopped"), (MINUTES, "stopped")]
    assert "会议纪要" in str(stopped.one("error")["message"])
    again = FakeModel().say("第 1 题选 A。").say("决议。")
    async with two(tmp_path, again) as runtime:
        done = await said(runtime, "继续", stopped.conversation)
    assert states(done) == [(EXAM, "done"), (MINUTES, "done")]


async def test_without_a_model_a_task_that_needs_one_is_not_called_done(tmp_path: Path) -> None:
    async with two(tmp_path) as runtime:
        turn = await said(runtime, MESSAGE)
    assert states(turn) == [(EXAM, "unavailable"), (MINUTES, "unavailable")]
    assert "METIER_MODEL" in str(turn.all("tasks")[-1]["tasks"])


async def _kill_at(folder: Path, point: str, choice: str) -> None:
    ended = await asyncio.to_thread(run_in_child, run_two_tasks, folder, SKILLS, MESSAGE, point, choice)
    assert ended.code == -9, (point, ended.error)


@pytest.mark.parametrize("point", ["task_done", "task_started@2", "skill_activated@2"])
async def test_after_kill_9_between_the_two_the_right_one_goes_on(tmp_path: Path, point: str) -> None:
    await _kill_at(tmp_path, point, "both")
    model = FakeModel().say("决议。")
    async with two(tmp_path, model, clock=later()) as runtime:
        turn = await recovered(runtime)
    assert states(turn) == [(EXAM, "done"), (MINUTES, "done")]
    assert [one["text"] for one in turn.all("text.done")] == ["第 1 题选 A。", "决议。"]
    assert "result of the task before: 试卷答题" in model.prompts[0].system


async def test_after_kill_9_while_the_model_chooses_it_chooses_again_and_keeps_what_was_stored(tmp_path: Path) -> None:
    chosen, second = FakeModel().say("第 1 题选 A。").call("use_skill", skill=MINUTES).say("决议。"), FakeModel()
    models = {"skill_activated@2": chosen, "model_done@3": second.call("use_skill", skill=MINUTES).say("决议。")}
    for point, model in models.items():
        folder = tmp_path / point
        folder.mkdir()
        await _kill_at(folder, point, "model")
        async with two(folder, model, skill_choice="model", clock=later()) as runtime:
            turn = await recovered(runtime)
        assert states(turn) == [(EXAM, "done"), (MINUTES, "done")], point
        assert [one["text"] for one in turn.all("text.done")] == ["第 1 题选 A。", "决议。"], point
        assert model.replies_left == 0, point


async def test_a_skill_that_cannot_be_used_is_named_with_the_reason_and_the_other_is_done(tmp_path: Path) -> None:
    home = tmp_path / "skills"
    shutil.copytree(SKILLS, home)
    manifest = home / MINUTES / "skill.json"
    text = manifest.read_text("utf-8").replace('"priority": 50', '"priority": 50,\n    "enabled": false')
    manifest.write_text(text, "utf-8")
    model = FakeModel().say("第 1 题选 A。")
    async with two(tmp_path, model, skills_dir=(home,)) as runtime:
        turn = await said(runtime, MESSAGE)
    assert [one["text"] for one in turn.all("text.done")] == ["「会议纪要」没有做：它已停用。", "第 1 题选 A。"]


_ASKS = """---
name: asks
title: 领料
description: 填写领料单
triggers: [领料单]
outputs: {type: object, properties: {number: {type: integer}}}
next: [uses]
sop:
  - {id: number, ask: 领料单号是多少？, answer: {type: integer}}
metadata: {report: "领料单 {$.number}"}
---

# 领料
"""
_USES = """---
name: uses
title: 查单
description: 查订单的状态
triggers: [查订单]
inputs: {type: object, properties: {number: {type: integer}}}
allowed_tools: [find_order]
sop:
  - {id: order, title: 查单, call: find_order, with: {number: $.inputs.number}}
metadata: {report: "{$.order.customer}: {$.previous.text}"}
---

# 查单
"""


async def test_a_question_in_the_first_task_waits_and_its_output_is_an_input_of_the_second(
    tmp_path: Path,
) -> None:
    desk, folder = Desk(), written(tmp_path, asks=_ASKS, uses=_USES)
    async with opened(tmp_path, desk, skills_dir=(folder,)) as runtime:
        asked = await said(runtime, "先填领料单，然后查订单")
        done = await answered(runtime, asked.pause, 4711)
    assert desk.calls == [("find_order", {"number": 4711})]
    assert states(asked) == [("asks", "running"), ("uses", "pending")]
    assert states(done) == [("asks", "done"), ("uses", "done")]
    assert done.text == "Ann: 领料单 4711"


async def test_a_refusal_of_everything_stops_the_tasks_that_have_not_begun(tmp_path: Path) -> None:
    question = "{id: number, ask: 要填吗？, choices: [{text: 要, value: true}, {text: 不要, value: false}]}"
    asks = _ASKS.replace("{id: number, ask: 领料单号是多少？, answer: {type: integer}}", question)
    folder = written(tmp_path, asks=asks, uses=_USES.replace("$.inputs.number", "7"))
    cases = {"不用了": "done", "都不用了": "skipped", "两个都别做了": "skipped", "never mind all of it": "skipped"}
    found = {}
    for number, words in enumerate(cases):
        async with opened(tmp_path / str(number), Desk(), skills_dir=(folder,)) as runtime:
            asked = await said(runtime, "先填领料单，然后查订单")
            done = await said(runtime, words, asked.conversation)
        found[words] = states(done)[1][1]
    assert found == cases


async def test_a_request_that_no_skill_fits_is_a_task_and_is_not_passed_over(tmp_path: Path) -> None:
    message = f"{MESSAGE}，然后订一张去上海的机票"
    answers = FakeModel().say("第 1 题选 A。").say("决议。").say("我不能订票。")
    seen = {}
    for name, model in {"model": answers, "none": None}.items():
        async with two(tmp_path / name, model) as runtime:
            turn = await said(runtime, message)
        seen[name] = (states(turn)[-1], turn.text)
        assert any("没有技能适合「订一张去上海的机票」" in str(one["text"]) for one in turn.all("text.done")), name
    assert seen == {
        "model": (("", "done"), "我不能订票。"),
        "none": (("", "unavailable"), "没有技能适合「订一张去上海的机票」，这部分没有做。"),
    }


async def test_after_a_failed_task_the_next_is_not_begun_and_is_offered(tmp_path: Path) -> None:
    desk, folder = Desk(), written(tmp_path, uses=_USES.replace("$.inputs.number", "7"), asks=_ASKS)
    desk.broken.add("find_order")
    async with opened(tmp_path, desk, skills_dir=(folder,)) as runtime:
        turn = await said(runtime, "先查订单，然后填领料单")
    assert states(turn) == [("uses", "failed"), ("asks", "skipped")]
    assert "没有开始：领料" in turn.text
    offered: Any = turn.one("suggestions")["suggestions"]
    assert offered[0]["value"] == "填领料单"


async def test_without_a_model_the_steps_of_skills_used_together_run_one_after_the_other(tmp_path: Path) -> None:
    folder = written(tmp_path, asks=_ASKS, uses=_USES.replace("$.inputs.number", "7"))
    ways: list[tuple[str, dict[str, Any]]] = [
        ("/asks /uses 处理一下", {}),
        ("处理一下", {"skill": "asks", "skills": ("uses",)}),
    ]
    for number, (message, more) in enumerate(ways):
        desk = Desk()
        async with opened(tmp_path / str(number), desk, skills_dir=(folder,)) as runtime:
            asked = await said(runtime, message, **more)
            done = await answered(runtime, asked.pause, 4711)
        assert states(asked) == [("asks", "running"), ("uses", "pending")]
        assert states(done) == [("asks", "done"), ("uses", "done")]
        assert [name for name, _ in desk.calls] == ["find_order"]


async def test_a_path_of_the_graph_is_run_as_one_task(tmp_path: Path) -> None:
    """Seed 001 P4-1: typed outputs of a skill become inputs of the one its `next` names."""
    desk, folder = Desk(), written(tmp_path, asks=_ASKS, uses=_USES)
    async with opened(tmp_path, desk, skills_dir=(folder,)) as runtime:
        asked = await said(runtime, "/asks > uses 处理一下")
        done = await answered(runtime, asked.pause, 12)
        refused = await said(runtime, "/uses > asks 处理一下")
    assert desk.calls == [("find_order", {"number": 12})]
    assert states(done) == [("asks", "done"), ("uses", "done")]
    assert refused.text == "「uses」之后不能接「asks」。"
