"""Pages: size and margins, headers, footers and page numbers; GB/T 9704-2012 as measures."""

from collections.abc import Iterator, Mapping
from math import floor
from types import MappingProxyType
from typing import Final

from lxml import etree

from metier.json_values import JsonValue
from metier.language import choose, join_names
from metier.packs.office.files import XmlElement, relations_part
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer._styling import style_run
from metier.packs.office.writer.pages._default_size import set_default_size
from metier.packs.office.writer.pages._settings import setting
from metier.packs.office.writer.reading import (
    NAMESPACES,
    attribute,
    child,
    ensure,
    find,
    fingerprint,
    list_segments,
    make,
    new_run,
    text_of,
    w,
    w_value,
    whole,
)

__all__ = [
    "GBT_9704",
    "list_header_parts",
    "note_direct",
    "set_header_footer",
    "set_page_numbers",
    "set_page_setup",
]

_TWIPS_PER_MM: Final = 1440 / 25.4
_A4: Final = (11_906, 16_838)
_PAPERS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"a3": (16_838, 23_811), "a4": _A4, "a5": (8_391, 11_906), "letter": (12_240, 15_840), "gbt9704": _A4}
)
# GB/T 9704-2012: 天头 37 mm, 订口 28 mm, 版心 156 mm × 225 mm, 22 lines of 28 characters.
GBT_9704: Mapping[str, float] = {
    "top_mm": 37.0,
    "left_mm": 28.0,
    "right_mm": 26.0,
    "bottom_mm": 35.0,
    "width_mm": 156.0,
    "height_mm": 225.0,
    "lines": 22,
    "chars": 28,
    "points": 16.0,
}
_SIDES: Final = ("top", "bottom", "left", "right")
_PART_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."


def _sections(session: WriterSession) -> list[XmlElement]:
    found = list(session.body.iter(w("sectPr")))
    if not found or found[-1].getparent() is not session.body:
        section = make("sectPr", None, make("pgSz", {"w": str(_A4[0]), "h": str(_A4[1])}))
        session.body.append(section)
        found.append(section)
    return found


def set_page_setup(session: WriterSession, action: OfficeAction) -> None:
    """`set_page_setup`: paper, orientation and margins of all sections."""
    change_id = session.take_change(action)
    if change_id is None:
        return
    sections = _sections(session)
    before = [fingerprint(one) for one in sections]
    preset = action.text("preset")
    for section in sections:
        size = ensure(section, "pgSz")
        if preset:
            for name, value in zip(("w", "h"), _PAPERS[preset], strict=True):
                size.set(w(name), str(value))
            size.attrib.pop(w("orient"), None)
        for name, wanted in (("w", action.size("width_mm")), ("h", action.size("height_mm"))):
            if wanted is not None:
                size.set(w(name), str(round(wanted * _TWIPS_PER_MM)))
        _turn(size, action.text("orientation"))
        _set_margins(section, action, preset)
        if preset == "gbt9704":
            _set_grid(session, section)
    if [fingerprint(one) for one in sections] == before:
        session.skip(action, "already_there")
        return
    note_direct(session, action)
    session.note_change()
    session.add_change(change_id, action, "", "", _page_words(session, action))


def _page_words(session: WriterSession, action: OfficeAction) -> str:
    names = [one for one in (action.text("preset"), action.text("orientation")) if one] or ["margins"]
    return join_names([WRITER_SENTENCES.render(f"page_{one}", session.language) for one in names], session.language)


def _set_margins(section: XmlElement, action: OfficeAction, preset: str) -> None:
    margins = ensure(section, "pgMar")
    for side in _SIDES:
        value = action.size(f"{side}_mm")
        if value is None and preset == "gbt9704":
            value = GBT_9704[f"{side}_mm"]
        if value is not None:
            margins.set(w(side), str(round(value * _TWIPS_PER_MM)))
    for name, usual in (("header", "851"), ("footer", "992"), ("gutter", "0")):
        if not w_value(margins, name):
            margins.set(w(name), usual)


def _turn(size: XmlElement, orientation: str) -> None:
    values = sorted(whole(w_value(size, name), _A4[at]) for at, name in enumerate(("w", "h")))
    if orientation == "landscape":
        size.set(w("w"), str(values[1]))
        size.set(w("h"), str(values[0]))
        size.set(w("orient"), "landscape")
    elif orientation == "portrait":
        size.set(w("w"), str(values[0]))
        size.set(w("h"), str(values[1]))
        size.attrib.pop(w("orient"), None)


def _set_grid(session: WriterSession, section: XmlElement) -> None:
    """22 lines of 28 characters: the grid adds to the default font size what a character lacks in width."""
    grid = ensure(section, "docGrid")
    points_per_mm = 72 / 25.4
    pitch = GBT_9704["height_mm"] * points_per_mm / GBT_9704["lines"]
    char = GBT_9704["width_mm"] * points_per_mm / GBT_9704["chars"]
    points = set_default_size(session, GBT_9704["points"])
    grid.set(w("type"), "linesAndChars")
    grid.set(w("linePitch"), str(int(pitch * 20)))
    # Rounded down, so that the last character of a line still fits.
    grid.set(w("charSpace"), str(floor((char - points) * 4096)))


