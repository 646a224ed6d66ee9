"""A conversation or a report as a file to take home: Markdown, HTML, Word or PDF, with tables and charts."""

from metier.exports._blocks import ExportDocument
from metier.exports._collect import collect_document
from metier.exports._drawing import Anchor, BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._formats import MEDIA_TYPES, DocumentFormat, write_document
from metier.exports._read import ReadImage, build_document
from metier.exports._report import build_report
from metier.exports._svg import write_svg

__all__ = [
    "MEDIA_TYPES",
    "Anchor",
    "BoxShape",
    "DocumentFormat",
    "DotShape",
    "Drawing",
    "ExportDocument",
    "LabelShape",
    "PathShape",
    "ReadImage",
    "Shape",
    "build_document",
    "build_report",
    "collect_document",
    "write_document",
    "write_svg",
]
