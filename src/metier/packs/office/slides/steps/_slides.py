"""Slides: added, deleted, copied, moved; layout, notes and footers."""

import copy
from typing import Final

from pptx.enum.text import PP_ALIGN
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.shapes.placeholder import LayoutPlaceholder, SlidePlaceholder
from pptx.slide import Slide, SlideLayout

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession, slide_texts
from metier.packs.office.slides.steps._fill import add_text_slide

_FOOTER: Final = 15
_NUMBER: Final = 13
_FAMILIES: Final = ((1, 3), (2, 4, 7))


def add_slide(session: SlideSession, action: OfficeAction) -> None:
    """Add a slide with title and text; it becomes the current one."""
    title, content = str(action.fields.get("title") or ""), action.text("content")
    number = action.whole("layout", 1)
    if number == 1 and "\n" in content.strip():
        # A list does not belong into the subtitle of a cover.
        number = 2
    layout = session.deck.find_layout(number)
    if layout is None:
        known = [f"{at} {one.name}" for at, one in enumerate(session.deck.layouts(), 1)]
        raise session.fail("no_layout", "layout", number=number, known=known)
    texts = ("", "\n".join(one for one in (title, content) if one))
    if not session.offer(action, "", say("add_slide", text=title), texts):
        return
    position = action.whole("position") or None
    if position is None and session.position is not None:
        position = session.position
    made = add_text_slide(session, layout, title, content, position)
    session.current = made[-1]
    if session.position is not None:
        session.position = session.deck.number_of(made[-1]) + 1


def delete_slide(session: SlideSession, action: OfficeAction) -> None:
    slide = session.slide(action)
    number = session.deck.number_of(slide)
    if len(session.deck.slides()) == 1:
        raise session.fail("last_slide", "slide_index")
    title = say("delete_slide", number=number)
    if session.offer(action, session.address(slide), title, (slide_texts(slide, session.language), "")):
        session.deck.delete(number)
        session.current = None


def duplicate_slide(session: SlideSession, action: OfficeAction) -> None:
    slides = session.deck.slides()
    number = action.whole("source_index") or (session.deck.number_of(session.slide(action)))
    if number > len(slides):
        raise session.fail("no_slide", "source_index", number=number, count=len(slides))
    title = say("duplicate_slide", number=number)
    if session.offer(action, f"s{number}", title, ("", slide_texts(slides[number - 1], session.language))):
        made = session.deck.duplicate(number, action.whole("target_position") or number + 1)
        session.mark_slide(made)
        session.current = made


def reorder_slides(session: SlideSession, action: OfficeAction) -> None:
    count = len(session.deck.slides())
    source, target = action.whole("from_index"), action.whole("to_index")
    for name, number in (("from_index", source), ("to_index", target)):
        if number > count:
            raise session.fail("no_slide", name, number=number, count=count)
    title = say("move_slide", number=source, other=target)
    if source != target and session.offer(action, f"s{source}", title, (str(source), str(target))):
        session.deck.move(source, target)


def set_slide_layout(session: SlideSession, action: OfficeAction) -> None:
    """Give a slide another layout; its texts go into the placeholders of the same kind."""
    number = action.whole("layout")
    layout = session.deck.find_layout(number)
    if layout is None:
        known = [f"{at} {one.name}" for at, one in enumerate(session.deck.layouts(), 1)]
        raise session.fail("no_layout", "layout", number=number, known=known)
    for at, slide in enumerate(session.slides(action), 1):
        if slide.slide_layout.part is layout.part:
            continue
        title = say("layout", number=session.deck.number_of(slide))
        texts = (slide.slide_layout.name, layout.name)
        if session.offer(action, session.address(slide), title, texts, at if action.flag("apply_to_all") else 0):
            _change_layout(slide, layout)


