"""A clause without which the plan is the same: it is accounted for, known for talk, or asked about."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison import find_unused

if TYPE_CHECKING:
    from metier.json_values import JsonObject
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_RISKS = "Add a risk table at the end with Risk, Impact, Owner, four empty rows"


@pytest.mark.parametrize(
    ("host", "order", "demand"),
    [
        ("wps", "文末弄一个会议纪要模板，会议名称、时间、出席、议题、结论", "每项之间空一行"),
        ("wps", "文档开头加横幅“安全第一 预防为主”", "下面再放一行日期"),
        ("et", "把这些报销按部门加总：财务 120，销售 480，财务 60，销售 90", "各占多少比例也算出来"),
        ("et", "甘特表，任务有立项、招标、施工，8周", "从下周一开始算"),
        ("et", "甘特表，任务有立项、招标、施工，8周", "给我列个提纲"),
        ("et", "各季度销量柱状图：Q1 200，Q2 260，Q3 240，Q4 310", "把表藏起来只留图"),
        ("wps", _RISKS, "and shade the header grey"),
        (
            "wps",
            'Weekly report with WordArt title "Ops Weekly" and sections Done, Blocked, Next',
            "leave two lines in each",
        ),
        ("wps", 'Set up a weekly report, WordArt "Lab", sections Results, Plans', "and mention that Tom is on leave"),
        ("wps", "Compliance table: Ref, Requirement, Response, Deviation, 6 rows", "and number the refs from 1"),
        ("wps", "To-do table: Task, Owner, Due. 5 rows", "then email it to Ben"),
    ],
)
def test_a_clause_that_changes_nothing_in_the_plan_is_asked_about(host: "HostApp", order: str, demand: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    assert draft_plan(order, host=host, language=language).plan is not None
    asked = draft_plan(f"{order}{', ' if language == 'en' else '，'}{demand}", host=host, language=language)
    assert asked.plan is None
    assert (asked.rest, asked.undone) == (order, (demand,))


def test_a_demand_right_behind_a_quotation_is_a_clause_too() -> None:
    request = "加粗小标题“温馨提示”，下面两行：“请自带水杯。”“中午不休息。”第二行标红"
    assert draft_plan(request, host="wps", language="zh").part == "第二行标红"


@pytest.mark.parametrize(
    ("host", "request_"),
    [
        ("wps", "插一张报价单：办公桌 数量12 单价880；文件柜 数量4 单价750。最后一行写合计金额"),
        ("wps", "请在文档里加一张技术偏离表，共五列，分别是序号、招标参数、投标参数、偏离情况、备注，数据行留七行"),
        ("wps", "要一张需求响应表：条款号、招标要求、响应内容、偏离说明，空10行，表格跨页时表头要重复"),
        ("wps", "横幅“质量月 从我做起”，放开头"),
        ("wps", "插个只有表头的表就行，不要数据行：工号、姓名、岗位"),
        ("wps", "周一去工地要用，插个巡检表，区域、检查点、结果、整改人，就这四列，留十行空的，表头加粗"),
        ("wps", "Table with just the header row, no body rows: Date, Visitor, Company, Host."),
        ("et", "预算表：项目、预算、实际、差异。差旅 8000 7200，会议 5000 6100。差异用公式，超支的标红"),
        ("et", "Make a Gantt table, 4 weeks, one column per week; tasks are Planning, Recruiting, Training."),
        ("wpp", 'Add a KPI slide showing "98.6%" in large type with the label "On-time delivery".'),
        ("wps", "插一张三行四列的空表格，排班用。"),
        ("et", "春游筹备排个甘特表，按周排，总共五周，事情有报名、租车、采购、出发。"),
        ("et", "编一张预算执行表：水电费 预算6000 实际6500，维修费 预算9000 实际7000，增加差额列"),
        ("wps", "春游物资用的表，物品、数量、谁带三列，四行空着"),
        ("wps", "给我列个采购的表格呗，买什么、几个、谁去，五行足够了"),
        ("et", "记水电的账：表头类别、计划、支出、差额；水费 600 645，电费 950 910。差额拿公式算，计划减支出。"),
    ],
)
def test_a_clause_that_says_what_the_plan_has_is_not_asked_about(host: "HostApp", request_: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    drafted = draft_plan(request_, host=host, language=language)
    assert drafted.plan is not None, drafted.question


def test_only_a_doubtful_clause_costs_a_second_draft() -> None:
    plan: JsonObject = {"actions": [{"op": "insert_table", "header": True, "data": [["姓名", "电话"], ["", ""]]}]}
    drafted: list[str] = []

    def draft(request: str) -> "JsonObject":
        drafted.append(request)
        return plan

    assert find_unused("插一张表，两列：姓名、电话，表头加粗", plan, draft) == ""
    assert drafted == []
    assert find_unused("插一张表，两列：姓名、电话，表头涂灰", plan, draft) == "表头涂灰"
    assert drafted == ["插一张表，两列：姓名、电话"]
