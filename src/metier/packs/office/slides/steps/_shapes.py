"""Text boxes, shapes, pictures, word art and links."""

import io
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.slide import Slide
from pptx.text.text import _Run
from pptx.util import Pt

from metier.packs.office._look_text import describe_look
from metier.packs.office.ooxml import PictureProblem, read_picture
from metier.packs.office.plan import OfficeAction
from metier.packs.office.slides._measure import EMU_PER_POINT, fit_size
from metier.packs.office.slides._place import Box, box_of, is_mark
from metier.packs.office.slides._sentences import say
from metier.packs.office.slides._session import SlideSession
from metier.packs.office.slides._sizes import DEFAULT_PT, is_title
from metier.packs.office.slides._text import (
    MIN_BOX_PT,
    align,
    cut_runs,
    inner_box,
    prepare_box,
    set_font,
    split_paragraphs,
    style_run,
    style_runs,
    write_paragraphs,
)
from metier.packs.office.slides.steps._boxes import TextLook, place_text
from metier.packs.office.slides.steps._fill import fill_shape
from metier.packs.office.slides.steps._placeholders import find_placeholder
from metier.packs.office.slides.steps._texts import list_frames

_SHAPES: Final[Mapping[str, MSO_SHAPE]] = MappingProxyType(
    {
        "rectangle": MSO_SHAPE.RECTANGLE,
        "rect": MSO_SHAPE.RECTANGLE,
        "rounded_rectangle": MSO_SHAPE.ROUNDED_RECTANGLE,
        "oval": MSO_SHAPE.OVAL,
        "ellipse": MSO_SHAPE.OVAL,
        "circle": MSO_SHAPE.OVAL,
        "triangle": MSO_SHAPE.ISOSCELES_TRIANGLE,
        "diamond": MSO_SHAPE.DIAMOND,
        "arrow": MSO_SHAPE.RIGHT_ARROW,
        "right_arrow": MSO_SHAPE.RIGHT_ARROW,
        "left_arrow": MSO_SHAPE.LEFT_ARROW,
        "up_arrow": MSO_SHAPE.UP_ARROW,
        "down_arrow": MSO_SHAPE.DOWN_ARROW,
        "chevron": MSO_SHAPE.CHEVRON,
        "pentagon": MSO_SHAPE.PENTAGON,
        "hexagon": MSO_SHAPE.HEXAGON,
        "star": MSO_SHAPE.STAR_5_POINT,
        "cloud": MSO_SHAPE.CLOUD,
        "callout": MSO_SHAPE.ROUNDED_RECTANGULAR_CALLOUT,
        "heart": MSO_SHAPE.HEART,
        "line": MSO_SHAPE.RECTANGLE,
    }
)


def add_textbox(session: SlideSession, action: OfficeAction) -> None:
    slide = session.slide(action)
    paragraphs = split_paragraphs(action.text("text"))
    color = session.color(action, "font_color")
    target = find_placeholder(session, action, slide, is_needed=False)
    title = say("textbox", number=session.deck.number_of(slide))
    address = session.address(slide, target.name if target is not None else "")
    before = target.text_frame.text if target is not None else ""
    if not session.offer(action, address, title, (before, action.text("text"))):
        return
    if target is not None:
        rest = fill_shape(session, slide, target, paragraphs)
        while rest:
            slide = session.next_slide(slide)
            again = find_placeholder(session, action, slide, is_needed=False)
            if again is None:
                break
            rest = fill_shape(session, slide, again, rest)
        return
    look = TextLook(
        size=action.size("font_size"),
        bold=action.switch("font_bold"),
        color=color,
        alignment=action.text("alignment"),
    )
    place_text(session, slide, session.wanted_box(action, 10.0, 5.0), paragraphs, look)


