"""Messages read clause by clause: other words make the same thing, and what no clause accounts for is asked about."""

import json
from typing import TYPE_CHECKING

import pytest

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps, list_tables, list_written
from metier.packs.office.drafting.statements import state_sheet, state_slide
from metier.packs.office.drafting.statements._points import take_points, take_rows

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.office.plan import HostApp


def _language(said: str) -> "Language":
    return "en" if said.isascii() else "zh"


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ("做折线图：1月 310，2月 295", [("1月", "310"), ("2月", "295")]),
        ("第1周14人，第2周15人，请画折线图", [("第1周", "14"), ("第2周", "15")]),
        ("1到3月的产蛋量分别是 2100、2050、2230", [("1月", "2100"), ("2月", "2050"), ("3月", "2230")]),
        ("数据：1月：75；2月：81", [("1月", "75"), ("2月", "81")]),
        ("1月 230 2月 245 3月 260", [("1月", "230"), ("2月", "245"), ("3月", "260")]),
        ("把第一季度230、第二季度260做成柱状图", [("第一季度", "230"), ("第二季度", "260")]),
        ("苹果 20 箱，梨 15 箱", [("苹果", "20"), ("梨", "15")]),
        ("1号窗口 33、2号窗口 41", [("1号窗口", "33"), ("2号窗口", "41")]),
        ("W1 14, W2 15", [("W1", "14"), ("W2", "15")]),
        ("Put Red 5, Blue 8 and Gold 3 in two columns", [("Red", "5"), ("Blue", "8"), ("Gold", "3")]),
        ("Class 3A 40, Class 3B 55", [("Class 3A", "40"), ("Class 3B", "55")]),
        ("North 14; South 9.", [("North", "14"), ("South", "9")]),
        ("week 1 - 12, week 2 - 15", [("week 1", "12"), ("week 2", "15")]),
        ("January to March: 32, 35, 31", [("January", "32"), ("February", "35"), ("March", "31")]),
        ("甲 5、乙 9，乙改成 10", []),
        ("如果甲超过 5、乙超过 9", []),
    ],
)
def test_names_with_numbers_are_found_between_whatever_signs(said: str, points: list[tuple[str, str]]) -> None:
    assert [(one.name, one.numbers[0]) for one in take_points(RequestText(said))] == points


@pytest.mark.parametrize(
    "said",
    [
        "房租 2000 2100；水电 300 280",
        "房租预算2000实际2100，水电预算300实际280",
        "房租，2000，2100；水电，300，280",
        "房租是2000和2100，水电是300和280",
        "房租计划2000、实付2100，水电计划300、实付280",
    ],
)
def test_names_with_two_numbers_are_found_whatever_stands_between(said: str) -> None:
    rows = [(one.name, *one.numbers) for one, _ in take_rows(RequestText(said))]
    assert rows == [("房租", "2000", "2100"), ("水电", "300", "280")]


@pytest.mark.parametrize(
    ("said", "table"),
    [
        (
            "甲店 56，乙店 48，用柱状图比一比，数据放两列，店名在左。",
            [["店名", "数值"], ["甲店", "56"], ["乙店", "48"]],
        ),
        ("表里加两列，月份和产量：1月 40，2月 44；旁边画折线图。", [["月份", "产量"], ["1月", "40"], ["2月", "44"]]),
        (
            "Keep the names in one column and the counts in the next, then draw a bar chart: Oak 31, Ash 24.",
            [["Names", "Counts"], ["Oak", "31"], ["Ash", "24"]],
        ),
        (
            "行政 500 312，后勤 420 450，请做成执行表，列名部门、预算、支出、结余，结余由公式算出（预算减支出）。",
            [["部门", "预算", "支出", "结余"], ["行政", "500", "312", ""], ["后勤", "420", "450", ""]],
        ),
        (
            "Seeds 500 460, Fuel 900 1010. Set these out as Item, Planned, Actual, Difference and let a formula "
            "work out the difference.",
            [["Item", "Planned", "Actual", "Difference"], ["Seeds", "500", "460", ""], ["Fuel", "900", "1010", ""]],
        ),
        (
            "把这些罚款按路段分组求和：东路 200；西路 100；东路 50。",
            [["路段", "罚款"], ["东路", "200"], ["西路", "100"], ["东路", "50"]],
        ),
        (
            "How much did each shop sell in total? Harbour 300, Market 250, Harbour 120. Put the totals in a table.",
            [["Shop", "Amount"], ["Harbour", "300"], ["Market", "250"], ["Harbour", "120"]],
        ),
        (
            "简易甘特表，行为任务，列为第1周至第3周，任务依次是开题、实验、答辩。",
            [
                ["任务", "第1周", "第2周", "第3周"],
                ["开题", "■", "", ""],
                ["实验", "", "■", ""],
                ["答辩", "", "", "■"],
            ],
        ),
    ],
)
def test_a_sheet_is_made_of_clauses_in_any_order(said: str, table: list[list[str]]) -> None:
    plan = draft_plan(said, host="et", language=_language(said)).plan
    assert plan is not None
    assert list_tables(list_steps(plan))[0] == table


