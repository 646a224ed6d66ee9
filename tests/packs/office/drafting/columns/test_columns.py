"""Columns are what their list says, whatever signs and words the names are made of, or are asked about."""

from typing import Any

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.drafting.columns import hide_names, read_columns

_WORDS_ZH = [
    "电话",
    "邮箱",
    "图片",
    "签名",
    "日期",
    "页码",
    "备注",
    "链接",
    "颜色",
    "字体",
    "大小",
    "标题",
    "表头",
    "合计",
    "图表",
    "目录",
    "表格",
    "要点",
    "议程",
    "总结",
    "照片",
    "附件",
    "公式",
    "边框",
    "横幅",
    "附录",
    "二维码",
    "预算",
    "周报",
    "报价",
    "语言",
]
_WORDS_EN = [
    "Phone",
    "Email",
    "Date",
    "Time",
    "Chart",
    "Photo",
    "Signature",
    "Link",
    "Page",
    "Header",
    "Notes",
    "Total",
    "Status",
    "Comments",
    "Size",
    "Color",
    "Font",
    "Row",
    "Table",
    "Title",
    "Summary",
    "Budget",
    "Formula",
    "Order",
    "Outline",
]


def _header(request: str, language: str) -> list[str]:
    draft = draft_plan(request, host="wps", language="en" if language == "en" else "zh")
    assert draft.plan is not None, draft.question
    tables: list[Any] = [one["data"] for one in list_steps(draft.plan) if one.get("data")]
    assert len(tables) == 1
    return [str(name) for name in tables[0][0]]


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("插入表格，列为“姓名”、“电话”和“备注”", ["姓名", "电话", "备注"]),
        ("插入表格，列为「姓名」、「电话」及「备注」，5行", ["姓名", "电话", "备注"]),
        ("插入表格，列为“姓名”与“电话”", ["姓名", "电话"]),
        ("插入表格，列为姓名、电话[手机]、备注", ["姓名", "电话[手机]", "备注"]),
        ("插入表格，列为姓名【必填】、电话【必填】、备注", ["姓名【必填】", "电话【必填】", "备注"]),
        ("插入表格，列为品名、规格〈mm〉、数量（箱）", ["品名", "规格〈mm〉", "数量（箱）"]),
        ("插入表格，列为姓名、联系方式（手机、座机），5行", ["姓名", "联系方式（手机、座机）"]),
        ("插入表格，列为省/市/区、人口", ["省/市/区", "人口"]),
        ("插入表格，列为姓名与电话", ["姓名", "电话"]),
        ("插入表格，列为姓名、电话&备注", ["姓名", "电话", "备注"]),
        ("插入表格，列为规格（mm）和数量", ["规格（mm）", "数量"]),
        ("插入表格，列为Q&A、R&D 费用、备注", ["Q&A", "R&D 费用", "备注"]),
        ("插入表格，列为2023年、2024年、同比（%）", ["2023年", "2024年", "同比（%）"]),
        ("插入表格，列为Name、电话、E-mail", ["Name", "电话", "E-mail"]),
    ],
)
def test_a_name_keeps_its_brackets_and_signs_and_is_not_joined_to_the_next(request_: str, names: list[str]) -> None:
    assert _header(request_, "zh") == names


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ('Insert a table with columns "Name" & "Phone"', ["Name", "Phone"]),
        ('Insert a table with columns "First, last", "Phone" and "Notes"', ["First, last", "Phone", "Notes"]),
        ("Add a table with columns Item, Qty (pcs) & Price ($), 4 rows", ["Item", "Qty (pcs)", "Price ($)"]),
        ("Insert a table with columns R&D, Sales/Marketing, Ops", ["R&D", "Sales/Marketing", "Ops"]),
        ("Insert a table with columns Time in, Time out and Signed by", ["Time in", "Time out", "Signed by"]),
    ],
)
def test_an_english_name_keeps_its_signs(request_: str, names: list[str]) -> None:
    assert _header(request_, "en") == names


