"""Requests in the form of fields, pasted rows and parallel lists."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.restate._fields import restate_fields
from metier.packs.office.drafting.restate._parallel import restate_parallel
from metier.packs.office.drafting.restate._rows import restate_rows
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("名称=库存盘点，列=品名/账面/实盘，行=6，做成表格", "做成表格，标题“库存盘点”，列为品名、账面、实盘，共6行"),
        ("模板名称：“班子会会议纪要”；栏目：时间、议题", "会议纪要模板，标题“班子会会议纪要”，分为时间、议题"),
        (
            "柱状图 | 标题=“客流” | 数据: 东店 53; 西店 61 | 备注“含周末”",
            "柱状图，标题“客流”：东店 53; 西店 61 | 备注“含周末”",
        ),
        (
            "Slide: title = Findings; bullets = fewer faults, faster repairs",
            'Slide, titled "Findings": fewer faults, faster repairs',
        ),
        ("页面标题：培训收获\n要点：\n- 懂流程\n- 会操作", "新建一页幻灯片，标题“培训收获”：懂流程、会操作"),
    ],
)
def test_fields_become_a_sentence(request_text: str, said: str) -> None:
    assert restate_fields(request_text) == said


@pytest.mark.parametrize(
    "request_text",
    [
        "列：姓名、电话；行：每班5",
        "标题：巡检表\n列：设备、结果\n对齐：居中",
        "列：姓名、电话\n列：日期、地点",
        "标题：通知；正文：明天停电",
        "Columns: Day, Cook. Rows: one per day",
    ],
)
def test_fields_that_cannot_be_read_stay_as_they_are(request_text: str) -> None:
    assert restate_fields(request_text) == request_text


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("季度\t出口额\n一季度\t56\n二季度\t61\n按上表画柱状图", "画柱状图，列为季度、出口额：一季度 56；二季度 61"),
        (
            "| 项目 | 预算 | 实际 |\n|---|---|---|\n| 花卉 | 3000 | 2800 |\n| 音响 | 5000 | 5200 |\n做成预算表",
            "做成预算表，列为项目、预算、实际：花卉 3000 2800；音响 5000 5200",
        ),
        ("姓名\t电话\n张三\t一\n做成表格", "姓名\t电话\n张三\t一\n做成表格"),
    ],
)
def test_pasted_rows_with_numbers_stand_behind_the_order_of_a_chart(request_text: str, said: str) -> None:
    assert restate_rows(request_text) == said


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("东店、西店的销量 30、40，柱状图", "销量：东店 30、西店 40，柱状图"),
        ("请录入4月、5月、6月的销量 30、40、50，做折线图", "请录入销量：4月 30、5月 40、6月 50，做折线图"),
        ("东店、西店的销量 30、40、50，柱状图", "东店、西店的销量 30、40、50，柱状图"),
        ("东店、西店的销量 30、40", "东店、西店的销量 30、40"),
    ],
)
def test_as_many_numbers_as_names_are_put_together_for_a_chart(request_text: str, said: str) -> None:
    assert restate_parallel(request_text) == said


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "品名\t规格\n螺栓\tM8\n垫片\tM6\n把上面这些做成表格", ['"螺栓", "M8"', '"垫片", "M6"']),
        ("wps", "Name\tRole\nAnna\tNurse\nBen\tPorter\nMake this a table.", ['"Anna", "Nurse"']),
        ("et", "名称=库存盘点，列=品名/账面/实盘，行=6，做成表格", ['"品名", "账面", "实盘"', "库存盘点"]),
        ("wps", "一张“姓名、工号、班次”三列、四行空行的表。", ['"姓名", "工号", "班次"']),
        ("et", "季度\t出口额\n一季度\t56\n二季度\t61\n按上表画柱状图", ['"季度", "出口额"', '"一季度", "56"']),
    ],
)
def test_forms_and_pasted_rows_are_written(host: HostApp, request_text: str, written: list[str]) -> None:
    draft = draft_plan(request_text, host=host, language=language_of(request_text))
    assert draft.plan is not None, draft.question
    actions = json.dumps(draft.plan["actions"], ensure_ascii=False)
    assert [one for one in written if one not in actions] == []


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        ("wps", "姓名\t电话\n张三\t123\n李四\t456\n做成表格，按姓名排序"),
        ("wps", "姓名\t电话\n张三\t123\n李四\t456\n做成表格，再加一列备注"),
        ("wps", "姓名\t成绩\n张三\t80\n李四\t90\n画柱状图，只画李四"),
        ("wps", "Title: Rota. Columns: Day, Cook. Rows: one per day"),
        ("wps", "标题：值班表；列：日期、姓名；行：7；把周末标红"),
        ("et", "列：品名、数量；行：5；类型：表格；合计"),
    ],
)
def test_what_a_form_says_beside_its_fields_is_asked_about(host: HostApp, request_text: str) -> None:
    draft = draft_plan(request_text, host=host, language=language_of(request_text))
    assert draft.plan is None
    assert draft.question
