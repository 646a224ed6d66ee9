"""Orders about some of the result (a mark, some rows, a place in the list) are met or asked about, never dropped."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_TABLE = "插入一个表格，列名为姓名、电话"
_TWO = "依次插入两个表格：第一个表的列为姓名、部门、职务；第二个表的列为日期、地点、事项"
_CHART = "插入柱状图：一月120、二月150、三月90"
_GANTT = "制作简单甘特表，任务为需求分析、设计、开发、测试、上线，时间跨度6周"
_EN_OUTLINE = "Write an outline: Background, Goals, Approach, Budget"
_BANNER = "在文档开头插入横幅“安全生产 人人有责”"
_AGENDA = "新建议程页，列出背景、现状、方案、计划四项"
_CHECKLIST = "Create a checklist of passport, tickets, cash"
_TASKS = "Insert a to-do table with the columns Task, Owner, Deadline, Status and 3 rows"


@pytest.mark.parametrize(
    ("host", "order", "demand"),
    [
        *[("wps", _TABLE, demand) for demand in ("周末的两行标红", "最后两行标黄", "前三行加粗", "迟到的打星号")],
        *[("wps", _TABLE, demand) for demand in ("经理的两行放最上面", "下面给手机和电脑各留一行", "张三和李四各一行")],
        *[("wps", _TABLE, demand) for demand in ("带星号的加粗", "重名的高亮", "离职的划掉", "电话那列涂灰")],
        *[("wps", _TABLE, demand) for demand in ("第一行填我的名字", "没有的填横线", "班长在前", "先男后女")],
        *[("wps", _TABLE, demand) for demand in ("姓名三个字", "每页一张", "负责人写小李", "如果没有电话就写无")],
        ("wps", f"{_TABLE}，5行", "再加两行备用"),
        *[("wps", _CHART, demand) for demand in ("柱子要窄", "去年同期100")],
        *[("et", _GANTT, demand) for demand in ("设计和开发并行", "开发至少2周", "开发标成蓝的")],
        *[("wps", _EN_OUTLINE, demand) for demand in ("Goals in italics", "Goals last", "Goals twice")],
        *[("wps", _TWO, demand) for demand in ("第二个表的前两行标黄", "经理的一行加粗")],
        *[("wps", _BANNER, demand) for demand in ("四个字一行", "人人两个字标黄")],
        *[("wpp", _AGENDA, demand) for demand in ("方案标红", "领导讲话的两项放最后")],
        *[("wps", _CHECKLIST, demand) for demand in ("and highlight cash", "and mark tickets as done", "tick cash")],
        *[("wps", _TASKS, demand) for demand in ("flag overdue tasks", "the last two rows shaded", "bold Status")],
    ],
)
def test_an_order_about_a_part_is_asked_about(host: "HostApp", order: str, demand: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    assert draft_plan(order, host=host, language=language).plan is not None
    for request in (f"{order}{', ' if language == 'en' else '，'}{demand}", f"{demand}。{order}"):
        assert draft_plan(request, host=host, language=language).plan is None, request


@pytest.mark.parametrize(
    ("host", "request_", "written"),
    [
        ("wps", "插入一个表格，列名为姓名、电话，表头加粗，4行", "'rows': 5"),
        ("wps", "插入加粗标题“工作背景”，下面两行文字：“本项目由市局立项。”“重点标红。”", "重点标红"),
        ("wps", "写一个待办清单：发通知、标红错字、高亮重点", "标红错字"),
        ("wps", "依次插入两个表格：第一个表的列为姓名、部门；第二个表的列为日期、地点，甲表和乙表各4行", "'rows': 5"),
        ("wps", "Make a to-do list: book the room, highlight the risks, print the handouts", "Highlight the risks"),
        ("wps", "在文档开头插入横幅“安全生产”四个字", "安全生产"),
        ("wps", "Write an outline: Cash, Cash flow, Costs, Costs by year", "Cash flow"),
        ("et", "做一张预算表：差旅 预算5000 实际4200，培训 预算3000 实际3500，超支的标红", "set_conditional_format"),
    ],
)
def test_what_is_met_or_a_text_of_the_plan_is_written(host: "HostApp", request_: str, written: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    drafted = draft_plan(request_, host=host, language=language)
    assert written in str(drafted.plan), drafted.question


def test_the_count_of_characters_behind_a_text_is_no_part_of_the_text() -> None:
    assert "四个字" not in str(draft_plan("在文档开头插入横幅，写安全生产四个字", host="wps", language="zh").plan)
