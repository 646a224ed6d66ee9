"""Charts and pictures of a sheet. They carry the name of their block, so that they are found again."""

from dataclasses import dataclass
from typing import Final

from lxml import etree

from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.ooxml import (
    CHART_KINDS,
    ChartLook,
    ChartSeries,
    PictureProblem,
    build_chart_xml,
    parse_xml,
    read_picture,
)
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import RELATION, WorkbookParts

_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_XDR: Final = f"{{{_DRAWING}}}"
_A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_C: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DRAWING_TYPE: Final = "application/vnd.openxmlformats-officedocument.drawing+xml"
_CHART_TYPE: Final = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_EMU_PER_POINT: Final = 12_700
_EMU_PER_PIXEL: Final = 9_525
_COLUMN_EMU: Final = 64 * _EMU_PER_PIXEL
_ROW_EMU: Final = 20 * _EMU_PER_PIXEL
MAX_POINTS: Final = 5_000
_PREFIX: Final = "mt:"


@dataclass(frozen=True, slots=True)
class Frame:
    """Place of a drawing: its first cell and its size."""

    row: int
    column: int
    width_emu: int
    height_emu: int

    @property
    def area(self) -> CellArea:
        """Cells that it covers, for the usual sizes of rows and columns."""
        return CellArea(
            self.row, self.column, self.row + self.height_emu // _ROW_EMU, self.column + self.width_emu // _COLUMN_EMU
        )


def insert_chart(session: SheetSession, action: OfficeAction) -> None:
    """Native chart of a range: its first column gives the names, the others the numbers."""
    sheet, source, columns = _source(session, action)
    number = action.whole("chart_type", 51)
    if number not in CHART_KINDS:
        known = [str(one) for one in CHART_KINDS]
        raise session.fail("bad_chart_type", "chart_type", number=number, known=known)
    kind = CHART_KINDS[number]
    labels, labels_ref, series = _read_series(session, sheet, source, columns)
    if kind in ("pie", "doughnut"):
        series = series[:1]
    look = ChartLook(
        title=str(action.fields.get("title") or ""),
        has_legend=action.flag("has_legend", len(series) > 1 or kind in ("pie", "doughnut")),
        legend_position=action.text("legend_position", "bottom"),
        has_labels=action.flag("show_data_labels"),
        has_percent=action.flag("data_labels_show_percent"),
        trendline=(action.text("trendline_type") or "linear") if action.flag("add_trendline") else "",
    )
    content = build_chart_xml(kind, labels, labels_ref, series, look)
    address = session.address(sheet, source)
    if not session.offer(action, address, say("chart", other=address), ("", look.title or kind)):
        return
    width = round((action.size("width") or 400) * _EMU_PER_POINT)
    height = round((action.size("height") or 240) * _EMU_PER_POINT)
    target = session.sheet(action.text("sheet_name")) if action.text("sheet_name") else sheet
    frame = _free_frame(session, target, source if target is sheet else None, width, height)
    drawing = open_drawing(session.book, target)
    parts = session.book.parts
    part = parts.free_name("xl/charts/chart%d.xml")
    parts.put(part, content, _CHART_TYPE)
    relation = parts.relate(drawing, "chart", part)
    session.own_pages.add(target.name)
    _place(session, drawing, frame, _chart_frame(relation), look.title)


def _source(session: SheetSession, action: OfficeAction) -> tuple[SheetPart, CellArea, list[int]]:
    """Sheet, range and columns of a chart: a range may be of several columns that are not beside each other."""
    text = action.text("source_range")
    areas: list[CellArea] = []
    if text:
        parts = [session.find(one, "source_range", action.text("sheet_name")) for one in text.split(",")]
        sheet, areas = parts[0][0], [area for _, area in parts]
        if any(one.top != areas[0].top or one.bottom != areas[0].bottom for one in areas):
            raise session.fail("bad_address", "source_range", text=text)
        area = CellArea(areas[0].top, min(one.left for one in areas), areas[0].bottom, max(one.right for one in areas))
    elif session.last_table is not None:
        sheet, area = session.sheet(session.last_table[0]), session.last_table[1]
    else:
        sheet, area = session.sheet(action.text("sheet_name")), session.cursor
        if area.height * area.width == 1:
            area = find_region(sheet, area)
    used = sheet.used_area()
    if used is None or not used.meets(area):
        raise session.fail("no_data", "source_range", text=area.text)
    area = CellArea(
        max(area.top, used.top), max(area.left, used.left), min(area.bottom, used.bottom), min(area.right, used.right)
    )
    listed = [column for one in areas for column in range(one.left, one.right + 1) if area.left <= column <= area.right]
    return sheet, area, listed or list(range(area.left, area.right + 1))


