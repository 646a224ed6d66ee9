"""Document as a Word file: headings, lists and tables of Word's own, charts as pictures."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from metier.exports._blocks import (
    Block,
    DrawingBlock,
    ExportDocument,
    HeadingBlock,
    ListBlock,
    TableBlock,
    TextBlock,
    TextRun,
)
from metier.exports._picture import draw_png, shrink_picture
from metier.exports._sentences import SENTENCES
from metier.language import Language, choose

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph

_EAST_ASIAN_FONT: Final = "Microsoft YaHei"
_PICTURE_CM: Final = 16.0
_NAMESPACE: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TABLE_STYLE: Final = (
    '<w:tblPr><w:tblStyle w:val="LightGrid-Accent1"/><w:tblW w:w="5000" w:type="pct"/>'
    '<w:tblLook w:val="0420" w:firstRow="1" w:noHBand="0" w:noVBand="1"/></w:tblPr>'
)


def write_docx(document: ExportDocument) -> bytes:
    """Write the document as a Word file."""
    from docx import Document

    word = Document()
    _set_fonts(word, document)
    word.core_properties.title = document.title[:250]
    word.core_properties.author = ""
    word.core_properties.comments = ""
    _add_heading(word, document.title, 0)
    for block in document.blocks:
        _add_block(word, block, document.language)
    file = BytesIO()
    word.save(file)
    return file.getvalue()


def _set_fonts(word: "WordDocument", document: ExportDocument) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt

    for name in ("Normal", "Title", *(f"Heading {level}" for level in range(1, 6))):
        properties = word.styles[name].element.get_or_add_rPr()
        fonts = properties.get_or_add_rFonts()
        for kind in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):
            fonts.attrib.pop(qn(kind), None)
        fonts.set(qn("w:eastAsia"), _EAST_ASIAN_FONT)
        latin = choose(document.language, en="Calibri", zh=_EAST_ASIAN_FONT)
        fonts.set(qn("w:ascii"), latin)
        fonts.set(qn("w:hAnsi"), latin)
    word.styles["Normal"].font.size = Pt(10.5)
    for section in word.sections:
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(2.2)
        section.top_margin = section.bottom_margin = Cm(2)


def _add_block(word: "WordDocument", block: Block, language: Language) -> None:
    from docx.shared import Cm

    if isinstance(block, HeadingBlock):
        _add_heading(word, block.text, min(block.level - 1, 5))
    elif isinstance(block, TextBlock):
        _add_runs(_add_paragraph(word, "Quote" if block.tone in ("question", "user") else None), block.runs)
    elif isinstance(block, ListBlock):
        _add_list(word, block)
    elif isinstance(block, TableBlock):
        _add_table(word, block)
    else:
        _add_heading(word, block.title, 4)
        content = (
            draw_png(block.drawing)
            if isinstance(block, DrawingBlock)
            else shrink_picture(block.content, block.media_type)
        )
        if content is None:
            _add_note(word, SENTENCES.render("picture_damaged", language))
        else:
            word.add_picture(BytesIO(content), width=Cm(_PICTURE_CM))
        if isinstance(block, DrawingBlock) and block.note:
            _add_note(word, block.note)


def _add_heading(word: "WordDocument", text: str, level: int) -> None:
    _add_paragraph(word, f"Heading{level}" if level else "Title").add_run(text)


def _add_paragraph(word: "WordDocument", style_id: str | None = None) -> "Paragraph":
    """Add a paragraph in a style, by its id: for a name, python-docx looks through all styles, 2 ms each time."""
    paragraph = word.add_paragraph()
    paragraph._p.style = style_id
    return paragraph


def _add_list(word: "WordDocument", block: ListBlock) -> None:
    """Add a list; a numbered one starts at 1, where Word would go on from the list before."""
    numbers = _start_numbers(word) if block.is_numbered else None
    for item in block.items:
        paragraph = _add_paragraph(word, "ListNumber" if block.is_numbered else "ListBullet")
        if numbers is not None:
            paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = numbers
        _add_runs(paragraph, item)


def _start_numbers(word: "WordDocument") -> int:
    """Id of a numbering like that of the list style, which begins at 1."""
    from docx.oxml.ns import qn

    numbering = word.part.numbering_part.element
    style = word.styles["List Number"].element.pPr.numPr.numId.val
    made = numbering.add_num(numbering.num_having_numId(style).abstractNumId.val)
    made.add_lvlOverride(ilvl=0).add_startOverride(1)
    return int(made.get(qn("w:numId")))


def _add_runs(paragraph: "Paragraph", runs: tuple[TextRun, ...]) -> None:
    for run in runs:
        made = paragraph.add_run(run.text)
        made.bold = run.bold or None
        if run.code:
            made.font.name = "Consolas"


def _add_table(word: "WordDocument", block: TableBlock) -> None:
    """Add a table, written as one piece of XML: cell by cell, five tables of 96 rows take 7 s."""
    from docx.oxml import parse_xml

    if block.title:
        _add_heading(word, block.title, 4)
    if not block.heads:
        return
    rows = [_write_row(block.heads, (), "<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>", "<w:b/>")]
    rows += [_write_row(row, block.numeric, "<w:trPr><w:cantSplit/></w:trPr>", "") for row in block.rows]
    grid = "<w:gridCol/>" * len(block.heads)
    table = f"<w:tbl {_NAMESPACE}>{_TABLE_STYLE}<w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"
    word.element.body.insert_element_before(parse_xml(table), "w:sectPr")
    _add_note(word, block.note)


def _write_row(cells: Sequence[str], numeric: Sequence[bool], properties: str, style: str) -> str:
    written = []
    for at, text in enumerate(cells):
        side = '<w:jc w:val="right"/>' if at < len(numeric) and numeric[at] else ""
        run = f'<w:r><w:rPr>{style}<w:sz w:val="16"/></w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'
        written.append(f'<w:tc><w:p><w:pPr><w:spacing w:after="0"/>{side}</w:pPr>{run}</w:p></w:tc>')
    return f"<w:tr>{properties}{''.join(written)}</w:tr>"


def _add_note(word: "WordDocument", note: str) -> None:
    from docx.shared import Pt

    run = word.add_paragraph().add_run(note)
    run.italic = True
    run.font.size = Pt(8.5)
