"""Text in shapes: fonts for Chinese and Latin, inherited sizes, and what fits."""

import copy
import re
from typing import Final

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.text.text import TextFrame, _Paragraph, _Run
from pptx.util import Pt

from metier.packs.office.slides._place import Box, box_of
from metier.packs.office.slides._sizes import is_title

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_BULLET: Final = re.compile(r"^\s*(?:[-*•·●▪]\s+)")
_ALIGNMENTS: Final = (("left", PP_ALIGN.LEFT), ("center", PP_ALIGN.CENTER), ("right", PP_ALIGN.RIGHT))
MIN_BODY_PT: Final = 14.0
MIN_TITLE_PT: Final = 20.0
MIN_BOX_PT: Final = 10.0


def split_paragraphs(text: str) -> list[str]:
    """Paragraphs of a text; marks of lists go, because slides have their own."""
    lines = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return [_BULLET.sub("", line) for line in lines if line.strip()] or [""]


def inner_box(shape: BaseShape, box: Box) -> tuple[float, float]:
    """Room for text inside a shape, a little less than there is."""
    properties = shape._element.find(f".//{qn('a:bodyPr')}")
    insets = [91_440, 45_720, 91_440, 45_720]
    if properties is not None:
        for at, name in enumerate(("lIns", "tIns", "rIns", "bIns")):
            insets[at] = int(properties.get(name, insets[at]))
    if shape.is_placeholder and not is_title(shape):
        # Points of a list stand behind their marks.
        insets[0] += 342_900
    return max(box.width - insets[0] - insets[2], 90_000) * 0.97, max(box.height - insets[1] - insets[3], 90_000)


def write_paragraphs(frame: TextFrame, paragraphs: list[str]) -> None:
    """Replace the text; the look of the first old paragraph stays."""
    body = frame._txBody
    old = frame.paragraphs[0]
    look = old._p.find(qn("a:pPr"))
    run_look = old._p.find(f"{qn('a:r')}/{qn('a:rPr')}")
    for one in list(body.findall(qn("a:p"))):
        body.remove(one)
    for text in paragraphs:
        paragraph = etree.SubElement(body, qn("a:p"))
        if look is not None:
            paragraph.append(_copy(look))
        run = etree.SubElement(paragraph, qn("a:r"))
        if run_look is not None:
            run.append(_copy(run_look))
        etree.SubElement(run, qn("a:t")).text = text
    for paragraph in frame.paragraphs:
        for one in paragraph.runs:
            _set_language(one)


def _copy(element: etree._Element) -> etree._Element:
    import copy

    return copy.deepcopy(element)


def _set_language(run: _Run) -> None:
    properties = run._r.get_or_add_rPr()
    has_chinese = any("\u4e00" <= char <= "\u9fff" for char in run.text)
    properties.set("lang", "zh-CN" if has_chinese else "en-US")
    if has_chinese:
        properties.set("altLang", "en-US")


def style_runs(
    frame: TextFrame,
    *,
    font: str = "",
    size: float | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    color: str = "",
) -> None:
    """Set the look of all text in a frame; the font for Chinese too."""
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            style_run(run, font=font, size=size, bold=bold, italic=italic, color=color)


def cut_runs(frame: TextFrame, words: str) -> list[_Run]:
    """Runs that hold exactly these words, cut out of longer ones; the look stays."""
    found: list[_Run] = []
    for paragraph in frame.paragraphs:
        text, start = "".join(run.text for run in paragraph.runs), 0
        while words and (at := text.find(words, start)) >= 0:
            start = at + len(words)
            for edge in (at, start):
                _cut_run(paragraph, edge)
            place = 0
            for run in paragraph.runs:
                found += [run] if at <= place < start and run.text else []
                place += len(run.text)
    return found


def _cut_run(paragraph: _Paragraph, at: int) -> None:
    """Make a run begin at this character of the paragraph."""
    place = 0
    for run in paragraph.runs:
        own = run.text
        if place < at < place + len(own):
            rest = copy.deepcopy(run._r)
            run._r.addnext(rest)
            run.text, _Run(rest, run._parent).text = own[: at - place], own[at - place :]
            return
        place += len(own)


def style_run(
    run: _Run,
    *,
    font: str = "",
    size: float | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    color: str = "",
) -> None:
    """Set the look of one run."""
    if size is not None:
        run.font.size = Pt(size)
    if bold is not None:
        run.font.bold = bold
    if italic is not None:
        run.font.italic = italic
    if color:
        run.font.color.rgb = RGBColor.from_string(color)
    if font:
        set_font(run._r.get_or_add_rPr(), font)


def set_font(properties: etree._Element, font: str) -> None:
    """Font for Latin and for Chinese text; the libraries set only the first."""
    for name in ("a:latin", "a:ea", "a:cs"):
        for old in properties.findall(qn(name)):
            properties.remove(old)
    later = [qn(one) for one in ("a:sym", "a:hlinkClick", "a:hlinkMouseOver", "a:rtl", "a:extLst")]
    place = next((at for at, one in enumerate(properties) if one.tag in later), len(properties))
    for name in ("a:cs", "a:ea", "a:latin"):
        properties.insert(place, etree.Element(qn(name), typeface=font))


def align(frame: TextFrame, alignment: str) -> None:
    for paragraph in frame.paragraphs:
        paragraph.alignment = dict(_ALIGNMENTS)[alignment]


def prepare_box(shape: Shape, *, is_centered: bool = False) -> None:
    """Wrap the text of a new shape within its width."""
    shape.text_frame.word_wrap = True
    if is_centered:
        shape.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE


def shape_room(shape: BaseShape) -> tuple[float, float] | None:
    """Room for text of a shape; None if its place is not known."""
    box = box_of(shape)
    return None if box is None else inner_box(shape, box)
