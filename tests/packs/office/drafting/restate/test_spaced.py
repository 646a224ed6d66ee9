"""A Chinese request with blanks between its clauses is read as one with signs, and no order becomes a name."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison.additions._cut_names import find_order
from metier.packs.office.drafting.restate._spaced import restate_spaced


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("加计划表 设备、日期两列 留5行空白", "加计划表，设备、日期两列，留5行空白"),
        ("艺术字写“检修 计划” 下面加表", "艺术字写“检修 计划”，下面加表"),
        ("加一页议程 开场、答疑 共两项", "加一页议程，开场、答疑，共两项"),
    ],
)
def test_blanks_between_clauses_become_commas(said: str, read: str) -> None:
    assert restate_spaced(said) == read


@pytest.mark.parametrize(
    "said", ["姓名、联系 电话、备注", "张三 90 李四 80", "Insert a table", "规格、出生 年月、备注 三列"]
)
def test_a_blank_that_may_belong_to_a_name_stays(said: str) -> None:
    assert restate_spaced(said) == said


@pytest.mark.parametrize(
    ("said", "header"),
    [
        ("插入表格 姓名 电话 部门 3行", ["姓名", "电话", "部门"]),
        ("做个登记表 车牌 司机 时间 5行空白", ["车牌", "司机", "时间"]),
        ("插个待办表 事项、负责人、截止日期 空5行 表头加粗", ["事项", "负责人", "截止日期"]),
    ],
)
def test_the_order_is_no_column_of_the_table(said: str, header: list[str]) -> None:
    assert str(header) in str(draft_plan(said, host="wps", language="zh").plan)


def test_a_header_with_the_order_in_it_is_found_and_names_of_making_are_not() -> None:
    assert find_order(["插入表格", "姓名", "电话"]) == "插入表格"
    assert find_order(["Insert a table", "Name"]) == "Insert a table"
    assert find_order(["插图", "制表人", "建议", "表格编号"]) == ""


def test_a_comma_inside_a_quotation_belongs_to_no_list() -> None:
    said = 'Put a banner "Safety First, Quality Always" at the top of the document.'
    assert "Safety First, Quality Always" in str(draft_plan(said, host="wps", language="en").plan)


def test_a_figure_in_large_letters_with_words_below_is_a_key_figure() -> None:
    for said in ("帮我加一页，大字显示“1,280单”，下面标“本月成交量”", "新建指标页 大字写“92%” 下面小字“客户满意度”"):
        assert "add_slide" in str(draft_plan(said, host="wpp", language="zh").plan)
