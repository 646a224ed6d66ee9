"""Look of new reports: dark titles on the left with a coloured line below them, a band on the cover."""

from typing import Final

from lxml import etree
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.slide import SlideLayout, SlideMaster
from pptx.util import Emu

_DARK: Final = "1F3A5F"
_ACCENT: Final = "2E75B6"
_GREY: Final = "5A6572"
_SIDE: Final = 620_000
_TITLES: Final = (1, 3)
_BODIES: Final = (2, 7)
_SUBTITLE: Final = 4
_NAMESPACES: Final = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)


def apply_look(presentation: Deck) -> None:
    """Change masters and the cover's layout; slides that are added later inherit it."""
    width, height = int(presentation.slide_width or 0), int(presentation.slide_height or 0)
    for master in presentation.slide_masters:
        _style_master(master, width, height)
        for layout in master.slide_layouts:
            if layout._element.get("type") == "title":
                _style_cover(layout, width, height)


def _style_master(master: SlideMaster, width: int, height: int) -> None:
    for shape in master.placeholders:
        kind = int(shape.placeholder_format.type or 0)
        if kind in _TITLES:
            _place(shape, _SIDE, 380_000, width - 2 * _SIDE, 860_000)
            shape._element.find(f".//{qn('a:bodyPr')}").set("anchor", "b")
        elif kind in _BODIES:
            _place(shape, _SIDE, 1_560_000, width - 2 * _SIDE, height - 1_560_000 - 620_000)
    styles = master._element.find(qn("p:txStyles"))
    _set_level(styles.find(f"{qn('p:titleStyle')}/{qn('a:lvl1pPr')}"), "l", 3000, _DARK, bold=True)
    for number, size in enumerate((2400, 2000, 1800, 1600, 1600), 1):
        level = styles.find(f"{qn('p:bodyStyle')}/{qn(f'a:lvl{number}pPr')}")
        if level is not None:
            _set_level(level, "l", size, "", bold=False)
            for share in level.iterfind(f"{qn('a:spcBef')}/{qn('a:spcPct')}"):
                share.set("val", "30000")
    _add_box(master, (_SIDE + 91_440, 1_300_000, 1_100_000, 45_720), _ACCENT)


def _style_cover(layout: SlideLayout, width: int, height: int) -> None:
    layout._element.set("showMasterSp", "0")
    for shape in layout.placeholders:
        kind = int(shape.placeholder_format.type or 0)
        if kind in _TITLES:
            _place(shape, 1_250_000, 1_500_000, width - 2_300_000, 1_900_000)
            shape._element.find(f".//{qn('a:bodyPr')}").set("anchor", "b")
            _set_own_level(shape._element, 4000, _DARK, bold=True)
        elif kind == _SUBTITLE:
            _place(shape, 1_250_000, 3_700_000, width - 2_300_000, 1_500_000)
            _set_own_level(shape._element, 1800, _GREY, bold=False)
    _add_box(layout, (0, 0, 420_000, height), _DARK)
    _add_box(layout, (420_000, 0, 90_000, height), _ACCENT)
    _add_box(layout, (1_341_440, 3_500_000, 1_600_000, 45_720), _ACCENT)


def _place(shape: object, left: int, top: int, width: int, height: int) -> None:
    for name, value in (("left", left), ("top", top), ("width", width), ("height", height)):
        setattr(shape, name, Emu(value))


def _set_level(level: etree._Element, side: str, size: int, color: str, *, bold: bool) -> None:
    level.set("algn", side)
    look = level.find(qn("a:defRPr"))
    look.set("sz", str(size))
    look.set("b", "1" if bold else "0")
    old = look.find(qn("a:solidFill"))
    if color and old is not None:
        old.clear()
        etree.SubElement(old, qn("a:srgbClr"), val=color)


def _set_own_level(shape: etree._Element, size: int, color: str, *, bold: bool) -> None:
    styles = shape.find(f".//{qn('a:lstStyle')}")
    for old in list(styles):
        styles.remove(old)
    mark = "" if bold else "<a:buNone/>"
    styles.append(
        parse_xml(
            f'<a:lvl1pPr {_NAMESPACES} algn="l" marL="0" indent="0">{mark}<a:defRPr sz="{size}" b="{int(bold)}">'
            f'<a:solidFill><a:srgbClr val="{color}"/></a:solidFill></a:defRPr></a:lvl1pPr>'.encode()
        )
    )


def _add_box(holder: SlideMaster | SlideLayout, place: tuple[int, int, int, int], color: str) -> None:
    """A rectangle behind everything of a master or layout; the library adds shapes to slides only."""
    tree = holder._element.find(f"{qn('p:cSld')}/{qn('p:spTree')}")
    number = 1 + max(int(one.get("id", "1")) for one in tree.iter(qn("p:cNvPr")))
    left, top, width, height = place
    box = parse_xml(
        f'<p:sp {_NAMESPACES}><p:nvSpPr><p:cNvPr id="{number}" name="Bar {number}"/><p:cNvSpPr/><p:nvPr userDrawn="1"/>'
        f'</p:nvSpPr><p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="{color}"/></a:solidFill>'
        "<a:ln><a:noFill/></a:ln></p:spPr></p:sp>".encode()
    )
    tree.insert(2, box)
