"""Look of placeholders in decks whose masters have no styles.

LibreOffice writes masters without `txStyles`: what a title or a list looks like stands in the sample text of the
master's placeholders. New placeholders get it as styles of their own, or they would be plain text of any size.
"""

import copy
from collections.abc import Iterator, Sequence
from typing import Final

from lxml import etree
from pptx.oxml.ns import qn
from pptx.presentation import Presentation
from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from metier.packs.office.slides._sizes import find_size, is_title

__all__ = ["dress_placeholders", "has_subtitle"]

_TITLES: Final = (1, 3)
_SUBTITLE: Final = 4
_BODIES: Final = (2, 7)
_TITLE_SIZE: Final = "3200"
_BODY_SIZE: Final = "2400"
_BULLET_INDENT: Final = "342900"


def has_subtitle(slide: Slide) -> bool:
    """Whether a slide is a cover: it has a place for a subtitle."""
    return any(int(one.placeholder_format.type or 0) == _SUBTITLE for one in slide.placeholders)


def dress_placeholders(slide: Slide, others: Sequence[Slide], presentation: Presentation) -> None:
    """Give new placeholders that inherit no styles those that samples show, and their places."""
    kinds = [int(one.placeholder_format.type or 0) for one in slide.placeholders]
    for shape, kind in zip(slide.placeholders, kinds, strict=True):
        if kind not in (*_TITLES, _SUBTITLE, *_BODIES) or find_size(shape) is not None:
            continue
        body = shape.text_frame._txBody
        styles = body.find(qn("a:lstStyle"))
        if styles is None:
            styles = etree.Element(qn("a:lstStyle"))
            body.find(qn("a:bodyPr")).addnext(styles)
        samples = list(_list_samples(slide, others, presentation, kind))
        levels = next((found for one in samples if (found := _read_levels(one))), [])
        styles.extend(levels or [_usual_level(shape)])
        if samples and sum(one in _BODIES for one in kinds) < 2:
            _place_like(shape, samples[0])


def _place_like(shape: BaseShape, sample: BaseShape) -> None:
    """Put a placeholder where its sample stands: the layouts beside such masters have places of no design."""
    places = [getattr(sample, name) for name in ("left", "top", "width", "height")]
    if None not in places:
        shape.left, shape.top, shape.width, shape.height = places
    anchor, own = (one._element.find(f".//{qn('a:bodyPr')}") for one in (sample, shape))
    for name in ("anchor", "lIns", "tIns", "rIns", "bIns") if anchor is not None and own is not None else ():
        if anchor.get(name):
            own.set(name, anchor.get(name))


def _list_samples(slide: Slide, others: Sequence[Slide], presentation: Presentation, kind: int) -> Iterator[BaseShape]:
    """Placeholders that show how such text looks: of the own master first, of subtitles those of other covers."""
    own = slide.slide_layout.slide_master
    family = _TITLES if kind in _TITLES else _BODIES
    masters = [own, *(one for one in presentation.slide_masters if one.part is not own.part)]
    places = [*(one for one in others if one.part is not slide.part), slide.slide_layout]
    for place in places if kind == _SUBTITLE else masters:
        for one in place.placeholders:
            same = int(one.placeholder_format.type or 0)
            if same == kind or (kind != _SUBTITLE and same in family):
                yield one


def _read_levels(sample: BaseShape) -> list[etree._Element]:
    """Styles of the levels that a sample text has."""
    levels: dict[int, etree._Element] = {}
    for paragraph in sample._element.iter(qn("a:p")):
        look = paragraph.find(qn("a:pPr"))
        words = paragraph.find(f"{qn('a:r')}/{qn('a:rPr')}")
        words = paragraph.find(qn("a:endParaRPr")) if words is None else words
        number = int(look.get("lvl", "0")) + 1 if look is not None else 1
        if words is None or not words.get("sz") or number in levels or number > 9:
            continue
        level = etree.Element(qn(f"a:lvl{number}pPr"))
        if look is not None:
            level.attrib.update({name: value for name, value in look.attrib.items() if name != "lvl"})
            level.extend(copy.deepcopy(one) for one in look if one.tag not in (qn("a:defRPr"), qn("a:extLst")))
        run = etree.SubElement(level, qn("a:defRPr"), {k: v for k, v in words.attrib.items() if k != "lang"})
        run.extend(copy.deepcopy(one) for one in words)
        levels[number] = level
    return [levels[number] for number in sorted(levels)]


def _usual_level(shape: BaseShape) -> etree._Element:
    """What is usual where no sample is found: large titles, lists with points."""
    level = etree.Element(qn("a:lvl1pPr"))
    if is_title(shape) or int(shape.placeholder_format.type or 0) == _SUBTITLE:
        etree.SubElement(level, qn("a:buNone"))
    else:
        level.set("marL", _BULLET_INDENT)
        level.set("indent", f"-{_BULLET_INDENT}")
        etree.SubElement(level, qn("a:buFont"), typeface="Arial")
        etree.SubElement(level, qn("a:buChar"), char="•")
    etree.SubElement(level, qn("a:defRPr"), sz=_TITLE_SIZE if is_title(shape) else _BODY_SIZE)
    return level
