"""A conversation or a report as a file to take home: Markdown, HTML, Word or PDF, with tables and charts."""

from metier.exports._blocks import ExportDocument
from metier.exports._collect import collect_document
from metier.exports._formats import MEDIA_TYPES, DocumentFormat, write_document
from metier.exports._read import ReadImage, build_document
from metier.exports._report import build_report

__all__ = [
    "MEDIA_TYPES",
    "DocumentFormat",
    "ExportDocument",
    "ReadImage",
    "build_document",
    "build_report",
    "collect_document",
    "write_document",
]
