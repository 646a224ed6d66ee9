"""What a page shows of new content: charts below their table, gaps, outlines that may break, frames of a height."""

from pathlib import Path

import pytest
from docx import Document
from docx.oxml.ns import qn
from docx.shared import Cm

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, Selection, WriteRequest, host_for
from metier.packs.office.plan import load_plan

_ROWS = (("部门", "人数"), ("研发部", "42"), ("市场部", "18"), ("财务部", "9"))
_CHART: JsonObject = {"id": "c", "title": "人数", "op": "insert_chart_from_selection", "chart_type": 51}


def _run(source: Path, *actions: JsonObject, selection: Selection | None = None) -> tuple[Execution, Path]:
    listed = [{"title": "t", **one, "id": f"a{at}"} for at, one in enumerate(actions)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wps", "meta": {}, "actions": listed}, host="wps")
    assert loaded.plan is not None, [one.text("en") for one in loaded.problems]
    target = source.with_name(f"{source.stem}-out.docx")
    return host_for("wps").execute(loaded.plan, source, target, request=WriteRequest(selection=selection)), target


def _write(path: Path, *, tables: int = 1) -> Path:
    document = Document()
    document.add_paragraph("前文")
    for number in range(tables):
        table = document.add_table(len(_ROWS), 2)
        for row, cells in zip(table.rows, _ROWS, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text if text != "42" else f"4{number}"
        document.add_paragraph("后文")
    document.save(str(path))
    return path


def _block(*steps: JsonObject) -> JsonObject:
    inner = [{"title": "t", **one, "id": f"b{at}"} for at, one in enumerate(steps)]
    return {"op": "upsert_block", "block_id": "b", "anchor": "cursor", "actions": inner}


@pytest.mark.parametrize("in_block", [True, False], ids=["block", "plain"])
@pytest.mark.parametrize(
    "selection",
    [Selection("t2.r1.c1", last_address="t2.r4.c2"), Selection("t2.r2.c2")],
    ids=["whole table", "one cell"],
)
def test_a_chart_of_a_selected_table_stands_below_it(tmp_path: Path, in_block: bool, selection: Selection) -> None:
    source = _write(tmp_path / "a.docx", tables=2)
    before = Document(str(source)).tables[1]._tbl.xml
    done, target = _run(source, _block(_CHART) if in_block else _CHART, selection=selection)
    assert [one.code for one in done.skipped] == []
    document = Document(str(target))
    assert [table._tbl.xml == before for table in document.tables] == [False, True], "the table stays as it was"
    shown = [one for one in document.tables[1]._tbl.itersiblings() if not one.findall(f".//{qn('w:vanish')}")]
    assert shown[0].find(f".//{qn('w:drawing')}") is not None
    assert int(shown[0].find(f"{qn('w:pPr')}/{qn('w:spacing')}").get(qn("w:before"))) > 0, "they do not touch"


def test_a_table_below_a_selection_of_cells_is_not_put_into_the_last_one(tmp_path: Path) -> None:
    table: JsonObject = {"op": "insert_table", "rows": 1, "cols": 1, "data": [["新"]]}
    selection = Selection("t1.r1.c1", last_address="t1.r4.c2")
    _, target = _run(_write(tmp_path / "a.docx"), table, selection=selection)
    assert [one.cell(0, 0).text for one in Document(str(target)).tables] == ["部门", "新"]


def test_text_below_a_table_leaves_a_gap_and_headings_keep_theirs(tmp_path: Path) -> None:
    source = _write(tmp_path / "a.docx")
    table: JsonObject = {"op": "insert_table", "rows": 1, "cols": 1, "data": [["新"]]}
    _, target = _run(source, _block(table, {"op": "insert_text", "text": "说明"}))
    gap = next(one for one in Document(str(target)).paragraphs if one.text == "说明").paragraph_format.space_before
    assert gap is not None
    assert gap.pt == 6
    _, target = _run(source, _block(table, {"op": "insert_text", "text": "# 标题"}))
    heading = next(one for one in Document(str(target)).paragraphs if one.text == "标题")
    assert heading.paragraph_format.space_before is None


def _kept(path: Path) -> list[list[str]]:
    """New headings by what must stay on one page."""
    chains: list[list[str]] = [[]]
    for one in Document(str(path)).paragraphs:
        if one.style is not None and one.style.name.startswith("Heading"):
            chains[-1].append(one.text)
            if one.paragraph_format.keep_with_next is False:
                chains.append([])
    return chains


def test_an_outline_breaks_between_its_parts(tmp_path: Path) -> None:
    source = _write(tmp_path / "a.docx")
    lines = [f"{'#' * level} {part}{at}" for part in "一二三" for at, level in enumerate((1, 2, 3, 3, 2, 3))]
    _, target = _run(source, *({"op": "insert_text", "text": line} for line in lines))
    assert [chain[0] for chain in _kept(target)] == ["一0", "二0", "三0"]
    _, target = _run(source, *({"op": "insert_text", "text": f"## 第{at}条"} for at in range(40)))
    assert max(map(len, _kept(target))) <= 12


def test_a_heading_with_text_keeps_to_it(tmp_path: Path) -> None:
    lines = [line for at in range(9) for line in (f"# 第{at}章", "正文。")]
    _, target = _run(_write(tmp_path / "a.docx"), {"op": "insert_text", "text": "\n".join(lines)})
    assert len(_kept(target)) == 1
    _, target = _run(_write(tmp_path / "b.docx"), {"op": "insert_text", "text": "# 甲\n## 乙\n正文"})
    assert len(_kept(target)) == 1


def test_rows_have_the_height_that_the_plan_says(tmp_path: Path) -> None:
    frame: JsonObject = {"op": "insert_table", "rows": 1, "cols": 1, "data": [["［图片］"]], "row_height_mm": 65}
    _, target = _run(_write(tmp_path / "a.docx"), frame)
    height = Document(str(target)).tables[1].rows[0].height
    assert height is not None
    assert round(height.mm) == 65


def _narrow(path: Path, width_cm: float) -> Path:
    document = Document()
    section = document.sections[0]
    section.page_width, section.left_margin, section.right_margin = Cm(width_cm + 4), Cm(2), Cm(2)
    document.add_paragraph("窄")
    document.save(str(path))
    return path


def test_what_is_drawn_is_not_wider_than_the_text(tmp_path: Path) -> None:
    table: JsonObject = {"op": "insert_table", "rows": 4, "cols": 2, "data": [list(row) for row in _ROWS]}
    art: JsonObject = {"op": "insert_word_art", "text": "年度工作计划与总结汇报材料汇编"}
    _, target = _run(_narrow(tmp_path / "a.docx", 8), _block(table, _CHART, art))
    drawings = list(Document(str(target)).element.body.iter(qn("wp:extent")))
    assert [round(int(one.get("cx")) / 360_000, 1) for one in drawings] == [8.0, 8.0]
    art_run = next(one for one in Document(str(target)).element.body.iter(qn("w:txbxContent")))
    points = int(next(art_run.iter(qn("w:sz"))).get(qn("w:val"))) / 2
    assert points * len("年度工作计划与总结汇报材料汇编") < 8 / 2.54 * 72, "the words stand in one line"


def test_a_drawing_is_as_wide_as_the_text_of_its_own_section(tmp_path: Path) -> None:
    document = Document()
    document.sections[0].left_margin = document.sections[0].right_margin = Cm(7)
    document.add_paragraph("窄")
    document.add_section().left_margin = Cm(2)
    document.save(str(tmp_path / "a.docx"))
    table: JsonObject = {"op": "insert_table", "rows": 1, "cols": 2, "data": [["甲", "乙"]]}
    start: JsonObject = {"op": "set_selection", "anchor": "start_of_document"}
    _, target = _run(tmp_path / "a.docx", start, table)
    widths = [int(one.get(qn("w:w"))) for one in Document(str(target)).tables[0]._tbl.tblGrid]
    section = Document(str(target)).sections[0]
    assert section.page_width is not None
    assert sum(widths) <= (section.page_width - Cm(14)) / 635


@pytest.mark.parametrize("columns", [3, 8, 10])
def test_a_wide_table_stays_within_the_margins_and_breaks_no_number(tmp_path: Path, columns: int) -> None:
    rows = [[f"第{at}项指标名称" for at in range(columns)], ["1,234.50" for _ in range(columns)]]
    table: JsonObject = {"op": "insert_table", "rows": 2, "cols": columns, "data": rows, "header": True}
    _, target = _run(_narrow(tmp_path / "a.docx", 17), table)
    made = Document(str(target)).tables[0]
    widths = [int(one.get(qn("w:w"))) / 20 for one in made._tbl.tblGrid]
    assert sum(widths) <= 17 / 2.54 * 72
    run = made.rows[1].cells[0].paragraphs[0].runs[0]
    size = 12.0 if run.font.size is None else run.font.size.pt
    assert size == 12 if columns == 3 else size < 12
    assert min(widths) >= len("1,234.50") * size * 0.55
    properties = made.rows[0]._tr.trPr
    assert properties is not None
    assert properties.find(qn("w:tblHeader")) is not None
