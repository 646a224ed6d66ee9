"""Requests as people say them aloud: sizes, names of numbers, remarks; look-alikes are asked about."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "请插入一个空的表格，横着5列、竖着12行，都是空格子就好。", ['"rows": 12, "cols": 5']),
        ("wps", "插一张表，列为项目、标准、结果，表头不算的话给我十行。", ['"rows": 11']),
        ("wps", "表格不用留行。插一个光有表头的表，列为车号、司机，数据行一行都不要。", ['"rows": 1']),
        ("wps", "写一份周报，下面分两块：销售、库存，每块都要有小标题。", ["## 销售", "## 库存"]),
        (
            "wps",
            "插张报价表。列就用品名、数量、单价、金额，东西有椅子12把，单价380；柜子4个，单价950。最后一行帮我把合计算出来。",
            ['"椅子", "12把", "380"', '"合计"'],
        ),
        ("wpp", "新建一张议程页，把概况、分析、配合这三项列上去就好。", ["概况\\n分析\\n配合"]),
        ("et", "请把加班小时数按部门汇总出来，用公式：一部 36，二部 12，一部 28。", ['["部门", "加班小时数"]']),
        ("et", "把销量按门店汇总一下，用公式：东店 36，西店 12，东店 28。", ['["门店", "销量"]']),
        ("et", "按部门汇总出来，用公式：一部 36，二部 12，一部 28。", ['["部门", "金额"]']),
        (
            "et",
            "Gantt table, the tasks are Book, Plan and Travel. It runs over 8 weeks, with the task in the first "
            "column and one column for each week.",
            ['"Week 8"', '"Travel"'],
        ),
    ],
)
def test_what_is_said_aloud_is_drafted(host: HostApp, request_text: str, written: list[str]) -> None:
    draft = draft_plan(request_text, host=host, language=language_of(request_text))
    assert draft.plan is not None, draft.question
    plan = json.dumps(draft.plan["actions"], ensure_ascii=False)
    assert [one for one in written if one not in plan] == []


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        ("wps", "想要个好看点的标题，插入一个表格，列为姓名、电话，3行。"),
        ("wps", "插入表格，列为姓名、电话，3行，每行前面都要有标题。"),
        ("wps", "表格不用留行。插入表格，列为姓名、电话，3行。"),
        ("wpp", "新建一张议程页，把概况、分析、配合这四项列上去就好。"),
    ],
)
def test_what_the_plan_does_not_bear_out_is_asked_about(host: HostApp, request_text: str) -> None:
    assert draft_plan(request_text, host=host, language="zh").plan is None