def test_the_difference_is_computed_as_the_message_says() -> None:
    said = "列名为“场次”“预定”“实收”“相差”；早场是200和235，晚场是180和172；“相差”那一列由公式得出，是实收减去预定。"
    plan = draft_plan(said, host="et", language="zh").plan
    assert plan is not None
    assert [one["formula"] for one in list_steps(plan) if "formula" in one] == ["=C2-B2", "=C3-B3"]


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("“开学典礼”做标题，“教务处”做副标题，新建一张标题幻灯片。", ["开学典礼", "教务处"]),
        (
            '"Open Day" should be the title and "Our School" the subtitle of a new title slide.',
            ["Open Day", "Our School"],
        ),
        (
            "One slide that tells people what we will cover: history, products, prices.",
            ["history", "products", "prices"],
        ),
        ("背景介绍，问题分析，下步计划——把这三项列成一页议程。", ["背景介绍", "问题分析", "下步计划"]),
        ("目录页：一、形势；二、任务；三、要求", ["形势", "任务", "要求"]),
        ("设备开机率 96.5%，请做成一页关键指标，数字特别醒目。", ["96.5%", "设备开机率"]),
        (
            'Please put 12,400 in large print on a new slide, with "Litres of milk" as the label.',
            ["12,400", "Litres of milk"],
        ),
        (
            "原料涨价，签长期合同；设备故障，备齐易损件。做成一页风险与应对。",
            ["原料涨价", "签长期合同", "设备故障", "备齐易损件"],
        ),
        (
            "One slide on what could go wrong and what we'd do: frost - cover the beds; pests - weekly checks.",
            ["frost", "cover the beds", "pests", "weekly checks"],
        ),
        ("第1周到第3周的安排做成时间线：拆旧、布线、安装。", ["第1周", "第3周", "拆旧", "布线", "安装"]),
        ("W1 dig, W2 pour: put these on a new slide as a timeline running left to right.", ["W1", "dig", "W2", "pour"]),
    ],
)
def test_a_slide_is_made_of_clauses_in_any_order(said: str, texts: list[str]) -> None:
    plan = draft_plan(said, host="wpp", language=_language(said)).plan
    assert plan is not None
    written = list_written(plan)
    assert [one for one in texts if one not in written] == []
    assert sum(one["op"] == "add_slide" for one in list_steps(plan)) == 1


_CHART = "柱状图：甲 5、乙 9、丙 3"
_CHART_EN = "Bar chart of A 5, B 9, C 3"
_BUDGET = "预算表，列为项目、预算、实际、差额：房租 2000 2100；水电 300 280"
_SUMS = "按部门汇总：市场部 500、技术部 800、市场部 300"
_GANTT = "甘特表：设计、开发、测试，6周"


