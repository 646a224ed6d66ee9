"""A cell holds no sign that divides cells: rows with gaps are written whole, others are asked about."""

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison import find_divided_cell
from metier.packs.office.drafting.comparison.additions._cells import find_row_in_header
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("request_text", "rows"),
    [
        ("插入一个表格：\n姓名\t电话\n张三\t\n李四\t139", [["姓名", "电话"], ["张三", ""], ["李四", "139"]]),
        ("Insert a table:\nName\tPhone\nAnn\t\nBo\t12", [["Name", "Phone"], ["Ann", ""], ["Bo", "12"]]),
    ],
)
def test_pasted_rows_with_empty_cells_are_written_whole(request_text: str, rows: list[list[str]]) -> None:
    plan = draft_plan(request_text, host="wps", language=language_of(request_text)).plan
    assert str(rows) in str(plan)


def test_a_cell_that_is_several_is_found() -> None:
    step = {"op": "insert_table", "data": [["姓名", "电话"], ["张三｜李四", "139"]]}
    assert find_divided_cell([step]) == "张三｜李四"
    assert find_divided_cell([{"op": "insert_table", "data": [["姓名", "电话"]]}]) == ""


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (["房租 900", "餐费 400"], "房租 900"),
        (["coffee 3.50", "tea 2.80"], "coffee 3.50"),
        (["早班 张三", "晚班 李四"], "早班 张三"),
        (["Phase 1", "Phase 2"], ""),
        (["销量 2024", "成本 2025"], ""),
        (["First name", "Last name"], ""),
        (["姓名", "电话"], ""),
        (["房租 900"], ""),
    ],
)
def test_names_with_their_values_are_rows_and_no_header(header: list[str], row: str) -> None:
    empty = [""] * len(header)
    assert find_row_in_header([{"op": "insert_table", "data": [header, empty]}]) == row
    assert find_row_in_header([{"op": "insert_table", "data": [header, ["1"] * len(header)]}]) == ""


@pytest.mark.parametrize(
    ("request_text", "host"),
    [
        ("做一张费用表：房租 900，餐费 400，交通 150", "et"),
        ("Create a price list: coffee 3.50, tea 2.80, cake 4", "et"),
        ("加一个3列表格，表头蓝底白字：日期、地点、人数", "wps"),
        ("Add a bullet list in italics: apples, pears", "wps"),
        ("Add a table with columns Date and Place in small type", "wps"),
        ("Add a bullet list: apples, pears, in a formal tone", "wps"),
    ],
)
def test_values_in_a_header_and_looks_in_a_name_are_asked_about(request_text: str, host: HostApp) -> None:
    assert draft_plan(request_text, host=host, language=language_of(request_text)).plan is None


@pytest.mark.parametrize("said", ["加一个列表：苹果、梨", "插入一个列表：苹果、梨", "加一个项目列表，内容是苹果、梨"])
def test_a_list_is_no_table(said: str) -> None:
    plan = draft_plan(said, host="wps", language="zh").plan
    assert "1. 苹果\\n2. 梨" in str(plan)
    assert "insert_table" in str(draft_plan("加一个2列表：产品、单价", host="wps", language="zh").plan)


@pytest.mark.parametrize(
    "request_text", ["加一个标题叫值班表 下面写 早班 中班 晚班", "加一个标题叫进度表，下面写三点：甲、乙、丙"]
)
def test_a_title_by_its_name_is_in_the_plan_or_asked_about(request_text: str) -> None:
    assert draft_plan(request_text, host="wps", language="zh").plan is None
