"""Messages about tables, in many orders of their parts."""

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan


def _draft(said: str) -> str:
    return str(draft_plan(said, host="wps", language=language_of(said)).plan)


@pytest.mark.parametrize(
    ("said", "header", "rows"),
    [
        (
            "我要的是一张风险台账，放最后，列分别是风险描述、可能性、对策，留8个空行。",
            ["风险描述", "可能性", "对策"],
            9,
        ),
        ("要一个四列的表，有序号、需求描述、响应、说明，正文行4行。", ["序号", "需求描述", "响应", "说明"], 5),
        ("表格只要一行表头，写上房号、租客、租金，别的先空着不加。", ["房号", "租客", "租金"], 1),
        ("Insert a small hazard log with room for four entries. Columns: No., Hazard, Level.", ["No.", "Hazard"], 5),
        ("I want a list set out as a table, with columns headed Room, Check, Remark, and five rows.", ["Room"], 6),
        (
            "Ref, Owner, Measure – with these as column titles and four rows, give me a risk register.",
            ["Ref", "Owner"],
            5,
        ),
        ("Set up a risk table: Code, Pass/Fail, Owner. Nothing filled in yet, three rows.", ["Code", "Pass/Fail"], 4),
    ],
)
def test_a_table_is_read_in_any_order_of_its_parts(said: str, header: list[str], rows: int) -> None:
    written = _draft(said)
    assert str(header)[1:-1] in written
    assert f"'rows': {rows}," in written


@pytest.mark.parametrize(
    "said",
    [
        "插入一张10×5的空白表格，保持一张就行。",
        "我要一张10行5列的空白表，同一个命令执行两次，文档里也只出现一张。",
        "One empty table please, 10 rows by 5 columns, and if this gets run again don't put in another one.",
    ],
)
def test_a_request_that_is_to_make_no_second_copy_is_the_request(said: str) -> None:
    assert "'rows': 10, 'cols': 5" in _draft(said)


def test_a_quotation_is_read_whatever_words_stand_beside_its_numbers() -> None:
    written = _draft("我要一张报价表，里面写键盘5个每个150、鼠标5个每个60，总计也要算出来。")
    assert "['总计', '', '', '1,050']" in written


@pytest.mark.parametrize(
    "said",
    [
        "给表格加三行：甲、乙、丙。",
        "Add three rows to the risk register: Fire, Flood, Theft.",
        "加一张表，姓名、电话、备注三列，3到5行。",
        "Insert a table with columns Name, Phone, Note and 3 rows, without a header.",
        "插入表格，列为姓名、电话、备注等，留5行。",
        "插入报价表：椅子4把共340，桌子2张共600，算合计。",
        "插入表格，列为姓名、电话、备注，隔行变色，共3行。",
        "插入一个9行9列的表格，如果再次运行就换成5行5列。",
    ],
)
def test_what_the_plan_would_do_otherwise_is_asked_about(said: str) -> None:
    assert _draft(said) == "None"
