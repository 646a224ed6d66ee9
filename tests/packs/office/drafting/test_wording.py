"""Requests in everyday words: reasons and manners are set aside, wishes, names and values never are."""

import json
import re

import pytest

from metier.language import language_of
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._wording import reword
from metier.packs.office.plan import HostApp
from metier.packs.office.planbench import load_cases


@pytest.mark.parametrize(
    ("reason", "request_"),
    [
        ("领导要看风险，", "请在最后加一张风险清单"),
        ("明天上台要用，", "加一张标题页，标题为“汇报”"),
        ("安全月到了，", "加一条横幅，写“安全”"),
        ("The inspectors are coming Thursday, so ", "please add a checklist table"),
        ("We keep forgetting what could go wrong, so ", "add a risk register"),
    ],
)
def test_why_something_is_wanted_is_set_aside(reason: str, request_: str) -> None:
    assert reword(reason + request_) == request_


@pytest.mark.parametrize(
    "wish",
    [
        *("要横向的，", "标题居中，", "我想要大一点的，", "表头用红色，", "姓名，部门，职务，", "会议时间，会议地点，"),
        *("最后加一行合计，", "只要英文的，", "不要边框的，", "Date, Task, Owner, ", "No borders are needed, "),
        *("I'd like it landscape, ", "The header is red, ", "Three columns are enough, "),
    ],
)
def test_a_wish_a_name_or_a_value_at_the_beginning_is_never_set_aside(wish: str) -> None:
    order = "please insert a table" if wish.isascii() else "给我来一张表"
    assert wish.strip(" ,，") in reword(wish + order)


def test_no_quotation_and_no_name_of_a_list_is_lost() -> None:
    for name in ("shipped", "development", "opened", "held_out"):
        for case in load_cases(name):
            after = reword(case.request)
            assert [one.text for one in RequestText(after).quotes] == [
                one.text for one in RequestText(case.request).quotes
            ]
            for item in re.findall(r"(?<=、)[\u4e00-\u9fff]{2,6}(?=、)", case.request):
                assert item in after, case.request


@pytest.mark.parametrize(
    ("message", "host", "known"),
    [
        ("Make “年度计划” in word art, below it a plan table with 季度, 目标 and 负责人 as columns and 4 rows.", "wps",
         '["季度", "目标", "负责人"]'),
        ("I need two tables: the first with 姓名, 部门 as its columns, the second with 日期, 地点.", "wps",
         '["姓名", "部门"]'),
        ("排个甘特表，一共六周，任务从需求分析、设计、开发一直到上线。", "et", '["上线"'),
        ("帮财务排一张预算表，表头项目、预算、实际、差额；办公费 8000 7200，差额让表自己算。", "et",
         '["项目", "预算", "实际", "差额"]'),
        ("Our revenue was 120 in Q1, 140 in Q2 and 180 in Q4. Show me that as a bar chart.", "et", '["Q4", "180"]'),
        ("做一页讲风险和对策：供应商延期，就启用备选供应商；人员流失，就建立AB角。", "wpp", '["人员流失", "建立AB角"]'),
    ],
)  # fmt: skip
def test_everyday_lists_are_read_to_their_last_name(message: str, host: HostApp, known: str) -> None:
    drafted = draft_plan(message, host=host, language=language_of(message))
    assert known in json.dumps(drafted.plan, ensure_ascii=False), drafted.question


def test_columns_that_were_named_but_not_read_are_asked_about() -> None:
    drafted = draft_plan("Add a risk register, the headings as usual in our team", host="wps", language="en")
    assert drafted.plan is None


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("插入一个表格，表头为发起个人、参加人数、电话", ("发起个人",)),
        ("插入一个表格，表头为项目、求和、备注，3行", ("求和",)),
        ("Insert a table with columns Set up, Owner, Date and 2 rows", ("Set up",)),
        ("插入一个表格，表头为：简单，中等，困难", ("简单", "中等", "困难")),
        ("插入要点列表：简单，中等，困难", ("简单", "中等", "困难")),
        ("在文档末尾插入要点列表：急，重要，一般", ("急", "重要", "一般")),
    ],
)
def test_a_name_is_written_as_the_user_wrote_it_or_asked_about(message: str, names: tuple[str, ...]) -> None:
    drafted = draft_plan(message, host="wps", language=language_of(message))
    written = json.dumps(drafted.plan, ensure_ascii=False)
    assert drafted.question or all(name in written for name in names), written
