"""Text of an attached file, for skills and models."""

import io
from typing import Final
from zipfile import BadZipFile, ZipFile

_MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024


def extract_text(ending: str, content: bytes) -> str | None:
    """Text of a file; None if it has none that can be read here."""
    if ending in ("txt", "md", "csv", "json", "log"):
        return _decode(content)
    if ending == "docx" and _is_small(content):
        return _read_docx(content)
    return None


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("gb18030", "replace")


def _is_small(content: bytes) -> bool:
    """Whether an archive stays small when it is unpacked."""
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            return sum(one.file_size for one in archive.infolist()) <= _MAX_UNPACKED_BYTES
    except (BadZipFile, ValueError):
        return False


def _read_docx(content: bytes) -> str | None:
    try:
        from docx import Document
        from docx.opc.exceptions import PackageNotFoundError
        from lxml.etree import XMLSyntaxError
    except ImportError:
        return None
    try:
        document = Document(io.BytesIO(content))
    except (PackageNotFoundError, XMLSyntaxError, KeyError, ValueError, BadZipFile):
        return None
    lines = [paragraph.text for paragraph in document.paragraphs]
    for table in document.tables:
        lines += ["\t".join(cell.text for cell in row.cells) for row in table.rows]
    return "\n".join(lines)
