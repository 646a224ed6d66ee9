"""The place of a placeholder is what the library says, and the layout is asked for it once."""

import pytest
from pptx import Presentation
from pptx.shapes.shapetree import LayoutPlaceholders

from metier.packs.office.slides._place import Box, box_of


def test_a_placeholder_stands_where_the_library_says_and_its_layout_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deck = Presentation()
    slides = [deck.slides.add_slide(layout) for layout in deck.slide_layouts]
    shapes = [shape for slide in slides for shape in slide.placeholders]
    shapes[0].left, shapes[0].top, shapes[0].width, shapes[0].height = 1, 2, 3, 4
    places = [Box(shape.left, shape.top, shape.width, shape.height) for shape in shapes]
    asked, get = list[object](), LayoutPlaceholders.get

    def count(placeholders: LayoutPlaceholders, idx: int, default: object = None) -> object:
        asked.append(idx)
        return get(placeholders, idx, default)

    monkeypatch.setattr(LayoutPlaceholders, "get", count)
    assert [box_of(shape) for shape in shapes] == places
    assert places[0] == Box(1, 2, 3, 4)
    assert len(asked) == len(shapes) - 1
