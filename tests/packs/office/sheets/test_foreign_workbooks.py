"""Workbooks as other programs write them: cells without addresses, pivot tables, empty drawings, macros."""

import io
import re
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook, load_workbook

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office.plan import load_plan

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
                kinds = (("rId98", f"{R}/pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),)
                kinds += (
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
