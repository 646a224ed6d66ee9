"""Extracts the text of a Word document as Markdown, because office users write their prompts in Word."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metier.errors import MissingExtra

if TYPE_CHECKING:
    from docx.document import Document

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# Wrappers that python-docx skips: tracked insertions, moved text, content controls, fields. Deletions stay left out.
_WRAPPER_TAGS = frozenset(
    _W + name for name in ("ins", "moveTo", "sdt", "sdtContent", "hyperlink", "smartTag", "fldSimple", "customXml")
)
_SPECIAL_CHARACTERS: Mapping[str, str] = {_W + "tab": "\t", _W + "br": "\n", _W + "cr": "\n", _W + "noBreakHyphen": "-"}
_OFF = ("0", "false", "off", "none")


class DocxInvalid(ValueError):
    """The bytes are not a Word document."""


@dataclass(frozen=True, slots=True)
class DocxText:
    """Text of a document as Markdown; `hidden` is the part that a reader of the document does not see."""

    text: str
    hidden: str = ""


def read_docx(raw: bytes) -> DocxText:
    """Extract headings, paragraphs, lists and tables in reading order."""
    document = _open(raw)
    hidden: list[str] = []
    blocks = [
        _convert_table(block, hidden) if block.tag == f"{_W}tbl" else _convert_paragraph(block, document, hidden)
        for block in _iter_children(document.element.body, f"{_W}p", f"{_W}tbl")
    ]
    return DocxText("\n\n".join(block for block in blocks if block), " ".join(hidden))


def _open(raw: bytes) -> "Document":
    """Open the document; `DocxInvalid` if it is none, `MissingExtra` without python-docx.

    The caller must have inspected the archive.
    """
    import zipfile
    import zlib

    try:
        import docx
        from docx.opc.exceptions import OpcError
        from lxml.etree import LxmlError
    except ImportError as error:
        hint = "pip install 'metier[docx]', or save the prompt as .md"
        raise MissingExtra("a Word document needs the 'python-docx' package", hint=hint) from error
    try:
        return docx.Document(io.BytesIO(raw))
    except (OpcError, LxmlError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError) as error:
        raise DocxInvalid(f"not a Word document: {error}") from error
    except (
        AttributeError,
        TypeError,
        IndexError,
        EOFError,
    ) as error:  # parts exist but have the wrong content
        raise DocxInvalid("its parts do not fit together") from error


def _iter_children(element: Any, *tags: str) -> Iterator[Any]:
    """Children with these tags, including those inside tracked insertions and content controls."""
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag in _WRAPPER_TAGS:
            yield from _iter_children(child, *tags)


def _extract_text(paragraph: Any, hidden: list[str], *, in_table: bool = False) -> str:
    said: list[str] = []
    for run in _iter_children(paragraph, f"{_W}r"):
        text = "".join(
            child.text or "" if child.tag == f"{_W}t" else _SPECIAL_CHARACTERS.get(child.tag, "") for child in run
        )
        said.append(text)
        if text.strip() and _is_hidden(run, paragraph, in_table=in_table):
            hidden.append(text.strip())
    return "".join(said).strip()


def _is_hidden(run: Any, paragraph: Any, *, in_table: bool) -> bool:
    """Whether a run is marked as hidden, smaller than two points, or white without shading or a table around it."""
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    if vanish is not None and vanish.get(f"{_W}val", "1") not in _OFF:
        return True
    size, color = (run.find(f"{_W}rPr/{_W}{name}") for name in ("sz", "color"))
    if size is not None and size.get(f"{_W}val", "").isdecimal() and int(size.get(f"{_W}val")) < 4:
        return True
    shaded = any(part.find(f".//{_W}shd") is not None for part in (run, paragraph))
    return color is not None and color.get(f"{_W}val", "").upper() == "FFFFFF" and not shaded and not in_table


def _convert_paragraph(paragraph: Any, document: "Document", hidden: list[str]) -> str:
    from docx.text.paragraph import Paragraph

    text = _extract_text(paragraph, hidden)
    if not text:
        return ""
    style = Paragraph(paragraph, document).style
    name = (style.name or "") if style is not None else ""
    if name == "Title":
        return f"# {text}"
    if name.startswith("Heading ") and name[8:].isdecimal():
        return f"{'#' * min(int(name[8:]), 6)} {text}"
    if name.startswith("List Number"):
        return f"1. {text}"
    return f"- {text}" if name.startswith("List") else text


def _convert_table(table: Any, hidden: list[str]) -> str:
    rows: list[str] = []
    for row in _iter_children(table, f"{_W}tr"):
        cells = [_convert_cell(cell, hidden) for cell in _iter_children(row, f"{_W}tc")]
        rows.append(f"| {' | '.join(cells)} |")
        if len(rows) == 1:
            rows.append(f"|{'---|' * len(cells)}")
    return "\n".join(rows)


def _convert_cell(cell: Any, hidden: list[str]) -> str:
    words = " ".join(_extract_text(paragraph, hidden, in_table=True) for paragraph in cell.iter(f"{_W}p")).split()
    return " ".join(words).replace("|", "\\|")