def find_region(sheet: SheetPart, start: CellArea) -> CellArea:
    """Filled cells around a cell, up to empty rows and columns; all cells if it is empty there."""
    used = sheet.used_area()
    if used is None or not used.meets(start) or sheet.is_blank(start.top, start.left):
        return used or start
    area = start
    while True:
        wider = CellArea(max(area.top - 1, 1), max(area.left - 1, 1), area.bottom + 1, area.right + 1)
        cells = [key for key in wider.cells() if not sheet.is_blank(*key)]
        grown = CellArea(
            min([area.top, *(row for row, _ in cells)]),
            min([area.left, *(column for _, column in cells)]),
            max([area.bottom, *(row for row, _ in cells)]),
            max([area.right, *(column for _, column in cells)]),
        )
        if grown == area:
            return area
        area = grown


def _read_series(
    session: SheetSession, sheet: SheetPart, area: CellArea, columns: list[int]
) -> tuple[list[str], str, list[ChartSeries]]:
    """Names and numbers of a range; a first row or column without numbers gives the names."""
    if area.height - 1 > MAX_POINTS:
        session.warn("unpaired", count=MAX_POINTS)
        area = CellArea(area.top, area.left, area.top + MAX_POINTS, area.right)
    has_head = area.height > 1 and not any(
        _is_number(sheet, area.top, column) for column in columns[1 if len(columns) > 1 else 0 :]
    )
    top = area.top + (1 if has_head else 0)
    body = range(top, area.bottom + 1)
    left = columns[0]
    has_labels = len(columns) > 1 and not all(_is_plain_number(session, sheet, row, left) for row in body)
    has_labels = has_labels or (len(columns) > 1 and has_head)
    prefix = quote_sheet(sheet.name)
    series = []
    for column in columns[1 if has_labels else 0 :]:
        values = tuple(_number(sheet, row, column) for row in body)
        if all(one is None for one in values):
            continue
        head = CellArea(area.top, column, area.top, column)
        name = show_value(sheet.value(area.top, column)) if has_head else ""
        cells = CellArea(top, column, area.bottom, column)
        code = session.book.styles.number_format(sheet.style(top, column))
        reference = f"{prefix}!{head.absolute}" if has_head else ""
        series.append(ChartSeries(name, reference, values, f"{prefix}!{cells.absolute}", code))
    if not series:
        raise session.fail("no_numbers", "source_range", text=area.text)
    if not has_labels:
        return [], "", series
    labels = [session.show(sheet, row, left) for row in body]
    return labels, f"{prefix}!{CellArea(top, left, area.bottom, left).absolute}", series


def _number(sheet: SheetPart, row: int, column: int) -> float | None:
    value = sheet.value(row, column)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_number(sheet: SheetPart, row: int, column: int) -> bool:
    return _number(sheet, row, column) is not None


def _is_plain_number(session: SheetSession, sheet: SheetPart, row: int, column: int) -> bool:
    """A number that is no date: dates are names of points."""
    code = session.book.styles.number_format(sheet.style(row, column))
    return _is_number(sheet, row, column) and "y" not in code.lower()


def _free_frame(session: SheetSession, sheet: SheetPart, source: CellArea | None, width: int, height: int) -> Frame:
    """Place beside the source that covers no cells and no other drawing."""
    used = sheet.used_area()
    row = source.top if source is not None else 2
    column = (used.right if used is not None else 0) + 2
    taken = drawing_areas(session.book, sheet)
    frame = Frame(row, column, width, height)
    while any(frame.area.meets(one) for one in taken):
        below = max(one.bottom for one in taken if frame.area.meets(one))
        frame = Frame(below + 2, column, width, height)
    return frame


def open_drawing(book: WorkbookParts, sheet: SheetPart) -> str:
    """Drawing part of a sheet, added if it has none."""
    found = book.parts.list_related(sheet.part, "drawing")
    if found:
        return found[0].target
    part = book.parts.free_name("xl/drawings/drawing%d.xml")
    root = etree.Element(f"{_XDR}wsDr", nsmap={"xdr": _DRAWING, "a": _A})
    book.parts.put_xml(part, root, _DRAWING_TYPE)
    relation = book.parts.relate(sheet.part, "drawing", part)
    sheet.insert_child(etree.Element(f"{MAIN}drawing", {RELATION: relation}))
    return part


def drawing_areas(book: WorkbookParts, sheet: SheetPart) -> list[CellArea]:
    """Cells that drawings of a sheet cover, about."""
    areas = []
    for relation in book.parts.list_related(sheet.part, "drawing"):
        for anchor in book.parts.xml(relation.target):
            start, end, size = (anchor.find(f"{_XDR}{name}") for name in ("from", "to", "ext"))
            if start is None:
                continue
            row, column = _corner(start)
            if end is not None:
                areas.append(CellArea(row, column, *_corner(end)))
            elif size is not None:
                areas.append(Frame(row, column, int(size.get("cx", "0")), int(size.get("cy", "0"))).area)
    return areas


