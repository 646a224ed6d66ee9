"""Font sizes of shapes: set on the text, or inherited from layout and master."""

from typing import Final

from lxml import etree
from pptx.oxml.ns import qn
from pptx.shapes.base import BaseShape

from metier.packs.office.slides._measure import Spacing

DEFAULT_PT: Final = 18.0
_TITLES: Final = (1, 3)


def is_title(shape: BaseShape) -> bool:
    return bool(shape.is_placeholder) and int(shape.placeholder_format.type or 0) in _TITLES


def inherited_size(shape: BaseShape) -> float:
    """Font size of a shape's text where nothing is set on the text itself."""
    return find_size(shape) or DEFAULT_PT


def find_size(shape: BaseShape) -> float | None:
    """Font size that the styles of a shape, its layout or its master set; None if they set none."""
    for element in _style_sources(shape):
        for name in ("a:lvl1pPr", "a:defPPr"):
            found = element.find(f"{qn(name)}/{qn('a:defRPr')}")
            if found is not None and found.get("sz"):
                return int(found.get("sz")) / 100
    return None


def find_spacing(shape: BaseShape) -> Spacing:
    """Room between the paragraphs and lines of a shape's text as its styles set it."""
    found: dict[str, tuple[float, float]] = {}
    for element in _style_sources(shape):
        level = element.find(qn("a:lvl1pPr"))
        for name in ("lnSpc", "spcBef", "spcAft") if level is not None else ():
            points, share = (level.find(f"{qn(f'a:{name}')}/{qn(f'a:{kind}')}") for kind in ("spcPts", "spcPct"))
            if name not in found and (points is not None or share is not None):
                found[name] = (
                    0.0 if points is None else int(points.get("val", "0")) / 100,
                    0.0 if share is None else _read_share(share.get("val", "0")),
                )
    before, after, line = (found.get(name, (0.0, 0.0)) for name in ("spcBef", "spcAft", "lnSpc"))
    return Spacing(before[0] + after[0], before[1] + after[1], max(1.0, line[1]))


def _read_share(text: str) -> float:
    """A share as thousandths of a percent, or with its sign."""
    return float(text[:-1]) / 100 if text.endswith("%") else int(text) / 100_000


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
