"""Plans on workbooks: what they write, and what they leave alone."""

import subprocess
from pathlib import Path
from shutil import which

import pytest

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, Selection, WriteRequest, host_for
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.plan import load_plan
from metier.packs.office.sheets import SheetView, read_workbook
from tests.packs.office.sheets.rich_workbook import read_parts, write_rich_workbook


@pytest.fixture
def rich(tmp_path: Path) -> Path:
    return write_rich_workbook(tmp_path / "rich.xlsx")


def run(
    source: Path, *actions: JsonObject, chosen: frozenset[str] | None = None, selection: Selection | None = None
) -> tuple[Execution, Path]:
    listed = [{"id": f"a{at}", "title": "步骤", **one} for at, one in enumerate(actions)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "et", "meta": {}, "actions": listed}, host="et")
    assert loaded.plan is not None, [one.text("en") for one in loaded.problems]
    target = source.with_name(f"{source.stem}-out.xlsx")
    request = WriteRequest(chosen=chosen, selection=selection)
    return host_for("et").execute(loaded.plan, source, target, request=request), target


def sheet(path: Path, name: str) -> SheetView:
    found = read_workbook(path).sheet(name)
    assert found is not None
    return found


def value(path: Path, address: str, name: str = "销售") -> object:
    cell = sheet(path, name).cell(address)
    return None if cell is None else cell.value


NEW_SHEET: JsonObject = {"id": "s", "title": "t", "op": "ensure_sheet", "sheet_name": "预算"}
TABLE: JsonObject = {
    "id": "t",
    "title": "t",
    "op": "insert_table",
    "rows": 3,
    "cols": 4,
    "data": [
        ["科目", "预算", "实际", "日期"],
        ["差旅", "1,200", "1500", "2024-03-05"],
        ["培训", "=1+1", "110101199001011234", "007"],
    ],
}
BLOCK: JsonObject = {
    "op": "upsert_block",
    "block_id": "预算表",
    "anchor": "end",
    "actions": [
        NEW_SHEET,
        TABLE,
        {"id": "f", "title": "t", "op": "set_cell_formula", "cell": "预算!E2", "formula": "=B2-C2"},
        {"id": "c", "title": "预算与实际", "op": "insert_chart_from_selection", "chart_type": 51},
    ],
}
# One step of each kind; together they leave a file that a second run does not touch.
STEPS: tuple[JsonObject, ...] = (
    {"op": "set_cells", "cells": [{"cell": "销售!C3", "value": 100}, {"cell": "销售!A11", "value": "@x"}]},
    {"op": "set_cell_formula", "cell": "销售!E9", "formula": "=AVERAGE(E2:E7)"},
    {"op": "set_number_format", "range": "销售!C2:C9", "number_format": "#,##0.00"},
    {
        "op": "set_conditional_format",
        "range": "销售!D2:D7",
        "rule_type": "cell_value",
        "operator": "greater_than",
        "formula1": "3",
    },
    {"op": "set_conditional_format", "range": "销售!E2:E7"},
    {"op": "set_data_validation", "range": "销售!B2:B7", "formula1": "一月，二月，三月"},
    {
        "op": "create_pivot_table",
        "source_range": "销售!A1:E7",
        "destination": "明细!F3",
        "rows": ["地区"],
        "columns": ["月份"],
        "values": [{"field": "金额", "summary": "sum"}],
    },
    BLOCK,
    {"op": "insert_chart_from_selection", "chart_type": 5, "source_range": "销售!A1:C7", "title": "金额"},
    {"op": "insert_text", "text": "说明一\n说明二"},
    {"op": "add_comment", "cell": "销售!C3", "text": "已更正"},
    {"op": "set_page_numbers"},
    {"op": "filter_range", "range": "销售!A1:E7", "field": 1, "criteria1": "华*"},
)


