"""Messages that tempt to write something that was not ordered: each is asked about, and its plain neighbour is not."""

import json
from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp

_LINES = (
    *("实验室须知", "进入须穿白大褂。", "严禁烟火", "负责人：邓超群", "电话：8829-3310", "费用：300元"),
    *("House rules", "Contact: Al Reyes", "Fee: 30 euros", "Keys are due 30 June 2025.", "本合同一式两份。"),
)
_READINGS: dict[HostApp, Reading] = {
    "wps": Reading("a.docx", "docx", tuple(TextPiece(f"p{at}", line) for at, line in enumerate(_LINES, 1))),
    "et": Reading("a.xlsx", "xlsx", sheets=(SheetCells("台账", (SheetCell("A1", "名称"), SheetCell("A2", "甲"))),)),
    "wpp": Reading("a.pptx", "pptx", slides=(SlideText(1, "已有的一页"),)),
}


def _plan(host: HostApp, request: str) -> Any:
    return draft_plan(request, host=host, language=language_of(request), reading=_READINGS[host]).plan


_SHEET = "新建工作表“采购”，列为"
_NEW = 'Make a new sheet "Buy" with columns '


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        # talk behind a text without quotation marks
        ("wps", "文末加二级标题：值班安排，下面写：周末轮班，弄完发给王总"),
        ("wps", "文末加一行：须戴护目镜，打印两份"),
        ("wps", "文末加一行：须戴护目镜。弄完告诉我一声"),
        ("wps", "Add a line at the end: No pets, then email it to Bob"),
        ("wps", 'Add a heading "Rota", then a paragraph saying: Weekends rotate, then email it to Bob'),
        ("wps", 'Change the title to "Rules" and print it'),
        ("wpp", "加一页，标题“甲”，要点：子；丑，打印两份"),
        # a correction, a condition, what is left to the reader
        ("wps", "文末加一行：须戴护目镜，不对，是防护镜"),
        ("wps", "Add a line at the end: No pets, no wait, no dogs"),
        ("wps", 'Add a heading "Rota", then a numbered list: a, b, no wait, c, d'),
        ("wps", "文末加一级标题“值班”，下面一段“周末轮班。”，如果太长就缩短"),
        ("wps", "文末加一行：须戴护目镜，如果没有就算了"),
        ("wps", "文末加二级标题“步骤”，项目符号列表：断电、拆线、等等"),
        ("wpp", "加一页，标题“甲”，要点：子；丑，如果放不下就分两页"),
        ("wpp", 'Add a slide titled "Plan" with points: hire; train; launch, or maybe just hire'),
        ("wps", "文末另起一行写上今天的日期"),
        # a look or a numbering that no rule gave
        ("wps", "在“严禁烟火”下面加一行：违者罚款200元，加粗显示"),
        ("wps", 'Add a heading "Rota", followed by a paragraph: Weekends rotate, but don\'t make it bold'),
        ("wps", "Change the title to House rules & notes, centred"),
        ("wps", "文末加二级标题“巡检”，项目符号：泵、阀、电机。前两项标红"),
        ("wps", "文末加二级标题“步骤”，编号列表：1. 断电；2. 拆线；3. 验电，从5开始编号"),
        # counts, levels and kinds
        ("wps", "文末加一级标题“值班”，下面用项目符号列三条：甲、乙、丙、丁"),
        ("wps", "文末加二级标题“成绩”，表格：姓名、成绩，填三行：李，90；王，85"),
        ("wpp", "加一页，标题“季度”，三点：甲、乙、丙、丁"),
        ("wpp", "加一页标题“销量”，柱形图：甲 好，乙 坏"),
        ("wpp", 'Add a slide titled "Sales" with a bar chart of good, bad'),
        ("wpp", "加一页，标题“预算”，两栏：左边材料，右边人工"),
        ("wpp", 'Add a slide titled "A" with points: "x"; "y" and delete slide 1'),
        ("wps", 'Add a heading "Rota", under it bullets: milk, eggs (2 dozen, free range), bread'),
        # figures that are not sure, formulas and totals
        ("wpp", "加一页标题“销量”，柱形图：一月100，二月120，三月大概130"),
        ("et", _NEW + "Name, Pay and these rows: Al 100, Bo 200, and Cy maybe 300"),
        ("et", _NEW + "Name, Rate, Hours, Pay: Al: 38 hours at 14; Bo: 20 hours at 12. Pay is hours times rate."),
        ("et", _NEW + "Name, Dept: Al, IT; Bo, HR. Draw a bar chart"),
        ("et", _NEW + "Name, Pay: Al, 100; Bo, 200. Add a total column"),
        ("et", _SHEET + "姓名、语文、数学、总分：李，90，80；周，85，70。总分=(语文+数学)/2"),
        ("et", _SHEET + "姓名、语文、数学、总分：李，90，80；周，85，70。总分=语文加数学除以2"),
        ("et", _SHEET + "姓名、语文、数学、总分：李，90，80；周，85，70。总分=语文+数学，不对，总分是数学"),
        ("et", _SHEET + "姓名、时薪、工时、工资：李 38小时 每小时14；周 20小时 每小时12。工资=时薪*工时"),
        ("et", _SHEET + "姓名、电话：李，13800138000；周，13900139000。最后加合计"),
        ("et", _SHEET + "项目、收入、支出：甲，100，-50；乙，(200)，80。加合计"),
        ("et", "新建工作表“采购/上”，列为日期、金额：3月1日，1200；3月2日，980。"),
        ("et", _SHEET + "月份、水费、电费：1月，35，120；2月，40，98。水费求和、电费求平均"),
        ("wps", 'Append a heading "Drill", below it one line: Meet at gate B. Use a friendly tone.'),
        ("wps", 'Append a heading "Drill", below it bullets: meet; count; leave; thanks!'),
        ("wps", "末尾加二级标题：演练计划，下面一段：每季度演练一次"),
        ("wps", "末尾加二级标题“演练”，底下用圆点列：集合；清点；撤离，顺序不能变"),
        # edits
        ("wps", "负责人改成叶文静或者王伟"),
        ("wps", "Change the fee from 30 to 40 euros from July on"),
        ("wps", "本合同一式两份改成三份"),
        ("wps", "文末加一行：须戴护目镜，费用改成400元，打印两份"),
        ("wps", "负责人：叶文静，别忘了发给王总"),
    ],
)
def test_what_is_not_wholly_an_order_is_asked_about(host: HostApp, request_text: str) -> None:
    plan = _plan(host, request_text)
    assert plan is None, json.dumps(plan, ensure_ascii=False)


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "文末加二级标题“值班”，下面写“弄完发给王总，打印两份”", ["弄完发给王总，打印两份"]),
        ("wps", "文末加一行：内部资料，请勿外传，明天9:30前交回", ["内部资料，请勿外传，明天9:30前交回"]),
        ("wps", "在“严禁烟火”下面加一行：超过10天，甲方可以解除合同", ["超过10天，甲方可以解除合同"]),
        ("wps", "Add a line at the end: No pets, no smoking, call 555-0100", ["No pets, no smoking, call 555-0100"]),
        ("wps", "文末加一级标题“值班”，下面用项目符号列三条：甲、乙、丙", ["甲\\n乙\\n丙"]),
        ("wps", "文末加二级标题“成绩”，表格：姓名、成绩，填两行：李，90；王，85", ["成绩", "85"]),
        ("wps", "文末加二级标题“R&D”，下面一行“见 https://a.b/c?d=1,2”", ["R&D", "https://a.b/c?d=1,2"]),
        ("wps", "费用改成400", ["400元"]),
        ("wps", "电话改成8830", ["电话：8830"]),
        ("wps", "Change the fee from 30 to 40", ["40"]),
        ("et", _SHEET + "姓名、语文、数学、总分：李，90，80；周，85，70。总分=语文+数学", ["=B2+C2"]),
        ("et", _SHEET + "姓名、工号、工资：李，1001，5000；周，1002，6000。最后加合计", ["=SUM(C2:C3)"]),
        ("et", _SHEET + "日期、金额：3月1日，1,200.50；3月2日，980。最后一行合计，保留两位小数", ["B2:B4"]),
        (
            "et",
            _NEW + "Name, Hours, Rate, Pay: Al: 38 hours at 14; Bo: 20 hours at 12. Pay is hours times rate.",
            ["B2*C2"],
        ),
        ("wpp", "加一页，标题“季度”，三点：甲、乙、丙", ["甲\\n乙\\n丙"]),
        ("wpp", "加一页标题“销量”，柱形图：一月100，二月120", ["add_chart"]),
        ("wpp", 'Add a slide titled "A" with points: "x"; "y"', ["x\\ny"]),
    ],
)
def test_the_plain_neighbours_of_traps_are_written(host: HostApp, request_text: str, written: list[str]) -> None:
    plan = json.dumps(_plan(host, request_text), ensure_ascii=False)
    assert [one for one in written if one not in plan] == []
