"""Whether a file opens, and how many pages, slides, rows or lines it has. Judged by its content, not by its name."""

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from io import StringIO
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from metier.archives import UNREADABLE_ARCHIVE, ArchiveTooLarge, open_zip

FileUnit = Literal["pages", "slides", "rows", "paragraphs", "lines", "bytes"]
_MAX_BYTES: Final = 200 * 1024 * 1024
_MAX_UNPACKED_BYTES: Final = 400 * 1024 * 1024
_MAX_ENTRIES: Final = 100_000
_MAX_TEXT_BYTES: Final = 20 * 1024 * 1024
_MAX_ROWS: Final = 1_000_000
_SLIDE: Final = re.compile(r"ppt/slides/slide\d+\.xml")
_SHEET: Final = re.compile(r"xl/worksheets/sheet\d+\.xml")
_PDF_PAGE: Final = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")
_IMAGE_HEADS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8")


class FileMeasure(NamedTuple):
    """Size of a file in units of its kind, or why it does not open."""

    amount: int = 0
    unit: FileUnit = "bytes"
    problem: str = ""


def measure_file(path: Path) -> FileMeasure:
    """Open a file and count its pages, slides, rows or lines; a damaged or empty one has a problem."""
    try:
        size = path.stat().st_size
        if size == 0:
            return FileMeasure(problem="empty")
        if size > _MAX_BYTES:
            return FileMeasure(problem="too_large")
        with path.open("rb") as content:
            head = content.read(8)
        if head.startswith(b"PK\x03\x04"):
            return _measure_zip(path)
        if head.startswith(b"%PDF-"):
            return _measure_pdf(path)
        if head.startswith(_IMAGE_HEADS):
            return FileMeasure(1, "pages")
        if path.suffix.lower() in _OFFICE_SUFFIXES:
            return FileMeasure(problem="other_kind")  # a text that is called deck.pptx
        return _measure_text(path)
    except ArchiveTooLarge:
        return FileMeasure(problem="too_large")
    except UNREADABLE_ARCHIVE:
        return FileMeasure(problem="damaged")


def _measure_zip(path: Path) -> FileMeasure:
    with open_zip(path, max_entries=_MAX_ENTRIES, max_bytes=2 * _MAX_UNPACKED_BYTES) as packed:
        names = packed.names
        if packed.stated_bytes > _MAX_UNPACKED_BYTES:
            return FileMeasure(problem="too_large")
        for one in packed.entries:
            deque(packed.iterate(one), maxlen=0)  # raises for a damaged one
        if "ppt/presentation.xml" in names:
            return FileMeasure(sum(bool(_SLIDE.fullmatch(name)) for name in names), "slides")
        if "word/document.xml" in names:
            body = packed.read("word/document.xml", _MAX_UNPACKED_BYTES)
            return FileMeasure(len(re.findall(rb"<w:t[ >]", body)), "paragraphs")
        if "xl/workbook.xml" in names:
            sheets = (packed.read(name, _MAX_UNPACKED_BYTES) for name in names if _SHEET.fullmatch(name))
            return FileMeasure(sum(len(re.findall(rb"<row[ >]", sheet)) for sheet in sheets), "rows")
        return FileMeasure(len(names), "pages") if names else FileMeasure(problem="empty")


def _measure_pdf(path: Path) -> FileMeasure:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        pages = len(_PDF_PAGE.findall(path.read_bytes()))
        return FileMeasure(pages, "pages") if pages else FileMeasure(problem="damaged")
    try:
        read = PdfReader(path)
        return FileMeasure(problem="locked") if read.is_encrypted else FileMeasure(len(read.pages), "pages")
    except PyPdfError:
        return FileMeasure(problem="damaged")


def _measure_text(path: Path) -> FileMeasure:
    with path.open("rb") as content:
        raw = content.read(_MAX_TEXT_BYTES)
    text = _decode(raw)
    if text is None:
        return FileMeasure(path.stat().st_size, "bytes")
    measure = _TEXT_MEASURES.get(path.suffix.lower(), _count_lines)
    return measure(text) if text.strip() else FileMeasure(problem="empty")


def _decode(raw: bytes) -> str | None:
    for encoding in ("utf-16",) if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def _count_lines(text: str) -> FileMeasure:
    return FileMeasure(sum(bool(line.strip()) for line in text.splitlines()), "lines")


def _count_csv_rows(text: str) -> FileMeasure:
    try:
        rows = sum(bool(row) for row in islice(csv.reader(StringIO(text)), _MAX_ROWS))
    except csv.Error:
        return FileMeasure(problem="damaged")
    return FileMeasure(max(rows - 1, 0), "rows")  # without the header


def _count_json_rows(text: str) -> FileMeasure:
    read = json.loads(text)
    return FileMeasure(len(read) if isinstance(read, list) else 1, "rows")


_OFFICE_SUFFIXES: Final = frozenset({".pptx", ".docx", ".xlsx", ".pdf"})
_TEXT_MEASURES: Final[Mapping[str, Callable[[str], FileMeasure]]] = MappingProxyType(
    {".csv": _count_csv_rows, ".json": _count_json_rows}
)
