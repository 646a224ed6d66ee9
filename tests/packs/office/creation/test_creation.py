"""New documents from content: opened again with the libraries, nothing lost and nothing outside the page."""

import io
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from openpyxl import load_workbook
from pptx import Presentation
from pypdf import PdfReader

from metier.packs.office.creation import (
    FILE_KINDS,
    NewChart,
    NewDocument,
    NewPoint,
    NewSection,
    NewSource,
    NewTable,
    create_file,
    parse_outline,
    read_content,
)
from metier.packs.office.creation._cells import render_cell
from metier.packs.office.slides import find_overflow

LONG = "充电设施的建设进度在各地差别很大，" * 12
CHART = NewChart(
    "销量",
    {
        "kind": "line",
        "title": "销量",
        "columns": [{"key": "year", "title": "年份"}, {"key": "sold", "title": "销量"}],
        "rows": [{"year": "2023", "sold": 949.5}, {"year": "2024", "sold": 1286}],
        "x": "year",
        "y": ["sold"],
    },
)
HEAT = NewChart("热力", {**CHART.spec, "kind": "heatmap", "group": "year", "y": ["sold"]})
TABLE = NewTable(
    "各年销量", ("年份", "销量", "身份证"), tuple((2000 + at, at * 1.5, "110101199001011234") for at in range(40))
)
DOCUMENT = NewDocument(
    "新能源汽车市场",
    "zh",
    (
        NewSection("规模", tuple(NewPoint(f"第 {at} 条要点，销量约 {at} 万辆", (1, 2)) for at in range(1, 15))),
        NewSection("正文", (NewPoint(LONG, is_prose=True), NewPoint("=1+1 不是公式", (1,)))),
        NewSection("数据", (TABLE, CHART, HEAT)),
    ),
    subtitle="示例资料",
    sources=(NewSource(1, "文章甲.md", "第 3 行"), NewSource(2, "文章乙.pdf", "第 2 页")),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("made")
    made: dict[str, Path] = {kind: folder / f"a.{kind}" for kind in FILE_KINDS}
    for kind in FILE_KINDS:
        made[kind].write_bytes(create_file(DOCUMENT, kind))
    return made


def test_a_deck_has_cover_contents_marks_and_sources_and_nothing_overflows(files: dict[str, Path]) -> None:
    deck = Presentation(str(files["pptx"]))
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    texts = [shape.text_frame.text for slide in deck.slides for shape in slide.shapes if shape.has_text_frame]
    assert (deck.slide_width, deck.slide_height) == (12_192_000, 6_858_000)
    assert titles[:3] == ["新能源汽车市场", "目录", "规模"]
    assert titles[-1] == "来源"
    assert "各年销量（前 12 行，共 40 行）" in titles
    assert any("[1][2]" in text for text in texts)
    assert "[2] 文章乙.pdf, 第 2 页" in texts[-2] + texts[-1]
    assert sum(shape.has_chart for slide in deck.slides for shape in slide.shapes) == 1
    assert any(slide.has_notes_slide and LONG in slide.notes_slide.notes_text_frame.text for slide in deck.slides)
    assert find_overflow(files["pptx"]) == ()
    theme = next(part for part in deck.part.package.iter_parts() if "theme1" in str(part.partname))
    assert '<a:ea typeface="微软雅黑"/>' in theme.blob.decode()


def test_the_other_formats_hold_the_same_content(files: dict[str, Path]) -> None:
    word = Document(str(files["docx"]))
    lines = [one.text for one in word.paragraphs]
    assert LONG in lines
    assert "[1] 文章甲.md, 第 3 行" in lines
    width, height = word.sections[0].page_width, word.sections[0].page_height
    assert width is not None
    assert height is not None
    assert (round(width.mm), round(height.mm)) == (210, 297)
    pdf = "".join(page.extract_text() for page in PdfReader(files["pdf"]).pages)
    assert "第 14 条要点" in pdf
    assert "文章乙.pdf" in pdf
    book = load_workbook(files["xlsx"])
    assert book.sheetnames[0] == "各年销量"
    assert book["各年销量"]["B3"].value == 1.5
    assert book["各年销量"]["C2"].value == "110101199001011234"
    cells = [cell.value for row in book["新能源汽车市场"].iter_rows() for cell in row if cell.data_type != "f"]
    assert "=1+1 不是公式" in cells


def test_outlines_as_people_write_them_become_sections_and_points() -> None:
    cases = {
        "# 汇报\n## 背景\n- 甲\n- 乙\n## 计划\n- 丙": ("汇报", {"背景": 2, "计划": 1}),
        "年度汇报\n一、背景\n甲\n乙\n二、计划\n丙": ("年度汇报", {"背景": 2, "计划": 1}),
        "1. 背景\n  - 甲\n  - 乙\n2. 计划\n  - 丙": ("背景", {"背景": 2, "计划": 1}),
        "背景：甲、乙\n计划：丙": ("背景", {"背景": 2, "计划": 1}),
        "- a\n- b\n- c": ("Content", {"Content": 3}),
        "Title\nSlide 1: Start\nx\ny\nSlide 2: End\nz": ("Title", {"Start": 2, "End": 1}),
        "## 表\n| 年 | 数 |\n|---|---|\n| 1 | 2.5 |": ("表", {"表": 1}),
        "年,数\n1,2\n3,4": ("内容", {"内容": 1}),
        "": ("内容", {}),
    }
    wrong = []
    for text, (title, sections) in cases.items():
        made = parse_outline(text, "en" if "a\n" in text or "x" in text else "zh")
        found = (made.title, {one.title: len(one.blocks) for one in made.sections})
        if found != (title, sections):
            wrong.append((text, found))
    assert wrong == []


def test_headings_of_a_document_become_sections(tmp_path: Path, files: dict[str, Path]) -> None:
    again = read_content(files["docx"], "市场.docx", "zh")
    assert [one.title for one in again.sections][:3] == ["规模", "正文", "数据"]
    assert again.title == "新能源汽车市场"
    assert any(
        isinstance(block, NewTable) and block.heads[0] == "年份" for one in again.sections for block in one.blocks
    )
    assert read_content(files["pptx"], "市场.pptx", "zh").sections[0].title == "规模"
    sheet = read_content(files["xlsx"], "市场.xlsx", "zh").sections[0].blocks[0]
    assert isinstance(sheet, NewTable)
    assert len(sheet.rows) == 40
    file = tmp_path / "大纲.txt"
    file.write_bytes("一、背景\n甲\n二、计划\n乙".encode("gb18030"))
    assert [one.title for one in read_content(file, "大纲.txt", "zh").sections] == ["背景", "计划"]
    assert io.BytesIO(create_file(again, "pdf")).read(5) == b"%PDF-"


def test_large_numbers_have_their_thousands_apart_and_years_and_identifiers_do_not() -> None:
    cases = {
        (2_025, ""): "2025",
        (1_234_567, "销售额"): "1,234,567",
        (-12_345.5, "amount"): "-12,345.5",
        (12_000.0, ""): "12,000",
        (10_086, "订单号"): "10086",
        (123_456, "Order id"): "123456",
        (0.1 + 0.2, ""): "0.3",
    }
    assert {case: render_cell(case[0], "zh", case[1]) for case in cases} == cases


def test_a_table_is_a_table_with_and_without_its_rule() -> None:
    lines = ["| 月份 | 收入 |", "|---|---|", "| 1月 | 12000 |", "| 2月 | =1+1 |"]
    for text in ("\n".join(lines), "\n".join([lines[0], *lines[2:]])):
        (table,) = parse_outline(text, "zh").sections[0].blocks
        assert isinstance(table, NewTable)
        assert (table.heads, table.rows) == (("月份", "收入"), (("1月", 12000), ("2月", "=1+1")))
    (point,) = parse_outline("| 只有一行 | 不是表 |", "zh").sections[0].blocks
    assert isinstance(point, NewPoint)


SOLD = (("2023", 5), ("2024", 7))


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "line", "x": "year", "y": ["sold"], "rows": [{"year": y, "sold": n} for y, n in SOLD]},
        {"kind": "line", "x": "year", "y": ["sold"], "rows": [["2023", 5], ["2024", 7]]},
        {"kind": "heatmap", "x": "year", "y": ["sold"], "rows": [["2023", 5, 1], ["2024", 7, 2]]},
        {"kind": "grouped_bar", "x": "year", "y": "sold", "group": "shop", "rows": []},
        {"kind": "pie"},
    ],
    ids=["mappings", "lists", "drawn", "no rows", "nothing"],
)  # fmt: skip
def test_a_chart_without_columns_takes_the_keys_of_its_rows(tmp_path: Path, spec: dict[str, Any]) -> None:
    document = NewDocument("销量", "zh", (NewSection("图", (NewChart("销量", spec),)),))
    for kind in FILE_KINDS:
        (tmp_path / f"a.{kind}").write_bytes(create_file(document, kind))
    shapes = [shape for slide in Presentation(str(tmp_path / "a.pptx")).slides for shape in slide.shapes]
    if spec["kind"] == "line":
        (chart,) = [shape.chart for shape in shapes if shape.has_chart]
        assert list(chart.plots[0].categories) == ["2023", "2024"]
        assert list(chart.plots[0].series[0].values) == [5, 7]
