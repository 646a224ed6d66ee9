"""Workbooks as other programs write them: cells without addresses, pivot tables, empty drawings, macros."""

import io
import re
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import load_plan
from metier.packs.office.sheets import read_workbook

R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
CACHE = (
    f'<pivotCacheDefinition xmlns="{MAIN}"><cacheSource type="worksheet"><worksheetSource ref="A1:B4" sheet="数据"/>'
    "</cacheSource></pivotCacheDefinition>"
)
DRAWING = '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>'
RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'


def _write(path: Path, *, is_unnamed: bool = False) -> Path:
    book = Workbook()
    book.worksheets[0].title = "数据"
    for row in (["地区", "金额"], ["华东", 3], ["华北", 5], ["华南", 7]):
        book.worksheets[0].append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    with ZipFile(buffer) as old, ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name in old.namelist():
            text = old.read(name).decode()
            if name == "xl/worksheets/sheet1.xml":
                text = re.sub(r' r="\w+"', "", text) if is_unnamed else text
                text = text.replace("</worksheet>", f'<drawing xmlns:r="{R}" r:id="rId9"/></worksheet>')
            if name == "xl/_rels/workbook.xml.rels":
                kinds = (
                    ("rId98", f"{R}/pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
                    ("rId99", "http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject.bin"),
                )
                more = "".join(f'<Relationship Id="{a}" Type="{b}" Target="{c}"/>' for a, b, c in kinds)
                text = text.replace("</Relationships>", f"{more}</Relationships>")
            made.writestr(name, text)
        drawing = f'<Relationship Id="rId9" Type="{R}/drawing" Target="../drawings/drawing1.xml"/>'
        made.writestr("xl/worksheets/_rels/sheet1.xml.rels", RELATIONS.format(drawing))
        made.writestr("xl/drawings/drawing1.xml", DRAWING)
        made.writestr("xl/pivotCache/pivotCacheDefinition1.xml", CACHE)
        made.writestr("xl/vbaProject.bin", b"macros")
    return path


def _run(path: Path, step: JsonObject) -> tuple[Execution, Path]:
    actions: list[Any] = [{"id": "a", "title": "改", **step}]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "et", "actions": actions}, host="et").plan
    assert plan is not None
    target, again = path.with_name("out.xlsx"), path.with_name("again.xlsx")
    done = host_for("et").execute(plan, path, target, request=WriteRequest())
    assert host_for("et").execute(plan, target, again, request=WriteRequest()).unchanged
    return done, target


STEPS = {
    "a row is inserted": ({"op": "insert_lines", "before": "3"}, ["地区", "华东", None, "华北", "华南"]),
    "a column is inserted": ({"op": "insert_lines", "before": "B"}, ["地区", "华东", "华北", "华南"]),
    "a row goes": ({"op": "delete_lines", "lines": ["3"]}, ["地区", "华东", "华南"]),
    "rows are sorted": (
        {"op": "sort_range", "range": "A1:B4", "key": "B", "order": "desc", "has_header": True},
        ["地区", "华南", "华北", "华东"],
    ),
    "a cell is emptied": (
        {"op": "set_cells", "cells": [{"cell": "A3", "value": None}]},
        ["地区", "华东", None, "华南"],
    ),
    "a cell is added": ({"op": "set_cells", "cells": [{"cell": "D2", "value": 1}]}, ["地区", "华东", "华北", "华南"]),
}


