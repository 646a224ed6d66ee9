"""Messages that give several pieces are written whole, in their order, or not at all."""

from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.drafting.composition._formulas import read_formula
from metier.packs.office.plan import HostApp

_LINES = ("项目说明", "本文件由各部门共同维护。")
_READINGS: dict[HostApp, Reading] = {
    "wps": Reading("a.docx", "docx", tuple(TextPiece(f"p{at}", line) for at, line in enumerate(_LINES, 1))),
    "et": Reading("a.xlsx", "xlsx", sheets=(SheetCells("台账", (SheetCell("A1", "名称"), SheetCell("A2", "甲"))),)),
    "wpp": Reading("a.pptx", "pptx", slides=(SlideText(1, "已有的一页"),)),
}


def _steps(request: str, host: HostApp = "wps") -> list[dict[str, Any]]:
    """What a plan writes; nothing where the request is asked about."""
    plan = draft_plan(request, host=host, language=language_of(request), reading=_READINGS[host]).plan
    return [] if plan is None else [dict(one) for one in list_steps(plan) if one["op"] != "upsert_block"]


def _texts(request: str) -> list[Any]:
    return [one.get("text") or one.get("data") for one in _steps(request) if one["op"] != "set_text_style"]


@pytest.mark.parametrize(
    ("request_text", "texts"),
    [
        (
            "在文末插入二级标题“检查记录”，下面一段文字“本周检查12台。”，再插入一个表格，列为设备、结果：泵，好；阀，漏",
            ["## 检查记录", "本周检查12台。", [["设备", "结果"], ["泵", "好"], ["阀", "漏"]]],
        ),
        (
            'Add a level 2 heading "Checks", then the sentence "All done.", below it a bullet list: pump, valve, seal',
            ["## Checks", "All done.", "pump\nvalve\nseal"],
        ),
        (
            "一级标题：采购。然后正文：本周到货三批。再列一个编号列表：螺丝、垫片",
            ["# 采购", "本周到货三批。", "1. 螺丝\n2. 垫片"],
        ),
        ("在文末加一级标题“概述”，其下两个二级标题“背景”“目标”", ["# 概述", "## 背景", "## 目标"]),
        (
            'Put a heading level 2 "Needed", bullets: flour, salt. then another level 2 heading "Steps" '
            "and numbered steps: mix, bake",
            ["## Needed", "flour\nsalt", "## Steps", "1. mix\n2. bake"],
        ),
    ],
)
def test_pieces_are_written_in_the_order_of_the_message(request_text: str, texts: list[Any]) -> None:
    assert _texts(request_text) == texts


def test_a_place_between_two_texts_holds_for_all_pieces() -> None:
    steps = _steps("在“项目说明”和“本文件由各部门共同维护。”之间加一行加粗的“内部资料”，下面一行“不得外传”")
    assert [one["op"] for one in steps] == ["set_selection_by_text", "insert_text", "set_text_style", "insert_text"]
    assert (steps[0]["anchor_text"], steps[0]["position"]) == ("本文件由各部门共同维护。", "before")
    assert _steps("在“项目说明”和“没有这句”之间加一行“内部资料”，下面一行“不得外传”") == []


def test_amounts_and_the_total_of_a_quotation_are_computed() -> None:
    request = (
        "文末加二级标题“报价”，下面一个表格，列为品名、数量、单价、金额。椅，10，280；桌，4，650。"
        "金额请算好，最后加一行合计。"
    )
    assert _texts(request)[1][1:] == [
        ["椅", "10", "280", "2,800"],
        ["桌", "4", "650", "2,600"],
        ["合计", "", "", "5,400"],
    ]


