"""Documents (docx): read as a person sees them, and changed by plans."""

from metier.packs.office.writer._create import create_blank
from metier.packs.office.writer._execute import open_run
from metier.packs.office.writer.pages import GBT_9704
from metier.packs.office.writer.reading import (
    DocumentText,
    read_document,
    read_looks,
    read_package,
    read_page_numbers,
)

__all__ = [
    "GBT_9704",
    "DocumentText",
    "create_blank",
    "open_run",
    "read_document",
    "read_looks",
    "read_package",
    "read_page_numbers",
]