@pytest.mark.parametrize(
    "said",
    [
        *(
            f"{_CHART}，{one}"
            for one in ("按大小排", "只要前两名", "丙不要画", "加数据标签", "纵轴从0开始", "如果超过8就标红")
        ),
        *(
            f"{_CHART}。{one}"
            for one in ("横向的", "做成两张", "每个都翻倍", "换算成美元", "数字放在柱子上", "放在第二张表")
        ),
        *(f"{_CHART_EN}, {one}" for one in ("sorted from high to low", "without C", "add data labels", "in thousands")),
        *(f"柱状图：甲 5、乙 {one}、丙 3" for one in ("约9", "9或10", "无", "9?", "超过9")),
        *(f"Bar chart: A 5, B {one}, C 3" for one in ("about 9", "9?", "over 9", "9 or 10")),
        *(f"{_CHART_EN}. {one}" for one in ("Double each value.", "Put C first.", "Numbers on the bars.", "A is old.")),
        "做堆积柱状图：甲 5、乙 9、丙 3",
        "折线图和柱状图各一张：甲 5、乙 9、丙 3",
        "四个仓库的柱状图：甲 5、乙 9、丙 3",
        "周一到周日的折线图：周一 5、周二 9、周三 3",
        "把1月 120、2月 135写进原来的表里，再画折线图",
        "把上次的柱状图更新成：甲 5、乙 9、丙 3",
        "Dotted line chart of Jan 5, Feb 9, Mar 3",
        "Line chart of Jan 5, Feb 9, Mar 3 with a trend line",
        "Should I use a bar chart for A 5, B 9, C 3?",
        *(f"{_BUDGET}，{one}" for one in ("差额用百分比", "加一行合计", "不要公式", "房租那行加粗", "差额写在最前面")),
        "预算表，列为项目、去年、今年、差额：房租 2000 2100；水电 300 280，差额用公式",
        "预算表，列为项目、预算、实际、完成率：房租 2000 2100；水电 300 280",
        "预算表，列为项目、实际、预算、差额：房租预算2000实际2100；水电预算300实际280",
        *(
            f"{_SUMS}，{one}"
            for one in ("只要市场部", "从高到低", "技术部除外", "重复的只算一次", "再算占比", "明细不要")
        ),
        "按部门求平均：市场部 500、技术部 800、市场部 300",
        "按部门和月份汇总：市场部 500、技术部 800、市场部 300",
        "统计每个部门报了几次：市场部 500、技术部 800、市场部 300",
        *(f"{_GANTT}，{one}" for one in ("设计两周", "第3周休息", "从第2周开始", "加一列负责人", "开发和测试同时进行")),
        "甘特表：设计、开发、测试四项，6周",
    ],
)
def test_a_sheet_with_a_clause_that_is_not_read_is_not_made(said: str) -> None:
    assert state_sheet(said, _language(said)) is None


@pytest.mark.parametrize(
    "said",
    [
        *(
            f"加一页封面，标题“年度总结”，副标题“办公室”，{one}"
            for one in ("红色", "放公司logo", "作者“张三”", "标题居左")
        ),
        "把封面的标题改成“年度总结”，副标题改成“办公室”",
        *(
            f"议程页：背景、现状、方案，{one}"
            for one in ("方案不要", "编号", "分两栏", "每项配图标", "加动画", "字大一点")
        ),
        "议程页四项：背景、现状、方案",
        "议程页：背景、方案、目录",
        "Agenda slide: Intro; Plans; Slides; Budget",
        "Problems and fixes on a slide: slow server - make a slide; lost files - backup; late staff - clock",
        "Agenda slide: Intro, Plans, Questions, in two columns",
        "Agenda slide: Intro (5 min), Plans, Questions, start at nine",
        *(
            f"加一页大字“98%”，标签“满意度”，{one}"
            for one in ("绿色", "去年是95%", "标签也要大", "和去年对比", "不要标题")
        ),
        "把“98%”放大，标签“满意度”",
        *(f"风险页：停电——发电机；缺水——水箱，{one}" for one in ("水箱标红", "按严重程度排", "加一列负责人", "三行")),
        "风险页三条：停电——发电机；缺水——水箱",
        "风险页：停电——发电机——李四；缺水——水箱——王五",
        "Risk slide: flood - pumps; fire - drills. Rate them.",
        *(f"时间线：第1周启动，第2周开发，{one}" for one in ("竖着排", "用箭头", "第2周测试", "第3周标红")),
        "五周时间线：第1周启动，第2周开发，第3周测试",
        "时间线：第1周启动（张三），第2周开发（李四）",
        "把时间线第1周改为启动，第2周改为开发",
        "Timeline: week 1 dig, week 2 pour, week 3 frame in red",
    ],
)
def test_a_slide_with_a_clause_that_is_not_read_is_not_made(said: str) -> None:
    assert state_slide(said, _language(said)) is None


@pytest.mark.parametrize("host", ["et", "wpp"])
def test_a_long_message_is_read_in_one_pass(host: "HostApp") -> None:
    said = "风险页：" + "；".join(f"风险{one}——措施{one}" for one in "甲乙丙丁戊己庚辛壬癸" * 4) + "，红色"
    assert (state_sheet if host == "et" else state_slide)(said, "zh") is None


def test_weeks_that_are_said_as_a_span_are_no_cut_word() -> None:
    said = "请建甘特表，时间从第1周到第6周，任务：整地、播种、施肥、除草、收割。"
    plan = draft_plan(said, host="et", language="zh").plan
    assert plan is not None
    assert "第6周" in json.dumps(plan, ensure_ascii=False)
