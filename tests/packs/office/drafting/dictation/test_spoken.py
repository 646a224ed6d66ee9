"""Values that a speaker takes back, and speech without signs."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.dictation import find_retraction, strip_emphasis, take_back, write_run_ons


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("显示器单价1600不对1500", "显示器单价1500"),
        ("表有5行，不对，6行", "表有6行"),
        ("图题写图1不不图2 部署示意图", "图题写图2 部署示意图"),
        ("第三个计划不对第三个是方案第四个才是计划", "第三个是方案第四个才是计划"),
        ("帮我写个月报哦不是月报是周报啊标题写甲", "帮我写个周报，标题写甲"),
        ("make it 5 rows, no wait, 6 rows", "make it 6 rows"),
        ("Jan 10, Feb 20, sorry, make that 25", "Jan 10, Feb 25"),
        ('titled "A", no wait, "B"', 'titled "B"'),
    ],
)
def test_a_value_that_is_taken_back_is_as_corrected(said: str, meant: str) -> None:
    assert take_back(said) == meant


@pytest.mark.parametrize(
    "message",
    [
        "第三题不对应该重做",
        "标题写不对称加密入门",
        "数据有3处不对2处缺失",
        "插入表格，3列不对应5行",
        "写一句“5行不对6行”",
        "列名：对、不对、3分",
        "有3个答案不对，扣5分",
        "I mean 5 rows",
        "make it 6 rows",
        "加一句：第1题写错了，第2题对",
        "显示器数量3单价1600不对2台",
        "电脑5台不对3箱",
    ],
)
def test_a_statement_about_what_is_wrong_takes_nothing_back(message: str) -> None:
    assert take_back(message) == message


def test_speech_without_signs_is_divided() -> None:
    said = "新建一页议程吧里面列四项啊第一个背景第二个现状第三个是方案第四个才是计划"
    written = "新建一页议程，里面列四项，第一个是背景，第二个是现状，第三个是方案，第四个是计划"
    assert write_run_ons(said) == written


@pytest.mark.parametrize(
    "message",
    [
        "里面列两项第一个背景第三个现状其他的都不要写了这样就可以了也不用别的",
        "里面列两项第二个现状第一个背景其他的都不要写了这样就可以了也不用别的",
        "新建一页议程里面第一个是背景其他的都不要写了这样就可以了也不用别的",
        "里面第一个背景第二块现状其他的都不要写了这样就可以了也不用别的东西",
        "写一句“新建一页议程里面列两项第一个背景第二个现状这样就可以了也不用”",
        "插表，列是甲、乙",
    ],
)
def test_what_is_not_counted_from_one_is_not_divided(message: str) -> None:
    assert write_run_ons(message) == message


def test_a_word_before_is_belongs_to_no_name() -> None:
    assert strip_emphasis("主题就是智慧园区，显示器数量也是5单价9") == "主题是智慧园区，显示器数量5单价9"


@pytest.mark.parametrize(
    "message",
    [
        "插入表格，列是姓名、部门，不对，列是姓名、职务",
        "插入表格，第一列姓名，第二列部门，第二列不对第三列才是部门",
        "插入一个柱状图，一季度120，二季度150，不对，三季度170",
        "make a table with columns A, B and 5 rows, I mean C and D",
        "insert a table with columns Name, Role, no wait, Name, Team, 3 rows",
        "insert a bar chart: Jan 10, Feb 20, make that March 20",
        "插个报价表，笔记本数量5单价6800，显示器数量3单价1600不对2台",
    ],
)
def test_what_is_taken_back_without_a_value_of_its_kind_is_asked_about(message: str) -> None:
    assert draft_plan(message, host="wps", language="zh").plan is None


@pytest.mark.parametrize(
    "message",
    [
        "把甲改成8，啊说错了，是乙改成8，甲不动",
        "把甲改成8，哎呀错了，是把乙改成8",
        "Set A2 to 8, oh sorry, I mean set A3 to 8",
        "Set A2 to 8. Oops, my mistake, set A3 to 8",
    ],
)
def test_an_order_that_its_speaker_takes_back_is_asked_about(message: str) -> None:
    assert find_retraction(message)


def test_a_cell_that_is_called_wrong_takes_nothing_back() -> None:
    assert [find_retraction(one) for one in ("乙的数量写错了，应该是8", "乙错了，改成8", "甲的数量错了，改成8")] == [
        ""
    ] * 3
