"""What is left of a request without the parts that cannot be done."""

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison import leave_out


@pytest.mark.parametrize(
    ("request_", "part", "rest"),
    [
        ("写一个大纲：背景、目标，措辞委婉。", "措辞委婉", "写一个大纲：背景、目标"),
        ("写一个大纲：背景、目标，措辞委婉，分两页。", "措辞委婉", "写一个大纲：背景、目标，分两页。"),
        ("写一个大纲：背景、目标，措辞委婉，分两页。", "措辞委婉，分两页", "写一个大纲：背景、目标"),
        ("Write an outline: A, B, and in blue.", "in blue.", "Write an outline: A, B"),
        ("Make a table. Centre it. Thanks", "centre it", "Make a table. Thanks"),
        ("加一个列表，用方块符号：苹果、梨", "用方块符号", "加一个列表：苹果、梨"),
        ("Add a 3x2 table with wide columns", "with wide columns", "Add a 3x2 table"),
    ],
)
def test_a_clause_is_left_out_with_its_sign(request_: str, part: str, rest: str) -> None:
    assert leave_out(request_, part) == rest


@pytest.mark.parametrize(
    ("request_", "part"),
    [
        ("写一个大纲：背景、目标", "写一个大纲"),
        ("列是姓名、部门长", "部门"),
        ("Pay 1,500 now", "500"),
        ("", "x"),
        ("写一个大纲", ""),
    ],
)
def test_nothing_is_left_out_of_the_middle_of_a_clause(request_: str, part: str) -> None:
    assert leave_out(request_, part) == ""


def test_a_question_about_parts_offers_the_rest_that_a_plan_can_be_made_of() -> None:
    order = "写一个大纲：背景、目标、方案"
    asked = draft_plan(f"{order}，语气正式一点，控制在一页以内。", host="wps", language="zh")
    assert asked.rest == order
    assert "语气正式一点" in asked.tell_undone("zh")
    assert draft_plan(asked.rest, host="wps", language="zh").plan is not None


def test_no_rest_is_offered_where_it_is_no_order() -> None:
    assert draft_plan("语气正式一点，控制在一页以内", host="wps", language="zh").rest == ""
    assert draft_plan("做一个表格", host="wps", language="zh").rest == ""


@pytest.mark.parametrize(
    ("said", "offers"),
    [
        ("加一个列表，用方块符号：苹果、梨", True),
        ("Add a 3x2 table with wide columns", True),
        ("表头红底：甲、乙", False),
    ],
)
def test_the_rest_is_offered_only_where_there_is_a_plan_for_it(said: str, *, offers: bool) -> None:
    draft = draft_plan(said, host="wps", language=language_of(said))
    is_offered = "要不要去掉这一步" in draft.question or "Shall I do the rest" in draft.question
    assert (bool(draft.rest), is_offered) == (offers, offers)
