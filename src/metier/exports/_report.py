"""A Markdown report with pictures as a document that any format can be written from."""

import re
from collections.abc import Mapping
from typing import Final

from metier.exports._blocks import Block, DrawingBlock, ExportDocument, ImageBlock
from metier.exports._drawing import Drawing
from metier.exports._markdown_text import clean_text, parse_markdown
from metier.language import Language

_IMAGE_LINE: Final = re.compile(r"^[ \t]*!\[([^\]\n]*)\]\(([^)\s]+)\)[ \t]*$", re.MULTILINE)


def build_report(
    title: str, markdown: str, language: Language, images: Mapping[str, bytes | Drawing]
) -> ExportDocument:
    """Build a document from Markdown; a line `![title](name)` becomes the PNG or drawing of that name."""
    blocks: list[Block] = []
    start = 0
    for found in _IMAGE_LINE.finditer(markdown):
        blocks += parse_markdown(markdown[start : found.start()])
        content = images.get(found.group(2))
        if isinstance(content, Drawing):
            blocks.append(DrawingBlock(clean_text(found.group(1)), content))
        elif content is not None:
            blocks.append(ImageBlock(clean_text(found.group(1)), content))
        start = found.end()
    blocks += parse_markdown(markdown[start:])
    return ExportDocument(clean_text(title), language, tuple(blocks))
