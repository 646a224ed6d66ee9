"""Which writer makes which file."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

from metier.packs.office.creation._model import NewDocument
from metier.packs.office.creation._sheets import build_sheets
from metier.packs.office.creation._slides import build_slides
from metier.packs.office.creation._texts import build_text

FileKind = Literal["pptx", "docx", "pdf", "xlsx"]
FILE_KINDS: Final[tuple[FileKind, ...]] = get_args(FileKind)


def create_file(document: NewDocument, kind: FileKind) -> bytes:
    """Write a document as a file. Every [n] of its points is explained at the end."""
    return _WRITERS[kind](document)


def _create_pptx(document: NewDocument) -> bytes:
    from metier.packs.office.slides import create_deck

    return create_deck(build_slides(document), language=document.language)


def _create_docx(document: NewDocument) -> bytes:
    from metier.exports import write_document

    return write_document(build_text(document), "docx")


def _create_pdf(document: NewDocument) -> bytes:
    from metier.exports import write_document

    return write_document(build_text(document), "pdf")


def _create_xlsx(document: NewDocument) -> bytes:
    from metier.packs.office.sheets import create_workbook

    return create_workbook(build_sheets(document))


_WRITERS: Final[Mapping[FileKind, Callable[[NewDocument], bytes]]] = MappingProxyType(
    {"pptx": _create_pptx, "docx": _create_docx, "pdf": _create_pdf, "xlsx": _create_xlsx}
)
