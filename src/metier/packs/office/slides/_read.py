"""Reads a deck: titles, texts, tables and notes, each with its address."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.table import Table

from metier.packs.office.analysis import SlideText
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._place import Box, box_of, is_empty_placeholder, is_mark
from metier.packs.office.slides._sizes import is_title


@dataclass(frozen=True, slots=True)
class ShapeView:
    """A shape with its text. The address is `s3.title`, or `s3.` and the shape's name."""

    address: str
    name: str
    kind: str
    text: str
    box: Box | None = None
    rows: tuple[tuple[str, ...], ...] = ()  # of a table


@dataclass(frozen=True, slots=True)
class SlideView:
    """One slide."""

    number: int
    title: str
    layout: str
    shapes: tuple[ShapeView, ...]
    notes: str = ""
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck as read; sizes in EMU."""

    slides: tuple[SlideView, ...]
    width: int
    height: int
    layouts: tuple[str, ...] = ()


def read_deck(path: Path) -> DeckView:
    """Read a deck; `OfficeFileError` says why not."""
    deck = Deck.open(path)
    slides = tuple(_read_slide(slide, number) for number, slide in enumerate(deck.slides(), 1))
    return DeckView(slides, deck.width, deck.height, tuple(one.name for one in deck.layouts()))


def read_slides(path: Path) -> tuple[SlideText, ...]:
    """Words of all slides as the analysis reads them."""
    return tuple(
        SlideText(
            one.number,
            one.title,
            tuple(shape.text for shape in one.shapes if shape.text and shape.kind != "title"),
            one.notes,
            one.layout,
            tuple(shape.rows for shape in one.shapes if shape.kind == "table"),
        )
        for one in read_deck(path).slides
    )


def _read_slide(slide: Slide, number: int) -> SlideView:
    shapes = tuple(_read_shapes(list(slide.shapes), number))
    title = next((one.text for one in shapes if one.kind == "title"), "")
    notes = ""
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text
    is_hidden = slide._element.get("show") in ("0", "false")
    return SlideView(number, title, slide.slide_layout.name, shapes, notes, is_hidden)


def _read_shapes(shapes: list[BaseShape], number: int) -> list[ShapeView]:
    found: list[ShapeView] = []
    for shape in _list_shapes(shapes):
        if not is_empty_placeholder(shape) and not is_mark(shape):
            kind, text = _describe(shape)
            place = "title" if kind == "title" else shape.name
            rows = read_rows(shape.table) if kind == "table" else ()
            found.append(ShapeView(f"s{number}.{place}", shape.name, kind, text, box_of(shape), rows))
    return found


def list_tables(slide: Slide) -> list[GraphicFrame]:
    """Tables of a slide by the number that orders give them: in reading order, those inside of groups too."""
    return [one for one in _list_shapes(list(slide.shapes)) if isinstance(one, GraphicFrame) and one.has_table]


def read_rows(table: Table) -> tuple[tuple[str, ...], ...]:
    """Texts of the cells of a table."""
    return tuple(tuple(cell.text for cell in row.cells) for row in table.rows)


def _list_shapes(shapes: list[BaseShape]) -> Iterator[BaseShape]:
    """Shapes in reading order, groups by what they hold."""
    for shape in sorted(shapes, key=_reading_order):
        if hasattr(shape, "shapes"):
            yield from _list_shapes(list(shape.shapes))
        else:
            yield shape


def _reading_order(shape: BaseShape) -> tuple[bool, int, int]:
    box = box_of(shape)
    # Shapes side by side stand in one line even if their tops differ a little.
    return not is_title(shape), box.top // 300_000 if box else 0, box.left if box else 0


def _describe(shape: BaseShape) -> tuple[str, str]:
    if getattr(shape, "has_table", False) and shape.has_table:
        return "table", "\n".join("\t".join(row) for row in read_rows(shape.table))
    if getattr(shape, "has_chart", False) and shape.has_chart:
        chart = shape.chart
        return "chart", chart.chart_title.text_frame.text if chart.has_title else ""
    if shape.has_text_frame:
        text = shape.text_frame.text.replace("\x0b", "\n")
        return ("title" if is_title(shape) else "text"), text
    return ("picture" if shape._element.tag.endswith("}pic") else "shape"), ""
