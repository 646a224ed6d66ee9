"""Formats of an export, and the libraries they need."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from metier.errors import Unavailable
from metier.exports._blocks import ExportDocument
from metier.exports._write_docx import write_docx
from metier.exports._write_html import write_html
from metier.exports._write_markdown import write_markdown
from metier.exports._write_pdf import write_pdf

DocumentFormat: TypeAlias = Literal["md", "html", "docx", "pdf"]

MEDIA_TYPES: Final[Mapping[DocumentFormat, str]] = MappingProxyType(
    {
        "md": "text/markdown; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "pdf": "application/pdf",
    }
)
_WRITERS: Final = MappingProxyType({"md": write_markdown, "html": write_html, "docx": write_docx, "pdf": write_pdf})


def write_document(document: ExportDocument, format: DocumentFormat) -> bytes:
    """Write a document; `Unavailable` if the library of the format is not installed."""
    try:
        return _WRITERS[format](document)
    except ImportError as error:
        raise Unavailable(
            f"{format} files cannot be written here: {error}", hint="pip install metier[exports]"
        ) from error
