"""Comments at cells (notes, which every program shows)."""

from typing import Final

from lxml import etree

from metier.packs.office.ooxml import parse_xml
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea, cell_name
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import RELATION

_COMMENTS_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
_VML_TYPE: Final = "application/vnd.openxmlformats-officedocument.vmlDrawing"
_EMPTY_VML: Final = (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>'
    '</o:shapelayout><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" '
    'path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" '
    'o:connecttype="rect"/></v:shapetype></xml>'
)


def add_comment(session: SheetSession, action: OfficeAction) -> None:
    """Put a comment at a cell; a comment that is there gets the text added."""
    sheet, area = _cell(session, action)
    session.check_protection(sheet, area, "cell")
    address = session.address(sheet, area)
    reference = cell_name(area.top, area.left)
    text = action.text("text")
    before = _comment_text(session, sheet, reference)
    if text in before.split("\n\n"):
        return
    after = f"{before}\n\n{text}" if before else text
    if session.offer(action, address, say("comment", text=address), (before, after)):
        _write(session, sheet, area, after, action.text("author") or session.author)


def _cell(session: SheetSession, action: OfficeAction) -> tuple[SheetPart, CellArea]:
    place = action.text("cell") or action.text("address")
    if place:
        sheet, area = session.find(place, "cell", action.text("sheet_name"))
        return sheet, CellArea(area.top, area.left, area.top, area.left)
    wanted, left = action.text("anchor_text"), action.whole("occurrence", 1)
    for sheet in session.book.sheets():
        for row, column in sorted(sheet.cells()):
            value = sheet.value(row, column)
            if isinstance(value, str) and wanted and wanted in value:
                left -= 1
                if left == 0:
                    return sheet, CellArea(row, column, row, column)
    raise session.fail("no_match", "anchor_text", text=wanted)


def _part(session: SheetSession, sheet: SheetPart) -> str | None:
    found = session.book.parts.list_related(sheet.part, "comments")
    return found[0].target if found else None


def _comment_text(session: SheetSession, sheet: SheetPart, reference: str) -> str:
    part = _part(session, sheet)
    if part is None:
        return ""
    for one in session.book.parts.xml(part).iterfind(f"{MAIN}commentList/{MAIN}comment"):
        if one.get("ref") == reference:
            return "".join(text.text or "" for text in one.iter(f"{MAIN}t"))
    return ""


def _write(session: SheetSession, sheet: SheetPart, area: CellArea, text: str, author: str) -> None:
    reference = cell_name(area.top, area.left)
    parts = session.book.parts
    part = _part(session, sheet)
    if part is None:
        part = parts.free_name("xl/comments%d.xml")
        root = etree.Element(f"{MAIN}comments", nsmap={None: MAIN[1:-1]})
        etree.SubElement(root, f"{MAIN}authors")
        etree.SubElement(root, f"{MAIN}commentList")
        parts.put_xml(part, root, _COMMENTS_TYPE)
        parts.relate(sheet.part, "comments", part)
    root = parts.xml(part)
    authors, comments = root.find(f"{MAIN}authors"), root.find(f"{MAIN}commentList")
    names = [one.text or "" for one in authors]
    if author not in names:
        etree.SubElement(authors, f"{MAIN}author").text = author
        names.append(author)
    found = next((one for one in comments if one.get("ref") == reference), None)
    if found is None:
        found = etree.SubElement(comments, f"{MAIN}comment", ref=reference, authorId=str(names.index(author)))
        _draw(session, sheet, area)
    for old in list(found):
        found.remove(old)
    shown = etree.SubElement(etree.SubElement(found, f"{MAIN}text"), f"{MAIN}t")
    shown.text = text


def _draw(session: SheetSession, sheet: SheetPart, area: CellArea) -> None:
    """Box of a comment; programs do not show comments without one."""
    parts = session.book.parts
    found = parts.list_related(sheet.part, "vmlDrawing")
    if found:
        part = found[0].target
    else:
        part = parts.free_name("xl/drawings/vmlDrawing%d.vml")
        parts.put(part, _EMPTY_VML.encode(), _VML_TYPE)
        relation = parts.relate(sheet.part, "vmlDrawing", part)
        sheet.insert_child(etree.Element(f"{MAIN}legacyDrawing", {RELATION: relation}))
    root = parts.xml(part)
    number = 1025 + len(root)
    row, column = area.top - 1, area.left - 1
    shape = (
        '<v:shape xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
        f'xmlns:x="urn:schemas-microsoft-com:office:excel" id="_x0000_s{number}" type="#_x0000_t202" '
        'style="position:absolute;margin-left:59pt;margin-top:1pt;width:160pt;height:80pt;z-index:1;visibility:hidden" '
        'fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" '
        'obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>'
        f'<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>{column + 1}, 15, {row}, 10, '
        f"{column + 4}, 15, {row + 5}, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row>"
        f"<x:Column>{column}</x:Column></x:ClientData></v:shape>"
    )
    root.append(parse_xml(shape.encode()))
