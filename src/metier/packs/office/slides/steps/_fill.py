"""Text into placeholders: measured, made smaller, or continued on further slides."""

from pptx.shapes.base import BaseShape
from pptx.slide import Slide, SlideLayout

from metier.packs.office.slides._measure import fit_size, split_to_fit
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._sizes import find_spacing, inherited_size, is_title
from metier.packs.office.slides._text import (
    MIN_BODY_PT,
    MIN_TITLE_PT,
    shape_room,
    split_paragraphs,
    style_runs,
    write_paragraphs,
)
from metier.packs.office.slides.steps._boxes import add_text

_BODIES = (2, 4, 7)
_MAX_FURTHER_SLIDES = 50


def fill_shape(session: SlideSession, slide: Slide, shape: BaseShape, paragraphs: list[str]) -> list[str]:
    """Write a text into a shape as large as it fits; returns what does not fit at the least size."""
    room = shape_room(shape)
    style = session.style
    font, chosen = (
        (style.heading_font, style.heading_size) if is_title(shape) else (style.east_asia_font, style.body_size)
    )
    wanted = chosen or inherited_size(shape)
    least = min(MIN_TITLE_PT if is_title(shape) else MIN_BODY_PT, wanted)
    frame = shape.text_frame
    if room is None:
        write_paragraphs(frame, paragraphs)
        style_runs(frame, font=font, size=chosen)
        return []
    spacing = find_spacing(shape)
    size = fit_size(paragraphs, room, wanted, least, spacing)
    rest: list[str] = []
    if size is None:
        size = least
        if is_title(shape):
            # A title is not continued: it becomes as small as it must.
            size = fit_size(paragraphs, room, least, 10.0, spacing) or 10.0
        else:
            paragraphs, rest = split_to_fit(paragraphs, room, least, spacing)
    write_paragraphs(frame, paragraphs)
    style_runs(frame, font=font, size=size if chosen or size < wanted else None)
    if size < wanted:
        session.warn("shrunk", number=session.deck.number_of(slide), size=f"{size:g}")
    return rest


def find_body(slide: Slide) -> BaseShape | None:
    """First placeholder for text besides the title."""
    bodies = [one for one in slide.placeholders if int(one.placeholder_format.type or 0) in _BODIES]
    return min(bodies, key=lambda one: one.placeholder_format.idx, default=None)


def add_text_slide(
    session: SlideSession, layout: SlideLayout, title: str, content: str, position: int | None
) -> list[Slide]:
    """Slide with a title and text; further slides if the text is long. Placeholders without text go."""
    slide = session.deck.add_slide(layout, position)
    session.mark_slide(slide)
    made = [slide]
    paragraphs = split_paragraphs(content) if content.strip() else []
    if title and slide.shapes.title is not None:
        fill_shape(session, slide, slide.shapes.title, split_paragraphs(title))
    elif title:
        paragraphs = [*split_paragraphs(title), *paragraphs]
    session.current = slide
    while paragraphs and len(made) < _MAX_FURTHER_SLIDES:
        body = find_body(made[-1])
        if body is None:
            add_text(session, made[-1], paragraphs)
            break
        paragraphs = fill_shape(session, made[-1], body, paragraphs)
        if paragraphs:
            made.append(session.next_slide(made[-1]))
    return made
