"""A conversation or a report as a file to take home: Markdown, HTML, Word or PDF, with tables and charts."""

from metier.exports._blocks import (
    Block,
    DrawingBlock,
    ExportDocument,
    HeadingBlock,
    ListBlock,
    TableBlock,
    TextBlock,
    TextRun,
)
from metier.exports._charts import draw_chart
from metier.exports._collect import collect_document
from metier.exports._drawing import Anchor, BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._fonts import FONT_FILE
from metier.exports._formats import MEDIA_TYPES, DocumentFormat, write_document
from metier.exports._markdown_text import clean_text
from metier.exports._picture import draw_png
from metier.exports._read import ReadImage, build_document
from metier.exports._report import build_report
from metier.exports._scales import measure_contrast
from metier.exports._svg import write_svg, write_themed_svg

__all__ = [
    "FONT_FILE",
    "MEDIA_TYPES",
    "Anchor",
    "Block",
    "BoxShape",
    "DocumentFormat",
    "DotShape",
    "Drawing",
    "DrawingBlock",
    "ExportDocument",
    "HeadingBlock",
    "LabelShape",
    "ListBlock",
    "PathShape",
    "ReadImage",
    "Shape",
    "TableBlock",
    "TextBlock",
    "TextRun",
    "build_document",
    "build_report",
    "clean_text",
    "collect_document",
    "draw_chart",
    "draw_png",
    "measure_contrast",
    "write_document",
    "write_svg",
    "write_themed_svg",
]
