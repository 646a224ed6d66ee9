"""Document as PDF: text with an embedded Chinese font, tables over several pages, charts as vector graphics."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

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
from metier.exports._drawing import BoxShape, DotShape, Drawing, LabelShape, PathShape, Shape
from metier.exports._fonts import FONT_NAME, find_missing, register_font, replace_missing
from metier.exports._picture import shrink_picture
from metier.exports._sentences import SENTENCES
from metier.language import Language, choose, join_names, language_of

if TYPE_CHECKING:
    from reportlab.graphics import shapes as pdf_shapes

_SIZES: Final = (20, 16, 13.5, 12, 11, 10.5)
_BODY: Final = 10
_MARGIN: Final = 50.0
_GREY: Final = "#5a6572"
_CELL_SIZE: Final = 7.5
_MAX_PART_COST: Final = 4_000  # characters of a paragraph; a line costs as much as a line's width of them
_LINE_COST: Final = 60
_MAX_CELL_LINES: Final = 24  # a row must fit on a page
_HEADING_ROOM: Final = 120.0  # a heading with less below it stands on the next page
_MAX_BOLD_TITLE: Final = 60
_MAX_NAMED: Final = 60


def write_pdf(document: ExportDocument) -> bytes:
    """Write the document as PDF on A4."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import CondPageBreak, Paragraph, SimpleDocTemplate

    writer = _PdfWriter(register_font(), A4[0] - 2 * _MARGIN, document.language)
    file = BytesIO()
    target = SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN,
        bottomMargin=_MARGIN,
        title=document.title,
        author="",
        creator="Metier",
        lang=document.language,
    )
    story: list[Any] = [Paragraph(writer.escape(document.title), writer.make_style(document.title, _SIZES[0]))]
    before: Block | None = None
    for block in document.blocks:
        if isinstance(block, HeadingBlock) and not isinstance(before, HeadingBlock):
            story.append(CondPageBreak(_HEADING_ROOM))
        story += writer.list_parts(block)
        before = block
    story[1:1] = writer.list_missing()
    target.build(story, onFirstPage=writer.number_page, onLaterPages=writer.number_page)
    return file.getvalue()


