"""Text that is inserted, replaced or filled in."""

import copy
import re
from collections.abc import Iterator
from typing import Final

from pptx.shapes.base import BaseShape
from pptx.slide import Slide
from pptx.text.text import TextFrame, _Paragraph

from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._measure import fit_size
from metier.packs.office.slides._place import Box
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._sizes import find_spacing, run_size
from metier.packs.office.slides._text import shape_room, split_paragraphs, style_runs
from metier.packs.office.slides.steps._boxes import TextLook, place_text
from metier.packs.office.slides.steps._fill import fill_shape, find_body

_FIELD: Final = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}|\$\{\s*([^{}]+?)\s*\}")


def insert_text(session: SlideSession, action: OfficeAction) -> None:
    """Text into the empty body of the slide, else into a text box at a free place."""
    slide = session.slide(action)
    paragraphs = split_paragraphs(action.text("text"))
    title = say("text", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", action.text("text"))):
        return
    body = find_body(slide)
    if body is not None and not body.text_frame.text.strip():
        rest = fill_shape(session, slide, body, paragraphs)
        while rest:
            slide = session.next_slide(slide)
            again = find_body(slide)
            if again is None:
                break
            rest = fill_shape(session, slide, again, rest)
        return
    width, height = session.size
    place_text(session, slide, Box(width // 12, height // 2, width * 10 // 12, height // 6), paragraphs, TextLook())


def add_point(session: SlideSession, action: OfficeAction) -> None:
    """A further paragraph in the body of a slide, in the look of the last one; without a body as a text box."""
    slide, text = session.slide(action), action.text("text")
    body = find_body(slide)
    if body is None:
        shapes = [shape for shape in slide.shapes if shape.has_text_frame and shape.text_frame.text.strip()]
        body = next((shape for shape in shapes if shape != slide.shapes.title), None)
    if body is None or not body.text_frame.text.strip():
        insert_text(session, action)
        return
    frame = body.text_frame
    lines = [one.text for one in frame.paragraphs]
    if text in lines:
        return
    title = say("text", number=session.deck.number_of(slide))
    before = frame.text.replace("\x0b", "\n")
    if session.offer(action, session.address(slide, body.name), title, (before, f"{before}\n{text}")):
        last = [one for one in frame.paragraphs if one.text.strip()][-1]
        for line in split_paragraphs(text):
            made = copy.deepcopy(last._p)
            last._p.addnext(made)
            last = _Paragraph(made, last._parent)
            write_line(last, re.compile(r".+", re.DOTALL), line)
        refit(session, slide, body, frame)


def delete_point(session: SlideSession, action: OfficeAction) -> None:
    """Paragraphs with a text are taken out of a slide, or of all slides."""
    wanted, number = action.text("text"), 0
    slides = [session.slide(action)] if action.whole("slide_index") else session.deck.slides()
    for slide in slides:
        for shape, frame in list_frames(slide):
            for paragraph in [one for one in frame.paragraphs if wanted in one.text]:
                number += 1
                title = say("text", number=session.deck.number_of(slide))
                if not session.offer(action, session.address(slide, shape.name), title, (paragraph.text, ""), number):
                    continue
                if len(frame.paragraphs) > 1:
                    paragraph._p.getparent().remove(paragraph._p)
                else:
                    write_line(paragraph, re.compile(r".+", re.DOTALL), "")
    if not number:
        raise session.fail("no_match", "text", text=wanted)


def list_frames(slide: Slide) -> Iterator[tuple[BaseShape, TextFrame]]:
    """All texts of a slide: shapes, groups and cells of tables."""
    yield from _frames(list(slide.shapes))


def _frames(shapes: list[BaseShape]) -> Iterator[tuple[BaseShape, TextFrame]]:
    for shape in shapes:
        if shape.has_text_frame:
            yield shape, shape.text_frame
        elif getattr(shape, "has_table", False) and shape.has_table:
            for row in shape.table.rows:
                for cell in row.cells:
                    yield shape, cell.text_frame
        elif hasattr(shape, "shapes"):
            yield from _frames(list(shape.shapes))


def replace_text(session: SlideSession, action: OfficeAction) -> None:
    """Replace text across runs; the look of the first letter stays."""
    wanted = re.escape(action.text("find_text"))
    pattern = re.compile(
        rf"\b{wanted}\b" if action.flag("whole_word") else wanted,
        0 if action.flag("case_sensitive", True) else re.IGNORECASE,
    )
    new, only, limit = action.text("replace_text"), action.whole("occurrence"), action.whole("max_matches", 50)
    seen, only_slide = 0, action.text("address").removeprefix("s").partition(".")[0]
    for slide in session.deck.slides():
        if only_slide and only_slide != str(session.deck.number_of(slide)):
            continue
        for shape, frame in list_frames(slide):
            for paragraph in frame.paragraphs:
                before = "".join(run.text for run in paragraph.runs)
                if not pattern.search(before):
                    continue
                seen += 1
                if (only and seen != only) or seen > limit:
                    continue
                after = pattern.sub(lambda _: new, before)
                title = say("text", number=session.deck.number_of(slide))
                if session.offer(action, session.address(slide, shape.name), title, (before, after), seen):
                    write_line(paragraph, pattern, new)
                    refit(session, slide, shape, frame)
    if not seen:
        raise session.fail("no_match", "find_text", text=action.text("find_text"))


def write_line(paragraph: _Paragraph, pattern: re.Pattern[str], new: str) -> None:
    """Replace matches, also those that several runs share."""
    runs = list(paragraph.runs)
    text = "".join(run.text for run in runs)
    for found in reversed(list(pattern.finditer(text))):
        start = 0
        is_first = True
        for run in runs:
            end = start + len(run.text)
            low, high = max(found.start(), start), min(found.end(), end)
            if low < high:
                own = run.text
                middle = new if is_first else ""
                run.text = own[: low - start] + middle + own[high - start :]
                is_first = False
            start = end


def refit(session: SlideSession, slide: Slide, shape: BaseShape, frame: TextFrame) -> None:
    """Make a text smaller that grew beyond its shape."""
    room = shape_room(shape) if shape.has_text_frame else None
    if room is None:
        return
    size = run_size(shape)
    spacing = find_spacing(shape)
    fitting = fit_size([one.text for one in frame.paragraphs], room, size, min(8.0, size), spacing) or 8.0
    if fitting < size:
        style_runs(frame, size=fitting)
        session.warn("shrunk", number=session.deck.number_of(slide), size=f"{fitting:g}")


def _fill_text(text: str, values: dict[str, str]) -> str:
    return _FIELD.sub(lambda found: values.get(found[1] or found[2], found[0]), text)


def fill_template(session: SlideSession, action: OfficeAction) -> None:
    """Fill `{{name}}` in all texts of the deck."""
    given = action.fields.get("values")
    values = given if isinstance(given, dict) else {}
    mode = action.text("missing", "keep")
    missing: set[str] = set()
    number = 0
    for slide in session.deck.slides():
        for shape, frame in list_frames(slide):
            for paragraph in frame.paragraphs:
                before = "".join(run.text for run in paragraph.runs)
                names = {one or other for one, other in _FIELD.findall(before)}
                missing |= {name for name in names if name not in values}
                wanted = sorted(name for name in names if name in values or mode == "blank")
                if not wanted:
                    continue
                number += 1
                title = say("text", number=session.deck.number_of(slide))
                texts = {name: str(values.get(name) if values.get(name) is not None else "") for name in wanted}
                after = _fill_text(before, texts)
                if session.offer(action, session.address(slide, shape.name), title, (before, after), number):
                    for name, text in texts.items():
                        spelled = re.escape(name)
                        pattern = re.compile(rf"\{{\{{\s*{spelled}\s*\}}\}}|\$\{{\s*{spelled}\s*\}}")
                        write_line(paragraph, pattern, text)
                    refit(session, slide, shape, frame)
    if missing and mode == "refuse":
        raise session.fail("missing_values", "values", names=sorted(missing))
    if missing:
        session.warn("missing_values", names=sorted(missing))
