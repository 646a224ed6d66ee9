"""Formulas that spill, that read where a text says, and that cannot be calculated: what the file says of them."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office.plan import load_plan
from metier.packs.office.sheets import read_workbook


def run(source: Path, *actions: JsonObject) -> tuple[Execution, Path]:
    listed = [{"id": f"a{at}", "title": "t", **one} for at, one in enumerate(actions)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "et", "meta": {}, "actions": listed}, host="et")
    assert loaded.plan is not None
    target = source.with_name("out.xlsx")
    return host_for("et").execute(loaded.plan, source, target, request=WriteRequest()), target


def set_values(path: Path, **values: str) -> None:
    """Values of formulas as a program left them: openpyxl writes none."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    text = parts["xl/worksheets/sheet1.xml"].decode()
    for address, value in values.items():
        text = re.sub(rf'(<c r="{address}".*?</f>)<v></v>', rf"\g<1><v>{value}</v>", text)
    parts["xl/worksheets/sheet1.xml"] = text.encode()
    with zipfile.ZipFile(path, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.active
    for row, value in enumerate((30, 10, 20), 1):
        sheet.cell(row, 1, value)
    sheet["C1"] = "=SUM(OFFSET(A1,0,0,3,1))"
    sheet["C2"] = '=INDIRECT("A"&2)'
    sheet["C3"] = "=GETPIVOTDATA(B9,B8)"
    sheet["C4"] = "=GETPIVOTDATA(A1,A2)"
    sheet["C5"] = "=INDIRECT(B1)+CUBEVALUE(B9)"
    path = tmp_path / "账.xlsx"
    book.save(path)
    set_values(path, C1="60", C2="10", C3="7", C4="8", C5="9")
    return path


def test_a_sort_is_a_dynamic_array_with_its_first_value_and_says_so(ledger: Path) -> None:
    done, out = run(ledger, {"op": "set_cell_formula", "cell": "Sheet!E1", "formula": "=SORT(A1:A3)"})
    with zipfile.ZipFile(out) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").decode()
        assert '<f t="array" ref="E1">_xlfn._xlws.SORT(A1:A3)</f>' in sheet
        assert 'cm="1"' in sheet
        assert b'name="XLDAPR"' in package.read("xl/metadata.xml")
        assert b"sheetMetadata" in package.read("xl/_rels/workbook.xml.rels")
    cell = read_workbook(out).sheets[0].cell("E1")
    assert cell is not None
    assert cell.value == 10
    assert any("Sheet!E1" in one.zh and "多个值" in one.zh for one in done.warnings)
    again, second = run(out, {"op": "set_cell_formula", "cell": "Sheet!F1", "formula": "=UNIQUE(A1:A3)"})
    with zipfile.ZipFile(second) as package:
        assert package.read("xl/metadata.xml").count(b"<bk>") == 2
    assert again.changes


def test_what_reads_where_a_text_says_has_its_value_after_each_change(ledger: Path) -> None:
    _, out = run(ledger, {"op": "set_cells", "cells": [{"cell": "Sheet!A2", "value": 15}]})
    cells = {cell.address: cell for cell in read_workbook(out).sheets[0].cells}
    assert (cells["C1"].value, cells["C2"].value) == (65, 15)


def test_a_value_stays_where_nothing_that_its_formula_names_changed_and_goes_where_it_did(ledger: Path) -> None:
    done, out = run(ledger, {"op": "set_cells", "cells": [{"cell": "Sheet!A2", "value": 15}]})
    cells = {cell.address: cell for cell in read_workbook(out).sheets[0].cells}
    assert cells["C3"].value == 7
    assert cells["C4"].is_missing_value
    assert cells["C5"].value == 9
    told = " ".join(one.zh for one in done.warnings)
    assert "Sheet!C4" in told
    assert "Sheet!C5" in told
    assert "Sheet!C3" not in told
    assert "保留原来的值" in told
    far, other = run(ledger, {"op": "set_cells", "cells": [{"cell": "Sheet!H9", "value": 1}]})
    kept = {cell.address: cell.value for cell in read_workbook(other).sheets[0].cells}
    assert [kept[f"C{row}"] for row in range(1, 6)] == [60, 10, 7, 8, 9]
    assert "Sheet!C4" not in " ".join(one.zh for one in far.warnings)
