"""Document as Markdown: tables as tables, charts and pictures within the file, their bytes behind the text."""

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Final

from metier.exports._blocks import (
    Block,
    DrawingBlock,
    ExportDocument,
    HeadingBlock,
    ImageBlock,
    ListBlock,
    TableBlock,
    TextBlock,
    TextRun,
)
from metier.exports._picture import draw_png, shrink_picture
from metier.exports._sentences import SENTENCES
from metier.visible_text import write_markdown_cell

# A text is words here, whoever wrote it: no HTML, no link, no picture from elsewhere, no code that hides what follows.
_TEXT: Final = str.maketrans({char: f"\\{char}" for char in "\\`<[~"})
_TICKS: Final = re.compile("`+")


def write_markdown(document: ExportDocument) -> bytes:
    """Write the document as Markdown."""
    pictures: list[str] = []
    parts = [
        f"# {_escape(document.title)}",
        *(part for block in document.blocks for part in _write_block(block, document, pictures)),
        *pictures,
    ]
    return ("\n\n".join(part for part in parts if part) + "\n").encode()


def _write_block(block: Block, document: ExportDocument, pictures: list[str]) -> Iterator[str]:
    """Parts of a block; the bytes of its picture are added to `pictures`."""
    if isinstance(block, HeadingBlock):
        yield f"{'#' * block.level} {_escape(block.text)}"
    elif isinstance(block, TextBlock):
        yield _write_text(block)
    elif isinstance(block, ListBlock):
        marks = (f"{number}." if block.is_numbered else "-" for number, _ in enumerate(block.items, 1))
        lines = (_write_runs(item).replace("\n", " ") for item in block.items)
        yield "\n".join(f"{mark} {line}" for mark, line in zip(marks, lines, strict=True))
    elif isinstance(block, TableBlock):
        yield f"**{_escape(block.title)}**" if block.title else ""
        yield _write_table(block)
        yield f"*{_escape(block.note)}*" if block.note else ""
    else:
        yield _write_picture(block, document, pictures)
        yield f"*{_escape(block.note)}*" if isinstance(block, DrawingBlock) and block.note else ""


def _write_picture(block: DrawingBlock | ImageBlock, document: ExportDocument, pictures: list[str]) -> str:
    """A chart or picture with its title; a damaged one by its title alone. Most readers refuse SVG here, none PNG."""
    kind = SENTENCES.render("chart" if isinstance(block, DrawingBlock) else "file", document.language, name="").rstrip(
        "：: "
    )
    title = f"**{_escape(block.title)}** ({kind})"
    if isinstance(block, ImageBlock):
        content, media_type = shrink_picture(block.content, block.media_type), block.media_type
    else:
        content, media_type = draw_png(block.drawing), "image/png"
    if content is None:
        return title
    pictures.append(f"[picture-{len(pictures) + 1}]: data:{media_type};base64,{b64encode(content).decode()}")
    return f"{title}\n\n![{kind}][picture-{len(pictures)}]"


def _write_text(block: TextBlock) -> str:
    if block.tone == "code":
        fence = "```"
        while fence in block.text:
            fence += "`"
        return f"{fence}\n{block.text}\n{fence}"
    text = _write_runs(block.runs)
    return "\n".join(f"> {line}" for line in text.splitlines()) if block.tone in ("question", "user") else text


def _write_runs(runs: Sequence[TextRun]) -> str:
    return "".join(_write_run(run) for run in runs)


def _write_run(run: TextRun) -> str:
    if run.code:
        fence = "`" * (1 + max(map(len, _TICKS.findall(run.text)), default=0))
        space = " " if "`" in run.text else ""
        return f"{fence}{space}{run.text}{space}{fence}"
    return f"**{_escape(run.text)}**" if run.bold else _escape(run.text)


def _escape(text: str) -> str:
    return text.translate(_TEXT)


def _write_table(block: TableBlock) -> str:
    lines = [_write_row(block.heads), "|" + "".join("---:|" if one else "---|" for one in block.numeric)]
    return "\n".join([*lines, *map(_write_row, block.rows)])


def _write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(write_markdown_cell(_escape(cell)) for cell in cells) + " |"
