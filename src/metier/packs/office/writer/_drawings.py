"""Pictures, word art and charts in the text, and the copies of text boxes that older programs show."""

import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lxml import etree

from metier.packs.office.files import OfficeFileError, Package, XmlElement, find_inside, parse_xml
from metier.packs.office.plan import OfficeAction, read_color
from metier.packs.office.writer._charts import build_chart
from metier.packs.office.writer._edit import mark_inserted
from metier.packs.office.writer._insert import add_receipt, is_done, place_blocks, text_width
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer._tables import find_table, table_rows
from metier.packs.office.writer.reading import NAMESPACES, attribute, ensure, make, text_of, w

__all__ = ["insert_chart", "insert_image", "insert_word_art", "renew_fallbacks"]

_EMU_PER_POINT: Final = 12_700
_MAX_WIDTH_POINTS: Final = 415.0
_TYPES: Mapping[str, str] = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif", "BMP": "bmp"}
_WORD_ART: Final = ("textPlain", "textWave1", "textArchUp", "textInflate", "textDeflate", "textSlantUp", "textCanUp")
_LEAST_ART_POINTS: Final = 12.0
_CHART_SIZE: Final = (415.0, 240.0)
_ALTERNATE: Final = attribute("mc:AlternateContent")
_CHOICE: Final = attribute("mc:Choice")
_FALLBACK: Final = attribute("mc:Fallback")
_BOX: Final = w("txbxContent")


def insert_image(session: WriterSession, action: OfficeAction, *, in_block: bool = False) -> None:
    """`insert_image`: a picture from the document's own folder, not wider than the text."""
    if not in_block and is_done(session, action):
        return
    path = _find_picture(session, action.text("path"))
    ending, (width, height) = _read_size(path)
    size = _fit(width * 0.75, height * 0.75, (action.size("width"), action.size("height")), _widest(session))
    change_id = session.take_change(action)
    if change_id is None:
        return
    package = session.package
    package.add_default_type(ending, f"image/{ending}")
    name = package.new_name(f"word/media/image{{}}.{ending}")
    package.write(name, path.read_bytes())
    relation = package.add_relation(package.main_part, "image", name)
    drawing = _inline(session, size, path.name, _picture(session, relation, path.name, size), "picture")
    _place_drawing(session, action, change_id, drawing, path.name, in_block=in_block)


def _find_picture(session: WriterSession, name: str) -> Path:
    try:
        path = find_inside(session.folder, Path(name))
    except (OfficeFileError, OSError, ValueError):
        raise StepRefused("picture_outside", name=Path(name).name[:100]) from None
    if not path.is_file():
        raise StepRefused("picture_missing", name=path.name[:100])
    return path


def _read_size(path: Path) -> tuple[str, tuple[int, int]]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            kind, size = picture.format or "", picture.size
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        raise StepRefused("picture_type", name=path.name) from None
    if kind not in _TYPES:
        raise StepRefused("picture_type", name=path.name)
    return _TYPES[kind], size


def _widest(session: WriterSession) -> float:
    """Points that a drawing may be wide where the cursor is."""
    return min(_MAX_WIDTH_POINTS, text_width(session) / 20)


def _fit(width: float, height: float, asked: tuple[float | None, float | None], widest: float) -> tuple[int, int]:
    """Size in EMU: as asked in points, else as large as the picture, at most as wide as the text."""
    wanted, tall = asked
    ratio = height / width if width else 1.0
    if wanted is None and tall is not None:
        wanted = tall / ratio
    shown = min(wanted or width, widest)
    high = tall if tall is not None and wanted == shown else shown * ratio
    return round(shown * _EMU_PER_POINT), round(high * _EMU_PER_POINT)


