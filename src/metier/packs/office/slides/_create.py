"""New decks: a 16:9 default with Chinese fonts, or the user's own template; text, tables, charts and pictures."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT

from metier.json_values import JsonValue
from metier.language import Language, language_of
from metier.packs.office.ooxml import parse_xml
from metier.packs.office.plan import OfficeAction, load_style_spec
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._look import apply_look
from metier.packs.office.slides._place import Box, drop_covered_placeholders, free_region
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps import SLIDE_STEPS, add_text_slide

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WIDTH: Final = 12_192_000
_HEIGHT: Final = 6_858_000
_FONT: Final = "微软雅黑"
_LATIN: Final = "Calibri"
# Where a table or chart alone on a slide begins, in centimetres of a 16:9 slide.
_LEFT_CM: Final = 1.95
_TOP_CM: Final = 4.3
_WIDTH_CM: Final = 29.9


@dataclass(frozen=True, slots=True)
class SlideChart:
    """A native chart: the first row names the series, the first column the points."""

    kind: Literal["column", "line", "scatter"]
    rows: tuple[tuple[JsonValue, ...], ...]


@dataclass(frozen=True, slots=True)
class OutlineSlide:
    """A slide of an outline: title, points and notes; below the title a table, a chart or a picture (PNG)."""

    title: str
    points: tuple[str, ...] = ()
    notes: str = ""
    is_cover: bool = False
    table: tuple[tuple[str, ...], ...] = ()
    chart: SlideChart | None = None
    picture: bytes = field(default=b"", repr=False)


def create_deck(
    outline: Sequence[OutlineSlide], *, template: Path | None = None, language: Language | None = None
) -> bytes:
    """Deck of an outline with slide numbers, on the user's template if there is one. Slides of a template's own go."""
    deck = Deck.open(template) if template is not None else Deck(_default_deck(with_look=True))
    _drop_slides(deck)
    text = " ".join(part for one in outline for part in (one.title, *one.points))
    session = SlideSession(deck, Path(), language or language_of(text), None, load_style_spec(None, "wpp"))
    for one in outline:
        is_bare = bool(one.table or one.chart or one.picture) and not one.points
        layout = deck.find_layout(1 if one.is_cover else 11 if is_bare else 2)
        assert layout is not None
        made = add_text_slide(session, layout, one.title, "\n".join(one.points), None)
        _add_content(session, one)
        if one.notes:
            frame = made[0].notes_slide.notes_text_frame
            if frame is not None:
                frame.text = one.notes
    SLIDE_STEPS["set_page_numbers"](session, OfficeAction("numbers", "set_page_numbers", ""))
    return deck.to_presentation()


def _add_content(session: SlideSession, slide: OutlineSlide) -> None:
    if slide.table:
        rows = [list(row) for row in slide.table]
        fields: dict[str, JsonValue] = {"data": [*rows], "rows": len(rows), "cols": max(map(len, rows))}
        fields |= {} if slide.points else {"left": _LEFT_CM, "top": _TOP_CM, "width": _WIDTH_CM}
        SLIDE_STEPS["add_table"](session, OfficeAction("table", "add_table", slide.title, fields))
    if slide.chart is not None:
        data: list[JsonValue] = [list(row) for row in slide.chart.rows]
        fields = {"data": data, "chart_type": slide.chart.kind}
        if not slide.points:
            fields |= {"left": _LEFT_CM, "top": _TOP_CM, "width": _WIDTH_CM, "height": 12.6}
        SLIDE_STEPS["add_chart"](session, OfficeAction("chart", "add_chart", slide.title, fields))
    if slide.picture and session.current is not None:
        region = free_region(session.current, session.size)
        made = session.current.shapes.add_picture(io.BytesIO(slide.picture), region.left, region.top)
        share = min(region.width / made.width, region.height / made.height)
        made.width, made.height = int(made.width * share), int(made.height * share)
        made.left = region.left + (region.width - made.width) // 2
        drop_covered_placeholders(session.current, Box(made.left, made.top, made.width, made.height))


def create_blank(path: Path) -> None:
    """Write a deck without slides in 16:9."""
    path.write_bytes(Deck(_default_deck()).to_bytes())


def create_from_template(template: Path, path: Path, *, keeps_slides: bool = False) -> None:
    """Write a deck with the size, masters, layouts and theme of a template; without its slides unless they are kept."""
    deck = Deck.open(template)
    if not keeps_slides:
        _drop_slides(deck)
    path.write_bytes(deck.to_presentation())


def _drop_slides(deck: Deck) -> None:
    """Remove all slides, with the sections and shows that list them."""
    for _ in list(deck.slides()):
        deck.delete(1)
    root = deck.part._element
    lists = [one for one in root.iter() if etree.QName(one).localname in ("sectionLst", "custShowLst")]
    for one in lists:
        outer = one.getparent()
        outer.remove(one)
        if etree.QName(outer).localname == "ext" and not len(outer):
            outer.getparent().remove(outer)


def _default_deck(*, with_look: bool = False) -> bytes:
    """The library's template, made 16:9 and given fonts for Chinese; with the look of a report if wanted."""
    presentation = Presentation()
    scale = _WIDTH / int(presentation.slide_width or _WIDTH)
    presentation.slide_width, presentation.slide_height = _WIDTH, _HEIGHT
    for master in presentation.slide_masters:
        for holder in (master, *master.slide_layouts):
            for one in holder._element.iter(f"{_A}xfrm"):
                _stretch(one, scale)
        for relation in master.part.rels.values():
            if relation.reltype == RT.THEME:
                relation.target_part._blob = _with_fonts(relation.target_part.blob)
    if with_look:
        apply_look(presentation)
    buffer = io.BytesIO()
    presentation.save(buffer)
    return buffer.getvalue()


def _stretch(frame: etree._Element, scale: float) -> None:
    for name, attribute in (("off", "x"), ("ext", "cx")):
        found = frame.find(f"{_A}{name}")
        if found is not None:
            found.set(attribute, str(int(int(found.get(attribute)) * scale)))


def _with_fonts(theme: bytes) -> bytes:
    root = parse_xml(theme)
    for group in root.iter(f"{_A}majorFont", f"{_A}minorFont"):
        for name, font in (("latin", _LATIN), ("ea", _FONT)):
            found = group.find(f"{_A}{name}")
            if found is not None:
                found.set("typeface", font)
        for one in group.findall(f"{_A}font"):
            if one.get("script") == "Hans":
                one.set("typeface", _FONT)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
