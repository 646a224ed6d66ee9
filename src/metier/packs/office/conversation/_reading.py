"""Reads a document of the conversation for an analysis."""

from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.archives import UNREADABLE_ARCHIVE, open_zip
from metier.packs.office._pieces import TextPiece
from metier.packs.office.conversation._documents import ConversationDocument, list_documents, read_bytes
from metier.packs.office.files import decode_text

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading, SheetCells
    from metier.packs.office.sheets import SheetView

_MAX_OTHERS: Final = 8
_MAX_KEPT: Final = 3_000_000
_MAX_PARTS: Final = 10_000
# To choose a skill, rules look at a document beside every message: 4,000 cells take them 0.1 s, 40,000 took 9 s.
_MAX_HEAD: Final = 4_000
_MAX_HEAD_BYTES: Final = 1_000_000
_STORIES: Final = ("word/document", "xl/worksheets/", "xl/sharedStrings", "ppt/slides/slide")


def read_document(workspace: Path, document: ConversationDocument, *, with_others: bool = True) -> "Reading":
    """Newest version of a document; the conversation's further documents come with it."""
    found = _read_file(workspace, document)
    if not with_others:
        return found
    others = [one for one in list_documents(workspace) if one.id != document.id][:_MAX_OTHERS]
    return replace(found, others=tuple(read_document(workspace, one, with_others=False) for one in others))


def read_head(workspace: Path, document: ConversationDocument) -> "Reading | None":
    """The first few thousand cells or paragraphs of a document; of a large workbook no more than these is read.

    None for a large docx or pptx, which cannot be read in part: the skill that is asked reads it.
    """
    path = workspace / document.current
    if _measure_content(path) <= _MAX_HEAD_BYTES:
        return _cut(read_document(workspace, document, with_others=False))
    if path.suffix == ".xlsx":
        return _read_known_head(workspace, document, sha256(path.read_bytes()).digest())
    return None


@lru_cache(maxsize=8)
def _read_known_head(workspace: Path, document: ConversationDocument, digest: bytes) -> "Reading":
    from metier.packs.office.analysis import Reading
    from metier.packs.office.sheets import read_workbook

    found = read_workbook(workspace / document.current, max_cells=_MAX_HEAD, only_head=True)
    return _cut(Reading(document.name, "xlsx", sheets=tuple(_read_cells(one) for one in found.sheets)))


def _measure_content(path: Path) -> int:
    """Bytes of a file; of a package those of its texts once unpacked, as its directory says."""
    try:
        with open_zip(path, max_entries=_MAX_PARTS, max_bytes=0) as package:
            return sum(one.file_size for one in package.entries if one.filename.startswith(_STORIES))
    except UNREADABLE_ARCHIVE:
        return path.stat().st_size


def _cut(found: "Reading") -> "Reading":
    left, sheets = _MAX_HEAD, []
    for one in found.sheets:
        sheets.append(one if len(one.cells) <= left else replace(one, cells=one.cells[:left]))
        left -= len(sheets[-1].cells)
    if len(found.pieces) <= _MAX_HEAD and all(map(is_, sheets, found.sheets)):
        return found
    return replace(found, pieces=found.pieces[:_MAX_HEAD], sheets=tuple(sheets))


def _read_file(workspace: Path, document: ConversationDocument) -> "Reading":
    """The reading of a file; one of the same content is not read again."""
    path = workspace / document.current
    if path.stat().st_size > _MAX_KEPT:
        return _read_path(workspace, document)
    return _read_known(workspace, document, sha256(path.read_bytes()).digest())


@lru_cache(maxsize=8)
def _read_known(workspace: Path, document: ConversationDocument, digest: bytes) -> "Reading":
    return _read_path(workspace, document)


def _read_path(workspace: Path, document: ConversationDocument) -> "Reading":
    from metier.packs.office.analysis import Reading

    path, name = workspace / document.current, document.name
    if path.suffix in (".txt", ".md"):
        return Reading(name, "text", _split_text(decode_text(read_bytes(workspace, document.current))))
    if path.suffix == ".xlsx":
        from metier.packs.office.sheets import read_workbook

        return Reading(name, "xlsx", sheets=tuple(_read_cells(one) for one in read_workbook(path).sheets))
    if path.suffix == ".pptx":
        from metier.packs.office.slides import read_slides

        return Reading(name, "pptx", slides=tuple(read_slides(path)))
    from metier.packs.office.writer import read_document as read_docx

    found = read_docx(path)
    return Reading(name, "docx", tuple(found.pieces), page=getattr(found, "page", None))


def _read_cells(sheet: "SheetView") -> "SheetCells":
    from metier.packs.office.analysis import SheetCell, SheetCells

    cells = (
        SheetCell(
            one.address,
            one.date or (one.value if isinstance(one.value, str | float | bool) else one.text or None),
            f"={one.formula}" if one.formula else "",
            one.is_hidden,
            one.text,
        )
        for one in sheet.cells
    )
    return SheetCells(sheet.name, tuple(cells), sheet.is_hidden)


def _split_text(text: str) -> tuple[TextPiece, ...]:
    lines = [line.strip() for line in text.splitlines()]
    return tuple(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1) if line)


def text_to_docx(text: str, target: Path) -> None:
    """Write the lines of a text as paragraphs of a new docx on A4 paper."""
    from docx import Document
    from docx.oxml.ns import qn
    from docx.shared import Mm

    made = Document()
    section = made.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    fonts = made.styles["Normal"].element.get_or_add_rPr().get_or_add_rFonts()
    fonts.set(qn("w:eastAsia"), "宋体")
    for line in text.splitlines():
        made.add_paragraph(line)
    made.save(str(target))