def _change_layout(slide: Slide, layout: SlideLayout) -> None:
    for relation in slide.part.rels.values():
        if relation.reltype == RT.SLIDE_LAYOUT:
            relation._target = layout.part
    free = list(layout.placeholders)
    for shape in slide.placeholders:
        kind = int(shape.placeholder_format.type or 0)
        family = next((one for one in _FAMILIES if kind in one), (kind,))
        match = next((one for one in free if int(one.placeholder_format.type or 0) in family), None)
        own = shape._element.find(f".//{qn('p:ph')}")
        if match is None or own is None:
            continue
        free.remove(match)
        other = match._element.find(f".//{qn('p:ph')}")
        for name in ("type", "idx"):
            value = other.get(name)
            if value is None:
                own.attrib.pop(name, None)
            else:
                own.set(name, value)


def set_notes(session: SlideSession, action: OfficeAction) -> None:
    slide = session.slide(action)
    before = slide.notes_slide.notes_text_frame.text if slide.has_notes_slide else ""
    text = action.text("text")
    if before == text:
        return
    title = say("notes", number=session.deck.number_of(slide))
    if session.offer(action, session.address(slide, "notes"), title, (before, text)):
        frame = slide.notes_slide.notes_text_frame
        if frame is not None:
            frame.text = text


def set_footer(session: SlideSession, action: OfficeAction) -> None:
    """Footer text on all slides but covers."""
    _set_small(session, action, _FOOTER, action.text("text"))


def set_page_numbers(session: SlideSession, action: OfficeAction) -> None:
    """Slide numbers where the layout has a place for them."""
    _set_small(session, action, _NUMBER, "")


def set_header(session: SlideSession, action: OfficeAction) -> None:
    session.skip(action, "no_headers")


def _set_small(session: SlideSession, action: OfficeAction, kind: int, text: str) -> None:
    skips, side = action.switch("skip_first"), action.text("place")
    for at, slide in enumerate(session.deck.slides(), 1):
        if (skips is True and at == 1) or (skips is None and slide.slide_layout._element.get("type") == "title"):
            continue
        own = next((one for one in slide.placeholders if int(one.placeholder_format.type or 0) == kind), None)
        pattern = next(
            (one for one in slide.slide_layout.placeholders if int(one.placeholder_format.type or 0) == kind), None
        )
        before = own.text_frame.text if own is not None else ""
        if (own is None and pattern is None) or (own is not None and (kind == _NUMBER or before == text)):
            continue
        if not session.offer(action, session.address(slide), say("footer", number=at), (before, text or "#"), at):
            continue
        if own is not None:
            own.text_frame.text = text
        elif pattern is not None:
            made = copy.deepcopy(pattern._element)
            tree = slide.shapes._spTree  # a shape inside a group has an id of the same slide
            made.nvSpPr.cNvPr.set("id", str(tree.max_shape_id + 1))
            tree.append(made)
            fresh = next(one for one in slide.placeholders if int(one.placeholder_format.type or 0) == kind)
            if kind == _FOOTER:
                fresh.text_frame.text = text
            if side:
                _put_aside(session, fresh, pattern, side)


def _put_aside(session: SlideSession, made: SlidePlaceholder, pattern: LayoutPlaceholder, side: str) -> None:
    """A small text at the left, in the middle or at the right of the slide's foot."""
    width = session.deck.width
    edge = width // 20
    left = {"left": edge, "center": (width - pattern.width) // 2, "right": width - pattern.width - edge}[side]
    made.left, made.top, made.width, made.height = left, pattern.top, pattern.width, pattern.height
    for one in made.text_frame.paragraphs:
        one.alignment = {"left": PP_ALIGN.LEFT, "center": PP_ALIGN.CENTER, "right": PP_ALIGN.RIGHT}[side]


def hide_slide(session: SlideSession, action: OfficeAction) -> None:
    """Leave a slide out of the show, or take it in again."""
    slide, is_hidden = session.slide(action), action.flag("hidden", True)
    if (slide._element.get("show") in ("0", "false")) == is_hidden:
        return
    number = session.deck.number_of(slide)
    if session.offer(action, session.address(slide), say("hide" if is_hidden else "show", number=number), ("", "")):
        if is_hidden:
            slide._element.set("show", "0")
        else:
            slide._element.attrib.pop("show", None)
