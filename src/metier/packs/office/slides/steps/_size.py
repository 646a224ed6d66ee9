"""Size of the slides: all shapes, layouts and masters follow."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree
from pptx.oxml.ns import qn

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps._texts import list_frames, refit

_SIZES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"4:3": (9_144_000, 6_858_000), "16:9": (12_192_000, 6_858_000)}
)
_EMU_PER_CM: Final = 360_000
_SLACK: Final = 0.01
# Shapes that must keep their proportions; texts, tables and charts take the new ones.
_RIGID: Final = frozenset({qn("p:pic"), qn("p:grpSp"), qn("p:cxnSp")})


def set_slide_size(session: SlideSession, action: OfficeAction) -> None:
    """Give all slides another ratio of width and height; nothing is cut off, and texts that no longer fit shrink."""
    old, new = session.size, _SIZES[action.text("ratio")]
    if abs(old[0] / old[1] - new[0] / new[1]) < _SLACK:
        return
    if not session.offer(action, "", say("size"), (_describe(old), f"{action.text('ratio')}, {_describe(new)}")):
        return
    scale = (new[0] / old[0], new[1] / old[1])
    for root in _list_roots(session):
        for shape in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}/*"):
            _scale(shape, scale)
    size = session.deck.part._element.find(qn("p:sldSz"))
    size.attrib.pop("type", None)
    size.set("cx", str(new[0]))
    size.set("cy", str(new[1]))
    session.deck.width, session.deck.height = new
    for slide in session.deck.slides():
        for shape, frame in list_frames(slide):
            refit(session, slide, shape, frame)


def _describe(size: tuple[int, int]) -> str:
    return f"{size[0] / _EMU_PER_CM:.1f} × {size[1] / _EMU_PER_CM:.1f} cm"


def _list_roots(session: SlideSession) -> Iterator[etree._Element]:
    for master in session.deck.presentation.slide_masters:
        yield master._element
        for layout in master.slide_layouts:
            yield layout._element
    for slide in session.deck.slides():
        yield slide._element


def _scale(shape: etree._Element, scale: tuple[float, float]) -> None:
    """Move and size one shape; what stands in a group follows the group."""
    place = next(
        (one for one in shape.iter(qn("a:xfrm"), qn("p:xfrm")) if one.getparent() in (shape, *shape)), None
    )  # not that of a shape inside a group
    offset = place.find(qn("a:off")) if place is not None else None
    extent = place.find(qn("a:ext")) if place is not None else None
    if offset is None or extent is None:
        return
    even = min(scale) if shape.tag in _RIGID else 0.0
    for at, (start, length) in enumerate((("x", "cx"), ("y", "cy"))):
        first, whole = int(offset.get(start)), int(extent.get(length))
        middle = (first + whole / 2) * scale[at]
        sized = whole * (even or scale[at])
        offset.set(start, str(round(middle - sized / 2)))
        extent.set(length, str(round(sized)))
    for column in shape.iter(qn("a:gridCol")):
        column.set("w", str(round(int(column.get("w")) * scale[0])))
