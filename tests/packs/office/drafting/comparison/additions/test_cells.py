"""A cell holds no sign that divides cells: rows with gaps are written whole, others are asked about."""

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison import find_divided_cell


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
    "request_text", ["加一个标题叫值班表 下面写 早班 中班 晚班", "加一个标题叫进度表，下面写三点：甲、乙、丙"]
)
def test_a_title_by_its_name_is_in_the_plan_or_asked_about(request_text: str) -> None:
    assert draft_plan(request_text, host="wps", language="zh").plan is None
