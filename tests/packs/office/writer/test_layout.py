"""What a page shows of new content: charts below their table, gaps, outlines that may break, frames of a height."""

from pathlib import Path

import pytest
from docx import Document
from docx.oxml.ns import qn

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
