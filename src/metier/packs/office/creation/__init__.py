"""New documents from structured content: pptx, docx, pdf and xlsx, for this pack and others."""

from metier.packs.office.creation._create import FILE_KINDS, FileKind, create_file
from metier.packs.office.creation._model import (
    NewBlock,
    NewChart,
    NewDocument,
    NewPoint,
    NewSection,
    NewSource,
    NewTable,
)
from metier.packs.office.creation._outline import parse_outline
from metier.packs.office.creation._read import UnreadableContent, read_content

__all__ = [
    "FILE_KINDS",
    "FileKind",
    "NewBlock",
    "NewChart",
    "NewDocument",
    "NewPoint",
    "NewSection",
    "NewSource",
    "NewTable",
    "UnreadableContent",
    "create_file",
    "parse_outline",
    "read_content",
]
