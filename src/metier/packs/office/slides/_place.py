"""Places on a slide: what is taken, and where something new fits."""

from dataclasses import dataclass
from typing import Any, Final

from pptx.shapes.base import BaseShape
from pptx.shapes.placeholder import _InheritsDimensions
from pptx.slide import Slide

from metier.packs.office.slides._measure import EMU_PER_POINT, text_height, text_width
from metier.packs.office.slides._sizes import find_spacing, run_size

MARGIN: Final = 180_000
# Invisible shapes that mark slides are this small.
MARK_SIZE: Final = 12_700
_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_GAP: Final = 60_000
_LARGE_SHARE: Final = 0.05  # of the slide
# Date, footer and slide number are small and stand at the edge.
_FOOTERS: Final = (13, 15, 16)
_BODIES: Final = (2, 7)


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle on a slide in EMU."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def meets(self, other: "Box", gap: int = 0) -> bool:
        return not (
            self.right + gap <= other.left
            or other.right + gap <= self.left
            or self.bottom + gap <= other.top
            or other.bottom + gap <= self.top
        )


def box_of(shape: BaseShape) -> Box | None:
    """Place of a shape, inherited ones included; None if it has none."""
    try:
        sizes = _find_sizes(shape)
    except (AttributeError, KeyError, ValueError):
        return None
    if any(one is None for one in sizes):
        return None
    return Box(*(int(one) for one in sizes))


def _find_sizes(shape: Any) -> tuple[Any, ...]:
    """Left, top, width and height. To ask the library for each of them looks for the layout's placeholder each time."""
    if not isinstance(shape, _InheritsDimensions):
        return shape.left, shape.top, shape.width, shape.height
    own = shape._element
    sizes = (own.x, own.y, own.cx, own.cy)
    if None not in sizes or (base := shape._base_placeholder) is None:
        return sizes
    inherited = _find_sizes(base)
    return tuple(two if one is None else one for one, two in zip(sizes, inherited, strict=True))


def is_empty_placeholder(shape: BaseShape) -> bool:
    """A placeholder that shows nothing in a show."""
    if not shape.is_placeholder or int(shape.placeholder_format.type or 0) in _FOOTERS:
        return False
    has_frame = getattr(shape, "has_text_frame", False)
    return bool(has_frame) and not shape.text_frame.text.strip() and shape._element.tag.endswith("}sp")


def is_mark(shape: BaseShape) -> bool:
    """An invisible shape that marks a slide of a block."""
    return str(shape.name).startswith("mt:") and ":slide" in shape.name


def is_background(shape: BaseShape, width: int, height: int) -> bool:
    """A picture or rectangle behind everything: almost as large as the slide."""
    box = box_of(shape)
    has_text = getattr(shape, "has_text_frame", False) and shape.text_frame.text.strip()
    return box is not None and not has_text and box.width * box.height > 0.8 * width * height


def taken_boxes(slide: Slide, size: tuple[int, int], without: BaseShape | None = None) -> list[Box]:
    """Places that shapes with content take."""
    boxes = []
    for shape in slide.shapes:
        is_same = without is not None and shape.shape_id == without.shape_id
        if is_same or is_empty_placeholder(shape) or is_background(shape, *size):
            continue
        box = box_of(shape)
        if box is not None and box.width and box.height and not is_mark(shape):
            boxes.append(box)
    return boxes


def _decorations(slide: Slide, size: tuple[int, int]) -> list[Box]:
    """Lines and logos that the layout and the master draw on a slide; what is large lies behind everything."""
    layout = slide.slide_layout
    shows_master = layout._element.get("showMasterSp") not in ("0", "false")
    places = [layout, *([layout.slide_master] if shows_master else [])]
    boxes = [box_of(one) for place in places for one in place.shapes if not one.is_placeholder]
    limit = size[0] * size[1] * _LARGE_SHARE
    return [one for one in boxes if one is not None and 0 < one.width * one.height < limit]


def content_bottom(slide: Slide, height: int) -> int:
    """Where content ends: above the place of footers and slide numbers."""
    tops = []
    for one in slide.slide_layout.placeholders:
        box = box_of(one) if int(one.placeholder_format.type or 0) in _FOOTERS else None
        if box is not None and box.top > height * 3 // 4:
            tops.append(box.top)
    return min(tops, default=height)


