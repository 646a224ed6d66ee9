"""Documents as text with places (pages, slides, rows, lines; pdf and Office files in a process of their own), and
workbooks of tables."""

from metier.documents._read import (
    MAX_TEXT_CHARS,
    OFFICE_ENDINGS,
    TEXT_ENDINGS,
    DocumentLine,
    describe_place,
    extract_text,
    read_office_lines,
)
from metier.documents._write_sheets import ShownCell, write_sheets

__all__ = [
    "MAX_TEXT_CHARS",
    "OFFICE_ENDINGS",
    "TEXT_ENDINGS",
    "DocumentLine",
    "ShownCell",
    "describe_place",
    "extract_text",
    "read_office_lines",
    "write_sheets",
]
