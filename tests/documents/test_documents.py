"""Documents are read line by line with their places, in a process of its own that hostile files cannot harm."""

import zipfile
from io import BytesIO

import docx
import openpyxl
import pptx
import pytest
from pypdf import PdfWriter
from reportlab.pdfgen.canvas import Canvas

from metier.documents import describe_place, extract_text, read_office_lines
from metier.documents._office_reader import FileProblem, read_office
from metier.errors import InvalidInput


def make_pdf(*pages: str, password: str = "") -> bytes:
    file = BytesIO()
    canvas = Canvas(file)
    for page in pages:
        canvas.drawString(100, 700, page)
        canvas.showPage()
    canvas.save()
    if password:
        writer = PdfWriter(clone_from=file)
        writer.encrypt(password, algorithm="RC4-128")
        writer.write(file := BytesIO())
    return file.getvalue()


def make_office(ending: str) -> bytes:
    file = BytesIO()
    if ending == "docx":
        document = docx.Document()
        document.add_paragraph("first")
        document.add_table(1, 2).rows[0].cells[1].text = "cell"
        document.save(file)
    elif ending == "xlsx":
        book = openpyxl.Workbook()
        sheet = book.create_sheet("p1", 0)
        sheet.append(["city", "cars"])
        sheet.append([])
        sheet.append(["Lund", 12.5])
        book.save(file)
    else:
        slides = pptx.Presentation()
        for title in ("one", "two"):
            shape = slides.slides.add_slide(slides.slide_layouts[5]).shapes.title
            assert shape is not None
            shape.text = title
        slides.save(file)
    return file.getvalue()


def make_p(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def make_odd_docx(body: str = "", *, whole: str = "") -> bytes:
    """A Word file with this XML in its document, or with another document altogether."""
    names = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("word/document.xml", whole or f"<w:document {names}>{body}</w:document>")
    return made.getvalue()


def test_every_line_has_its_page_slide_row_or_paragraph() -> None:
    cases = {
        "pdf": (make_pdf("first page", "second page"), [("p1", "first page"), ("p2", "second page")]),
        "pptx": (make_office("pptx"), [("s1", "one"), ("s2", "two")]),
        "xlsx": (make_office("xlsx"), [("p1!1", "city\tcars"), ("p1!3", "Lund\t12.5")]),
        "docx": (make_office("docx"), [("L1", "first"), ("L2", "\tcell")]),
    }
    wrong = []
    for ending, (content, expected) in cases.items():
        lines = read_office_lines(f"a.{ending}", ending, content)
        assert lines is not None
        found = [(line.place, line.text) for line in lines if line.place and line.text.strip()]
        if found != expected:
            wrong.append((ending, found))
    assert wrong == []
    assert (extract_text("a.pdf", "pdf", cases["pdf"][0]) or "").split() == ["first", "page", "second", "page"]
    places = ["p4", "s2", "L7", "Sheet1!12", "p1!3"]
    assert [describe_place(place)[0] for place in places] == ["page", "slide", "line", "row", "row"]


def test_what_cannot_be_read_is_told_by_its_kind() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_office_lines("a.pdf", "pdf", make_pdf("x", password="secret"))
    assert caught.value.code == "file_locked"


def test_word_files_that_are_made_to_hurt_are_read_as_far_as_they_are_text() -> None:
    span = "<w:tcPr><w:gridSpan w:val='{}'/></w:tcPr>"
    cell = f"<w:tbl><w:tr><w:tc>{span}<w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    whole = make_odd_docx(make_p("a" * 50))
    cases = {
        "a cell over 2,000,000,000 columns": (make_odd_docx(cell.format(2_000_000_000)), "in"),
        "a span that is no number": (make_odd_docx(cell.format("x")), "in"),
        "a table between paragraphs": (make_odd_docx(f"{make_p('a')}{cell.format(1)}{make_p('b')}"), "a\nin\nb"),
        "no body": (make_odd_docx(""), ""),
        "another root": (make_odd_docx(whole="<x/>"), ""),
        "no XML": (make_odd_docx(whole="hello"), "damaged"),
        "entities": (
            make_odd_docx(whole="<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"),
            "damaged",
        ),
        "half a million empty paragraphs": (make_odd_docx("<w:p/>" * 500_000), ""),
        "very deep": (make_odd_docx("<w:x>" * 100_000 + "</w:x>" * 100_000), ""),
        "damaged": (whole[:60] + bytes(8) + whole[68:], "damaged"),
    }
    wrong = []
    for name, (content, expected) in cases.items():
        try:
            found = "\n".join(text for _, text in read_office("docx", content, 1000)).strip()
        except FileProblem as problem:
            found = str(problem)
        if found != expected:
            wrong.append((name, found[:80]))
    assert wrong == []