def free_region(slide: Slide, size: tuple[int, int]) -> Box:
    """Room under the title, where content without a place of its own goes."""
    width, height = size[0], content_bottom(slide, size[1])
    title = slide.shapes.title
    box = box_of(title) if title is not None and title.text_frame.text.strip() else None
    top = box.bottom + _GAP if box is not None and box.top < height // 3 else height // 8
    side = width // 14
    return Box(side, top, width - 2 * side, height - top - _GAP)


def tighten_texts(slide: Slide) -> bool:
    """Make text placeholders as small as their text, so that there is room for more; whether one changed."""
    has_changed = False
    for shape in slide.placeholders:
        box = box_of(shape)
        is_body = int(shape.placeholder_format.type or 0) in _BODIES
        if (
            not is_body
            or box is None
            or _has_own_place(shape)
            or not shape.has_text_frame
            or not shape.text_frame.text.strip()
        ):
            continue
        paragraphs = [one.text for one in shape.text_frame.paragraphs]
        size = run_size(shape)
        widest = max(text_width(one) for one in paragraphs) * size * EMU_PER_POINT + 900_000
        width = max(int(widest), box.width * 9 // 20) if widest < box.width * 0.6 else box.width
        height = int(text_height(paragraphs, (width - 182_880) * 0.97, size, find_spacing(shape)) * 1.08) + 150_000
        if width < box.width or height < box.height * 0.7:
            shape.left, shape.top, shape.width = box.left, box.top, width
            shape.height = height if width == box.width else box.height
            has_changed = True
    return has_changed


def _has_own_place(shape: BaseShape) -> bool:
    """Whether somebody placed the shape; only what stands where the layout puts it may be made smaller."""
    return shape._element.spPr.find(f"{_A}xfrm") is not None


def find_place(slide: Slide, size: tuple[int, int], wanted: Box, *, least: float = 1.0) -> Box | None:
    """The wanted place if it is free, else the nearest free one, else a smaller one down to `least`; None if none."""
    width, height = size[0], content_bottom(slide, size[1])
    taken = taken_boxes(slide, size)
    drawn = _decorations(slide, size)
    scale = 1.0
    while scale >= least - 1e-9:
        box = Box(
            wanted.left,
            wanted.top,
            min(int(wanted.width * scale), width - 2 * MARGIN),
            min(int(wanted.height * scale), height - 2 * MARGIN),
        )
        found = _nearest(box, [*taken, *drawn], width, height) or _nearest(box, taken, width, height)
        if found is not None:
            return found
        scale -= 0.1
    return None


def _nearest(box: Box, taken: list[Box], width: int, height: int) -> Box | None:
    start = Box(
        max(min(box.left, width - MARGIN - box.width), 0),
        max(min(box.top, height - MARGIN - box.height), 0),
        box.width,
        box.height,
    )
    if not any(start.meets(one) for one in taken):
        return start
    best, distance = None, float("inf")
    for left in _starts(start.left, box.width, width, [(one.left, one.right) for one in taken]):
        for top in _starts(start.top, box.height, height, [(one.top, one.bottom) for one in taken]):
            place = Box(left, top, box.width, box.height)
            away = abs(left - box.left) * 1.5 + abs(top - box.top)
            if away < distance and not any(place.meets(one, _GAP) for one in taken):
                best, distance = place, away
    return best


def _starts(wanted: int, length: int, limit: int, taken: list[tuple[int, int]]) -> list[int]:
    """Edges worth a try: the wanted one, the margins, and right before or after what is there."""
    edges = {wanted, MARGIN, limit - MARGIN - length}
    edges.update(end + 2 * _GAP for _, end in taken)
    edges.update(begin - length - 2 * _GAP for begin, _ in taken)
    return sorted(one for one in edges if 0 <= one <= limit - length - MARGIN // 2)


def drop_covered_placeholders(slide: Slide, box: Box) -> None:
    """Remove empty placeholders under new content; they would show through while editing."""
    for shape in list(slide.shapes):
        place = box_of(shape) if is_empty_placeholder(shape) else None
        if place is not None and place.meets(box):
            shape._element.getparent().remove(shape._element)
