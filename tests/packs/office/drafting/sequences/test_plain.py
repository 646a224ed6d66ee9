"""Enumerations said in running text become plain lists, and nothing of them is lost."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.sequences import list_sequence
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp) -> str:
    draft = draft_plan(request, host=host, language=language_of(request))
    assert draft.plan is not None, draft.question
    return json.dumps(draft.plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    ("request_text", "items"),
    [
        ("插一张表，列先是货号，接着是品名、规格，最后一列是备注，空六行", ("货号", "品名", "规格", "备注")),
        ("插一张表，列先是整改项，然后排查结果，最后加固措施，3行", ("整改项", "排查结果", "加固措施")),
        ("插一张表，列先是编号，再是是否合格，最后是备注", ("编号", "是否合格", "备注")),
        ("做个签到表，先写姓名，再写单位，最后写电话", ("姓名", "单位", "电话")),
        ("加一页议程：先签到，再致辞，最后颁奖", ("签到", "致辞", "颁奖")),
        ("写个周报，一共三块，一块是销售，一块是库存，还有一块是打算", ("销售", "库存", "打算")),
        ("插一张四列表，列先是日期，然后是事项和地点，最后是备注", ("日期", "事项", "地点", "备注")),
        ("Add a table, first Part, then Price, Lead Time and finally Note.", ("Part", "Price", "Lead Time", "Note")),
        ("Add an agenda slide. First is Welcome, then Votes and finally Drinks.", ("Welcome", "Votes", "Drinks")),
        ("Add a table. The first column is Date and the second one is Note.", ("Date", "Note")),
        ("Insert a table with columns Name, then Email, then Phone. 5 rows.", ("Name", "Email", "Phone")),
        ("Put a table in: first comes the Room, then the Guest and finally the Nights.", ("Room", "Guest", "Nights")),
        (
            "插一张表，有四列，一列是货号，一列是报价，然后是我方意见和贵方答复，空三行",
            ("货号", "报价", "我方意见", "贵方答复"),
        ),
        ("插个登记表，一列是姓名，一列是房号，最后是签名", ("姓名", "房号", "签名")),
        ("插一个通讯录表格，姓名打头，接着是电话、地址，备注收尾，留六行空行", ("姓名", "电话", "地址", "备注")),
        ("附录用编号列，先是项目申请书，然后是法人证明，最后是承诺书，插在文末", ("项目申请书", "法人证明", "承诺书")),
        (
            "Add a table with Name first, then Flat, then Phone and Signature last.",
            ("Name", "Flat", "Phone", "Signature"),
        ),
        ("Add a table, Berth on the left, then Owner, and Fee on the right.", ("Berth", "Owner", "Fee")),
        ("Add a register, with Ref as the first column, then Event and then Owner.", ("Ref", "Event", "Owner")),
        ("Add a table, first column Plot, then Rent, and the last column Paid.", ("Plot", "Rent", "Paid")),
        ("Make a bar chart. It's North 12, then South 9, and finally West 14.", ("North 12", "South 9", "West 14")),
    ],
)
def test_the_words_of_an_enumeration_belong_to_no_item(request_text: str, items: tuple[str, ...]) -> None:
    sequence = list_sequence(request_text)
    assert sequence is not None
    assert sequence.items == items


@pytest.mark.parametrize(
    "request_text",
    [
        "先插入一个表格，列为姓名、电话，然后在下面加标题“名单”",
        "插一个表，列为编号、首次日期、最后更新时间",
        "上午先是停电，然后是下雨，最后会没开成，帮我插一个表",
        "先做一张三列的表，姓名、部门、职务，然后做一张两列的表，日期、天气",
        "插一张表，列先是日期，这列要窄一点，然后是事项，最后是备注",
        "插一张表，列先是日期，然后是事项和地点，最后是备注",
        "帮我做个周报，先是标题，然后是正文，最后是落款",
        "写一份大纲，先是概况，然后是部署，最后是措施，到三级标题",
        "列一个检查表，先是灭火器压力，再是安全出口，最后是配电箱",
        "插入表格，一行是姓名、张三，一行是年龄、3",
        "First insert a table with Name and Phone, then add a heading, and finally make it bold.",
        "Add a table with columns first Item, then Qty and finally add a row with totals.",
        "Insert a table with columns first name, then last name and finally email.",
        "Insert a table with the columns First Name, Last Name and Email.",
        "Insert a table, the first column is Date, and the second column should be narrow.",
        "插一张表，第一列是灰色的，第二列是加粗的",
        "加一页议程，第一项是签到，第二项是致辞，致辞的人是王总，第三项是颁奖",
        "加一个表，先是日期，然后可能是金额，最后是备注",
        "Add a table, first Date, then Amount and finally Note or Remark.",
    ],
)
def test_orders_in_a_row_talk_and_names_are_no_enumeration(request_text: str) -> None:
    assert list_sequence(request_text) is None


@pytest.mark.parametrize(
    ("host", "request_text", "written"),
    [
        ("wps", "插一张表，列的话先是风险，然后是等级、环节，最后是班组，空七行", ['"风险", "等级", "环节", "班组"']),
        (
            "wpp",
            "加一页风险与对策，先是缺人，对策是外包，然后是涨价，对策是锁价，最后是停工，对策是加班。",
            ['"缺人", "外包"', '"停工", "加班"'],
        ),
        (
            "wps",
            "写一份周报，分三块，先是已完成，然后是问题，最后是下周安排。",
            ["## 已完成", "## 问题", "## 下周安排"],
        ),
        (
            "wps",
            'Add an appendix titled "Papers" with a numbered list, starting with Lease, then Plan and ending with Fee.',
            ["1. Lease\\n2. Plan\\n3. Fee"],
        ),
        (
            "et",
            "Make a budget sheet with the columns Item, Budget, Actual and Difference. It's Seeds 300 and 275, then "
            "Fuel 410 and 398, and finally Feed 90 and 95, and the difference should be a formula.",
            ['"Seeds", "300", "275"', '"Feed", "90", "95"'],
        ),
        (
            "et",
            "Make a Gantt table. The tasks are first Survey, then Build and finally Handover, over 6 weeks.",
            ["Survey"],
        ),
    ],
)
def test_said_items_are_all_written(host: HostApp, request_text: str, written: list[str]) -> None:
    plan = _draft(request_text, host)
    assert [one for one in written if one not in plan] == []


@pytest.mark.parametrize(
    ("host", "request_text"),
    [
        ("wps", "插入表格，先是表头，然后是姓名、电话，最后是空行"),
        ("wps", "插两张表，先是人员表，姓名、岗位，然后是设备表，名称、型号"),
        ("wps", "Insert a table with columns first Item, then Qty and finally add a row with totals."),
        ("et", "做个甘特表，先是准备一下，任务有设计、施工，最后是收尾的验收，6周"),
    ],
)
def test_an_enumeration_that_would_lose_an_item_is_asked_about(host: HostApp, request_text: str) -> None:
    assert draft_plan(request_text, host=host, language=language_of(request_text)).plan is None