class _PdfWriter:
    def __init__(self, known: frozenset[int], width: float, language: Language) -> None:
        self._known = known
        self._width = width
        self._language: Language = language
        self._missing: set[str] = set()

    def escape(self, text: str) -> str:
        """Text for a paragraph: no markup, no character without a glyph."""
        return escape(self._show(text)).replace("\n", "<br/>")

    def _show(self, text: str) -> str:
        self._missing |= find_missing(text, self._known)
        return replace_missing(text, self._known)

    def list_missing(self) -> Iterator[Any]:
        """Note on the characters that could not be drawn, by their code points."""
        if self._missing:
            points = [f"U+{ord(char):04X}" for char in sorted(self._missing)]
            named = [*points[:_MAX_NAMED], *(["…"] if len(points) > _MAX_NAMED else [])]
            values = {"count": len(points), "points": join_names(named, self._language)}
            note = SENTENCES.render("missing_characters", self._language, **values)
            yield self._make_paragraph(TextBlock((TextRun(note),), "note"))

    def make_style(self, text: str, size: float = _BODY, *, indent: float = 0.0, colour: str = "#1d232b") -> Any:
        """Style of a paragraph; Chinese may break after every character, other text between words."""
        from reportlab.lib.colors import HexColor
        from reportlab.lib.styles import ParagraphStyle

        return ParagraphStyle(
            "text",
            fontName=FONT_NAME,
            fontSize=size,
            leading=size * 1.45,
            spaceBefore=size * 0.9 if size > _BODY else 0,
            spaceAfter=size * 0.5,
            leftIndent=indent,
            bulletIndent=max(0.0, indent - 12),
            keepWithNext=size > _BODY,
            textColor=HexColor(colour),
            wordWrap=choose(language_of(text), en=None, zh="CJK"),
        )

    def number_page(self, canvas: Any, page: Any) -> None:
        """Write the number of the page at its foot."""
        canvas.saveState()
        canvas.setFont(FONT_NAME, 8)
        canvas.setFillGray(0.4)
        text = SENTENCES.render("page", self._language, number=page.page)
        canvas.drawCentredString(page.pagesize[0] / 2, 28, text)
        canvas.restoreState()

    def list_parts(self, block: Block) -> Iterator[Any]:
        """Parts of the story for a block."""
        from reportlab.platypus import Paragraph

        if isinstance(block, HeadingBlock):
            size = _SIZES[min(block.level - 1, len(_SIZES) - 1)]
            yield Paragraph(self.escape(block.text), self.make_style(block.text, size))
        elif isinstance(block, TextBlock):
            yield from (self._make_paragraph(TextBlock(part, block.tone)) for part in _split_runs(block.runs))
        elif isinstance(block, ListBlock):
            for number, item in enumerate(block.items, 1):
                mark = f"{number}." if block.is_numbered else "•"
                for at, part in enumerate(_split_runs(item)):
                    style = self.make_style("".join(run.text for run in part), indent=14)
                    yield Paragraph(self._write_runs(part), style, bulletText=None if at else mark)
        elif isinstance(block, TableBlock):
            yield from self._list_table(block)
        else:
            yield from self._list_picture(block)

    def _make_paragraph(self, block: TextBlock) -> Any:
        from reportlab.platypus import Paragraph

        is_note = block.tone in ("note", "code")
        style = self.make_style(
            block.text,
            8.5 if is_note else _BODY,
            indent=10 if block.tone in ("question", "user") else 0,
            colour=_GREY if block.tone != "plain" else "#1d232b",
        )
        style.keepWithNext = len(block.text) <= _MAX_BOLD_TITLE and all(run.bold for run in block.runs)
        return Paragraph(self._write_runs(block.runs), style)

    def _write_runs(self, runs: Sequence[TextRun]) -> str:
        """Bold is shown in a colour: the font has one weight."""
        parts = ((self.escape(run.text), run.bold) for run in runs)
        return "".join(f'<font color="#0b4fb3">{text}</font>' if bold else text for text, bold in parts)

    def _list_table(self, block: TableBlock) -> Iterator[Any]:
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import LongTable, Paragraph, TableStyle

        if block.title:
            yield Paragraph(self.escape(block.title), self.make_style(block.title, 10.5))
        if not block.heads:
            return
        widths = self._fit_widths(block)
        rows = [
            [self._make_cell(text, width) for text, width in zip(row, widths, strict=False)]
            for row in (block.heads, *block.rows)
        ]
        style = [
            ("GRID", (0, 0), (-1, -1), 0.4, HexColor("#c9d0d8")),
            ("BACKGROUND", (0, 0), (-1, 0), HexColor("#eaf0f8")),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("FONT", (0, 0), (-1, -1), FONT_NAME, _CELL_SIZE, _CELL_SIZE * 1.45),
            *(("ALIGN", (at, 1), (at, -1), "RIGHT") for at, one in enumerate(block.numeric) if one),
            *((name, (0, 0), (-1, -1), 2.5) for name in ("TOPPADDING", "BOTTOMPADDING", "LEFTPADDING", "RIGHTPADDING")),
        ]
        yield LongTable(rows, colWidths=widths, style=TableStyle(style), repeatRows=1, spaceAfter=8)
        if block.note:
            yield self._make_paragraph(TextBlock((TextRun(block.note),), "note"))

    def _make_cell(self, text: str, width: float) -> Any:
        """Plain text if it fits; a paragraph, which takes ten times as long, if it has to be broken."""
        from reportlab.platypus import Paragraph

        if _measure(text) * _CELL_SIZE * 0.55 < width - 5 and "\n" not in text and len(text) < 40:
            return self._show(text)
        room = int(max(width, 20) / _CELL_SIZE) * _MAX_CELL_LINES
        text = text if len(text) <= room else f"{text[:room]}…"
        style = self.make_style("中", _CELL_SIZE)  # any character may break: a cell must never be wider than its column
        style.spaceAfter = 0
        return Paragraph(self.escape(text), style)

    def _fit_widths(self, block: TableBlock) -> list[float]:
        """Widths by what the columns hold, between one and eight times the narrowest."""
        sample = (block.heads, *block.rows[:60])
        wanted = [
            min(max(4.0, *(_measure(row[at]) for row in sample if at < len(row))), 32.0)
            for at in range(len(block.heads))
        ]
        return [self._width * one / sum(wanted) for one in wanted]

    def _list_picture(self, block: DrawingBlock | ImageBlock) -> Iterator[Any]:
        from reportlab.platypus import Image, KeepTogether, Paragraph

        title = Paragraph(self.escape(block.title), self.make_style(block.title, 10.5))
        if isinstance(block, DrawingBlock):
            self._missing.update(*(find_missing(one.text, self._known) for one in _list_labels(block.drawing)))
            yield KeepTogether([title, draw_pdf(block.drawing, self._width, self._known)])
            if block.note:
                yield self._make_paragraph(TextBlock((TextRun(block.note),), "note"))
            return
        content = shrink_picture(block.content, block.media_type)
        if content is None:
            note = SENTENCES.render("picture_damaged", self._language)
            yield KeepTogether([title, self._make_paragraph(TextBlock((TextRun(note),), "note"))])
        else:
            image = Image(BytesIO(content))
            share = min(self._width / image.imageWidth, 500 / image.imageHeight, 1.0)
            image.drawWidth, image.drawHeight = image.imageWidth * share, image.imageHeight * share
            yield KeepTogether([title, image])


