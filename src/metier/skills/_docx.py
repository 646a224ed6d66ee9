"""The text of a Word document, as Markdown: office people write their rules where they write everything."""

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph


class DocxInvalid(ValueError):
    """The bytes are not a Word document."""


def docx_to_markdown(raw: bytes) -> str:
    """Headings, paragraphs, lists and tables in reading order."""
    document = _open(raw)
    from docx.table import Table

    blocks = [
        _table(block) if isinstance(block, Table) else _paragraph(block) for block in document.iter_inner_content()
    ]
    return "\n\n".join(block for block in blocks if block)


def _open(raw: bytes) -> "Document":
    """Open the document or raise `DocxInvalid`; the caller has inspected the archive."""
    import zipfile

    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        return docx.Document(io.BytesIO(raw))
    except (OpcError, LxmlError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise DocxInvalid(str(error)) from error


def _paragraph(paragraph: "Paragraph") -> str:
    text = paragraph.text.strip()
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    if not text:
        return ""
    if style == "Title":
        return f"# {text}"
    if style.startswith("Heading ") and style[8:].isdigit():
        return f"{'#' * min(int(style[8:]), 6)} {text}"
    if style.startswith("List Number"):
        return f"1. {text}"
    return f"- {text}" if style.startswith("List") else text


def _table(table: "Table") -> str:
    return "\n".join(_rows(table))


def _rows(table: "Table") -> Iterator[str]:
    for number, row in enumerate(table.rows):
        cells = [" ".join(cell.text.split()).replace("|", "\\|") for cell in row.cells]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{'---|' * len(cells)}"