def note_direct(session: WriterSession, action: OfficeAction) -> None:
    """Warn that a step without a tracked form is written directly."""
    if session.is_tracked:
        session.warnings.append(StepRefused("not_tracked", op=action.op).reason)


def set_header_footer(session: WriterSession, action: OfficeAction) -> None:
    """`set_header` and `set_footer`: the text in all sections; pictures that stand there stay."""
    kind = action.op.removeprefix("set_")
    parts = [(part, session.package.xml(part)) for part in _parts_of(session, kind, is_made=True)]
    before = "\n".join(text for _, root in parts if (text := _text_of_part(root)))
    wanted = action.text("text")
    alignment = action.text("alignment")
    titles = [find(section, "titlePg") is not None for section in _sections(session)]
    has_title = action.switch("first_page_different")
    look = {name: action.fields[name] for name in ("size", "color", "bold", "italic", "font") if name in action.fields}
    is_same = all(_text_of_part(root) == wanted and _has_look(root, look) for _, root in parts)
    if is_same and (has_title is None or all(one == has_title for one in titles)):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    for part, root in parts:
        _set_part_text(root, wanted, alignment, look)
        session.package.touch(part)
    if has_title is not None:
        for section in _sections(session):
            if has_title:
                ensure(section, "titlePg")
            else:
                for one in section.findall(w("titlePg")):
                    section.remove(one)
        session.note_change()
    note_direct(session, action)
    session.add_change(change_id, action, f"{kind}1.p1", before, wanted)


def _text_of_part(root: XmlElement) -> str:
    return "\n".join(text for one in root.iter(w("p")) if not _has_page_field(one) and (text := text_of(one)))


def _has_look(root: XmlElement, look: Mapping[str, JsonValue]) -> bool:
    """Whether the texts of a part have this look already."""
    for run in root.iter(w("r")):
        if run.find(w("t")) is not None:
            wanted = make("rPr")
            style_run(wanted, look)
            known = find(run, "rPr")
            if any(
                known is None or fingerprint(child(known, etree.QName(one).localname)) != fingerprint(one)
                for one in wanted
            ):
                return False
    return True


def _set_part_text(root: XmlElement, text: str, alignment: str, look: Mapping[str, JsonValue]) -> None:
    paragraphs = [one for one in root if one.tag == w("p") and not _has_page_field(one)]
    place = next((one for one in paragraphs if text_of(one)), paragraphs[0] if paragraphs else None)
    if place is None:
        place = make("p")
        root.insert(0, place)
    segments = [one for one in list_segments(place) if one.run is not None]
    properties = find(segments[0].run, "rPr") if segments else None
    run = new_run(text, properties)
    if look:
        style_run(ensure(run, "rPr"), look)
    for one in paragraphs:
        for segment in list_segments(one):
            parent = segment.element.getparent()
            if parent is not None:
                parent.remove(segment.element)
        has_drawing = any(True for _ in one.iter(w("drawing"), w("pict")))
        if one is not place and not has_drawing:
            root.remove(one)
    place.append(run)
    if alignment:
        ensure(ensure(place, "pPr"), "jc").set(w("val"), alignment)


def _parts_of(session: WriterSession, kind: str, *, is_made: bool, types: tuple[str, ...] = ("default",)) -> list[str]:
    """Header or footer parts of all sections; a section without one gets one if the first section has none."""
    found: dict[str, None] = {}
    for number, section in enumerate(_sections(session)):
        for type_ in types:
            reference = _find_reference(section, kind, type_)
            if reference is not None:
                found[
                    session.package.find_relation(session.package.main_part, reference.get(attribute("r:id"), ""))
                ] = None
            elif is_made and number == 0:
                found[_add_part(session, section, kind, type_)] = None
    return [part for part in found if part in session.package]


def _find_reference(section: XmlElement, kind: str, type_: str) -> XmlElement | None:
    for one in section.findall(w(f"{kind}Reference")):
        if (w_value(one, "type") or "default") == type_:
            reference: XmlElement = one
            return reference
    return None


def _add_part(session: WriterSession, section: XmlElement, kind: str, type_: str) -> str:
    package = session.package
    name = package.new_name(f"word/{kind}{{}}.xml")
    root = "hdr" if kind == "header" else "ftr"
    content = f'<w:{root} xmlns:w="{NAMESPACES["w"]}" xmlns:r="{NAMESPACES["r"]}"><w:p/></w:{root}>'
    package.add(name, content.encode(), f"{_PART_TYPE}{kind}+xml")
    reference = make(f"{kind}Reference", {"type": type_})
    reference.set(attribute("r:id"), package.add_relation(package.main_part, kind, name))
    last = [at for at, one in enumerate(section) if one.tag in (w("headerReference"), w("footerReference"))]
    section.insert(last[-1] + 1 if last else 0, reference)
    session.note_change()
    return name


