"""Watermark: large pale text behind every page, as Word draws it in the headers."""

from typing import Final
from xml.sax.saxutils import quoteattr

from lxml import etree

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.pages._sections import list_header_parts, note_direct
from metier.packs.office.writer.reading import NAMESPACES, make, w

__all__ = ["set_watermark"]

_VML: Final = "urn:schemas-microsoft-com:vml"
_OFFICE: Final = "urn:schemas-microsoft-com:office:office"
_NAME: Final = "WaterMarkObject"  # how Word itself names the shape, so that its menus find it
_DIAGONAL_POINTS: Final = 430
_MAX_HEIGHT_POINTS: Final = 150
_SHAPE: Final = """<w:r xmlns:w="{w}" xmlns:v="{v}" xmlns:o="{o}"><w:rPr><w:noProof/></w:rPr><w:pict>
<v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800"
 path="m@7,l@8,m@5,21600l@6,21600e"><v:formulas><v:f eqn="sum #0 0 10800"/><v:f eqn="prod #0 2 1"/>
<v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/><v:f eqn="sum 21600 0 @3"/><v:f eqn="if @0 @3 0"/>
<v:f eqn="if @0 21600 @1"/><v:f eqn="if @0 0 @2"/><v:f eqn="if @0 @4 21600"/><v:f eqn="mid @5 @6"/>
<v:f eqn="mid @8 @5"/><v:f eqn="mid @7 @8"/><v:f eqn="mid @6 @7"/><v:f eqn="sum @6 0 @5"/></v:formulas>
<v:path textpathok="t" o:connecttype="custom" o:connectlocs="@9,0;@10,10800;@11,21600;@12,10800"
 o:connectangles="270,180,90,0"/><v:textpath on="t" fitshape="t"/></v:shapetype>
<v:shape id="PowerPlus{name}{number}" o:spid="_x0000_s{spid}" type="#_x0000_t136" style="position:absolute;\
margin-left:0;margin-top:0;width:{width}pt;height:{height}pt;rotation:315;z-index:-251658752;\
mso-position-horizontal:center;mso-position-horizontal-relative:margin;mso-position-vertical:center;\
mso-position-vertical-relative:margin" o:allowincell="f" fillcolor="#{color}" stroked="f"><v:fill opacity=".5"/>
<v:textpath style="font-family:&quot;宋体&quot;;font-size:1pt" string={text}/></v:shape></w:pict></w:r>"""


def set_watermark(session: WriterSession, action: OfficeAction) -> None:
    """`set_watermark`: the text behind all pages; an empty one takes the watermark away."""
    wanted, color = action.text("text").strip(), action.text("color").lstrip("#").upper() or "C0C0C0"
    roots = {part: session.package.xml(part) for part in list_header_parts(session, is_made=False)}
    marks = [one for root in roots.values() for one in _find_marks(root)]
    shown = [one.get("string", "") for mark in marks for one in mark.iter(f"{{{_VML}}}textpath") if one.get("string")]
    is_there = bool(roots) and shown == [wanted] * len(roots) if wanted else not marks
    if is_there:
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    for part, root in roots.items():
        for mark in _find_marks(root):
            mark.getparent().remove(mark)
        session.package.touch(part)
    for number, part in enumerate(list_header_parts(session, is_made=True) if wanted else (), 1):
        root = session.package.xml(part)
        place = root.find(w("p"))
        if place is None:
            place = make("p")
            root.append(place)
        place.append(_build_mark(wanted, color, number))
        session.package.touch(part)
    note_direct(session, action)
    session.add_change(change_id, action, "header1.p1", shown[0] if shown else "", wanted)


def _find_marks(root: XmlElement) -> list[XmlElement]:
    """Runs that draw a watermark."""
    shapes = (one for one in root.iter(f"{{{_VML}}}shape") if _NAME in one.get("id", ""))
    return [run for shape in shapes if (run := next(shape.iterancestors(w("r")), None)) is not None]


def _build_mark(text: str, color: str, number: int) -> XmlElement:
    units = sum(1.0 if ord(char) > 0x2E7F else 0.6 for char in text)
    height = min(_MAX_HEIGHT_POINTS, _DIAGONAL_POINTS / max(units, 1))
    shape = _SHAPE.format(
        w=NAMESPACES["w"],
        v=_VML,
        o=_OFFICE,
        name=_NAME,
        number=number,
        spid=2048 + number,
        width=round(units * height),
        height=round(height),
        color=color,
        text=quoteattr(text),
    )
    run: XmlElement = etree.fromstring(shape)
    return run
