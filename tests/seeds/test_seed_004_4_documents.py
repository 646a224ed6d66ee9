"""Seed 004 §2 and §4: `doc_text` is filled in, and a skill sees the document as far as it asks for it."""

import shutil
from pathlib import Path
from typing import Any

from metier.agent import TextToolModel
from metier.testing import FakeModel
from tests.e2e.support import opened, said
from tests.seeds.test_seed_004_2_manifest import AUTHORS, with_manifest

PAPER = (AUTHORS / "exam-paper.txt").read_text("utf-8")
CALL = '{"name":"exam_parse_questions","arguments":{}}'
LONG = "".join(f"## 第{number}章 材料{number}\n\n{'材料内容。' * 300}\n\n" for number in range(1, 9))
STEPS = """---
name: exam-steps
title: 试卷答题
description: 逐题作答
tools:
  - name: exam_parse_questions
    description: 解析试卷
    parameters: {type: object, properties: {doc_text: {type: string}}, required: [doc_text]}
sop:
  - {id: parsed, title: 解析, call: exam_parse_questions, save: parsed}
  - {id: again, title: 再解析, call: exam_parse_questions, with: {doc_text: $.document}, save: again}
  - {id: named, when: $.length(document) > `3`, call: exam_parse_questions, with: {doc_text: $.document.text}}
---

按步骤做。
"""


async def test_the_document_is_filled_in_for_native_calls_for_calls_as_text_and_in_steps(tmp_path: Path) -> None:
    steps = tmp_path / "skills" / "exam-steps"
    shutil.copytree(AUTHORS / "exam-answering" / "scripts", steps / "scripts")
    (steps / "SKILL.md").write_text(STEPS, "utf-8")
    native = FakeModel().call("exam_parse_questions").say("【答案】2")
    texts = FakeModel().say(CALL).say("【答案】2")
    ways: dict[str, tuple[Any, Path, str]] = {
        "native": (native, AUTHORS, "exam-answering"),
        "text": (TextToolModel(model=texts), AUTHORS, "exam-answering"),
        "steps": (None, steps.parent, "exam-steps"),
    }
    for name, (model, skills, skill) in ways.items():
        async with opened(tmp_path / name, model=model, skills_dir=(skills,), sandbox="off") as runtime:
            turn = await said(runtime, "试卷答题", skill=skill, document=PAPER)
        assert turn.all("pause.opened") == [], name
        first = turn.all("tool.result")[0]
        assert (first["ok"], first["data"]) == (
            True,
            {"count": 2, "questions": ["一加一等于几？", "水的化学式是什么？"]},
        ), name
        if name == "steps":
            assert [one["data"] == first["data"] for one in turn.all("tool.result")] == [True] * 3
        assert turn.all("tool.called")[0]["arguments"] == {}, name  # the document is not written into the record
    assert "doc_text?" in texts.prompts[0].system


async def test_without_a_document_the_argument_is_asked_for(tmp_path: Path) -> None:
    model = FakeModel().call("exam_parse_questions")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,), sandbox="off") as runtime:
        turn = await said(runtime, "试卷答题", skill="exam-answering")
    assert turn.one("pause.opened")["missing"] == ["doc_text"]


async def test_the_document_is_still_there_after_a_question(tmp_path: Path) -> None:
    model = FakeModel().call("ask_user", question="要解析吗？").call("exam_parse_questions").say("【答案】2")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,), sandbox="off") as runtime:
        asked = await said(runtime, "试卷答题", skill="exam-answering", document=PAPER)
        turn = await said(runtime, "要", asked.conversation)
    assert turn.find("tool.result", lambda one: one["tool"] == "exam_parse_questions")["ok"] is True


async def test_capabilities_decide_how_much_of_the_document_a_skill_sees(tmp_path: Path) -> None:
    cases: dict[str, tuple[dict[str, Any], bool, bool, bool]] = {
        "as much as fits": ({"active_doc_text": True}, True, True, True),
        "4000 characters": ({"active_doc_text": True, "active_doc_max_chars": 4000}, True, True, True),
        "100 characters": ({"active_doc_text": True, "active_doc_max_chars": 100}, True, False, True),
        "nothing": ({"active_doc_text": False}, False, False, False),
        "not said": ({}, True, True, True),
    }
    seen = {}
    for number, (name, (capabilities, *_)) in enumerate(cases.items()):
        folder, model = tmp_path / str(number), FakeModel().say("【答案】见材料")
        skills = with_manifest(folder, capabilities=capabilities)
        async with opened(folder, model=model, skills_dir=(skills,)) as runtime:
            await said(runtime, "试卷答题", skill="exam-answering", document=LONG)
        prompt = model.prompts[0]
        assert "section 8" not in prompt.system, name  # the whole does not fit
        seen[name] = (
            "8. 第8章 材料8" in prompt.system or "第8章 材料8 (" in prompt.system,
            '<data from="the open document, section 1">' in prompt.system,
            "read_document" in prompt.tools,
        )
    assert seen == {name: tuple(expected) for name, (_, *expected) in cases.items()}


