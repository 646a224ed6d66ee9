"""What a request says is in its plan: the whole title, each copy, each name; a look is no text."""

from typing import Any

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


def _plan(request: str, host: HostApp) -> Any:
    return draft_plan(request, host=host, language="en" if request.isascii() else "zh").plan


@pytest.mark.parametrize(
    ("host", "request_"),
    [
        ("wpp", "新建一页标题幻灯片，标题是：小王，你好"),
        ("wpp", "新建一页封面，标题：感谢有你，我们同行"),
        ("wpp", "Add a title slide titled: Hello, world"),
        ("wpp", "Add a title slide with the title: Thanks, everyone"),
        ("wps", "插入横幅：小王，你好"),
        ("wps", "插入表格，标题是：小王，你好，列为姓名、电话"),
        ("wps", "插入表格，列为姓名、电话，要两份"),
        ("wps", "插入一个表格，列为姓名、班次，3行，每周一列"),
        ("wps", "插入一个表格，列为姓名、班次，3行，每月占一列"),
        ("wps", "插入两个相同的表格，列为姓名、电话"),
        ("wps", "做两张空白表，表头姓名、电话"),
        ("wps", "插入一式两份的签到表，列为姓名、签名"),
        ("wps", "Insert the same table twice with columns Name and Role"),
        ("wps", "Insert two copies of a table with columns Name, Role"),
        ("wps", "插入表格，列为姓名、成绩：张三 90 李四 缺考"),
        ("wps", "插入表格，列为姓名、成绩：李四 缺考 张三 90"),
        ("wps", "Insert a table with columns Name, Score: Ann 90 Bob absent"),
        ("wpp", "做一页KPI：营收 120 利润 待定"),
        ("wps", "在文末加一段：今天放假，用宋体小四"),
        ("wps", "在文末加一段：今天放假。字号14"),
        ("wps", "Add a paragraph at the end: closed today, in Arial 12"),
        ("wps", "Summary with points: cut costs, raise output, stay safe, the boss wants it"),
        ("wps", "Write three bullet points: no smoking; helmets on; doors shut, the boss will check"),
        ("wps", "加两条：甲付款、乙交货"),
        ("wps", "在文末添加附录，标题“附录A 术语”，用编号列出A级、B级、C级（含D）"),
        ("wpp", 'Add a slide "Why now?" with bullets: cheap, "window" open, 3x demand'),
        ("wps", "插入表格，列为姓名和性别、年龄"),
        ("wps", "插入三行：甲付款、乙交货"),
        ("wps", "插入表格，列为姓名、电话，内容是1、2、3"),
    ],
)
def test_what_a_plan_would_lose_or_misplace_is_asked_about(host: HostApp, request_: str) -> None:
    assert _plan(request_, host) is None


@pytest.mark.parametrize(
    ("host", "request_", "written"),
    [
        ("wpp", "新建一页封面，标题：年终总结，谢谢", "年终总结"),
        ("wpp", "新建一页封面，标题：年终总结，副标题：财务部", "财务部"),
        ("wps", "插入一个9×9的表格，再次运行时不要插入两份", '"rows": 9'),
        ("wps", "插入表格，列为姓名、电话，不要插入两份", "电话"),
        ("wps", "插入表格，列为姓名、成绩：张三 90，李四 85", "李四"),
        ("wps", "在文末加一段：今天放假，明天上班", "今天放假，明天上班"),
        ("wps", "写两条要点：甲付款、乙交货", "2. 乙交货"),
        ("wps", "写三条要点：屏幕24寸（宽屏）够用；降本；增效", "1. 屏幕24寸（宽屏）够用"),
        ("wps", "插入表格，标题：为民服务次数，列为甲、乙", "为民服务次数"),
        ("wps", "插入表格（姓名、电话【必填】、备注）", "电话【必填】"),
        ("wpp", "Make an agenda slide: Intro, Demo, Q and A", "Q and A"),
        ("wps", "Write an outline: Intro, Terms and Conditions, Q and A", "3 Q and A"),
        ("wps", "添加附录B 资质文件：营业执照、证书", "# 附录B 资质文件"),
        ("wps", "添加附录 B：营业执照、证书", "# 附录 B"),
        ("wps", "在文末加附件2 名单：张三、李四", "# 附件2 名单"),
        ("wps", "添加附录B列出营业执照、证书", '# 附录B"'),
        ("wps", "Add Appendix B Certificates: licence, audit report", "# Appendix B Certificates"),
    ],
)
def test_what_stands_whole_in_the_plan_is_written(host: HostApp, request_: str, written: str) -> None:
    assert written in str(_plan(request_, host)).replace("'", '"')


def test_two_appendices_are_two_blocks() -> None:
    plans = [_plan(f"添加附录{letter}：营业执照、证书", "wps") for letter in "BC"]
    blocks = {one["block_id"] for plan in plans for one in plan["actions"] if "block_id" in one}
    assert len(blocks) == 2


def test_a_title_before_the_next_field_keeps_its_comma() -> None:
    for title in ("为什么，现在", "为什么是现在"):
        plan = str(_plan(f"新建一页幻灯片，标题：{title}，要点：成本低、需求大", "wpp"))
        assert f"'title': '{title}'" in plan
        assert "成本低\\n需求大" in plan


@pytest.mark.parametrize(
    ("host", "request_"),
    [
        ("wps", "插入排班表，列为姓名、周一、周二、周三，每天一列，5行"),
        ("wps", "插入表格，列为门店、1月、2月、3月，4行，每月一列"),
        ("et", "做一张甘特表，任务为选题、采编、排版，共5周，每周一列"),
    ],
)
def test_columns_of_periods_that_are_there_are_no_loss(host: HostApp, request_: str) -> None:
    assert _plan(request_, host) is not None
