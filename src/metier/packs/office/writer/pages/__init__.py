"""Pages of a document: size, headers, footers, numbers, watermark, contents, protection, what keeps together."""

from metier.packs.office.writer.pages._contents import insert_contents
from metier.packs.office.writer.pages._done import is_noted, mark_of, note_done, runs_once
from metier.packs.office.writer.pages._headings import loosen_headings
from metier.packs.office.writer.pages._protection import is_about_protection, set_protection
from metier.packs.office.writer.pages._sections import (
    GBT_9704,
    note_direct,
    set_header_footer,
    set_page_numbers,
    set_page_setup,
)
from metier.packs.office.writer.pages._watermark import set_watermark

__all__ = [
    "GBT_9704",
    "insert_contents",
    "is_about_protection",
    "is_noted",
    "loosen_headings",
    "mark_of",
    "note_direct",
    "note_done",
    "runs_once",
    "set_header_footer",
    "set_page_numbers",
    "set_page_setup",
    "set_protection",
    "set_watermark",
]