def _list_labels(drawing: Drawing) -> Iterator[LabelShape]:
    return (shape for shape in drawing.shapes if isinstance(shape, LabelShape))


def draw_pdf(drawing: Drawing, width: float, known: frozenset[int]) -> "pdf_shapes.Drawing":
    """Drawing as vector graphics of the PDF, as wide as the page."""
    from reportlab.graphics import shapes

    share = width / drawing.width
    canvas = shapes.Drawing(width, drawing.height * share)
    group = shapes.Group(*(_make_shape(shape, drawing.height, known) for shape in drawing.shapes))
    group.scale(share, share)
    canvas.add(group)
    return canvas


def _make_shape(shape: Shape, height: float, known: frozenset[int]) -> Any:
    from reportlab.graphics import shapes
    from reportlab.lib.colors import HexColor

    if isinstance(shape, BoxShape):
        bottom = height - shape.y - shape.height
        return shapes.Rect(shape.x, bottom, shape.width, shape.height, fillColor=HexColor(shape.fill), strokeColor=None)
    if isinstance(shape, DotShape):
        return shapes.Circle(shape.x, height - shape.y, shape.radius, fillColor=HexColor(shape.fill), strokeColor=None)
    if isinstance(shape, PathShape):
        points = [number for x, y in shape.points for number in (x, height - y)]
        options = {"strokeColor": HexColor(shape.colour), "strokeWidth": shape.width}
        if shape.fill:
            return shapes.Polygon(points, fillColor=HexColor(shape.fill), **options)
        return shapes.PolyLine(points, strokeDashArray=[6, 4] if shape.is_dashed else None, **options)
    text = replace_missing(shape.text, known)
    return shapes.String(
        shape.x,
        height - shape.y,
        text,
        fontName=FONT_NAME,
        fontSize=shape.size,
        textAnchor=shape.anchor,
        fillColor=HexColor(shape.colour),
    )


def _split_runs(runs: Sequence[TextRun]) -> Iterator[tuple[TextRun, ...]]:
    """Parts that fit on a page: one paragraph over many pages takes quadratic time, minutes for 50,000 lines."""
    part: list[TextRun] = []
    room = _MAX_PART_COST
    for run in runs:
        for line in run.text.splitlines(keepends=True):
            for at in range(0, len(line), _MAX_PART_COST):
                piece = line[at : at + _MAX_PART_COST]
                if (room := room - len(piece) - _LINE_COST) < 0 and part:
                    yield tuple(part)
                    part, room = [], _MAX_PART_COST
                if part and (part[-1].bold, part[-1].code) == (run.bold, run.code):
                    part[-1] = TextRun(part[-1].text + piece, run.bold, run.code)
                else:
                    part.append(TextRun(piece, run.bold, run.code))
    if part:
        yield tuple(part)


def _measure(text: str) -> float:
    return sum(2.0 if ord(char) > 255 else 1.0 for char in text[:40]) + 1.0