async def test_a_section_that_is_not_shown_can_be_read(tmp_path: Path) -> None:
    model = FakeModel().call("read_document", section="第8章 材料8").call("read_document", section="附录")
    model.call("read_document").say("【答案】读完了")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,)) as runtime:
        turn = await said(runtime, "试卷答题", skill="exam-answering", document=LONG)
    found, missing, outline = turn.all("tool.result")
    assert found["data"]["title"] == "第8章 材料8"  # type: ignore[index, call-overload]
    assert "材料内容。" in str(found["data"])
    assert missing["ok"] is False
    assert "第8章 材料8" in str(missing["data"])
    assert "第1章 材料1" in str(outline["data"])


async def test_a_document_of_one_section_over_the_limit_is_shown_in_part_and_read_to_its_end(tmp_path: Path) -> None:
    document = "".join(f"第{number}句说了一件事。" for number in range(100)) + "最后一句在这里。"
    model = FakeModel().call("read_document", section="2").say("【答案】读完了")
    skills = with_manifest(tmp_path, capabilities={"active_doc_text": True, "active_doc_max_chars": 500})
    async with opened(tmp_path, model=model, skills_dir=(skills,)) as runtime:
        turn = await said(runtime, "试卷答题", skill="exam-answering", document=document)
    assert "第0句" in model.prompts[0].system
    assert "最后一句" not in model.prompts[0].system
    assert "最后一句在这里。" in str(turn.one("tool.result")["data"])


async def test_every_character_of_a_long_document_is_read_page_by_page(tmp_path: Path) -> None:
    document = "龘靐齉齾爩" * 800  # several tokens a character, and no place to cut
    model = FakeModel().call("read_document").call("read_document", section=1)
    for page in range(2, 9):
        model.call("read_document", section="1", page=page)
    model.say("【答案】读完了")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,)) as runtime:
        turn = await said(runtime, "试卷答题", skill="exam-answering", document=document)
    _, *read = (one["data"] for one in turn.all("tool.result"))
    seen = {one["page"]: one["text"] for one in read}  # type: ignore[index, call-overload]
    assert "".join(map(str, seen.values())) == document[:1600]
    shown = [one.text for prompt in model.prompts for one in prompt.messages if one.type == "tool"]
    assert all(any(str(text) in one for one in shown) for text in seen.values())


async def test_without_a_skill_the_open_document_is_in_the_prompt_and_can_be_read(tmp_path: Path) -> None:
    model = FakeModel().call("read_document", section="第8章 材料8").say("读完了")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,)) as runtime:
        turn = await said(runtime, "这里面讲了什么", document=LONG)
        await said(runtime, "只有一句的呢", document="全文只有这一句。")
    choose, converse, *_, short = model.prompts
    assert "第1章 材料1" in choose.system
    assert "第8章 材料8 (" in converse.system
    assert "材料内容。" in str(turn.one("tool.result")["data"])
    assert "全文只有这一句。" in short.system


async def test_a_message_over_the_budget_is_cut_and_its_sections_can_be_read(tmp_path: Path) -> None:
    message = f"请总结下面的材料。\n{LONG}\n只要和交付有关的内容。"
    model = FakeModel().call("read_document", section="6").say("总结。")
    async with opened(tmp_path, model=model, skills_dir=(AUTHORS,)) as runtime:
        turn = await said(runtime, message, skill="")
    built = turn.all("context.built")
    assert [one["over_budget"] for one in built] == [False] * len(built)
    shown = next(str(one.content) for one in model.prompts[-1].messages if one.type == "human")
    for kept in ("请总结下面的材料。", "只要和交付有关的内容。", "用 read_document(section) 读取：", "6. 第6章 材料6"):
        assert kept in shown
    assert any("材料6" in str(one.content) for one in model.prompts[-1].messages if one.type == "tool")
