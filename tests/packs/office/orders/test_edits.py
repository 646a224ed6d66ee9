"""Ordinary edits of a document: each message changes exactly what it names, or it is asked about."""

import json
from pathlib import Path
from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from metier.packs.office.orders._joined import join_orders
from metier.packs.office.orders.documents import DocumentView
from metier.packs.office.orders.edits._arranged import arrange_steps
from metier.packs.office.planbench import PlanCase, make_drafter, run_case

EDITS = Path(__file__).parent / "edits.jsonl"
RULES = (
    *("House rules", "Quiet hours start at 10 pm.", "Smoking is allowed on the balcony. Ashtrays are provided."),
    *("Bins go out on Tuesdays.", "Contact: Al", "Phone: 3300", "Fee: 30 euros"),
)
ROTA = (
    *("值班安排", "负责人：邓超", "电话：8815", "夜班由两人轮流。", "严禁烟火", "费用：30元"),
    *("一、说明", "本表自三月起用。", "二、附则", "解释权归办公室。"),
)


def _read(message: str, lines: tuple[str, ...]) -> Any:
    pieces = tuple(TextPiece(f"p{number}", text) for number, text in enumerate(lines, 1))
    return read_orders(message, Reading("rules.docx", "docx", pieces=pieces), language=language_of(message))


def _steps(message: str, lines: tuple[str, ...]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in one.items() if name not in ("id", "title")}
        for one in _read(message, lines).actions
    ]


def test_every_edit_is_written_as_it_was_said() -> None:
    """Lines that go, come, change places or looks, and facts that changed, alone and together, in both languages."""
    draft = make_drafter("builtin")
    wrong = []
    for line in EDITS.read_text("utf-8").splitlines():
        row = json.loads(line)
        asserts = tuple((kind, value) for kind, value in row["asserts"])
        case = PlanCase(row["id"], "wps", row["language"], row["request"], asserts, document=tuple(row["document"]))
        made = run_case(case, "builtin", draft)
        if made.state != "right":
            wrong.append((row["request"], made.state, made.misses, made.question))
    assert wrong == []


@pytest.mark.parametrize(
    "message",
    [
        'Delete the line "Bins go out on Tuesdays." unless Al objects',
        'Delete the line "Bins go out on Tuesdays." but keep the word Tuesdays somewhere',
        "Fee up to 25 euros",
        "Fee: to be decided",
        "Phone: 4400 or 4500",
        "Contact → Bo if he agrees",
        "Contact: please call Bob and delete the phone line",
        "The contact may change, it's maybe Mia now",
        'Put "Be kind." after "Bins go out on Tuesdays." and before "Phone: 3300"',
        "turn Contact: Al and Phone: 3300 into a numbered list but only the first",
        "Turn the three lines from Contact: Al to Phone: 3300 into a list with bullets",
        "everywhere it says Tuesdays it should say Fridays, except in the bins line",
        "wherever it says Tuesdays put Fridays, the bins line stays",
        'Add a comment "check" to the fee line and write "40 euros" there. Don\'t change the text.',
        "turn House rules into a quote",
        "The whole document can go",
    ],
)
def test_what_is_open_or_contradicts_itself_is_not_written(message: str) -> None:
    assert _steps(message, RULES) == []


@pytest.mark.parametrize(
    "message",
    [
        "负责人：王芳或李四",
        "负责人换人了，现在可能是王芳",
        "“严禁烟火”那行不要删",
        "把负责人、电话两行变成项目符号列表，负责人除外",
        "凡是“邓超”都写成“王芳”，负责人那行除外",
        "费用涨到25元",
        "把严禁烟火做成引用",
        "把严禁烟火变成表格",
        "文末加一行：请勿外传，其他不变",
        "从负责人那行到费用那行这三行做成编号列表",
        "“二、附则”整节删掉，二、附则不要动",
        "把严禁烟火那行删掉，严禁烟火那行加粗",
    ],
)
def test_what_is_open_or_contradicts_itself_is_not_written_in_chinese(message: str) -> None:
    assert _steps(message, ROTA) == []


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("把第五段删掉，第五段不动", ROTA),
        ("把“严禁烟火”那行删掉，第五段保留", ROTA),
        ("把“严禁烟火”那行加粗，第五段不变", ROTA),
        ("把“严禁烟火”那行加粗，第五段的格式不变", ROTA),
        ("把“严禁烟火”那行加粗，严禁烟火那行不变", ROTA),
        ("把“严禁烟火”那行删掉，第三条保留", ROTA),
        ("“二、附则”整节删掉，标题保留", ROTA),
        ("“二、附则”整节删掉，最后一段不动", ROTA),
        ("“一、说明”整节删掉，一、说明那一节保留", ROTA),
        ('Delete the line "Bins go out on Tuesdays.", the fourth paragraph stays', RULES),
        ('Delete the line "Bins go out on Tuesdays.", paragraph 4 stays as it is', RULES),
        ('Delete the line "Fee: 30 euros" but leave the last paragraph alone', RULES),
        ("Make the phone line bold, the phone line stays as it is", RULES),
        ('Move "Bins go out on Tuesdays." to the end, the fourth paragraph stays where it is', RULES),
        ('Delete the line "Bins go out on Tuesdays.", section 2 stays', RULES),
        ("Contact: Bo, the phone stays the same", RULES),
        ("Contact: Bo, the second paragraph stays as it is", RULES),
        ("负责人：王芳，电话不变", ROTA),
        ("负责人：王芳，第三段不动", ROTA),
    ],
)
def test_what_a_message_keeps_is_neither_changed_nor_written(message: str, lines: tuple[str, ...]) -> None:
    assert _steps(message, lines) == []


