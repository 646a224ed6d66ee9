"""Font sizes of shapes: set on the text, or inherited from layout and master."""

from typing import Final

from lxml import etree
from pptx.oxml.ns import qn
from pptx.shapes.base import BaseShape

DEFAULT_PT: Final = 18.0
_TITLES: Final = (1, 3)


def is_title(shape: BaseShape) -> bool:
    return bool(shape.is_placeholder) and int(shape.placeholder_format.type or 0) in _TITLES


def inherited_size(shape: BaseShape) -> float:
    """Font size of a shape's text where nothing is set on the text itself."""
    for element in _style_sources(shape):
        for name in ("a:lvl1pPr", "a:defPPr"):
            found = element.find(f"{qn(name)}/{qn('a:defRPr')}")
            if found is not None and found.get("sz"):
                return int(found.get("sz")) / 100
    return DEFAULT_PT


def _style_sources(shape: BaseShape) -> list[etree._Element]:
    """Lists of styles that apply to a shape, the nearest first."""
    sources = [*shape._element.iter(qn("a:lstStyle"))]
    if not shape.is_placeholder:
        return sources
    kind = int(shape.placeholder_format.type or 0)
    layout = shape.part.slide_layout
    master = layout.slide_master
    for one in layout.placeholders:
        is_same = (int(one.placeholder_format.type or 0) in _TITLES) == (kind in _TITLES)
        if is_same and one.placeholder_format.idx == shape.placeholder_format.idx:
            sources.extend(one._element.iter(qn("a:lstStyle")))
    for one in master.placeholders:
        same = int(one.placeholder_format.type or 0)
        if same == kind or (same in _TITLES and kind in _TITLES) or (same == 2 and kind in (2, 4, 7)):
            sources.extend(one._element.iter(qn("a:lstStyle")))
    name = "p:titleStyle" if kind in _TITLES else "p:bodyStyle"
    sources.extend(master._element.iter(qn(name)))
    return sources


def run_size(shape: BaseShape) -> float:
    """Largest font size that the text of a shape sets, or what it inherits."""
    sizes = [int(one.get("sz")) / 100 for one in shape._element.iter(qn("a:rPr")) if one.get("sz")]
    has_plain = any(
        one.find(qn("a:rPr")) is None or not one.find(qn("a:rPr")).get("sz") for one in shape._element.iter(qn("a:r"))
    )
    size = max([*sizes, inherited_size(shape) if has_plain or not sizes else 0.0])
    scale = shape._element.find(f".//{qn('a:normAutofit')}")
    share = int(scale.get("fontScale", "100000")) / 100_000 if scale is not None else 1.0
    return size * share
