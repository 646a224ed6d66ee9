"""Text boxes at free places; what does not fit goes on on further slides."""

from dataclasses import dataclass
from typing import Final

from pptx.shapes.autoshape import Shape
from pptx.slide import Slide

from metier.packs.office.slides._measure import fit_size, split_to_fit, text_height
from metier.packs.office.slides._place import Box
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._sizes import DEFAULT_PT
from metier.packs.office.slides._text import align, inner_box, prepare_box, style_runs, write_paragraphs

_MIN_PT: Final = 12.0


@dataclass(frozen=True, slots=True)
class TextLook:
    """How the text of a box looks; what is not set is inherited."""

    size: float | None = None
    bold: bool | None = None
    italic: bool | None = None
    color: str = ""
    font: str = ""
    alignment: str = ""


def place_text(session: SlideSession, slide: Slide, wanted: Box, paragraphs: list[str], look: TextLook) -> Shape:
    """Text box at a free place; the text is made smaller, then continued on further slides."""
    size = look.size or session.style.body_size or DEFAULT_PT
    inner = wanted.width - 182_880
    needed = int(text_height(paragraphs, inner * 0.97, size)) + 91_440
    box = session.place(
        slide, Box(wanted.left, wanted.top, wanted.width, max(wanted.height, needed)), "text", least=1.0
    )
    box = box or session.place(slide, wanted, "text", least=0.4)
    if box is None:
        return place_text(session, session.next_slide(slide), wanted, paragraphs, look)
    shape = slide.shapes.add_textbox(box.left, box.top, box.width, box.height)
    prepare_box(shape)
    session.mark(shape)
    room = inner_box(shape, box)
    fitting = fit_size(paragraphs, room, size, min(_MIN_PT, size))
    rest: list[str] = []
    if fitting is None:
        fitting = min(_MIN_PT, size)
        paragraphs, rest = split_to_fit(paragraphs, room, fitting)
    write_paragraphs(shape.text_frame, paragraphs)
    style_runs(
        shape.text_frame,
        size=fitting,
        bold=look.bold,
        italic=look.italic,
        color=look.color or session.style.text_color,
        font=look.font or session.style.east_asia_font,
    )
    if look.alignment:
        align(shape.text_frame, look.alignment)
    if fitting < size:
        session.warn("shrunk", number=session.deck.number_of(slide), size=f"{fitting:g}")
    if rest:
        place_text(session, session.next_slide(slide), wanted, rest, look)
    return shape


def add_text(session: SlideSession, slide: Slide, paragraphs: list[str]) -> None:
    """Text box for text that has no placeholder, under what is there."""
    width, height = session.size
    wanted = Box(width // 12, height // 3, width * 10 // 12, height // 2)
    place_text(session, slide, wanted, paragraphs, TextLook())
