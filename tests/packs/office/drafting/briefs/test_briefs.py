"""Laid-out messages: fields, points and rows of data become one sentence, and none of them is lost."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.briefs import restate_brief
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("名称=库存盘点，列=品名/账面/实盘，行=6，做成表格", "做成表格，标题“库存盘点”，列为品名、账面、实盘，6个空行"),
        (
            "请在文末加一张「设备清单」表：\n1. 列：编号 / 型号\n2. 表头加粗\n3. 表头下留 7 个空行",
            "请在文末加一张表格，标题“设备清单”，列为编号、型号，7个空行，表头加粗",
        ),
        (
            "Add a risk list as a table.\nColumns: Hazard | Impact\nRows below the header row: 6\nHeader row: bold",
            "Add a risk list as a table. Columns Hazard, Impact. 6 empty rows. Bold header",
        ),
        ("插入表格\n列：编号、状态\n行：表头 1 行 + 空白 4 行", "插入表格，列为编号、状态，4个空行"),
        ("插入表格\n列：编号、状态\n空行：5（表头另计）", "插入表格，列为编号、状态，5个空行"),
        (
            "Slide: title = Findings; bullets = fewer faults, faster repairs",
            'Slide, titled "Findings": fewer faults, faster repairs',
        ),
        (
            "写周报，要求如下：\n1. 标题用艺术字，文字为《门店周报》\n2. 正文分两个小节，各设小标题：「销售」「库存」",
            "写周报，用艺术字做标题“门店周报”，分为销售、库存",
        ),
        (
            "画柱状图\n标题：库容\n数据（名称,数值）：\n青龙,310\n白沙,275\n图的下方写一行说明：「单位：万方」",
            "画柱状图，标题“库容”，图下方写一行说明“单位：万方”，列为名称、数值：青龙 310；白沙 275",
        ),
        ("季度\t出口额\n一季度\t56\n二季度\t61\n按上表画柱状图", "画柱状图，列为季度、出口额：一季度 56；二季度 61"),
        (
            "| 项目 | 预算 | 实际 |\n|---|---|---|\n| 花卉 | 3000 | 2800 |\n| 音响 | 5000 | 5200 |\n做成预算表",
            "做成预算表，列为项目、预算、实际：花卉 3000 2800；音响 5000 5200",
        ),
        (
            "插入两张表：\n表1　列：车牌 / 车型　空行：3\n表2　列：日期 / 升数　空行：5",
            "插入两张表，第一个表的列为车牌、车型；第二个表的列为日期、升数。第一个表3行，第二个表5行",
        ),
        (
            "风险与应对一页\n1、供货延期：备用供应商\n2、人员不足：临时招聘",
            "风险与应对一页：供货延期——备用供应商；人员不足——临时招聘",
        ),
        (
            "甘特表：\n任务：选址、装修\n首列：任务\n其后各列：第1周 至 第8周（每周一列，不加其他列）",
            "甘特表，任务为选址、装修，时间跨度8周",
        ),
        ("插入表格。要求：1. 列为日期、天气；2. 空5行；3. 表头加粗。", "插入表格，列为日期、天气，5个空行，表头加粗"),
        (
            "做一张签到表\n字段如下：姓名、签名（共2列）\n备用空行：5 行，表头除外\n表头加粗：是",
            "做一张签到表，列为姓名、签名，5个空行，表头加粗",
        ),
        (
            "Add a table.\nColumns (left to right): Name, Host\nBlank data rows: ten empty ones under the header row",
            "Add a table. Columns Name, Host. 10 empty rows",
        ),
        (
            "插入一张空表格，规格：6 行 × 8 列。\n要求：\n1. 只插一张；\n2. 放在文末",
            "插入一张空表格，6行8列，只插一张，放在文末",
        ),
        (
            "周报\n标题（用艺术字）：「店报」\n正文分两节，各节设小标题，顺序如下：\n1. 销售\n2. 客诉",
            "周报，用艺术字做标题“店报”，分为销售、客诉",
        ),
        (
            "Minutes template\nFields to fill in: Venue / Date and time / Apologies",
            "Minutes template, with sections Venue, Qbbvqx, Apologies",
        ),
        (
            "插入折线图\n标题：《能耗》（不带书名号）\n数据项：1月 32，2月 31\n图的下面注明：单位：吨",
            "插入折线图，标题“能耗”，图下方写一行说明“单位：吨”：1月 32，2月 31",
        ),
        (
            "Put these weekly tonnage figures in the sheet and plot them as a line chart:\nMon,310\nTue,295",
            "make a line chart of weekly tonnage figures: Mon 310; Tue 295",
        ),
        (
            "插入表格，表头及内容如下（逗号分列）：\n编号,课程,教师\n甲,语文,王岚\n乙,数学,李涛",
            "插入表格\n编号\t课程\t教师\n甲\t语文\t王岚\n乙\t数学\t李涛",
        ),
        (
            "插入两张表，次序不能颠倒\n（一）第一个表的列：“车牌”、“车型”，空白 4 行\n"
            "（二）第二个表的列：“日期”、“里程”，空白 6 行",
            "插入两张表，次序不能颠倒，第一个表的列为车牌、车型；第二个表的列为日期、里程。第一个表4行，第二个表6行",
        ),
        (
            "预算表\n1. 列名：项目、预算、实际、差额\n2. 内容：食材 56 58；人工 42 41\n"
            "3. 差额用公式，按“实际减预算”算\n4. 金额显示千分位",
            "预算表，差额用实际减预算，列为项目、预算、实际、差额：食材 56 58；人工 42 41",
        ),
        (
            "甘特表\n任务：勘察、施工\n跨度：6周\n首行为表头，首列为任务名，不加其他行和列。",
            "甘特表，任务为勘察、施工，时间跨度6周",
        ),
        ("关键指标页\n大号字：「12.7天」\n说明文字：「周转天数」", "关键指标页，大字号显示“12.7天”，标签“周转天数”"),
        (
            "Insert a quotation table.\nLines:\nDoor | 3 | 82\nLock | 5 | 41\n"
            "Work out each amount and finish with a row “Total”.",
            "Insert a quotation table, with a total: Door quantity 3 price 82; Lock quantity 5 price 41",
        ),
    ],
)
def test_a_laid_out_message_becomes_a_sentence(message: str, sentence: str) -> None:
    assert restate_brief(message).text == sentence


@pytest.mark.parametrize(
    "message",
    [
        "插入表格，列为姓名、电话，共5行",
        "把第三段删掉，然后保存",
        "写一份总结：收入增长；成本持平",
    ],
)
def test_sentences_stay_as_they_are(message: str) -> None:
    assert restate_brief(message).text == message
    assert not restate_brief(message).unread


@pytest.mark.parametrize(
    ("message", "unread"),
    [
        ("做表\n列：日期、姓名\n行：每天一行", "行：每天一行"),
        ("做表\n列：日期、姓名\n颜色：蓝色", "颜色：蓝色"),
        ("做表\n列：日期、姓名\n列：电话、地点", "列：电话、地点"),
        ("做表\n列：日期、姓名\n列数：5", "5"),
        ("做表\n列：日期（留宽一些）、姓名\n空行：3", "列：日期（留宽一些）、姓名"),
        ("甘特图\n任务：\n1. 调研（2周）\n2. 设计（3周）\n总工期：5周", "1. 调研（2周）"),
        ("标题页\n标题：汇报\n日期：5月", "日期：5月"),
        ("Insert a table\nColumns: Day, Cook\nRows: one per day", "Rows: one per day"),
        ("时间线\n周次 | 内容\n第1周 | 部署\n第2周 | 试运行", "周次 内容"),
        ("插入报价表\n品名 | 数量 | 单价 | 金额\n水泵 | 2 | 30 | 61\n阀门 | 1 | 5 | 5", "水泵 2 30 61"),
        ("插入表格\n列（4列）：日期、姓名\n空行：3", "4"),
        ("要点页\n要点（共4条）：\n1. 提升留存\n2. 压缩成本", "共4条"),
        ("议程页\n内容（每条带时间）：\n- 点名\n- 讨论", "内容（每条带时间）："),
        ("写要点：\n苹果,香蕉,梨\n白菜,萝卜,葱\n猪肉,牛肉,羊肉", "苹果,香蕉,梨"),
        (
            "插入两张表\n第一张表的列：姓名、工号，空 3 行，表头标红\n第二张表的列：日期、事项，空 5 行",
            "第一张表的列：姓名、工号，空 3 行，表头标红",
        ),
        ("插入表格\n列：日期、姓名\n表头加粗：否", "表头加粗：否"),
        ("周报\n标题（艺术字，居中）：店报\n各节：销售、客诉", "标题（艺术字，居中）：店报"),
        ("预算表\n项目,预算,实际\n花卉,30,28\n音响,50,52\n差额：预算除以实际", "差额：预算除以实际"),
    ],
)
def test_a_line_that_is_not_understood_is_named(message: str, unread: str) -> None:
    assert restate_brief(message).unread == unread


@pytest.mark.parametrize(
    ("host", "message", "written"),
    [
        ("wps", "插入报价单\n品名 | 数量 | 单价（元）\n木桌 | 4 | 1280\n白板 | 2 | 430", ['"单价（元）"', '"5,980"']),
        ("wps", "插入报价单\n品名 | 单价 | 数量\n木桌 | 1280 | 4\n白板 | 430 | 2", ['"木桌", "1,280", "4", "5,120"']),
        (
            "wps",
            "Insert a table.\nColumns: No. / Sown on / Area (ha)\nBlank rows: 2",
            ['"No.", "Sown on", "Area (ha)"'],
        ),
        ("wps", "Table please. Columns: Day; Cook; Menu. Blank rows: 7. Header: bold.", ['"Day", "Cook", "Menu"']),
        (
            "et",
            "预算表\n项目/预算（万元）/实际（万元）/差额（万元）\n道路/120/131\n绿化/45/39\n差额：实际减预算",
            ["=C2-B2", "实际（万元）"],
        ),
        (
            "et",
            "加班时长（小时）明细如下，请用公式分部门求和：\n1. 生产部，36\n2. 仓储部，18\n3. 生产部，42",
            ["SUMIF", "加班时长（小时）"],
        ),
        ("wpp", "标题页\n标题：“数字乡村”试点汇报\n副标题：农业局", ["“数字乡村”试点汇报"]),
        (
            "wpp",
            "Risks and remedies slide:\n• Late delivery - second supplier\n• Power cut - generator",
            ['"Late delivery", "second supplier"'],
        ),
        (
            "wps",
            "插入：\n标题（加粗）：放假通知\n第一行：5月1日放假。\n第二行：5月4日上班。",
            ["放假通知", "5月1日放假。"],
        ),
    ],
)
def test_names_of_a_laid_out_message_are_written_whole(host: HostApp, message: str, written: list[str]) -> None:
    draft = draft_plan(message, host=host, language=language_of(message))
    assert draft.plan is not None, draft.question
    actions = json.dumps(draft.plan["actions"], ensure_ascii=False)
    assert [one for one in written if one not in actions] == []


@pytest.mark.parametrize(
    ("host", "message", "named"),
    [
        ("wps", "插入表格\n列：日期、姓名\n空行：6\n合计行：有", "合计"),
        ("wps", "插入表格\n列：日期、姓名\n空行：6\n备注：周末双岗", "备注：周末双岗"),
        ("wps", "插入表格\n列：日期、姓名\n共5列\n空行：6", "日期、姓名"),
        ("wps", "插入表格\n列：日期、姓名，共3列\n空行：6", "日期、姓名"),
        ("wps", "插入表格\n列：日期、姓名\n空行：6行，行高2厘米", "6行"),
        ("wpp", "议程页\n1. 签到\n2. 讨论\n3. 请放在最后一页", "请放在最后一页"),
        ("et", "甘特表\n- 任务：拆除、水电\n- 跨度：8周\n- 拆除占第1周", "拆除占第1周"),
        ("et", "甘特表\n任务：拆除、水电\n跨度：8周\n首行为公司名称，第一列为任务", "首行为公司名称"),
        ("wps", "插入柱状图\n标题：出行\n数据：周一 31，周二 28，突出周二", "突出周二"),
        ("wps", "插入一张空表格，规格：5 行 × 4 列。\n要求：\n1. 第一行合并；\n2. 放在文末", "第一行合并"),
    ],
)
def test_what_a_laid_out_message_says_and_no_plan_has_is_asked_about(host: HostApp, message: str, named: str) -> None:
    draft = draft_plan(message, host=host, language=language_of(message))
    assert draft.plan is None
    assert named in draft.question


def test_a_quotation_that_is_not_understood_is_quoted() -> None:
    draft = draft_plan("请做一张「设备清单」，列为编号、型号", host="wps", language="zh")
    assert "“”" not in draft.question


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