@pytest.mark.parametrize("word", _WORDS_ZH)
def test_a_word_of_orders_is_a_column_where_the_list_says_so(word: str) -> None:
    assert _header(f"插入表格，列为姓名、{word}、部门", "zh") == ["姓名", word, "部门"]
    assert _header(f"插入一个表格，表头为{word}、姓名、部门，5行", "zh") == [word, "姓名", "部门"]
    assert _header(f"做一张表，字段：姓名、部门、{word}", "zh") == ["姓名", "部门", word]
    assert _header(f"在文末插入表格，包含姓名、部门和{word}三列", "zh") == ["姓名", "部门", word]
    assert _header(f"在文档末尾加一个表格，列名分别是{word}和姓名，预留3行", "zh") == [word, "姓名"]


@pytest.mark.parametrize("word", _WORDS_EN)
def test_an_english_word_of_orders_is_a_column_where_the_list_says_so(word: str) -> None:
    assert _header(f"make a table with columns Name, {word} and Team", "en") == ["Name", word, "Team"]
    assert _header(f"Insert a table with the columns {word}, Name and Team, 5 rows", "en") == [word, "Name", "Team"]
    assert _header(f"Add a table with columns Name, Team and {word}", "en") == ["Name", "Team", word]
    assert _header(f"Create a table at the end with columns: Name, Team, {word}", "en") == ["Name", "Team", word]
    assert _header(f"Please insert a table with two columns, Name and {word}", "en") == ["Name", word]


@pytest.mark.parametrize(
    "request_",
    [
        "插入表格，列为序号、问题、原因与对策",
        "插入表格，列为姓名、工号（新）及部门和岗位",
        "插入表格，列为姓名、电话与备注，电话列居中",
        "插入表格，列为姓名、电话【必填】，备注写“无”",
        "Insert a table with columns Name, Phone and Email, sorted by name",
        "Insert a table with columns Name, Team and twelve attendees",
    ],
)
def test_a_list_that_can_be_read_in_two_ways_and_a_demand_beside_it_are_asked_about(request_: str) -> None:
    draft = draft_plan(request_, host="wps", language="en" if request_.isascii() else "zh")
    assert draft.plan is None


@pytest.mark.parametrize(
    "request_", ["按编号列：总平面图、立面图", "插入柱状图：甲 1、乙 2", "one column per week. The tasks are A, B"]
)
def test_other_lists_are_no_columns(request_: str) -> None:
    assert read_columns(request_) == ()


def _block(request: str) -> str:
    plan: Any = draft_plan(request, host="wps", language="zh").plan
    return str(plan["actions"][0]["block_id"])


def test_a_table_has_the_same_block_however_its_columns_are_written() -> None:
    said = ("插入表格，列为姓名、电话", "插入表格，列为姓名与电话", "插入表格，列为姓名&电话")
    assert len(set(map(_block, said))) == 1
    assert _block("插入表格，列为品名与单价") != _block(said[0])


def test_names_are_hidden_wherever_a_request_has_them_behind_their_list() -> None:
    request = "插入表格，列为序号、姓名/工号、备注，备注列留空"
    hidden = hide_names(request, read_columns(request))
    assert "备注" not in hidden.text
    assert "序号" in hidden.text
    assert hidden.put_back(hidden.text) == request


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("插入表格，列就是姓名、电话，还有备注，3行", ["姓名", "电话", "备注"]),
        ("插个风险登记册，三列，分别为编号、事件、状态，留八行", ["编号", "事件", "状态"]),
        ("插入表格，列有是否合格、有效期、用途，以及要求，4行", ["是否合格", "有效期", "用途", "要求"]),
        ("Insert a table. The columns would be Number, Risk and also Owner, 3 rows", ["Number", "Risk", "Owner"]),
        ("Add a risk table - columns Hazard, Impact, Owner - with six empty rows", ["Hazard", "Impact", "Owner"]),
    ],
)
def test_words_that_lead_to_a_name_are_no_part_of_it(request_: str, names: list[str]) -> None:
    assert _header(request_, "en" if request_.isascii() else "zh") == names


@pytest.mark.parametrize(
    "request_",
    [
        "插入表格，列为姓名、电话，还有别的列以后再说",
        "I need two tables: Supplier and Phone are the columns of the first, Product and Batch those of the second.",
        'Append to the end of the document:\nHeading: "Appendix C"\nNumbered list: Belt / Filter / Plug',
    ],
)
def test_words_around_a_list_are_neither_names_nor_text(request_: str) -> None:
    written = str(draft_plan(request_, host="wps", language="en" if request_.isascii() else "zh").plan)
    assert not any(one in written for one in ("以后再说", "those of", "the first", "Heading:"))
