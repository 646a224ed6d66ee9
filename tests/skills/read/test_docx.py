"""A Word document says the same as Markdown, and what it hides is told."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from hypothesis import given
from hypothesis import strategies as st

from metier.skills import SkillLibrary
from metier.skills.read._docx import DocxInvalid, read_docx


def saved(document: Document) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def wrapped(tag: str, text: str) -> Any:
    return parse_xml(f"<w:{tag} {nsdecls('w')}><w:r><w:t>{text}</w:t></w:r></w:{tag}>")


def test_headings_lists_and_tables_keep_their_shape_and_order() -> None:
    document = docx.Document()
    document.add_heading("合同审查", 0)
    document.add_paragraph("先读全文。")
    document.add_heading("Steps", 2)
    document.add_paragraph("extract", style="List Bullet")
    document.add_paragraph("judge", style="List Number")
    table = document.add_table(2, 2)
    for cell, text in zip(
        (*table.rows[0].cells, *table.rows[1].cells), ("条款", "风险", "a|b", "high\nlow"), strict=True
    ):
        cell.text = text
    document.add_paragraph("")
    document.add_paragraph("End.")
    assert read_docx(saved(document)).text == (
        "# 合同审查\n\n先读全文。\n\n## Steps\n\n- extract\n\n1. judge\n\n"
        "| 条款 | 风险 |\n|---|---|\n| a\\|b | high low |\n\nEnd."
    )


def test_tracked_insertions_are_read_and_deletions_are_not() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Keep ")
    paragraph._p.append(wrapped("ins", "this"))
    deleted = f"<w:del {nsdecls('w')}><w:r><w:delText>that</w:delText></w:r></w:del>"
    paragraph._p.append(parse_xml(deleted))
    assert read_docx(saved(document)).text == "Keep this"


def test_text_in_content_controls_is_read() -> None:
    document = docx.Document()
    block = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>Filled in</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    document.element.body.insert(0, parse_xml(block))
    paragraph = document.add_paragraph("Name: ")
    inline = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:r><w:t>王</w:t></w:r></w:sdtContent></w:sdt>"
    paragraph._p.append(parse_xml(inline))
    assert read_docx(saved(document)).text == "Filled in\n\nName: 王"


def test_a_merged_cell_is_said_once() -> None:
    document = docx.Document()
    table = document.add_table(1, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "both"
    table.cell(0, 2).text = "one"
    assert read_docx(saved(document)).text == "| both | one |\n|---|---|"


def test_tabs_and_line_breaks_stay() -> None:
    document = docx.Document()
    document.add_paragraph("a\tb\nc")
    assert read_docx(saved(document)).text == "a\tb\nc"


def hide(run: Any) -> None:
    run.font.hidden = True


def shrink(run: Any) -> None:
    run.font.size = Pt(1)


def whiten(run: Any) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


@pytest.mark.parametrize("conceal", [hide, shrink, whiten])
def test_text_that_its_reader_does_not_see_is_told(conceal: Callable[[Any], None]) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Seen. ")
    conceal(paragraph.add_run("Not seen."))
    assert read_docx(saved(document)).hidden == "Not seen."


def test_white_on_a_dark_ground_can_be_seen() -> None:
    document = docx.Document()
    cell = document.add_table(1, 1).cell(0, 0)
    whiten(cell.paragraphs[0].add_run("Header"))
    run = document.add_paragraph().add_run("Badge")
    whiten(run)
    run._r.get_or_add_rPr().append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="C00000"/>'))
    assert read_docx(saved(document)).hidden == ""


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04", b"plain text"], ids=["nothing", "half a zip", "text"])
def test_what_is_no_document_is_refused(raw: bytes) -> None:
    with pytest.raises(DocxInvalid):
        read_docx(raw)


PLAIN = saved(docx.Document())


@given(st.lists(st.tuples(st.integers(0, len(PLAIN)), st.binary(max_size=8)), min_size=1, max_size=4))
def test_a_damaged_document_is_read_or_refused(damage: list[tuple[int, bytes]]) -> None:
    raw = PLAIN
    for at, more in damage:
        raw = raw[:at] + more + raw[at + len(more) :]
    try:
        read_docx(raw)
    except DocxInvalid:
        return


def test_without_python_docx_one_sentence_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = docx.Document()
    document.add_paragraph("Boil water.")
    (tmp_path / "tea").mkdir()
    (tmp_path / "tea" / "SYSTEM.docx").write_bytes(saved(document))
    monkeypatch.setitem(sys.modules, "docx", None)
    (found,) = [
        one for one in SkillLibrary.from_folders(tmp_path).catalog().diagnostics if one.code == "prompt_unreadable"
    ]
    assert found.message == "SYSTEM.docx: a Word document needs the 'python-docx' package"
    assert found.hint == "pip install 'metier[docx]', or save the prompt as .md"