def _corner(place: etree._Element) -> tuple[int, int]:
    return int(place.findtext(f"{_XDR}row", "0")) + 1, int(place.findtext(f"{_XDR}col", "0")) + 1


def _place(session: SheetSession, drawing: str, frame: Frame, inner: str, title: str) -> None:
    root = session.book.parts.xml(drawing)
    session.drawings += 1
    name = f"{_PREFIX}{session.block}:{session.drawings}"
    numbers = [int(one.get("id", "0")) for one in root.iter(f"{_XDR}cNvPr")]
    head = etree.Element("x", name=name, descr=title)
    marks = etree.tostring(head, encoding="unicode")[2:-2]
    text = (
        f'<xdr:oneCellAnchor xmlns:xdr="{_DRAWING}" xmlns:a="{_A}" xmlns:r="{_R}"><xdr:from>'
        f"<xdr:col>{frame.column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{frame.row - 1}</xdr:row>"
        f'<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="{frame.width_emu}" cy="{frame.height_emu}"/>'
        f"{inner.format(id=max([1, *numbers]) + 1, marks=marks, cx=frame.width_emu, cy=frame.height_emu)}"
        "<xdr:clientData/></xdr:oneCellAnchor>"
    )
    root.append(parse_xml(text.encode()))


def _chart_frame(relation: str) -> str:
    return (
        '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="{id}"{marks}/><xdr:cNvGraphicFramePr/>'
        '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>'
        f'<a:graphicData uri="{_C}"><c:chart xmlns:c="{_C}" r:id="{relation}"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame>"
    )


def insert_image(session: SheetSession, action: OfficeAction) -> None:
    """Picture at a cell, the cursor or a free place; its proportions are kept."""
    path = action.text("path")
    try:
        picture = read_picture(path, session.folder)
    except PictureProblem as problem:
        raise session.fail(f"bad_picture_{problem}", "path", path=path) from None
    place = action.text("cell") or action.text("range")
    if place:
        sheet, area = session.find(place, "cell" if action.text("cell") else "range", action.text("sheet_name"))
    else:
        sheet, area = session.sheet(action.text("sheet_name")), session.cursor
    width, height = action.size("width"), action.size("height")
    natural = picture.width_px * 0.75, picture.height_px * 0.75
    if width is None and height is None:
        scale = min(1.0, 400 / max(natural[0], 1))
        width, height = natural[0] * scale, natural[1] * scale
    elif width is None:
        width = natural[0] * (height or 1) / max(natural[1], 1)
    elif height is None:
        height = natural[1] * width / max(natural[0], 1)
    address = session.address(sheet, area)
    if not session.offer(action, address, say("picture", text=address), ("", path)):
        return
    emu = round(width * _EMU_PER_POINT), round((height or 1) * _EMU_PER_POINT)
    frame = Frame(area.top, area.left, *emu) if place else _free_frame(session, sheet, None, *emu)
    drawing = open_drawing(session.book, sheet)
    parts = session.book.parts
    part = parts.free_name(f"xl/media/image%d.{picture.ending}")
    parts.put(part, picture.content, picture.media_type)
    relation = parts.relate(drawing, "image", part)
    session.own_pages.add(sheet.name)
    _place(session, drawing, frame, _picture_frame(relation), path)


def _picture_frame(relation: str) -> str:
    return (
        '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="{id}"{marks}/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/>'
        f'</xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/>'
        '</a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{cx}" cy="{cy}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>'
    )


def remove_drawings(session: SheetSession, block: str) -> int:
    """Remove the charts and pictures of a block; how many there were."""
    count = 0
    parts = session.book.parts
    for sheet in session.book.sheets():
        for relation in parts.list_related(sheet.part, "drawing"):
            root = parts.xml(relation.target)
            for anchor in list(root):
                name = next((str(one.get("name")) for one in anchor.iter(f"{_XDR}cNvPr")), "")
                if not name.startswith(f"{_PREFIX}{block}:"):
                    continue
                count += 1
                ids = {
                    value for one in anchor.iter() for key, value in one.attrib.items() if key.startswith(f"{{{_R}}}")
                }
                root.remove(anchor)
                for target in parts.relationships(relation.target):
                    if target.id in ids:
                        parts.unrelate(relation.target, target.id)
                        parts.remove(target.target)
            if count and not len(root):
                session.emptied.append((sheet, relation.target, relation.id))
    return count


def drop_empty_drawings(session: SheetSession) -> None:
    """Remove the drawings that lost all they had and got nothing new, which only the end of a plan tells."""
    parts = session.book.parts
    for sheet, part, relation in session.emptied:
        if parts.has(part) and not len(parts.xml(part)):
            sheet.drop_child("drawing")
            parts.unrelate(sheet.part, relation)
            parts.remove(part)
