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
        ("wps", "写一个三点小结，用项目符号列：一是客流回升，二是租金下降，三是新店开张。", ['"list": "bullet"']),
        (
            "wps",
            "先放一个艺术字“春游安排”，接着在它下面插一张表，列是时间、地点，空四行。",
            ['["时间", "地点"]', "春游安排"],
        ),
        ("wps", "给我一个5行5列的空表格，小心别插重了。", ['"rows": 5, "cols": 5']),
        ("wps", "我要一个4行7列的空表格，用来排换班的，只要一个。", ['"rows": 4, "cols": 7']),
        (
            "wps",
            "插一个报价表，先是餐桌2张，每张3600元，然后是餐椅8把，每把450元，"
            "最后是边柜1个，每个1980元，末尾一行帮我算个合计。",
            ['"餐椅", "8把", "450", "3,600"', '"12,780"'],
        ),
        (
            "wps",
            "Insert a quote with quantity, unit price and amount: 5 boxes of screws at 4.50 each "
            "and 2 ladders at 89 each, "
            "and put the total in the last row.",
            ['"boxes of screws", "5", "4.50", "22.50"', '"200.50"'],
        ),
        (
            "wps",
            "Please add a template for the AGM minutes, with date, chair, apologies, motions passed and next meeting.",
            ["Date: ", "Motions passed", "Next meeting"],
        ),
        (
            "wps",
            'Add an appendix titled "Appendix C" and list in it, numbered, the deed, the plan and the permit.',
            ["1. The deed\\n2. The plan\\n3. The permit"],
        ),
        (
            "wpp",
            "Add a slide on risks and remedies: for frost, cover the rows, "
            "for a late harvest, hire help, and for hail, buy nets.",
            ['["frost", "cover the rows"], ["late harvest", "hire help"], ["hail", "buy nets"]'],
        ),
        ("wpp", "做一页三天的时间线，第一天报到，接着第二天培训，最后第三天考核。", ['["报到", "培训", "考核"]']),
        (
            "et",
            "Make a bar chart: North 12, South 18, East 9, and keep the numbers in the sheet too.",
            ['["North", "12"]'],
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
        ("wps", "想让表头热闹一点，插一张表，列是时间、地点，空四行。"),
        ("wps", "Add a template for meeting minutes with a formal tone, short sentences and clear wording."),
        ("wps", "插一张表，姓名打头，接着把表头加粗，备注收尾。"),
        ("wps", "插一张表，列是姓名、电话、备注，备注放最后。"),
        ("wps", "Insert a table with Name first, then Phone, and make the header red last."),
        ("wps", "Add a table with Budget first, then Actual, and the total last."),
        ("wps", "Insert a table, Monday first, then Tuesday, and last Friday."),
        ("wps", "Insert a quotation: 5 boxes of screws for 45, 2 ladders at 89 each."),
        ("wps", "Insert a quotation: 3 boxes of nails at 20 each, 2 tables at 50 each and free delivery."),
        ("wpp", "Add a slide on risks: for theft, lock the shed, and for fire, check the cables, and make it red."),
    ],
)
def test_what_the_plan_does_not_bear_out_is_asked_about(host: HostApp, request_text: str) -> None:
    assert draft_plan(request_text, host=host, language="zh").plan is None
