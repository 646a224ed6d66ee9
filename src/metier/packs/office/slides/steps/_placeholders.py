"""Placeholders by kind, type and number."""

from typing import Final

from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._text import split_paragraphs
from metier.packs.office.slides.steps._boxes import add_text
from metier.packs.office.slides.steps._fill import fill_shape

_KINDS: Final = (("title", (1, 3)), ("subtitle", (4,)), ("body", (2, 7, 4)))
_SMALL: Final = (13, 15, 16)


def find_placeholder(session: SlideSession, action: OfficeAction, slide: Slide, *, is_needed: bool) -> BaseShape | None:
    """Placeholder that a step names; None if it names none and none is needed."""
    kind, number = action.text("placeholder_kind"), action.whole("placeholder_index")
    kind_number = action.fields.get("placeholder_type")
    if not is_needed and not kind and kind_number is None and not number:
        return None
    listed = [one for one in slide.placeholders if int(one.placeholder_format.type or 0) not in _SMALL]
    found = listed
    if kind:
        found = [one for one in listed if int(one.placeholder_format.type or 0) in dict(_KINDS)[kind]]
    if isinstance(kind_number, int):
        found = [one for one in found if int(one.placeholder_format.type or 0) == kind_number]
    place = max(number, 1) - 1
    if place < len(found) and found[place].has_text_frame:
        return found[place]
    return None


def fill_placeholder(session: SlideSession, action: OfficeAction) -> None:
    """Write a text into a placeholder; the rest goes to further slides."""
    slide = session.slide(action)
    number = session.deck.number_of(slide)
    target = find_placeholder(session, action, slide, is_needed=True)
    paragraphs = split_paragraphs(action.text("text"))
    if target is None and action.flag("strict", True) and not action.flag("fallback_to_add_textbox"):
        known = [f"{one.placeholder_format.idx}: {one.name}" for one in slide.placeholders]
        raise session.fail("no_placeholder", "placeholder_index", number=number, known=known)
    before = target.text_frame.text if target is not None else ""
    if target is not None and before == "\n".join(paragraphs):
        return
    address = session.address(slide, target.name if target is not None else "")
    if not session.offer(action, address, say("text", number=number), (before, action.text("text"))):
        return
    if target is None:
        add_text(session, slide, paragraphs)
        return
    rest = fill_shape(session, slide, target, paragraphs)
    while rest:
        slide = session.next_slide(slide)
        again = find_placeholder(session, action, slide, is_needed=True)
        if again is None:
            add_text(session, slide, rest)
            return
        rest = fill_shape(session, slide, again, rest)
