"""Documents (docx): read as a person sees them, and changed by plans."""

from metier.packs.office.writer._read import DocumentText, read_document, read_package

__all__ = ["DocumentText", "read_document", "read_package"]