def set_page_numbers(session: WriterSession, action: OfficeAction) -> None:
    """`set_page_numbers`: as fields; `outside` puts odd pages right and even pages left, as GB/T 9704 asks."""
    kind = action.text("position", "footer")
    is_outside = action.text("alignment") == "outside"
    known = _parts_of(session, kind, is_made=False, types=("default", "even"))
    skips = action.switch("skip_first") is True
    if any(_has_page_field(session.package.xml(part)) for part in known):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    if skips:
        _copy_to_pages(session, "first")
        ensure(_sections(session)[0], "titlePg")
        session.note_change()
    for type_ in ("default", "even") if is_outside else ("default",):
        side = {"default": "right", "even": "left"}[type_] if is_outside else action.text("alignment", "center")
        for part in _parts_of(session, kind, is_made=True, types=(type_,)):
            root = session.package.xml(part)
            _add_page_field(session, root, action, side)
            session.package.touch(part)
    if is_outside:
        _copy_to_pages(session, "even")
        _set_even_and_odd(session)
    start = action.fields.get("start")
    if isinstance(start, int):
        for section in _sections(session)[:1]:
            ensure(section, "pgNumType").set(w("start"), str(start))
        session.note_change()
    note_direct(session, action)
    shown = WRITER_SENTENCES.render(f"numbers_{action.text('format', 'plain')}", session.language)
    session.add_change(change_id, action, f"{kind}1.p1", "", shown)


def _has_page_field(root: XmlElement) -> bool:
    codes = [one.text or "" for one in root.iter(w("instrText"))]
    codes += [w_value(one, "instr") for one in root.iter(w("fldSimple"))]
    return any(code.split()[:1] == ["PAGE"] for code in codes)


def _add_page_field(session: WriterSession, root: XmlElement, action: OfficeAction, side: str) -> None:
    paragraphs = [one for one in root if one.tag == w("p")]
    place = next((one for one in paragraphs if not text_of(one) and find(one, "r", "drawing") is None), None)
    if place is None:
        place = etree.SubElement(root, w("p"))
    ensure(ensure(place, "pPr"), "jc").set(w("val"), side)
    properties = make("rPr")
    style_run(properties, action.fields)
    for kind, value in _page_text(
        action.text("format", "plain"), is_chinese=choose(session.language, en=False, zh=True)
    ):
        own = properties if len(properties) else None
        place.extend(_field(value, own) if kind == "field" else [new_run(value, own)])


def _page_text(form: str, *, is_chinese: bool) -> Iterator[tuple[str, str]]:
    page, total = ("field", "PAGE"), ("field", "NUMPAGES")
    words = ("第 ", " 页", "，共 ", " 页") if is_chinese else ("Page ", "", " of ", "")
    if form == "dashes":
        yield from (("text", "— "), page, ("text", " —"))
    elif form == "of_total":
        yield from (("text", words[0]), page, ("text", words[1] + words[2]), total)
        if words[3]:
            yield "text", words[3]
    elif form == "page_n":
        yield from (("text", words[0]), page)
        if words[1]:
            yield "text", words[1]
    else:
        yield page


def _field(code: str, properties: XmlElement | None) -> list[XmlElement]:
    def run(element: XmlElement) -> XmlElement:
        made = new_run("", properties)
        made.append(element)
        return made

    return [
        run(make("fldChar", {"fldCharType": "begin"})),
        run(make("instrText", text=f" {code} ")),
        run(make("fldChar", {"fldCharType": "separate"})),
        new_run("1", properties),
        run(make("fldChar", {"fldCharType": "end"})),
    ]


def _copy_to_pages(session: WriterSession, type_: str) -> None:
    """Even or first pages get the header or footer that all pages had so far."""
    package = session.package
    for section in _sections(session):
        for kind in ("header", "footer"):
            usual = _find_reference(section, kind, "default")
            if usual is None or _find_reference(section, kind, type_) is not None:
                continue
            source = package.find_relation(package.main_part, usual.get(attribute("r:id"), ""))
            copied = _add_part(session, section, kind, type_)
            package.write(copied, package.read(source))
            rels = relations_part(source)
            if rels in package:
                package.write(relations_part(copied), package.read(rels))


def list_header_parts(session: WriterSession, *, is_made: bool) -> list[str]:
    """Header parts of all kinds of pages that the document tells apart."""
    sections = _sections(session)
    types = ["default"]
    if any(find(one, "titlePg") is not None for one in sections):
        types.append("first")
    if setting(session, "evenAndOddHeaders") is not None:
        types.append("even")
    return _parts_of(session, "header", is_made=is_made, types=tuple(types))


def _set_even_and_odd(session: WriterSession) -> None:
    if setting(session, "evenAndOddHeaders") is None:
        setting(session, "evenAndOddHeaders", is_made=True)
