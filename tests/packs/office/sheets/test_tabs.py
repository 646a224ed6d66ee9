"""Sheets as a whole: copies, colours of tabs, locked formulas, shaded rows; a second run changes nothing."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import load_plan
from metier.packs.office.sheets._references import LineShift, shift_references
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.steps import _lines


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = Workbook()
    sheet = made.worksheets[0]
    sheet.title = "明细"
    for row in (["品名", "数量", "金额"], *(["键盘", at, f"=B{at}*80"] for at in range(2, 603))):
        sheet.append(row)
    made.create_sheet("空表")
    made.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


def _run(path: Path, *steps: JsonObject) -> tuple[Execution, Any]:
    actions: list[Any] = [{"id": f"a{at}", "title": "改", **one} for at, one in enumerate(steps)]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "et", "actions": actions}, host="et").plan
    assert plan is not None
    target = path.with_name("out.xlsx")
    done = host_for("et").execute(plan, path, target, request=WriteRequest())
    again = host_for("et").execute(plan, target, path.with_name("again.xlsx"), request=WriteRequest())
    assert again.unchanged
    return done, load_workbook(target)


def test_a_sheet_is_copied_with_formulas_that_read_the_copy(book: Path) -> None:
    done, made = _run(book, {"op": "copy_sheet", "sheet_name": "明细", "new_name": "备份"})
    assert made.sheetnames == ["明细", "空表", "备份"]
    assert [one.value for one in made["备份"][3]] == ["键盘", 3, "=B3*80"]
    assert done.changes[0].title.zh == "把工作表“明细”复制为“备份”"


def test_a_sheet_with_a_comment_is_not_copied_without_it(book: Path) -> None:
    made = load_workbook(book)
    from openpyxl.comments import Comment

    made["明细"]["A2"].comment = Comment("看这里", "A")
    made.save(book)
    with pytest.raises(PlanStepError) as refused:
        _run(book, {"op": "copy_sheet", "sheet_name": "明细", "new_name": "备份"})
    assert refused.value.problem == "not_copied"


def test_a_tab_has_the_colour_that_was_asked_for(book: Path) -> None:
    _, made = _run(book, {"op": "set_tab_color", "sheet_name": "空表", "color": "#FFA500"})
    assert made["空表"].sheet_properties.tabColor.rgb == "FFFFA500"


def test_locked_formulas_leave_all_other_cells_open(book: Path) -> None:
    done, made = _run(book, {"op": "set_protection", "kind": "formulas"})
    sheet = made["明细"]
    assert sheet.protection.sheet
    assert [sheet[one].protection.locked for one in ("B2", "C2")] == [False, True]
    every = sheet.column_dimensions["A"]
    assert (every.max, every.protection.locked) == (16_384, False), "columns without cells are open too"
    assert not made["空表"].protection.sheet
    assert "601" in done.changes[0].after


def test_many_scattered_rows_go_in_one_pass_over_the_formulas(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = load_workbook(book)
    made["空表"]["A1"], made["空表"]["A2"] = "=SUM(明细!B2:B602)", "=明细!B3+明细!B5"
    made["明细"].merge_cells("E3:E6")
    made.save(book)
    passes: list[object] = []

    def _count(book: WorkbookParts, shift: LineShift) -> None:
        passes.append(shift)
        shift_references(book, shift)

    monkeypatch.setattr(_lines, "shift_references", _count)
    done, made = _run(
        book, {"op": "delete_lines", "lines": [str(row) for row in range(4, 603, 6)], "sheet_name": "明细"}
    )
    sheet = made["明细"]
    assert (len(passes), len(done.changes), sheet.max_row) == (1, 100, 502)
    assert [sheet.cell(row, 3).value for row in (3, 4, 9)] == ["=B3*80", "=B4*80", "=B9*80"]
    assert [sheet.cell(row, 2).value for row in (3, 4, 9, 502)] == [3, 5, 11, 602]
    assert [made["空表"][one].value for one in ("A1", "A2")] == ["=SUM(明细!B2:B502)", "=明细!B3+明细!B4"]
    assert [str(one) for one in sheet.merged_cells.ranges] == ["E3:E5"]


def test_every_other_of_many_rows_is_one_step(book: Path) -> None:
    done, made = _run(
        book, {"op": "set_cell_style", "range": "明细!A2:C602", "fill_color": "D9D9D9", "alternate_rows": True}
    )
    grounds = [made["明细"][f"A{row}"].fill.fgColor.rgb for row in (2, 3, 4, 601, 602)]
    assert grounds == ["00000000", "FFD9D9D9", "00000000", "FFD9D9D9", "00000000"]
    assert done.changes[0].after == "底色 浅灰色、隔行"


@pytest.mark.parametrize(
    "step",
    [
        {"op": "set_cells", "cells": [{"cell": "A2", "value": "2026-03-01"}, {"cell": "B2", "value": 99}]},
        {"op": "set_cell_style", "range": "A2:B3", "bold": True},
        {"op": "sort_range", "range": "A2:B3", "key": "B", "order": "descending", "has_header": False},
        {"op": "transform_range", "source_range": "A2:B3", "destination": "F1"},
    ],
    ids=lambda one: str(one["op"]),
)
def test_values_are_shown_as_the_sheet_shows_them_a_date_is_no_number_of_days(tmp_path: Path, step: JsonObject) -> None:
    made = Workbook()
    sheet = made.worksheets[0]
    for row, (day, amount) in enumerate(((date(2026, 2, 5), 1200.5), (date(2026, 2, 6), 8000)), 2):
        sheet.cell(row, 1, day).number_format = "yyyy-mm-dd"
        sheet.cell(row, 2, amount).number_format = "#,##0.00"
    made.save(tmp_path / "dates.xlsx")
    actions: list[Any] = [{"id": "a1", "title": "改", **step}]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "et", "actions": actions}, host="et").plan
    assert plan is not None
    done = host_for("et").dry_run(plan, tmp_path / "dates.xlsx", request=WriteRequest())
    shown = "\n".join(f"{one.before}\n{one.after}" for one in done.changes)
    assert re.search(r"\b46\d{3}\b", shown) is None, shown
    assert "2026-02-05" in shown
    assert "1,200.50" in shown