def test_what_a_plan_does_not_touch_keeps_its_bytes(rich: Path) -> None:
    _, out = run(rich, {"op": "set_cells", "cells": [{"cell": "销售!C3", "value": 100}]})
    before, after = read_parts(rich), read_parts(out)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    # The other sheet has a formula that reads the changed one.
    assert changed == {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}
    text = after["xl/worksheets/sheet1.xml"]
    assert b"sparklineGroups" in text
    assert b"x14:dataBar" in text


def test_formulas_have_right_values_after_a_change_also_on_other_sheets(rich: Path) -> None:
    _, out = run(rich, {"op": "set_cells", "cells": [{"cell": "销售!C3", "value": 100}]})
    assert value(out, "C9") == pytest.approx(596.25)
    assert value(out, "E3") == 50
    assert value(out, "D1", "明细") == pytest.approx(1192.5)


def test_the_same_plan_twice_leaves_the_file_byte_identical(rich: Path) -> None:
    first, out = run(rich, *STEPS)
    second, again = run(out, *STEPS)
    assert len(first.changes) >= len(STEPS)
    assert second.unchanged
    assert second.changes == ()
    assert again.read_bytes() == out.read_bytes()


def test_a_plan_that_moves_its_own_cells_is_also_done_once(rich: Path) -> None:
    plan: tuple[JsonObject, ...] = (
        {"op": "set_cells", "cells": [{"cell": "销售!C3", "value": 100}]},
        {"op": "replace_text", "find_text": "华东", "replace_text": "华东区"},
        {"op": "sort_range", "range": "销售!A1:E7", "key": "金额", "order": "desc"},
        {"op": "transform_range", "source_range": "销售!A1:B7", "destination": "明细!A20"},
    )
    _, out = run(rich, *plan)
    assert [value(out, f"C{row}") for row in range(2, 8)] == [140, 120.5, 100, 99.5, 75.25, 61]
    assert value(out, "E2") == 28
    assert value(out, "B20", "明细") == "华北"
    second, again = run(out, *plan)
    assert second.unchanged
    assert again.read_bytes() == out.read_bytes()


def test_data_never_becomes_a_formula_and_long_numbers_stay_text(rich: Path) -> None:
    _, out = run(rich, BLOCK)
    table = {cell.address: (cell.value, cell.formula) for cell in sheet(out, "预算").cells}
    assert table["B2"] == (1200, "")
    assert sheet(out, "预算").cell("D2").date == "2024-03-05"  # type: ignore[union-attr]
    assert table["B3"] == ("=1+1", "")
    assert table["C3"] == ("110101199001011234", "")
    assert table["D3"] == ("007", "")
    assert table["E2"] == (-300, "B2-C2")
    assert b'quotePrefix="1"' in read_parts(out)["xl/styles.xml"]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        pytest.param({"fill_color": "#FF0000"}, "大于 100 的单元格：底色 红色", id="colour"),
        pytest.param({"font_color": "#FF0000", "bold": True}, "大于 100 的单元格：颜色 红色、加粗", id="letters"),
        pytest.param({}, "大于 100 的单元格：颜色 深红色（#9C0006）、底色 浅红色", id="usual"),
    ],
)
def test_a_rule_says_how_the_cells_that_it_finds_will_look(rich: Path, fields: JsonObject, shown: str) -> None:
    rule = {"rule_type": "cell_value", "operator": "greater_than", "formula1": "100", **fields}
    done, _ = run(rich, {"op": "set_conditional_format", "range": "销售!B2:B7", **rule})
    assert [one.after for one in done.changes] == [shown]


def test_a_block_is_replaced_where_it_stands_and_deleted_whole(rich: Path) -> None:
    _, out = run(rich, BLOCK)
    smaller: JsonObject = {**BLOCK, "actions": [NEW_SHEET, {**TABLE, "rows": 1, "data": [["只有一行"]]}]}
    _, second = run(out, smaller)
    assert [cell.text for cell in sheet(second, "预算").cells] == ["只有一行"]
    assert not any("chart2" in name for name in read_parts(second))
    _, third = run(second, {"op": "delete_block", "block_id": "预算表"})
    assert sheet(third, "预算").cells == ()
    assert "MT_预算表" not in read_workbook(third).names


