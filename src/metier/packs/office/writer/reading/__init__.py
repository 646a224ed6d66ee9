"""Reads documents as a person sees them: split runs, automatic numbers, styles, and an address of each piece."""

from metier.packs.office.writer.reading._looks import read_looks, read_page_numbers
from metier.packs.office.writer.reading._names import (
    NAMESPACES,
    attribute,
    child,
    drop,
    ensure,
    find,
    fingerprint,
    has_flag,
    make,
    w,
    w_value,
    whole,
)
from metier.packs.office.writer.reading._numbering import Numbering, chinese_number
from metier.packs.office.writer.reading._read import (
    DocumentText,
    PlacedParagraph,
    is_hidden,
    list_cells,
    list_rows,
    read_document,
    read_package,
    walk_blocks,
    walk_paragraphs,
)
from metier.packs.office.writer.reading._runs import Segment, cut_runs, list_segments, list_textboxes, new_run, text_of
from metier.packs.office.writer.reading._styles import StyleTable

__all__ = [
    "NAMESPACES",
    "DocumentText",
    "Numbering",
    "PlacedParagraph",
    "Segment",
    "StyleTable",
    "attribute",
    "child",
    "chinese_number",
    "cut_runs",
    "drop",
    "ensure",
    "find",
    "fingerprint",
    "has_flag",
    "is_hidden",
    "list_cells",
    "list_rows",
    "list_segments",
    "list_textboxes",
    "make",
    "new_run",
    "read_document",
    "read_looks",
    "read_package",
    "read_page_numbers",
    "text_of",
    "w",
    "w_value",
    "walk_blocks",
    "walk_paragraphs",
    "whole",
]