def add_shape(session: SlideSession, action: OfficeAction) -> None:
    slide = session.slide(action)
    name = action.text("shape_type").strip().lower().replace(" ", "_").replace("-", "_").removeprefix("msoshape")
    if name not in _SHAPES:
        raise session.fail("bad_shape", "shape_type", name=action.text("shape_type"), known=sorted(_SHAPES))
    fill, line = session.color(action, "fill_color"), session.color(action, "line_color")
    title = say("shape", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", action.text("text") or name)):
        return
    wanted = session.wanted_box(action, 5.0, 0.1 if name == "line" else 3.0)
    box = session.place(slide, wanted, name)
    if box is None:
        slide = session.next_slide(slide)
        box = session.place(slide, wanted, name) or wanted
    shape = slide.shapes.add_shape(_SHAPES[name], box.left, box.top, box.width, box.height)
    session.mark(shape)
    if fill:
        shape.fill.solid()
        shape.fill.fore_color.rgb = RGBColor.from_string(fill)
    if line:
        shape.line.color.rgb = RGBColor.from_string(line)
    if action.text("text"):
        prepare_box(shape, is_centered=True)
        paragraphs = split_paragraphs(action.text("text"))
        room = inner_box(shape, box)
        # Round and pointed shapes have less room for text than their frame.
        share = 1.0 if "rect" in name else 0.7
        size = fit_size(paragraphs, (room[0] * share, room[1] * share), DEFAULT_PT, 8.0) or 8.0
        write_paragraphs(shape.text_frame, paragraphs)
        style_runs(shape.text_frame, size=size)
        align(shape.text_frame, "center")


def add_image(session: SlideSession, action: OfficeAction) -> None:
    slide = session.slide(action)
    path = action.text("path")
    try:
        picture = read_picture(path, session.folder)
    except PictureProblem as problem:
        raise session.fail(f"bad_picture_{problem}", "path", path=path) from None
    title = say("picture", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", path)):
        return
    ratio = picture.height_px / max(picture.width_px, 1)
    width = action.size("width") or min(picture.width_px / 96 * 2.54, 16.0)
    height = action.size("height") or width * ratio
    wanted = session.wanted_box(action, width, height)
    wanted = Box(wanted.left, wanted.top, session.deck.emu(width), session.deck.emu(height))
    box = session.place(slide, wanted, path)
    if box is None:
        slide = session.next_slide(slide)
        box = session.place(slide, wanted, path) or wanted
    scale = min(box.width / wanted.width, box.height / wanted.height)
    shape = slide.shapes.add_picture(
        io.BytesIO(picture.content), box.left, box.top, int(wanted.width * scale), int(wanted.height * scale)
    )
    session.mark(shape)


def insert_word_art(session: SlideSession, action: OfficeAction) -> None:
    """Large text with a shadow, as PowerPoint's word art is since 2010."""
    slide = session.slide(action)
    title = say("art", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", action.text("text"))):
        return
    width, height = session.size
    size = action.size("size") or 40.0
    wanted = Box(width // 8, height // 3, width * 3 // 4, int(size * EMU_PER_POINT * 1.8))
    look = TextLook(size, action.flag("bold", True), action.switch("italic"), "", action.text("font"), "center")
    shape = place_text(session, slide, wanted, split_paragraphs(action.text("text")), look)
    properties = shape._element.find(f".//{qn('a:bodyPr')}")
    if properties.find(qn("a:prstTxWarp")) is None:
        properties.insert(
            0, etree.fromstring(f'<a:prstTxWarp xmlns:a="{_A}" prst="textNoShape"><a:avLst/></a:prstTxWarp>')
        )
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.color.theme_color = MSO_THEME_COLOR.ACCENT_1
            run._r.get_or_add_rPr().insert(1, etree.fromstring(_SHADOW))


_A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SHADOW: Final = (
    f'<a:effectLst xmlns:a="{_A}"><a:outerShdw blurRad="38100" dist="19050" dir="2700000" algn="tl">'
    '<a:srgbClr val="000000"><a:alpha val="40000"/></a:srgbClr></a:outerShdw></a:effectLst>'
)


def add_hyperlink(session: SlideSession, action: OfficeAction) -> None:
    """Link on a shape's text, or in a text box of its own."""
    slide = session.slide(action)
    address = action.text("address").strip()
    if not address.lower().startswith(("http://", "https://", "mailto:")):
        raise session.fail("bad_link", "address", address=address)
    target = session.shape(action, slide, "target_shape_name") if action.text("target_shape_name") else None
    title = say("link", number=session.deck.number_of(slide))
    if target is not None and _has_link(target, address):
        return
    if not session.offer(action, session.address(slide), title, ("", address)):
        return
    if target is None:
        wanted = session.wanted_box(action, 10.0, 1.2)
        bottom = Box(wanted.left, session.size[1] * 3 // 4, wanted.width, wanted.height)
        target = place_text(session, slide, bottom, [action.text("text_to_display") or address], TextLook())
    elif action.text("text_to_display"):
        fill_shape(session, slide, target, [action.text("text_to_display")])
    if not target.has_text_frame or not target.text_frame.text:
        target.click_action.hyperlink.address = address
        return
    for paragraph in target.text_frame.paragraphs:
        for run in paragraph.runs:
            run.hyperlink.address = address
            if action.text("tooltip"):
                link = run._r.get_or_add_rPr().find(qn("a:hlinkClick"))
                link.set("tooltip", action.text("tooltip"))


def _has_link(shape: BaseShape, address: str) -> bool:
    if not shape.has_text_frame:
        return False
    runs = [run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]
    return bool(runs) and all(run.hyperlink.address == address for run in runs)


def set_shape_style(session: SlideSession, action: OfficeAction) -> None:
    """Fill, line and text colour of one shape, or of all shapes of the slide."""
    slide = session.slide(action)
    if action.text("shape_name"):
        shapes = [session.shape(action, slide)]
    else:
        shapes = [
            one
            for one in slide.shapes
            if isinstance(one, Shape) and not is_mark(one) and (action.flag("apply_to_all") or not one.is_placeholder)
        ]
        shapes = shapes if action.flag("apply_to_all") else shapes[-1:]
    fill, line, text = (session.color(action, one) for one in ("fill_color", "line_color", "text_color"))
    after = ", ".join(f"{name}={value}" for name, value in action.fields.items() if name != "apply_to_all")
    title = say("style", number=session.deck.number_of(slide))
    if not session.offer(action, session.address(slide), title, ("", after)):
        return
    for shape in shapes:
        if not isinstance(shape, Shape):
            continue
        if fill:
            shape.fill.solid()
            shape.fill.fore_color.rgb = RGBColor.from_string(fill)
        if line:
            shape.line.color.rgb = RGBColor.from_string(line)
        width = action.size("line_width")
        if width is not None:
            shape.line.width = Pt(width)
        style_runs(shape.text_frame, color=text, bold=action.switch("bold"))


def set_slide_text_style(session: SlideSession, action: OfficeAction) -> None:
    """Font, size and colour of all text of a slide or the deck; a size that does not fit is made smaller."""
    color = session.color(action, "color")
    after = describe_look(action.fields, session.language)
    for slide in session.slides(action):
        if action.flag("notes"):
            _style_notes(session, action, slide, color, after)
            continue
        title = say("style", number=session.deck.number_of(slide))
        session.change_slide(action, slide, title, after, partial(_style_slide, action, slide, color))


def _style_slide(action: OfficeAction, slide: Slide, color: str) -> None:
    if action.text("words"):
        for _, frame in list_frames(slide):
            for run in cut_runs(frame, action.text("words")):
                style_run(run, font=action.text("font"), size=action.size("size"), color=color)
                _set_switches(action, run)
        return
    for shape in slide.shapes:
        if shape.has_text_frame and _is_meant(action, shape):
            _style_shape(action, shape, color)


def _style_notes(session: SlideSession, action: OfficeAction, slide: Slide, color: str, after: str) -> None:
    """Look of a slide's notes; a slide without notes stays as it is."""
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if frame is None or not frame.text.strip():
        return
    number = session.deck.number_of(slide)
    at = number if action.flag("apply_to_all") else 0
    if session.offer(action, session.address(slide, "notes"), say("notes", number=number), (frame.text, after), at):
        style_runs(frame, font=action.text("font"), size=action.size("size"), bold=action.switch("bold"), color=color)


def _style_shape(action: OfficeAction, shape: BaseShape, color: str) -> None:
    size = action.size("size")
    box = box_of(shape)
    paragraphs = [one.text for one in shape.text_frame.paragraphs]
    if size is not None and box is not None:
        size = fit_size(paragraphs, inner_box(shape, box), size, min(MIN_BOX_PT, size)) or MIN_BOX_PT
    style_runs(shape.text_frame, font=action.text("font"), size=size, bold=action.switch("bold"), color=color)
    if action.text("alignment"):
        align(shape.text_frame, action.text("alignment"))
    for run in (one for paragraph in shape.text_frame.paragraphs for one in paragraph.runs):
        _set_switches(action, run)
    for one in shape._element.iter(qn("a:endParaRPr")):
        if action.text("font"):
            set_font(one, action.text("font"))


def _set_switches(action: OfficeAction, run: _Run) -> None:
    for name in ("bold", "italic", "underline"):
        if action.switch(name) is not None:
            setattr(run.font, name, action.switch(name))


def _is_meant(action: OfficeAction, shape: BaseShape) -> bool:
    """Whether a step is about this text: titles, bodies, or those with certain words only."""
    kind = action.text("placeholder_kind")
    if kind and (kind == "title") != is_title(shape):
        return False
    return action.text("containing") in shape.text_frame.text
