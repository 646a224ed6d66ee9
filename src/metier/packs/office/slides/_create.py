"""New decks: a clean 16:9 default with Chinese fonts, or the user's own template."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT

from metier.language import Language, language_of
from metier.packs.office.ooxml import parse_xml
from metier.packs.office.plan import load_style_spec
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides.steps import add_text_slide

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WIDTH: Final = 12_192_000
_HEIGHT: Final = 6_858_000
_FONT: Final = "微软雅黑"
_LATIN: Final = "Calibri"


@dataclass(frozen=True, slots=True)
class OutlineSlide:
    """A slide of an outline: title, points and notes."""

    title: str
    points: tuple[str, ...] = ()
    notes: str = ""
    is_cover: bool = False


def create_deck(outline: Sequence[OutlineSlide], *, template: Path | None = None) -> bytes:
    """Deck of an outline, on the user's template if there is one. Slides of a template's own go."""
    deck = Deck.open(template) if template is not None else Deck(_default_deck())
    for _ in list(deck.slides()):
        deck.delete(1)
    text = " ".join(part for one in outline for part in (one.title, *one.points))
    language: Language = language_of(text)
    session = SlideSession(deck, Path(), language, None, load_style_spec(None, "wpp"))
    for one in outline:
        layout = deck.find_layout(1 if one.is_cover else 2)
        assert layout is not None
        made = add_text_slide(session, layout, one.title, "\n".join(one.points), None)
        if one.notes:
            frame = made[0].notes_slide.notes_text_frame
            if frame is not None:
                frame.text = one.notes
    return deck.to_presentation()


def create_blank(path: Path) -> None:
    """Write a deck without slides in 16:9."""
    path.write_bytes(Deck(_default_deck()).to_bytes())


def _default_deck() -> bytes:
    """The library's template, made 16:9 and given fonts for Chinese."""
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