def _inline(session: WriterSession, size: tuple[int, int], name: str, graphic: XmlElement, kind: str) -> XmlElement:
    uri = {
        "picture": NAMESPACES["pic"],
        "chart": NAMESPACES["c"],
        "shape": NAMESPACES["wps"],
    }[kind]
    text = (
        f'<w:drawing xmlns:w="{NAMESPACES["w"]}" xmlns:wp="{NAMESPACES["wp"]}" xmlns:a="{NAMESPACES["a"]}">'
        f'<wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="{size[0]}" cy="{size[1]}"/>'
        f'<wp:docPr id="{session.new_id()}" name="{kind}"/><wp:cNvGraphicFramePr/>'
        f'<a:graphic><a:graphicData uri="{uri}"/></a:graphic></wp:inline></w:drawing>'
    )
    drawing: XmlElement = etree.fromstring(text)
    next(drawing.iter(attribute("wp:docPr"))).set("descr", name)
    next(drawing.iter(attribute("a:graphicData"))).append(graphic)
    return drawing


def _picture(session: WriterSession, relation: str, name: str, size: tuple[int, int]) -> XmlElement:
    text = (
        f'<pic:pic xmlns:pic="{NAMESPACES["pic"]}" xmlns:a="{NAMESPACES["a"]}" xmlns:r="{NAMESPACES["r"]}">'
        f'<pic:nvPicPr><pic:cNvPr id="{session.new_id()}" name="picture"/><pic:cNvPicPr/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{relation}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{size[0]}" cy="{size[1]}"/></a:xfrm>'
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>'
    )
    picture: XmlElement = etree.fromstring(text)
    next(picture.iter(attribute("pic:cNvPr"))).set("name", name)
    return picture


def _place_drawing(
    session: WriterSession, action: OfficeAction, change_id: str, drawing: XmlElement, shown: str, *, in_block: bool
) -> None:
    address = session.address_at_cursor()
    paragraph = make("p", None, make("pPr", None, make("jc", {"val": "center"})), make("r", None, drawing))
    if session.is_tracked:
        mark_inserted(session, paragraph)
    place_blocks(session, [paragraph])
    if not in_block:
        add_receipt(session, action, [paragraph])
    session.add_change(change_id, action, address, "", shown)


def insert_word_art(session: WriterSession, action: OfficeAction, *, in_block: bool = False) -> None:
    """`insert_word_art`: a line of text that Word and LibreOffice draw as word art and everybody can edit."""
    if not in_block and is_done(session, action):
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    text, points = action.text("text"), action.size("size") or 36.0
    width = points * 1.1 * sum(1 if ord(one) > 0x2E7F else 0.6 for one in text)
    widest = _widest(session)
    if width > widest:
        # One line stays one: what is too long becomes smaller.
        points, width = max(_LEAST_ART_POINTS, points * widest / width), widest
    width = max(60.0, width)
    size = (round(width * _EMU_PER_POINT), round(points * 1.8 * _EMU_PER_POINT))
    preset = _WORD_ART[(action.whole("preset", 1) - 1) % len(_WORD_ART)]
    drawing = _inline(session, size, text, _word_art_shape(session, action, points, preset, size), "shape")
    alternate = make("mc:AlternateContent")
    choice = etree.SubElement(alternate, attribute("mc:Choice"), {"Requires": "wps"}, nsmap={"wps": NAMESPACES["wps"]})
    choice.append(drawing)
    fallback = etree.SubElement(alternate, attribute("mc:Fallback"))
    fallback.append(make("t", text=text))
    _place_drawing(session, action, change_id, alternate, text, in_block=in_block)