@pytest.mark.parametrize(
    "request_text",
    [
        "在文末加标题“总结”，再加一段：本季完成三项，字号小四",
        "在最后加标题“附件”，再列一个编号列表：合同、发票，其中合同放第二",
        "插入一个表格，列为项目、金额。房租，3000；水电，500。税率6%，打九折",
        'Insert a heading "Costs", then a table with Item, Price: Desk, 100; Chair, 50; and send it to Bob',
        'Add a heading "Plan" and delete the old one',
        "加三行，下面两行“甲”“乙”“丙”",
    ],
)
def test_a_message_with_a_part_that_is_not_read_is_asked_about(request_text: str) -> None:
    assert _steps(request_text) == []


def test_a_sheet_is_made_with_its_rows_formulas_total_and_chart() -> None:
    steps = _steps(
        "New sheet Costs with Item, Net, Tax: Desk, 100; Chair, 50. Tax is 20% of Net. Last row Total. Bar chart.", "et"
    )
    formulas = {one["cell"]: one["formula"] for one in steps if one["op"] == "set_cell_formula"}
    assert formulas["Costs!C3"] == "=B3*20%"
    assert formulas["Costs!C4"] == "=SUM(C2:C3)"
    assert next(one for one in steps if one["op"] == "insert_chart_from_selection")["source_range"] == "A1:C3"
    assert next(one for one in steps if one["op"] == "set_cell_style")["range"] == "Costs!A4:C4"


def test_a_formula_names_columns_behind_the_twenty_sixth() -> None:
    columns = ("Item", *(f"Month {at}" for at in range(1, 28)), "Sum")
    assert read_formula("Sum is Month 26 plus Month 27", columns) == (28, "=AA{row}+AB{row}")


def test_an_order_about_the_new_sheet_is_carried_out_on_it() -> None:
    steps = _steps("新建工作表“库存”，列为品名、数量：螺丝，5；螺母，8。数量大于6的标红，首行冻结", "et")
    rule = next(one for one in steps if one["op"] == "set_conditional_format")
    assert (rule["range"], rule["formula1"]) == ("库存!B2:B3", "6")
    assert next(one for one in steps if one["op"] == "freeze_panes")["sheet_name"] == "库存"


@pytest.mark.parametrize(
    "request_text",
    [
        "新建工作表“台账”，列为名称、数量：甲，1",
        "新建工作表“工资”，列为姓名、基本、合计：张三，5000；李四，6000。",
        "新建工作表“工资”，列为姓名、基本：张三，5000；李四，6000。发邮件给财务",
    ],
)
def test_a_sheet_that_exists_or_is_not_filled_or_is_to_be_sent_is_asked_about(request_text: str) -> None:
    assert _steps(request_text, "et") == []


def test_each_of_several_slides_has_its_own_title_and_content() -> None:
    request = (
        'I need two slides. The first, "Patients", has two points: "Over 60" and "Alone". '
        'The second, "Visits", has a line chart with Q1 85, Q2 92.'
    )
    first, second, chart = _steps(request, "wpp")
    assert (first["title"], first["content"]) == ("Patients", "Over 60\nAlone")
    assert second["title"] == "Visits"
    assert (chart["chart_type"], chart["data"][1:]) == ("line", [["Q1", "85"], ["Q2", "92"]])


@pytest.mark.parametrize(
    ("request_text", "op"),
    [
        ("加一页：标题 各校区招生；柱形图：本部420，东区310，南区265。", "add_chart"),
        ("新增表格页。标题：车辆使用。列：车牌、驾驶员。鄂A1208、罗平；鄂A5561、田勇。", "add_table"),
        ('Add a slide "Risks" with a two-column table, Risk and Response: Late, Apply early; Rain, Wait.', "add_table"),
        (
            'ok next slide: call it "Donations" and then really big "£48,200" and underneath "raised so far"',
            "add_textbox",
        ),
    ],
)
def test_a_slide_gets_the_chart_table_or_large_words_that_were_asked_for(request_text: str, op: str) -> None:
    steps = _steps(request_text, "wpp")
    assert op in [one["op"] for one in steps]
