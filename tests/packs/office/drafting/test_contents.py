"""Contents of an order in any words: names, counts, weeks, units, titles; and what of them is asked about."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp) -> str:
    draft = draft_plan(request, host=host, language=language_of(request))
    assert draft.plan is not None, draft.question
    return json.dumps(draft.plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("host", "request_text", "written", "unwritten"),
    [
        (
            "wps",
            "写一份本周的周报，标题用艺术字“研发周报”，下面分三个小标题：本周完成、遇到的困难、下周打算。",
            ["## 本周完成", "## 遇到的困难", "## 下周打算"],
            "# 本周完成、",
        ),
        (
            "wps",
            "编写周报：标题采用艺术字“门店周报”，正文依次设置销售情况、人员排班、下周重点三个标题。",
            ["## 销售情况", "## 人员排班", "## 下周重点"],
            "三个标题",
        ),
        (
            "wps",
            "周报，标题艺术字“客服周报”，后面三个标题分别是已解决的、还没解决的、要升级的",
            ["## 已解决的", "## 要升级的"],
            "分别",
        ),
        ("wps", "插入表格，列为重要点、次要点，2行", ['"重要点", "次要点"'], "1. "),
        ("wps", "Add a table with columns Name, Role as well as Phone, two rows", ['"Name", "Role", "Phone"'], "well"),
        ("wps", "Insert a header row only: Serial No., Model, Status", ['"Serial No.", "Model"'], "only"),
        ("wps", "做个表：列=姓名+部门+职务", ['"姓名", "部门", "职务"'], "+"),
        (
            "wps",
            "插入检查表，字段：检查要点、结论；空行数为八；表头加粗。",
            ['"检查要点", "结论"', '"rows": 9'],
            "字段",
        ),
        (
            "wps",
            "在这里放一张列为隐患部位、整改人、完成时间的表，空出五行",
            ['"隐患部位", "整改人", "完成时间"'],
            "的表",
        ),
        (
            "wps",
            "Add a quotation with columns Item, Qty, Price and Amount for the following: Pen, 2 at 35; Kit, 4 at 60",
            ['"Item", "Qty", "Price", "Amount"', "310"],
            "following",
        ),
        (
            "wps",
            "附录放文末：标题“附录A 资料”，条目：操作规程；维修手册；备件目录",
            ["1. 操作规程\\\\n2. 维修手册"],
            "条目",
        ),
        ("wps", "Quotation: 12 lamps @ 45, 6 shelves @ 80; with total", ['"lamps", "12", "45", "540"'], "lamps @"),
        (
            "et",
            "把招募、培训、上岗这三个任务排成一张4周的甘特表",
            ['"任务", "第1周"', '"上岗", "", "", "■", "■"'],
            "这三个",
        ),
        ("et", "column chart: North 12, South 15; title Regional sales", ['"title": "Regional sales"'], '"Sales"'),
        ("et", "甘特表，6周，任务：拆旧、水电、油漆，格子先空着", ['"拆旧", "", "", "", "", "", ""'], '"■", "'),
        ("et", "Gantt table, tasks down the left (Survey, Build), weeks 1 to 3 across the top", ['"Week 3"'], "Week 4"),
        ("et", "各仓库存量（单位：吨）：东仓 120，西仓 98。柱状图。", ["各仓库存量（吨）", '"东仓", "120"'], "数值"),
        ("et", "按班组汇总加班时长：甲班 12、乙班 8、甲班 5，用公式", ["加班时长合计"], "金额"),
        (
            "wpp",
            "一页风险应对，第一条是停工，办法是调整工序；第二条是缺料，办法是备货",
            ['"停工", "调整工序"'],
            "第一条",
        ),
        ("wpp", "插入标题幻灯片“启动会”（副标题：信息中心）", ['"title": "启动会"', '"content": "信息中心"'], "副标题"),
        ("wpp", "KPI：98.6%（客户满意度），大字", ['"98.6%"', '"客户满意度"'], "（"),
        (
            "wpp",
            "Add one slide that pairs each risk with its remedy: late permits – file early; storm – keep a buffer.",
            ['"late permits", "file early"'],
            "pairs each",
        ),
    ],
)
def test_contents_are_written_without_the_words_around_them(
    host: HostApp, request_text: str, written: list[str], unwritten: str
) -> None:
    actions = _draft(request_text, host)
    assert [one for one in written if one.replace("\\\\", "\\") not in actions] == []
    assert unwritten not in actions.replace("第1周", "")


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        ("et", "甘特表，第2周到第5周，任务：调研、设计、开发"),
        ("et", "甘特表，任务：调研、设计、开发，每个任务两周"),
        ("et", "按部门用公式统计人数：研发 12、测试 5、研发 3，再按地区汇总"),
        ("et", "按班组汇总平均时长：甲班 3、乙班 4、甲班 5"),
        ("wps", "Add a table, columns Name, Amount for the following year, two rows"),
        ("wps", "插入表格，列为姓名、提交的报表、交来的表，3行"),
        ("wps", "会议纪要，分为两部分：时间、地点、决议"),
        ("wps", "周报，下设三个小标题：完成、问题"),
        ("wps", "插入只有表头的表格，列为日期、收入、支出，但下面要有一行空行"),
        ("wpp", "风险一页：停电——发电机——张工；断网——离线——李工"),
        ("wpp", "标题页“启动会”（副标题：信息中心，蓝色）"),
    ],
)
def test_contents_that_contradict_each_other_or_say_more_are_asked_about(host: HostApp, request_text: str) -> None:
    draft = draft_plan(request_text, host=host, language=language_of(request_text))
    assert draft.plan is None
    assert draft.question
