"""Documents as blocks for the page: tracked changes, comments, tables; no markup of the file, nothing hidden."""

from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches

from metier.json_values import list_items
from metier.packs.office.views import find_office_program, render_exact, view_file

_CHANGED = (
    f"<w:p {nsdecls('w')}><w:r><w:t>定金为</w:t></w:r>"
    '<w:del w:id="1" w:author="A"><w:r><w:delText>30%</w:delText></w:r></w:del>'
    '<w:ins w:id="2" w:author="A"><w:r><w:t>20%</w:t></w:r></w:ins></w:p>'
)
_HIDDEN = (
    f"<w:p {nsdecls('w')}><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>"
    "<w:r><w:rPr><w:vanish/></w:rPr><w:t>START</w:t></w:r></w:p>"
)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    made = Document()
    made.add_heading("合同", 1)
    commented = made.add_paragraph("<script>alert(1)</script>")
    made.add_comment(commented.runs, text="请核对", author="律师")
    body = made.element.body
    body.insert(2, parse_xml(_CHANGED))
    body.insert(3, parse_xml(_HIDDEN))
    table = made.add_table(1, 2)
    table.cell(0, 1).text = "乙方"
    made.save(str(tmp_path / "合同.docx"))
    return tmp_path / "合同.docx"


def test_a_docx_is_shown_with_changes_comments_and_tables_as_plain_text(document: Path) -> None:
    view: Any = view_file(document)
    heading, script, changed, table = view["blocks"]
    assert (heading["kind"], heading["level"], heading["address"]) == ("heading", 1, "p1")
    assert script["runs"] == [{"text": "<script>alert(1)</script>", "mark": "", "bold": False, "comment": "0"}]
    assert [(run["text"], run["mark"]) for run in changed["runs"]] == [("定金为", ""), ("30%", "del"), ("20%", "ins")]
    assert table["rows"][0][1]["address"] == "t1.r1.c2"
    assert view["comments"] == [{"id": "0", "author": "律师", "text": "请核对", "address": "p2"}]


def test_other_files_have_no_view(tmp_path: Path) -> None:
    assert view_file(tmp_path / "notes.txt") is None


@pytest.mark.skipif(find_office_program() is None, reason="LibreOffice is not installed")
def test_exact_pages_are_drawn_with_libreoffice(document: Path) -> None:
    assert render_exact(document).content.startswith(b"%PDF-")


def test_each_bullet_of_a_slide_is_a_line_and_the_field_of_its_number_is_filled(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    assert slide.shapes.title is not None
    slide.shapes.title.text = "进展"
    slide.placeholders[1].text_frame.text = "第一点\n第二点\n\n第三点"
    for at, text in enumerate(("‹#›", "第 ‹#› 页")):
        slide.shapes.add_textbox(Inches(1), Inches(6 + at), Inches(2), Inches(0.5)).text_frame.text = text
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "事项", "责任人"
    deck.save(str(tmp_path / "deck.pptx"))
    viewed = view_file(tmp_path / "deck.pptx")
    assert viewed is not None
    (block,) = list_items(viewed["blocks"])
    assert isinstance(block, dict)
    assert set(list_items(block["texts"])) == {"第一点", "第二点", "第三点", "第 1 页", "事项 | 责任人"}


def test_a_number_of_a_sheet_is_told_from_a_text_that_looks_like_one(tmp_path: Path) -> None:
    book = Workbook()
    assert book.active is not None
    book.active.append(["项目", 18600, "18600", True])
    book.save(tmp_path / "台账.xlsx")
    viewed: Any = view_file(tmp_path / "台账.xlsx")
    (line,) = viewed["blocks"][0]["lines"]
    assert [cell["number"] for cell in line["cells"]] == [False, True, False, False]
