"""Remarks that say what the plan has anyway change nothing; what the plan does not bear out is asked about."""

from typing import TYPE_CHECKING

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.remarks import strike_remarks

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp

_TABLE = "插入一个表格，列为姓名、班次，3行"
_HEADER = "插入一个只有表头的表格，列为姓名、班次"
_GANTT = "做一张甘特表，任务为选题、采编、排版，共5周"
_SUMS = "按部门汇总加油费：运输队 1200、工程部 650、运输队 980"
_POINTS = "写一个三点总结：水质达标率99%；管网漏损降到8%；投诉下降两成"
_AGENDA = "加一页议程，列出甲项、乙项、丙项"
_PICTURE = "在这里留个图片占位框，图题写“图5 基坑支护现场”"
_MINUTES = "在文档末尾做个会议纪要模板，要有时间、地点、参会人、议题这几项"
_TABLE_EN = "Insert a table with the columns Name and Shift and 3 rows"
_POINTS_EN = "Write a summary in three points: membership grew; the roof repair is paid for; two trustees retire"
_BANNER_EN = 'Put a banner at the very top of the document saying "Hard Hats Required"'


def _draft(host: "HostApp", said: str) -> "tuple[object, str]":
    language: Language = "en" if said.isascii() else "zh"
    draft = draft_plan(said, host=host, language=language)
    return (draft.plan["actions"] if draft.plan else None), draft.question


@pytest.mark.parametrize(
    ("host", "order", "remark"),
    [
        ("wps", _TABLE, "内容各班组自己填"),
        ("wps", _TABLE, "前台的姑娘手写"),
        ("wps", _TABLE, "格子先空着就行"),
        ("wps", _TABLE, "内容留空待填"),
        ("wps", _MINUTES, "内容待填"),
        ("wps", _HEADER, "其余行以后再加"),
        ("et", _GANTT, "每个任务占一行"),
        ("et", _GANTT, "每周占一列"),
        ("et", _GANTT, "除表头行和任务名一列外，不要其他行列"),
        ("wps", _TABLE, "表头记得加粗"),
        ("wps", _TABLE, "这样一眼能看出来"),
        ("wps", _TABLE, "两列就够了"),
        ("wps", _MINUTES, "内容先空着就行"),
        ("wps", _HEADER, "下面一行都别留"),
        ("wps", _POINTS, "就用我的原话，一条一条列出来"),
        ("wps", _PICTURE, "位置先占着就行"),
        ("wps", _PICTURE, "到时候我自己换上去"),
        ("et", _SUMS, "各部门的数要用公式出来"),
        ("et", _SUMS, "别手算"),
        ("et", _SUMS, "看着清楚"),
        ("et", _SUMS, "数字我核过了，没错"),
        ("wpp", _AGENDA, "其余的页市场部做"),
        ("wpp", _AGENDA, "别的不用动"),
        ("wps", _TABLE_EN, "the nurses fill them in by hand"),
        ("wps", _TABLE_EN, "leave them blank"),
        ("wps", _TABLE_EN, "nothing else on it"),
        ("wps", _POINTS_EN, "one line per point is plenty"),
        ("wps", _BANNER_EN, "big and obvious is fine by me"),
    ],
)
def test_a_remark_that_the_plan_bears_out_changes_nothing(host: "HostApp", order: str, remark: str) -> None:
    alone, _ = _draft(host, order)
    whole, question = _draft(
        host, f"{order}. {remark[0].upper()}{remark[1:]}." if order.isascii() else f"{order}，{remark}。"
    )
    assert alone is not None
    assert whole == alone, question


@pytest.mark.parametrize(
    ("host", "order", "demand"),
    [
        ("wps", "插入一个表格，列为姓名、班次：小李 早；小王 晚", "内容我自己填"),
        ("wps", _TABLE, "五列"),
        ("wps", _TABLE, "五行就够"),
        ("wps", _TABLE, "下面一行都别留"),
        ("wps", _TABLE, "姓名由班长填"),
        ("wps", _TABLE, "第一行空着"),
        ("wps", _TABLE, "其余行以后再加"),
        ("et", _GANTT, "每个任务占两行"),
        ("et", _GANTT, "首列为负责人"),
        ("wps", _TABLE, "每周占一列"),
        ("wps", _TABLE, "填上日期"),
        ("wps", _TABLE, "班次列加粗"),
        ("wps", _TABLE, "表头别加粗"),
        ("wps", _TABLE, "看着别太花"),
        ("wps", _TABLE, "好看点"),
        ("wps", _TABLE, "字要大看得清楚"),
        ("wps", _TABLE, "合计用公式"),
        ("et", _SUMS, "别用公式"),
        ("et", _SUMS, "合计手填"),
        ("wpp", _AGENDA, "丙项由技术部讲"),
        ("wps", _TABLE_EN, "leave the first row empty"),
        ("wps", _TABLE_EN, "leave Shift blank"),
        ("wps", _TABLE_EN, "no rows below"),
        ("wps", _TABLE_EN, "use formulas"),
        ("wps", _TABLE_EN, "add the dates"),
        ("wps", _TABLE_EN, "someone will add the names in red"),
    ],
)
def test_a_clause_that_the_plan_does_not_bear_out_is_asked_about(host: "HostApp", order: str, demand: str) -> None:
    plan, question = _draft(host, f"{order}, {demand}." if order.isascii() else f"{order}，{demand}。")
    assert plan is None
    assert question


def test_a_remark_may_stand_before_the_order() -> None:
    assert strike_remarks("内容空着就行，插入一个表格").remarks == ("内容空着就行",)
    assert _draft("wps", f"谁都别再手写了。{_TABLE}")[0] == _draft("wps", _TABLE)[0]