def test_a_summary_consists_of_live_formulas_and_says_so(rich: Path) -> None:
    done, out = run(rich, *STEPS)
    view = sheet(out, "明细")
    texts = {cell.address: cell for cell in view.cells}
    assert [texts[f"{column}3"].value for column in "GHIJ"] == ["一月", "二月", "三月", "合计"]
    assert texts["J8"].value == pytest.approx(596.25)
    assert texts["G5"].formula.startswith("SUMIFS(")
    assert any("实时公式" in warning.zh for warning in done.warnings)
    assert "实时汇总" in str(texts["F9"].value)


def test_what_cannot_be_calculated_is_named_and_has_no_stale_value(rich: Path) -> None:
    done, out = run(rich, {"op": "set_cell_formula", "cell": "销售!H1", "formula": "=GETPIVOTDATA(C2,D3)"})
    cell = sheet(out, "销售").cell("H1")
    assert cell is not None
    assert cell.is_missing_value
    assert "销售!H1" in done.warnings[0].zh
    assert b'fullCalcOnLoad="1"' in read_parts(out)["xl/workbook.xml"]


def test_a_comparison_is_written_instead_of_the_changes(rich: Path) -> None:
    plan = load_plan(
        {
            "schema_version": "ah32.plan.v1",
            "host_app": "et",
            "meta": {},
            "actions": [{"id": "a", "title": "改", "op": "set_cells", "cells": [{"cell": "销售!C3", "value": 100}]}],
        },
        host="et",
    ).plan
    assert plan is not None
    out = rich.with_name("compared.xlsx")
    done = host_for("et").execute(plan, rich, out, request=WriteRequest("compare_table"))
    assert value(out, "C3") == 80
    assert [cell.text for cell in sheet(out, "改动对照").cells][4:] == ["销售!C3", "填写 销售!C3", "80", "100"]
    assert [change.id for change in done.changes] == ["a#1"]


def test_only_chosen_changes_are_written(rich: Path) -> None:
    cells: JsonObject = {
        "op": "set_cells",
        "cells": [{"cell": "销售!A11", "value": "甲"}, {"cell": "销售!A12", "value": "乙"}],
    }
    done, out = run(rich, cells, chosen=frozenset({"a0#2"}))
    assert [change.id for change in done.changes] == ["a0#2"]
    assert (value(out, "A11"), value(out, "A12")) == (None, "乙")


def test_a_table_at_an_occupied_cursor_goes_elsewhere_and_says_so(rich: Path) -> None:
    table: JsonObject = {"op": "insert_table", "rows": 2, "cols": 1, "data": [["头"], ["1"]]}
    done, out = run(rich, table, selection=Selection("销售!A2"))
    assert value(out, "A2") == "华东"
    assert value(out, "A12") == 1
    assert "A2:A3" in done.warnings[0].zh


