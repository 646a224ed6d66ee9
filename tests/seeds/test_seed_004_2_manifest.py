"""Seed 004 §2: tool objects, the group filter and the output contract of a `skill.json`."""

import json
import shutil
from pathlib import Path
from typing import Any

from metier.errors import SkillNotFound
from metier.routing import Router
from metier.skills import SkillLibrary
from metier.skills.lint import lint
from metier.testing import FakeModel
from metier.tools import Registry
from tests.e2e.support import opened, said

AUTHORS = Path(__file__).parent / "data" / "seed_004_manifest"
MANIFEST: dict[str, Any] = json.loads((AUTHORS / "exam-answering" / "skill.json").read_text("utf-8"))

ANSWERS = {
    "type": "object",
    "required": ["answers"],
    "properties": {"answers": {"type": "array", "items": {"type": "string"}}},
}


def with_manifest(folder: Path, **changes: Any) -> Path:
    """A copy of the author's skill with these keys of its manifest replaced."""
    home = folder / "skills"
    shutil.copytree(AUTHORS / "exam-answering", home / "exam-answering")
    text = json.dumps({**MANIFEST, **changes}, ensure_ascii=False, indent=1)
    (home / "exam-answering" / "skill.json").write_text(text, "utf-8")
    return home


def test_approval_timeout_and_effects_stand_beside_the_parameters() -> None:
    catalog = SkillLibrary.from_folders(AUTHORS).catalog()
    assert catalog.diagnostics == ()
    submit = Registry().with_skills(catalog).get("exam_submit", skill="exam-answering").spec
    assert (submit.approval.expression, submit.timeout_s) == ("count > `10`", 20)
    assert submit.effects == {"executes", "writes"}


def test_a_bad_tool_costs_itself_and_the_finding_names_its_line(tmp_path: Path) -> None:
    good = MANIFEST["tools"][0]
    wrong: dict[str, tuple[Any, str]] = {
        "a misspelt key": ({"name": "b", "aproval": "always"}, "tools[1].aproval"),
        "a timeout of text": ({"name": "b", "timeout": "soon"}, "tools[1].timeout"),
        "an unknown effect": ({"name": "b", "effects": ["magic"]}, "tools[1].effects[0]"),
        "no name": ({"description": "x"}, "tools[1]"),
        "a number": (5, "tools[1]"),
    }
    told = {}
    for number, (name, (entry, where)) in enumerate(wrong.items()):
        home = with_manifest(tmp_path / str(number), tools=[good, entry])
        catalog = SkillLibrary.from_folders(home).catalog()
        (found,) = catalog.diagnostics
        text = (home / "exam-answering" / "skill.json").read_text("utf-8").splitlines()
        assert found.line is not None, name
        told[name] = (
            [tool.name for tool in catalog["exam-answering"].tools],
            found.code,
            where in found.message,
            found.line > next(at for at, line in enumerate(text, 1) if "exam_parse_questions" in line),
        )
    assert told == dict.fromkeys(wrong, (["exam_parse_questions"], "tool_refused", True, True))


def test_a_finding_about_a_tool_names_its_line_though_an_entry_before_it_was_left_out(tmp_path: Path) -> None:
    tools = [{"description": "no name"}, {"name": "exam_parse_questions", "approval": "sometimes"}]
    home = with_manifest(tmp_path, tools=tools)
    text = (home / "exam-answering" / "skill.json").read_text("utf-8").splitlines()
    found = {one.code: one for one in lint(home).findings}
    assert found["approval_invalid"].line == next(at for at, line in enumerate(text, 1) if "sometimes" in line)
    assert "tool 'tools[0]' was left out" in found["tool_refused"].message
    assert "缺少必填项" in found["tool_refused"].text("zh")


def test_a_skill_that_lost_all_its_tools_may_use_no_others(tmp_path: Path) -> None:
    catalog = SkillLibrary.from_folders(with_manifest(tmp_path, tools=[{"name": "b", "x": 1}])).catalog()
    assert catalog["exam-answering"].allowed_tools == ()


async def test_the_group_is_a_hard_filter_by_setting_and_by_request(tmp_path: Path) -> None:
    catalog = SkillLibrary.from_folders(AUTHORS).catalog()
    decision = Router(groups=frozenset({"finance"})).route("试卷答题", catalog=catalog)
    assert [(one.skill, one.code) for one in decision.filtered] == [("exam-answering", "group")]
    async with opened(tmp_path, model=FakeModel().say("好").say("【答案】好"), skills_dir=(AUTHORS,)) as runtime:
        left_out = await said(runtime, "试卷答题", groups=("finance",))
        used = await said(runtime, "试卷答题", groups=("office",))
        try:
            await said(runtime, "试卷答题", skill="exam-answering", groups=("finance",))
        except SkillNotFound:
            refused = True
    assert (left_out.one("turn.done")["skill"], used.one("turn.done")["skill"]) == (None, "exam-answering")
    assert refused
    async with opened(
        tmp_path, model=FakeModel().say("好"), skills_dir=(AUTHORS,), skill_groups=("finance",)
    ) as runtime:
        assert (await said(runtime, "试卷答题", groups=("office",))).one("turn.done")["skill"] is None


async def test_an_answer_that_breaks_the_output_contract_is_sent_back_twice_at_most(tmp_path: Path) -> None:
    answers = '答案如下：{"answers": ["A"]}'
    plan = '```json\n{"schema_version": "ah32.plan.v1", "actions": []}\n```'
    cases: dict[str, tuple[dict[str, Any], list[str], str, list[str]]] = {
        "kept": ({"markers": ["【答案】"]}, ["【答案】A"], "【答案】A", []),
        "mended": ({"markers": ["【答案】"]}, ["A", "B", "【答案】A"], "【答案】A", []),
        "never": ({"markers": ["【答案】"]}, ["A", "B", "C"], "C", ["output_invalid"]),
        "a question": ({"markers": ["【答案】"]}, ["要写解析吗？"], "要写解析吗？", []),
        "too long": ({"max_chars": 5}, ["一二三四五六", "一二三"], "一二三", []),
        "a plan": ({"output_schema": "ah32.plan.v1"}, ["{}", plan], plan, []),
        "its own schema": ({"output_schema": ANSWERS}, ["第 1 题选 A", '{"answers": 1}', answers], answers, []),
    }
    told = {}
    for number, (name, (contract, replies, _, _)) in enumerate(cases.items()):
        folder, model = tmp_path / str(number), FakeModel()
        for reply in replies:
            model.say(reply)
        async with opened(folder, model=model, skills_dir=(with_manifest(folder, output=contract),)) as runtime:
            turn = await said(runtime, "试卷答题", skill="exam-answering")
        told[name] = (turn.text, [one["code"] for one in turn.all("error")], len(model.prompts))
    assert told == {name: (last, errors, len(replies)) for name, (_, replies, last, errors) in cases.items()}