@pytest.mark.parametrize(("step", "wanted"), STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("is_unnamed", [False, True], ids=["with addresses", "without addresses"])
def test_cells_stand_where_they_stood_with_and_without_addresses(
    tmp_path: Path, is_unnamed: bool, step: JsonObject, wanted: list[str | None]
) -> None:
    _, target = _run(_write(tmp_path / "in.xlsx", is_unnamed=is_unnamed), step)
    assert [row[0].value for row in load_workbook(target).worksheets[0].iter_rows()] == wanted


SOURCES = {
    "a row comes": ({"op": "insert_lines", "before": "3"}, 'ref="A1:B5" sheet="数据"'),
    "a row goes": ({"op": "delete_lines", "lines": ["2"]}, 'ref="A1:B3" sheet="数据"'),
    "another name": ({"op": "rename_sheet", "sheet_name": "数据", "new_name": "流水"}, 'ref="A1:B4" sheet="流水"'),
}


@pytest.mark.parametrize(("step", "wanted"), SOURCES.values(), ids=SOURCES)
def test_a_pivot_table_reads_the_data_where_it_is_now(tmp_path: Path, step: JsonObject, wanted: str) -> None:
    done, target = _run(_write(tmp_path / "in.xlsx"), step)
    assert wanted in ZipFile(target).read("xl/pivotCache/pivotCacheDefinition1.xml").decode()
    assert [one.zh for one in done.warnings] == ["文档含有宏，已原样保留，没有运行"]


def test_a_chart_in_an_empty_drawing_is_written_once(tmp_path: Path) -> None:
    step: JsonObject = {"op": "insert_chart_from_selection", "source_range": "A1:B4", "title": "图"}
    _, target = _run(_write(tmp_path / "in.xlsx"), step)
    assert len(load_workbook(target).worksheets[0]._charts) == 1


def _write_old_calendar(path: Path) -> Path:
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    book.worksheets[0].title = "录入"
    for row in (["日期", "数量"], [date(2024, 1, 2), 3], [date(2024, 1, 5), 4]):
        book.worksheets[0].append(row)
    book.save(path)
    return path


def test_dates_in_the_calendar_of_1904_are_written_and_shown_as_that_day(tmp_path: Path) -> None:
    path = _write_old_calendar(tmp_path / "in.xlsx")
    done, target = _run(path, {"op": "set_cells", "cells": [{"cell": "A4", "value": "2024-02-01"}]})
    assert load_workbook(target).worksheets[0]["A4"].value.isoformat()[:10] == "2024-02-01"
    assert done.changes[0].after == "2024-02-01"
    done, _ = _run(path, {"op": "delete_lines", "lines": ["2"]})
    assert "2024-01-02" in done.changes[0].before
    assert [one.date for one in read_workbook(path).sheets[0].cells if one.column == 1][1:] == [
        "2024-01-02",
        "2024-01-05",
    ]


@pytest.mark.parametrize("formula", ["=DATE(2024,1,1)", "=YEAR(A2)", '=TEXT(A2,"yyyy")', "=EDATE(A2,1)"])
def test_functions_of_the_calendar_are_left_to_the_program_in_a_workbook_of_1904(tmp_path: Path, formula: str) -> None:
    step: JsonObject = {
        "op": "set_cells",
        "cells": [{"cell": "C2", "formula": formula}, {"cell": "C3", "formula": "=A3-A2"}],
    }
    done, target = _run(_write_old_calendar(tmp_path / "in.xlsx"), step)
    made = load_workbook(target, data_only=True).worksheets[0]
    assert (made["C2"].value, made["C3"].value) == (None, 3)
    assert "C2" in done.warnings[0].zh


def test_a_hidden_sheet_goes_unless_a_name_of_its_cells_is_used_elsewhere(tmp_path: Path) -> None:
    book = Workbook()
    book.worksheets[0]["A1"] = "=SUM(名单)"
    for name in ("参数", "旧"):
        book.create_sheet(name).sheet_state = "hidden"
    book.defined_names["名单"] = DefinedName("名单", attr_text="参数!$A$1:$A$3")
    book.defined_names["没人用"] = DefinedName("没人用", attr_text="旧!$A$1")
    book.save(tmp_path / "in.xlsx")
    _, target = _run(tmp_path / "in.xlsx", {"op": "delete_sheet", "sheet_name": "旧"})
    assert load_workbook(target).defined_names["没人用"].attr_text == "#REF!"
    with pytest.raises(PlanStepError) as refused:
        _run(tmp_path / "in.xlsx", {"op": "delete_sheet", "sheet_name": "参数"})
    assert refused.value.problem == "sheet_is_read"


def test_a_new_head_of_a_table_is_read_by_the_formulas_that_read_the_old_one(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in (
        ["品名", "数量", "金额"],
        ["泵", 2, "=订单[[#This Row],[数量]]*10"],
        ["阀", 3, "=订单[[#This Row],[数量]]*10"],
    ):
        sheet.append(row)
    sheet.add_table(Table(displayName="订单", ref="A1:C3"))
    sheet["E1"], sheet["E2"] = '=SUM(订单[数量])&"订单[数量]"', "=SUM(别的[数量])"
    book.save(tmp_path / "in.xlsx")
    done, target = _run(tmp_path / "in.xlsx", {"op": "set_cells", "cells": [{"cell": "B1", "value": "件数"}]})
    made = load_workbook(target).worksheets[0]
    assert [made[one].value for one in ("C2", "E1", "E2")] == [
        "=订单[[#This Row],[件数]]*10",
        '=SUM(订单[件数])&"订单[数量]"',
        "=SUM(别的[数量])",
    ]
    assert not [one.en for one in done.warnings if "C2" in one.en]