def test_bad_steps_name_their_place_and_leave_no_file(rich: Path) -> None:
    cases: tuple[tuple[JsonObject, str], ...] = (
        ({"op": "set_cells", "cells": [{"cell": "没有!A1", "value": 1}]}, "actions[0].cells[0].cell: "),
        ({"op": "set_cells", "cells": [{"cell": "A0", "value": 1}]}, "cells[0].cell"),
        ({"op": "set_cell_formula", "cell": "A1", "formula": "=SUM("}, "actions[0].formula"),
        ({"op": "sort_range", "range": "A1:E7", "key": "Z"}, "actions[0].key"),
        ({"op": "filter_range", "range": "A1:E7", "field": 9, "criteria1": "x"}, "actions[0].field"),
        ({"op": "insert_chart_from_selection", "chart_type": 9999}, "actions[0].chart_type"),
        ({"op": "insert_image", "path": "../x.png"}, "actions[0].path"),
        ({"op": "insert_image", "path": "https://example.org/x.png"}, "actions[0].path"),
        ({"op": "ensure_sheet", "sheet_name": "a/b"}, "actions[0].sheet_name"),
        ({"op": "transform_range", "source_range": "A1:C7", "destination": "B2"}, "actions[0].destination"),
        ({"op": "set_cells", "range": "A1:B1", "values": [[1, 2, 3]]}, "actions[0].range"),
    )
    for action, place in cases:
        with pytest.raises(PlanStepError) as caught:
            run(rich, action)
        assert place in str(caught.value), action
        assert caught.value.reason.zh
    assert not rich.with_name("rich-out.xlsx").exists()


@pytest.mark.skipif(which("soffice") is None, reason="needs LibreOffice")
def test_libreoffice_opens_the_result_and_calculates_the_same(rich: Path) -> None:
    _, out = run(rich, *STEPS)
    folder = out.parent / "converted"
    command = ["soffice", f"-env:UserInstallation=file://{out.parent}/profile", "--headless", "--convert-to", "xlsx"]
    done = subprocess.run([*command, "--outdir", folder, out], capture_output=True, check=False, timeout=180)
    converted = folder / out.name
    if not converted.exists():
        pytest.skip(f"LibreOffice has no sheets here: {done.stderr.decode()[-200:]}")
    for view in read_workbook(out).sheets:
        theirs = {cell.address: cell.value for cell in sheet(converted, view.name).cells}
        for cell in view.cells:
            if cell.formula:
                assert theirs[cell.address] == pytest.approx(cell.value), cell
    # A block is found again after another program saved the file.
    again, second = run(converted, BLOCK)
    assert [cell.text for cell in sheet(second, "预算").cells][:4] == ["科目", "预算", "实际", "日期"]
    assert len(sheet(second, "预算").cells) == len(sheet(out, "预算").cells)
    assert again.skipped == ()


def test_a_table_has_the_font_and_size_of_the_plans_style(rich: Path) -> None:
    style: JsonObject = {"fonts": {"eastAsia": "仿宋"}, "et": {"body": {"size": 13}}}
    value: JsonObject = {
        "schema_version": "ah32.plan.v1",
        "host_app": "et",
        "meta": {"style_spec": style},
        "actions": [TABLE],
    }
    loaded = load_plan(value, host="et")
    assert loaded.plan is not None
    target = rich.with_name("styled.xlsx")
    host_for("et").execute(loaded.plan, rich, target, request=WriteRequest())
    fonts = read_parts(target)["xl/styles.xml"].decode()
    assert "仿宋" in fonts
    assert 'sz val="13"' in fonts
    assert "仿宋" not in read_parts(rich)["xl/styles.xml"].decode()


def test_the_same_plan_twice_leaves_a_sheet_with_a_style_as_it_is(rich: Path) -> None:
    style: JsonObject = {
        "fonts": {"eastAsia": "仿宋"},
        "et": {"body": {"color": "#222222", "size": 11}, "table": {"headerFill": "#1F4E79", "headerText": "#FFFFFF"}},
    }
    value: JsonObject = {
        "schema_version": "ah32.plan.v1",
        "host_app": "et",
        "meta": {"style_spec": style},
        "actions": [BLOCK],
    }
    loaded = load_plan(value, host="et")
    assert loaded.plan is not None
    once, twice = rich.with_name("once.xlsx"), rich.with_name("twice.xlsx")
    host_for("et").execute(loaded.plan, rich, once, request=WriteRequest())
    host_for("et").execute(loaded.plan, once, twice, request=WriteRequest())
    assert "FFFFFFFF" in read_parts(once)["xl/styles.xml"].decode()
    assert not twice.exists() or read_parts(twice) == read_parts(once)