def _word_art_shape(
    session: WriterSession, action: OfficeAction, points: float, preset: str, size: tuple[int, int]
) -> XmlElement:
    color = session.style.primary or read_color(action.fields.get("color")) or "1F4E79"
    shape: XmlElement = etree.fromstring(
        f'<wps:wsp xmlns:wps="{NAMESPACES["wps"]}" xmlns:a="{NAMESPACES["a"]}" xmlns:w="{NAMESPACES["w"]}">'
        '<wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/>'
        f'<a:ext cx="{size[0]}" cy="{size[1]}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        "<a:noFill/><a:ln><a:noFill/></a:ln></wps:spPr><wps:txbx><w:txbxContent/></wps:txbx>"
        f'<wps:bodyPr wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="ctr"><a:prstTxWarp prst="{preset}">'
        "<a:avLst/></a:prstTxWarp></wps:bodyPr></wps:wsp>"
    )
    run = make("r", None, make("rPr"), make("t", text=action.text("text")))
    properties = ensure(run, "rPr")
    font = action.text("font")
    if font:
        from metier.packs.office.writer._styling import set_font

        set_font(properties, font)
    if action.flag("bold", True):
        ensure(properties, "b")
    if action.flag("italic"):
        ensure(properties, "i")
    ensure(properties, "color").set(w("val"), color)
    for name in ("sz", "szCs"):
        ensure(properties, name).set(w("val"), str(round(points * 2)))
    paragraph = make("p", None, make("pPr", None, make("jc", {"val": "center"})), copy.deepcopy(run))
    next(shape.iter(w("txbxContent"))).append(paragraph)
    return shape


def insert_chart(session: WriterSession, action: OfficeAction, *, in_block: bool = False) -> None:
    """`insert_chart_from_selection`: a chart that can be edited, from the table that is selected or was just made."""
    if not in_block and is_done(session, action):
        return
    try:
        rows = table_rows(find_table(session, action))
    except StepRefused:
        raise StepRefused("no_numbers") from None
    chart = build_chart(rows, action)
    change_id = session.take_change(action)
    if change_id is None:
        return
    package = session.package
    book = package.new_name("word/embeddings/Microsoft_Excel_Sheet{}.xlsx")
    package.add_default_type("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    package.write(book, chart.workbook)
    part = package.new_name("word/charts/chart{}.xml")
    package.add(part, chart.xml, "application/vnd.openxmlformats-officedocument.drawingml.chart+xml")
    relation = package.add_relation(part, "package", book)
    root = package.xml(part)
    external = etree.SubElement(root, attribute("c:externalData"), {attribute("r:id"): relation})
    etree.SubElement(external, attribute("c:autoUpdate"), {"val": "0"})
    package.touch(part)
    reference = make("c:chart")
    reference.set(attribute("r:id"), package.add_relation(package.main_part, "chart", part))
    points = (action.size("width") or _CHART_SIZE[0], action.size("height") or _CHART_SIZE[1])
    session.leave_table()
    size = (round(min(points[0], _widest(session)) * _EMU_PER_POINT), round(points[1] * _EMU_PER_POINT))
    drawing = _inline(session, size, chart.title, reference, "chart")
    _place_drawing(session, action, change_id, drawing, chart.title, in_block=in_block)


def renew_fallbacks(package: Package) -> None:
    """Give the copies of changed text boxes their new content; a copy that said something else before stays."""
    for name in package.changed_parts:
        stored = package.read_stored(name)
        if not name.endswith(".xml") or stored is None or b"Fallback" not in stored:
            continue
        pairs = _pair_boxes(parse_xml(stored, name))
        before = {_key(copied): etree.tostring(box) for box, copied in pairs if _text_of(box) == _text_of(copied)}
        for box, copied in _pair_boxes(package.xml(name)):
            old = before.get(_key(copied))
            if old is not None and old != etree.tostring(box):
                copied[:] = [copy.deepcopy(one) for one in box]
                package.touch(name)


def _pair_boxes(root: XmlElement) -> Iterator[tuple[XmlElement, XmlElement]]:
    """Contents of text boxes with their copies."""
    for alternate in root.iter(_ALTERNATE):
        choice, fallback = alternate.find(_CHOICE), alternate.find(_FALLBACK)
        if choice is not None and fallback is not None:
            boxes, copies = list(choice.iter(_BOX)), list(fallback.iter(_BOX))
            if len(boxes) == len(copies):
                yield from zip(boxes, copies, strict=True)


def _key(copied: XmlElement) -> bytes:
    """A copy is known by its content, which no step changes."""
    content: bytes = etree.tostring(copied, method="c14n")
    return content


def _text_of(box: XmlElement) -> str:
    return "\n".join(text_of(one) for one in box.iter(w("p")))
