"""Every item of a list behind a colon is written whole, as what it is, or asked about."""

import pytest

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.lists import find_said_lists, list_unkept
from metier.packs.office.drafting.lists._said_lists import is_value
from metier.packs.office.plan import HostApp


def _table(*rows: list[str]) -> JsonObject:
    return {"op": "insert_table", "data": [list(row) for row in rows]}


def _text(text: str) -> JsonObject:
    return {"op": "insert_text", "text": text}


@pytest.mark.parametrize(
    ("request_", "title", "items"),
    [
        (
            "插入一个待办清单：给王总打电话、写周报、把合同寄出去",
            "待办事项",
            ["给王总打电话", "写周报", "把合同寄出去"],
        ),
        ("在文档开头插入待办事项列表：写周报、打电话", "待办事项", ["写周报", "打电话"]),
        ("插入检查清单：检查电源、核对报价单、画流程图", "检查清单", ["检查电源", "核对报价单", "画流程图"]),
        ("Add a checklist: Passport, Tickets, what to wear", "Checklist", ["Passport", "Tickets", "What to wear"]),
        (
            "Add a to-do list: draft the quotation; send the weekly report; put the bins out",
            "To-do",
            ["Draft the quotation", "Send the weekly report", "Put the bins out"],
        ),
    ],
)
def test_things_to_do_are_points_whatever_they_name(request_: str, title: str, items: list[str]) -> None:
    plan = draft_plan(request_, host="wps", language="en" if request_.isascii() else "zh").plan
    assert plan is not None
    numbered = "\\n".join(f"{at}. {item}" for at, item in enumerate(items, 1))
    written = str(plan)
    assert f"# {title}" in written
    assert numbered in written


@pytest.mark.parametrize(
    ("request_", "header"),
    [
        ("Add a checklist: No., Item, Result, 4 rows", ["No.", "Item", "Result"]),
        ("Checklist for the audit: Control, Question, Yes/No. 5 rows.", ["Control", "Question", "Yes/No"]),
        ("插入待办清单：任务、负责人、截止日期", ["任务", "负责人", "截止日期"]),
        ("插入待办清单，列是：买什么、在哪买、谁去", ["买什么", "在哪买", "谁去"]),
    ],
)
def test_words_that_say_columns_make_columns(request_: str, header: list[str]) -> None:
    assert list(list_unkept(RequestText(request_), [_table(header, [""] * len(header))])) == []


@pytest.mark.parametrize(
    ("request_", "actions", "part"),
    [
        ("待办清单：给王总打电话、写周报", [_text("# 周报"), _text("## 给王总打电话"), _text("## 写周报")], "写周报"),
        ("待办清单：给王总打电话、写周报", [_text("# 待办"), _text("1. 给王总打电话\n2. 写")], "写周报"),
        ("Checklist: Passport, Tickets, Coat", [_table(["Passport", "Tickets", "Coat"], ["", "", ""])], "Passport"),
        ("Make a table: Passport, Tickets, what to wear", [_table(["Passport", "Tickets"])], "what to wear"),
        ("列为：姓名、部门、入职那天", [_table(["姓名", "部门"])], "入职那天"),
    ],
)
def test_an_item_that_is_lost_cut_or_made_a_column_is_found(
    request_: str, actions: list[JsonObject], part: str
) -> None:
    assert part in list(list_unkept(RequestText(request_), actions))


def test_words_around_a_list_are_none_of_its_items() -> None:
    header = ["姓名", "部门", "电话"]
    for request in ("做表：第一个表的列为姓名、部门、电话这三列", "列：姓名，部门，电话，5行，放在文末，谢谢"):
        assert list(list_unkept(RequestText(request), [_table(header)])) == []


@pytest.mark.parametrize(
    "name",
    [
        *("办公费8000元", "差旅费1.2万", "培训费3千", "办公费8000", "电脑5台", "Rent $1,200", "Travel 3k"),
        *(
            "13 attendees",
            "twelve guests",
            "Role for 12 people",
            "Role for twelve people",
            "13名参会者",
            "角色给12个人",
        ),
    ],
)
def test_a_value_is_no_name_of_a_column(name: str) -> None:
    assert is_value(name)
    request = f"表格，列是部门、{name}"
    assert list(list_unkept(RequestText(request), [_table(["部门", name])])) == [name]
    assert list(list_unkept(RequestText(f"列是部门、“{name}”"), [_table(["部门", name])])) == []


@pytest.mark.parametrize(
    "name",
    [
        "近30天",
        "前3名",
        "销售额2024",
        "2024年",
        "A4纸数量",
        "Q1",
        "Week 12",
        "ISO9001",
        "1st choice",
        "Reason for leave",
    ],
)
def test_a_name_may_have_a_number(name: str) -> None:
    assert not is_value(name)


@pytest.mark.parametrize(
    ("request_", "host"),
    [
        ("做一个预算表：办公费8000元，差旅费1.2万", "wps"),
        ("Insert a table with columns Name, Team, Role for 12 people", "wps"),
        ("Insert a table with columns Name, Team and Role, 13 attendees, 5 rows", "wps"),
        ("做一个行李清单：护照、机票、充电器", "wps"),
        ("Insert a table with columns Name, Team and twelve attendees", "wps"),
        ("待办清单：买菜、做饭、洗碗", "et"),
        ("Add a to-do list: buy milk", "wps"),
        ("待办清单：写周报", "wps"),
    ],
)
def test_what_would_be_written_wrong_is_asked_about(request_: str, host: HostApp) -> None:
    draft = draft_plan(request_, host=host, language="en" if request_.isascii() else "zh")
    assert draft.plan is None
    assert draft.question


def test_a_time_and_an_address_have_no_list_behind_their_colon() -> None:
    assert list(find_said_lists(RequestText("会议在10:30，地点二楼，主持王总"))) == []
    assert list(find_said_lists(RequestText("see https://a.example, b, c"))) == []
