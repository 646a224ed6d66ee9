"""Documents as text with places: pages, slides, rows and lines; pdf and Office files in a process of their own."""

from metier.documents._read import (
    MAX_TEXT_CHARS,
    OFFICE_ENDINGS,
    TEXT_ENDINGS,
    DocumentLine,
    describe_place,
    extract_text,
    read_office_lines,
)

__all__ = [
    "MAX_TEXT_CHARS",
    "OFFICE_ENDINGS",
    "TEXT_ENDINGS",
    "DocumentLine",
    "describe_place",
    "extract_text",
    "read_office_lines",
]
