"""Sheets as they are printed: what a plan draws is whole, what somebody set up stays, empty cells are blank."""

from pathlib import Path

import openpyxl
import pytest

from metier.json_values import JsonObject
from tests.packs.office.sheets.test_executor import run

_CHART: JsonObject = {"op": "insert_chart_from_selection", "source_range": "A1:B3", "sheet_name": "S"}


def _write(path: Path, *, orientation: str = "") -> Path:
    book = openpyxl.Workbook()
    book.active.title = "S"
    for row in (("名称", "数量"), ("甲", 3), ("乙", 5)):
        book.active.append(row)
    if orientation:
        book.active.page_setup.orientation = orientation
    book.save(path)
    return path


def _page(path: Path, name: str) -> tuple[object, ...]:
    sheet = openpyxl.load_workbook(path)[name]
    setup = sheet.page_setup
    return bool(sheet.sheet_properties.pageSetUpPr and sheet.sheet_properties.pageSetUpPr.fitToPage), setup.orientation


def test_a_chart_beyond_the_paper_is_printed_whole(tmp_path: Path) -> None:
    _, target = run(_write(tmp_path / "a.xlsx"), {**_CHART, "width": 500})
    assert _page(target, "S") == (True, "landscape")


@pytest.mark.parametrize(("width", "orientation"), [(200, ""), (500, "portrait")], ids=["narrow", "set up"])
def test_a_page_that_fits_or_was_set_up_stays(tmp_path: Path, width: int, orientation: str) -> None:
    source = _write(tmp_path / "a.xlsx", orientation=orientation)
    before = _page(source, "S")
    _, target = run(source, {**_CHART, "width": width})
    assert _page(target, "S") == before


def test_a_wide_table_on_a_new_sheet_is_printed_whole_and_on_an_old_one_nothing_changes(tmp_path: Path) -> None:
    data: JsonObject = {"op": "insert_table", "rows": 1, "cols": 20, "data": [[f"第{at}个月份" for at in range(20)]]}
    new: JsonObject = {"op": "ensure_sheet", "sheet_name": "新"}
    _, target = run(_write(tmp_path / "a.xlsx"), new, data)
    assert _page(target, "新") == (True, "landscape")
    _, target = run(_write(tmp_path / "b.xlsx"), data)
    assert _page(target, "S") == (False, None)


def test_rows_have_the_height_that_the_plan_says(tmp_path: Path) -> None:
    frame: JsonObject = {"op": "insert_table", "rows": 1, "cols": 1, "data": [["［图片］"]], "row_height_mm": 50}
    new: JsonObject = {"op": "ensure_sheet", "sheet_name": "新"}
    _, target = run(_write(tmp_path / "a.xlsx"), new, frame)
    assert round(openpyxl.load_workbook(target)["新"].row_dimensions[1].height or 0) == 142


def test_an_empty_text_leaves_the_cell_blank(tmp_path: Path) -> None:
    data: JsonObject = {"op": "insert_table", "rows": 2, "cols": 2, "data": [["任务", "第1周"], ["设计", ""]]}
    count: JsonObject = {"op": "set_cell_formula", "cell": "E1", "formula": "=COUNTA(A1:B2)"}
    _, target = run(_write(tmp_path / "a.xlsx"), {"op": "ensure_sheet", "sheet_name": "新"}, data, count)
    sheet = openpyxl.load_workbook(target, data_only=True)["新"]
    assert (sheet["B2"].value, sheet["E1"].value) == (None, 3)
