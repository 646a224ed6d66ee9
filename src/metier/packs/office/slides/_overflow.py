"""Checks of a finished deck: text that does not fit, shapes outside the slide, shapes over each other."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._measure import text_height
from metier.packs.office.slides._place import Box, box_of, is_background, is_empty_placeholder, is_mark
from metier.packs.office.slides._sizes import find_spacing, run_size
from metier.packs.office.slides._text import shape_room

_FOOTERS = (13, 15, 16)


@dataclass(frozen=True, slots=True)
class LayoutProblem:
    """Something that a viewer would see as a mistake."""

    slide: int
    shape: str
    kind: Literal["overflow", "outside", "overlap"]
    other: str = ""


def find_overflow(path: Path) -> tuple[LayoutProblem, ...]:
    """All problems of a deck, slide by slide; measured with cautious widths."""
    deck = Deck.open(path)
    found: list[LayoutProblem] = []
    for number, slide in enumerate(deck.slides(), 1):
        found.extend(_check_slide(slide, number, deck.width, deck.height))
    return tuple(found)


def _check_slide(slide: Slide, number: int, width: int, height: int) -> list[LayoutProblem]:
    problems = []
    boxes: list[tuple[BaseShape, Box]] = []
    for shape in slide.shapes:
        box = box_of(shape)
        if (
            box is None
            or is_mark(shape)
            or is_empty_placeholder(shape)
            or is_background(shape, width, height)
            or _is_small(shape)
        ):
            continue
        if box.left < -9_525 or box.top < -9_525 or box.right > width + 9_525 or box.bottom > height + 9_525:
            problems.append(LayoutProblem(number, shape.name, "outside"))
        if _overflows(shape, box):
            problems.append(LayoutProblem(number, shape.name, "overflow"))
        boxes.append((shape, box))
    for (one, first), (other, second) in combinations(boxes, 2):
        if first.meets(second, -9_525) and not _is_card(one, first, second) and not _is_card(other, second, first):
            problems.append(LayoutProblem(number, one.name, "overlap", other.name))
    return problems


def _is_small(shape: BaseShape) -> bool:
    return bool(shape.is_placeholder) and int(shape.placeholder_format.type or 0) in _FOOTERS


def _is_card(shape: BaseShape, box: Box, inner: Box) -> bool:
    """A coloured field without text behind something, or a line."""
    has_text = shape.has_text_frame and shape.text_frame.text.strip()
    is_field = shape._element.tag.endswith(("}sp", "}cxnSp", "}grpSp")) and not has_text
    return is_field and (box.height < 60_000 or box.width < 60_000 or _covers(box, inner))


def _covers(box: Box, inner: Box) -> bool:
    return box.left <= inner.left and box.top <= inner.top and box.right >= inner.right and box.bottom >= inner.bottom


def _overflows(shape: BaseShape, box: Box) -> bool:
    if getattr(shape, "has_table", False) and shape.has_table:
        heights = sum(int(row.height) for row in shape.table.rows)
        return heights > box.height + 100_000
    room = shape_room(shape) if shape.has_text_frame else None
    if room is None or not shape.text_frame.text.strip():
        return False
    frame = shape.text_frame
    paragraphs = [one.text for one in frame.paragraphs]
    if frame.word_wrap is False:
        return False
    return text_height(paragraphs, room[0], run_size(shape), find_spacing(shape)) > room[1] * 1.02 + 12_700