@pytest.mark.parametrize(
    ("message", "lines"),
    [
        ("把“严禁烟火”那行删掉，第二段不动", ROTA),
        ("把“严禁烟火”那行加粗，严禁烟火的文字不变", ROTA),
        ("“一、说明”整节删掉，二、附则那一节保留", ROTA),
        ("负责人改成王芳，第二段的格式不变", ROTA),
        ("把“严禁烟火”那行删掉，标题不动", ROTA),
        ('Delete the line "Bins go out on Tuesdays.", the second paragraph stays', RULES),
        ('Delete the line "Bins go out on Tuesdays.", the title stays', RULES),
        ("Contact: Bo, who stays on the second floor", RULES),
        ('Delete the line "Fee: 30 euros". Room 12 is right.', RULES),
        ("把“严禁烟火”那行删掉，第三方不变", ROTA),
        ("Make the phone line bold, the wording of the phone line stays", RULES),
    ],
)
def test_an_edit_beside_what_stays_is_written(message: str, lines: tuple[str, ...]) -> None:
    assert len(_steps(message, lines)) == 1


def test_a_line_that_is_named_twice_is_asked_about_with_both_places() -> None:
    note = _read("Contact: Nora. Rest stays.", ("Duty list", "Contact: Al", "Contact: Bo", "Phone: 3300")).note
    assert "Contact: Al" in note.text("en")
    assert "Contact: Bo" in note.text("en")


@pytest.mark.parametrize(
    ("message", "level"),
    [("把严禁烟火变成二级标题", 2), ("把第一段变成标题", 1), ("把值班安排做成标题", 1), ("把“严禁烟火”设为小标题", 2)],
)
def test_a_line_becomes_a_heading_and_never_the_word_for_one(message: str, level: int) -> None:
    (made,) = _steps(message, ROTA)
    assert (made["op"], made["heading"]) == ("apply_paragraph_style", level)


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ("文末加一行：抄送：设计院。另外把“严禁烟火”改成“禁止吸烟”", ["抄送：设计院", "禁止吸烟"]),
        ("文末加一行：抄送：设计院；把“严禁烟火”改成“禁止吸烟”", ["抄送：设计院", "禁止吸烟"]),
        ("文末加一行：请各位准时参加，谢谢！", ["请各位准时参加，谢谢！"]),
        ("在“严禁烟火”下面加一行：“违者罚款。”另外把“电话：8815”那行删掉", ["违者罚款。"]),
    ],
)
def test_a_text_after_a_colon_ends_where_another_order_begins(message: str, texts: list[str]) -> None:
    made = _steps(message, ROTA)
    assert [one.get("text", one.get("replace_text")) for one in made if {"text", "replace_text"} & set(one)] == texts


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        ("Mia is the contact now. Fee: 40 euros.", ["Contact: Mia", "Fee: 40 euros"]),
        ("delete the phone line. and do something nice with the title", []),
        ("Fee: 40 euros. Thanks!", ["40"]),
    ],
)
def test_no_clause_is_taken_for_talk_that_says_what_is_to_stand_somewhere(message: str, texts: list[str]) -> None:
    assert [one.get("replace_text") for one in _steps(message, RULES)] == texts


def test_words_that_become_two_others_are_no_plan() -> None:
    one, other = ({"op": "replace_text", "find_text": "Al", "replace_text": name, "address": "p5"} for name in "XY")
    assert join_orders([[one], [other]]) is None


def test_a_replacement_everywhere_does_not_change_a_new_line() -> None:
    made = _steps('wherever it says Al put Bo, and stick "Al moved out." on the end', RULES)
    assert [one["op"] for one in made] == ["replace_text", "set_selection", "insert_text"]


def test_two_changes_of_one_line_become_one() -> None:
    line = "樟树200株，每株85元。"
    view = DocumentView(Reading("trees.docx", "docx", pieces=(TextPiece("p1", line),)))
    steps: list[Any] = [
        {"op": "replace_text", "find_text": line, "replace_text": line.replace(old, new), "address": "p1"}
        for old, new in (("200", "240"), ("85", "90"))
    ]
    made = arrange_steps(steps, view)
    assert made is not None
    assert [one["replace_text"] for one in made] == ["樟树240株，每株90元。"]
    assert arrange_steps([*steps, {**steps[0], "replace_text": line.replace("200", "300")}], view) is None
