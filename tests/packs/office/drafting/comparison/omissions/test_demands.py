"""Demands beside the content of an order: each is met by the plan or asked about, none is passed over in silence."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_REPORT = "写一份周报模板，分本周工作、存在问题、下周计划三部分"
_MINUTES = "写一份会议纪要模板，包括时间、地点、参会人员、议题、决议"
_OUTLINE = "写一个大纲：背景、目标、方案、预算、风险"
_CHART = "插入柱状图：一月120、二月150、三月90"
_TABLE = "做一个表格，列是姓名、部门、职务，5行"
_SLIDE = "新建一页幻灯片，标题“年度总结”，要点：收入增长、成本下降、客户满意"
_EN_OUTLINE = "Write an outline: Background, Goals, Approach, Budget, Risks"
_EN_TO_DO = "Make a to-do list: book the room, send the invitations, print the handouts"
_EN_CHART = "Insert a column chart: January 120, February 150, March 90"
_EN_SLIDE = 'Add a slide titled "Annual review" with the points: revenue grew, costs fell, customers are happy'


@pytest.mark.parametrize(
    ("host", "order", "demand"),
    [
        ("wps", _OUTLINE, "措辞委婉"),
        ("wps", _OUTLINE, "写详细点"),
        ("wps", _OUTLINE, "每部分写两三句"),
        ("wps", _OUTLINE, "每个标题后面附英文"),
        ("wps", _OUTLINE, "风险提到最前"),
        ("wps", _REPORT, "控制在一页以内"),
        ("wps", _REPORT, "每部分另起一页"),
        ("wps", _REPORT, "下周计划用表格"),
        ("wps", _REPORT, "末尾留签字处"),
        ("wps", _MINUTES, "照抄原话"),
        ("wps", _MINUTES, "决议放最前面"),
        ("wps", _CHART, "四月的也补上"),
        ("wps", _CHART, "用表格里的数字"),
        ("wps", _CHART, "是明年的数"),
        ("wps", _TABLE, "按部门排"),
        ("wps", _TABLE, "最后一列设只读"),
        ("wpp", _SLIDE, "风格活泼一些"),
        ("wpp", _SLIDE, "每条不超过十个字"),
        ("wpp", _SLIDE, "图放左边"),
        ("wpp", _SLIDE, "写上今天的日期"),
        ("wps", _EN_OUTLINE, "in the style of a white paper"),
        ("wps", _EN_OUTLINE, "in both English and Chinese"),
        ("wps", _EN_OUTLINE, "with roman numerals"),
        ("wps", _EN_TO_DO, "most urgent first"),
        ("wps", _EN_TO_DO, "with boxes to tick"),
        ("wps", _EN_TO_DO, "one owner each"),
        ("wps", _EN_TO_DO, "due Friday"),
        ("wps", _EN_CHART, "using the figures from the table above"),
        ("wps", _EN_CHART, "with a trend line"),
        ("wps", _EN_CHART, "with a thicker line"),
        ("wpp", _EN_SLIDE, "as the third slide"),
        ("wpp", _EN_SLIDE, "just before the last slide"),
        ("wpp", _EN_SLIDE, "picture on the right"),
        ("wpp", _EN_SLIDE, "keep each point under five words"),
        ("wpp", _EN_SLIDE, "with larger letters"),
    ],
)
def test_a_demand_that_the_plan_does_not_meet_is_asked_about(host: "HostApp", order: str, demand: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    assert draft_plan(order, host=host, language=language).plan is not None
    draft = draft_plan(f"{order}{', ' if language == 'en' else '，'}{demand}", host=host, language=language)
    assert draft.plan is None
    assert demand.rsplit(" ", maxsplit=1)[-1] in draft.question


@pytest.mark.parametrize(
    ("host", "request_", "written"),
    [
        ("wps", "做一个表格，列是语气、风格正式度、单位元、三维坐标，4行", "三维坐标"),
        ("wps", "做一个表格，表头为致谢、目录、页码，3行", "页码"),
        ("wps", "写一个大纲：背景、趋势线、签字处、风险", "签字处"),
        ("wps", "写一个待办清单：发通知、照抄原话、写详细点的方案", "照抄原话"),
        ("wps", "插入柱状图：一月120万元、二月150万元、三月90万元，单位万元", "万元"),
        ("wps", "做一个折线图，一季度30、二季度42、三季度38、四季度51，注明是去年", "去年"),
        ("wps", "写一个大纲，照抄我写的：背景、目标、方案", "方案"),
        ("wps", "Insert a table with columns Logo, Tone, Style and 3 rows", "Tone"),
        ("wps", "Write an outline: Goals, Cover page, Arrows, Risks", "Arrows"),
    ],
)
def test_names_and_demands_that_are_met_are_written(host: "HostApp", request_: str, written: str) -> None:
    language: Language = "en" if request_.isascii() else "zh"
    assert written in str(draft_plan(request_, host=host, language=language).plan)


@pytest.mark.parametrize(
    ("order", "demand"),
    [
        ("做一张预算表：差旅 预算5000 实际4200，培训 预算3000 实际3500，", "保留两位小数"),
        ("做一张预算表：差旅 预算5000 实际4200，培训 预算3000 实际3500，", "加千分位"),
        ("做一张预算表：差旅 预算5000 实际4200，培训 预算3000 实际3500，", "超支的标红"),
        ("Make a budget table: Travel budget 5000 actual 4200, Rent budget 3000 actual 3500, ", "with two decimals"),
    ],
)
def test_a_format_that_the_amounts_of_a_budget_have_is_met(order: str, demand: str) -> None:
    language: Language = "en" if order.isascii() else "zh"
    plan = draft_plan(f"{order}{demand}", host="et", language=language).plan
    assert plan == draft_plan(order.rstrip("，, "), host="et", language=language).plan is not None


def test_the_unit_that_an_order_states_is_that_of_its_chart() -> None:
    plan = draft_plan("插入柱状图：一月120、二月150、三月90，单位万元", host="wps", language="zh").plan
    assert "（万元）" in str(plan)
    asked = draft_plan("插入柱状图：一月120元、二月150元、三月90元，单位万元", host="wps", language="zh")
    assert asked.code == "unit"
