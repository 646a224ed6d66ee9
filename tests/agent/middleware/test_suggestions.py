"""Suggestions: read from an answer, or made from what is known, and never a model call for them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Suggestion, suggestions_for
from metier.agent.middleware import is_suggested_by, read_suggestions
from metier.agent.models import displayable_length
from metier.language import Language
from metier.skills import Skill, Source


def skill(skill_id: str, title: str, *examples: str) -> Skill:
    return Skill(skill_id, title, "", Source(Path("x"), Path(), "flat"), "sha256:0", examples=examples)


BLOCK = (
    '好的。\n\n```suggestions\n{"suggestions": [{"text": "继续仿真"}, {"text": "导出 `表格`", "value": "export"}]}\n```'
)

READ = [
    pytest.param(BLOCK, "好的。", ["继续仿真", "导出 `表格`"], id="fence"),
    pytest.param('Done.\n<suggestions>["Yes", "No"]</suggestions>', "Done.", ["Yes", "No"], id="tag"),
    pytest.param("Done.\n\n### suggestions\n- Yes\n2. No\n", "Done.", ["Yes", "No"], id="last section"),
    pytest.param("Done.\n<suggestions>\n- Yes\n2. No\n</suggestions>", "Done.", ["Yes", "No"], id="lines"),
    pytest.param('A\n```suggestions\n["x", "```", "y"]\n```\nB', "A\n\nB", ["x", "```", "y"], id="fence in a text"),
    pytest.param(
        '```suggestions\n["a", "a ", "b", "c", "d", "e"]\n```', "", ["a", "b", "c", "d"], id="four, once each"
    ),
    pytest.param('```suggestions\n["' + "x" * 81 + '", "b", 3, {"text": 1}]\n```', "", ["b"], id="too long, no text"),
]


@pytest.mark.parametrize(("text", "rest", "found"), READ)
def test_a_block_is_read_and_taken_out(text: str, rest: str, found: list[str]) -> None:
    reading = read_suggestions(text)
    assert reading.text == rest
    assert [one.text for one in reading.suggestions] == found


UNREADABLE = [
    pytest.param('A ```suggestions {"suggestions": [', id="half"),
    pytest.param('A\n```suggestions\n{"suggestions": [{"text": \n```', id="half JSON"),
    pytest.param('A\n```suggestions\n{"suggestions": "x"}\n```', id="no list"),
    pytest.param('A\n```suggestions\n["a", "b"] and more\n```', id="more than JSON"),
    pytest.param("A\n```suggestionsx\n- a\n```", id="another word"),
    pytest.param("A\n```suggestions\n[" + "[" * 5000 + "\n```", id="deep"),
    pytest.param("A\n### Suggestions\n- one\n\nMore text.", id="a section that is not the last"),
    pytest.param("no block", id="none"),
    pytest.param("", id="empty"),
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_stays_in_the_text(text: str) -> None:
    assert read_suggestions(text).text == text
    assert read_suggestions(text).suggestions == ()


def test_suggestions_come_from_the_skills_that_follow_and_from_what_was_shown() -> None:
    made = suggestions_for(
        skill("network", "网络优化", "分析海淀的弱覆盖", "分析浦东的干扰"),
        following=[skill("report", "生成报告")],
        shown=["tool.result", "table"],
        said="分析海淀的弱覆盖",
        language="zh",
    )
    assert [(one.text, one.to_json()["value"]) for one in made] == [
        ("继续：生成报告", "/report"),
        ("把结果画成图表", "把结果画成图表"),
        ("分析浦东的干扰", "分析浦东的干扰"),
    ]


@pytest.mark.parametrize(
    ("language", "texts"), [("zh", ["写周报", "加上下周计划"]), ("en", ["Write it", "Add a plan"])]
)
def test_examples_of_the_other_language_are_not_suggested(language: Language, texts: list[str]) -> None:
    made = suggestions_for(skill("a", "A", "write it", "写周报", "add a plan", "加上下周计划"), language=language)
    assert [one.text for one in made] == texts


def test_a_failed_turn_offers_the_same_message_again() -> None:
    made = suggestions_for(skill("a", "A"), shown=["turn.failed"], said="analyse it")
    assert made[0] == Suggestion("Try that again", "analyse it")


@pytest.mark.parametrize("examples", [(), ("one",), ("one", "two"), tuple("abcdefgh")])
def test_a_skill_always_has_two_to_four(examples: tuple[str, ...]) -> None:
    assert 2 <= len(suggestions_for(skill("a", "A", *examples))) <= 4


def test_without_a_skill_there_is_nothing_to_suggest() -> None:
    assert suggestions_for(None) == ()


def test_a_stream_never_shows_a_part_of_a_block() -> None:
    shown = ""
    for end in range(len(BLOCK) + 1):
        until = displayable_length(BLOCK[:end])
        shown = max(shown, BLOCK[:until], key=len)
        assert until >= len(shown)
    assert shown == "好的。\n\n"


def test_a_stream_without_a_block_shows_all_of_it() -> None:
    text = "a ``` b <suggest c"
    assert displayable_length(text) == len(text)


def test_what_was_just_said_is_not_offered_again_in_another_spelling() -> None:
    made = suggestions_for(
        skill("pumps", "Pumps", "diagnose the bearing of pump 1", "is fan 2 damaged"),
        said="Please diagnose the bearing of pump 1.",
    )
    assert [one.text for one in made] == ["Is fan 2 damaged", "Leave this skill"]


@pytest.mark.parametrize(
    ("said", "example", "language"),
    [
        ("峭度是什么意思", "峭度的含义", "zh"),
        ("今年流年怎么样", "我今年的流年怎么样", "zh"),
        ("什么是剩余寿命？", "剩余寿命是什么", "zh"),
        ("What is kurtosis?", "meaning of kurtosis", "en"),
    ],
)
def test_a_question_is_not_offered_again_in_other_words_around_it(said: str, example: str, language: Language) -> None:
    made = suggestions_for(skill("terms", "Terms", example), said=said, language=language)
    assert example.casefold() not in [one.text.casefold() for one in made]


@pytest.mark.parametrize(("said", "example"), [("峭度是什么意思", "包络谱的含义"), ("是什么意思", "峭度的含义")])
def test_a_question_about_something_else_is_still_offered(said: str, example: str) -> None:
    made = suggestions_for(skill("terms", "Terms", example), said=said, language="zh")
    assert example in [one.text for one in made]


def test_what_a_skill_says_may_follow_takes_the_place_of_its_examples() -> None:
    told = {"next_messages": {"zh": ["生成报告", "按月看趋势"], "en": ["Write a report"]}}
    made = replace(skill("data", "数据分析", "分析销售数据", "analyse sales"), metadata=told)
    assert [one.text for one in suggestions_for(made, language="zh")] == ["生成报告", "按月看趋势"]
    assert suggestions_for(made, language="en")[0].text == "Write a report"


def test_what_may_follow_is_asked_about_as_such_and_no_example() -> None:
    seen: list[tuple[str, bool]] = []

    def note(text: str, is_example: bool) -> bool:
        seen.append((text, is_example))
        return False

    research = skill("research", "研究", "研究储能")
    suggestions_for(research, language="zh", is_elsewhere=note)
    suggestions_for(replace(research, metadata={"next_messages": ["价格呢"]}), language="zh", is_elsewhere=note)
    assert seen == [("研究储能", True), ("价格呢", False)]


def test_a_skill_after_which_nothing_of_its_own_follows_offers_no_example() -> None:
    made = replace(skill("minutes", "会议纪要", "整理会议纪要"), metadata={"next_messages": []})
    assert "整理会议纪要" not in [one.text for one in suggestions_for(made, language="zh")]


def test_an_example_that_needs_a_file_is_not_suggested_after_an_answer() -> None:
    made = skill(
        "data",
        "数据分析",
        "分析这个csv文件",
        "分析这个表",
        "请按下面的提纲生成PPT",
        "analyse the attached file",
        "按月看趋势",
    )
    assert [one.text for one in suggestions_for(made, language="zh")][:1] == ["按月看趋势"]
    assert "Analyse the attached file" not in [one.text for one in suggestions_for(made, language="en")]


def test_what_is_offered_for_want_of_anything_else_leads_on_without_a_model() -> None:
    assert [one.value or one.text for one in suggestions_for(skill("a", "A"), language="zh")] == ["退出当前技能", "/"]


def test_messages_for_a_kind_of_file_are_offered_only_where_such_a_file_is_at_hand() -> None:
    told = {"next_messages": {"en": [{"text": "Add a slide", "files": "pptx"}, {"text": "Sort it", "files": "xlsx"}]}}
    made = replace(skill("edit", "Edit", "write it"), metadata=told)
    assert [one.text for one in suggestions_for(made, files=["a/001-list.xlsx"])] == ["Sort it", "Leave this skill"]
    assert "Add a slide" not in [one.text for one in suggestions_for(made)]


def test_a_skill_that_only_takes_back_is_never_offered_where_there_may_be_nothing_to_take_back() -> None:
    undo = replace(skill("undo", "Undo", "undo it", "take it back"), sop=({"id": "a", "call": "undo_write"},))
    both = replace(skill("deliver", "Deliver"), sop=({"id": "a", "call": "write"}, {"id": "b", "call": "undo_write"}))
    undoes = {"undo_write": "write"}
    made = suggestions_for(skill("edit", "Edit", "write it"), following=[undo, both], undoes=undoes)
    assert [one.text for one in made] == ["Go on with: Deliver", "Write it"]
    assert [one.text for one in suggestions_for(undo, undoes=undoes)] == [
        "Leave this skill",
        "Show all skills",
    ]


def test_a_message_that_follows_a_step_is_offered_only_where_the_step_was_done() -> None:
    listed: list[Any] = [{"text": "check it again", "after": "written"}, "show the outline", "list the files"]
    one = replace(skill("review", "Review"), metadata={"next_messages": {"en": listed}})
    after = {done: [each.text for each in suggestions_for(one, done=done)] for done in ((), ("found", "written"))}
    assert after[()] == ["Show the outline", "List the files"]
    assert after[("found", "written")] == ["Check it again", "Show the outline", "List the files"]


@pytest.mark.parametrize("odd", [["written"], {"step": "written"}, 7, True])
def test_a_message_that_follows_what_is_no_step_is_left_out(odd: Any) -> None:
    listed: list[Any] = [{"text": "check it again", "after": odd}, "show the outline"]
    one = replace(skill("review", "Review"), metadata={"next_messages": {"en": listed}})
    made = [each.text for each in suggestions_for(one, done=("written",))]
    assert "Show the outline" in made
    assert "Check it again" not in made


def test_a_message_is_compared_with_the_examples_of_many_skills_by_reading_it_once() -> None:
    read = []

    class Said(str):
        def casefold(self) -> str:
            read.append(len(self))
            return super().casefold()

    many = [skill(f"s{number}", "Review", "check it", "show it") for number in range(50)]
    assert is_suggested_by(many, Said("Show it!"))
    assert not is_suggested_by(many, Said("甲、" * 1000))
    assert read == [8, 2000]


def test_a_skill_that_builds_on_what_was_declined_is_not_offered() -> None:
    asked = skill("analysis", "Analysis", "show the worst", "show the best")
    next_one = replace(skill("apply", "Apply"), sop=({"id": "a", "call": "simulate"}, {"id": "b", "call": "apply"}))
    offered = [
        [each.text for each in suggestions_for(asked, following=[next_one], declined=no)] for no in ((), ["simulate"])
    ]
    assert offered[0][0] == "Go on with: Apply"
    assert offered[1] == ["Show the worst", "Show the best"]
