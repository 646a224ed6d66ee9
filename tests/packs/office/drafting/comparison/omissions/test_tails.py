"""Demands behind a list are asked about: none is written as an item or as the end of one."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_OUTLINE = "写一个大纲：背景、目标、方案、预算"
_POINTS = "总结三点：产量增长一成；事故为零；成本下降"
_EN_OUTLINE = "Write an outline: Background, Goals, Approach, Budget"
_EN_POINTS = "Sum it up in three bullets: revenue up 4%; churn down; two offices opened"
_EN_SLIDE = 'Add a slide titled "Review" with the points: revenue grew, costs fell'


@pytest.mark.parametrize(
    ("host", "order", "sign", "demand"),
    [
        ("wps", _OUTLINE, "。", "正文改成小四宋体"),
        ("wps", _OUTLINE, "。", "交货期限写到本月二十五日"),
        ("wps", _OUTLINE, "；", "要能打印在一页纸上"),
        ("wps", _POINTS, "。", "把论文按发表时间倒序排列"),
        ("wps", _POINTS, "，", "语气要客气但立场要硬"),
        ("wps", "文末加附录“附录A”，编号列出：营业执照、资质证书、业绩证明", "；", "一级标题用黑体"),
        ("wps", _EN_OUTLINE, ". ", "Two columns of text like in a newspaper"),
        ("wps", _EN_OUTLINE, "; and ", "keep a running total on the right"),
        ("wps", _EN_OUTLINE, ", ", "Round everything to whole euros"),
        ("wps", _EN_POINTS, ". ", "Put the summary before the contents page"),
        ("wps", _EN_POINTS, ", ", "sort the tips sheet by date"),
        (
            "wps",
            "Add a risk table at the end with Risk, Impact, Owner, four empty rows",
            ", ",
            "Number every paragraph",
        ),
        ("wpp", _EN_SLIDE, ", ", "put a page break before each appendix"),
        ("wpp", _EN_SLIDE, "; and ", "answers on a separate page"),
    ],
)
def test_a_demand_behind_a_list_is_no_item_of_it(host: "HostApp", order: str, sign: str, demand: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    assert draft_plan(order, host=host, language=language).plan is not None
    assert draft_plan(f"{order}{sign}{demand}", host=host, language=language).plan is None


@pytest.mark.parametrize(
    ("request_", "written"),
    [
        ("用三点总结一下：产量增长一成；事故为零；成本下降。照抄原话，不要改", "3. 成本下降'"),
        ("Write three key points: margins improved, churn fell, hiring is frozen.", "hiring is frozen"),
        ("Three points. Traffic doubled since March. Bounce rate fell. The newsletter passed 5,000 readers.", "passed"),
        ("Make a to-do list: book the room, send the invitations, print the handouts", "print the handouts"),
    ],
)
def test_items_of_one_form_stay_items(request_: str, written: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    drafted = draft_plan(request_, host="wps", language=language)
    assert written.lower() in str(drafted.plan).lower(), drafted.question


def test_a_choice_for_a_column_is_no_second_table() -> None:
    request = "审计检查表一张，列：检查项、依据、结果、整改人，六行空白，结果列做成下拉可以选是/否"
    assert draft_plan(request, host="wps", language="zh").plan is None


def test_a_limit_is_no_name_of_a_group() -> None:
    request = "按客户汇总：甲公司 300、乙公司 500、甲公司 200，用公式，超过400的标出来"
    assert draft_plan(request, host="et", language="zh").plan is None
