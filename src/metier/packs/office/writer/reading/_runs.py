"""The text of a paragraph as the page shows it, and where each character of it stands in the file."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from lxml import etree

from metier.packs.office.files import XmlElement
from metier.packs.office.writer.reading._names import attribute, find, has_flag, make, w

__all__ = ["Segment", "cut_runs", "list_segments", "list_textboxes", "new_run", "text_of"]

_MATH_TEXT: Final = attribute("m:t")
_FALLBACK: Final = attribute("mc:Fallback")
_RUN: Final = w("r")
_BREAKS: Mapping[str, str] = {
    w("tab"): "\t",
    w("ptab"): "\t",
    w("br"): "\n",
    w("cr"): "\n",
    w("noBreakHyphen"): "-",
}
# Content that the page does not show, or that is not part of the paragraph's line.
_SKIPPED: Final = frozenset(
    {
        w("pPr"),
        w("rPr"),
        w("del"),
        w("moveFrom"),
        w("delText"),
        w("instrText"),
        w("txbxContent"),
        w("rt"),
        w("sdtPr"),
        w("fldData"),
        _FALLBACK,
        attribute("wp:docPr"),
    }
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of visible text within one run; `element` is the `w:t`, or a tab or break."""

    text: str
    element: XmlElement
    run: XmlElement | None


def list_segments(paragraph: XmlElement) -> list[Segment]:
    """Visible text of a paragraph in order: with tracked insertions, without deletions and hidden text."""
    found: list[Segment] = []
    _collect(paragraph, None, found)
    return found


def _collect(element: XmlElement, run: XmlElement | None, found: list[Segment]) -> None:
    for one in element:
        tag = one.tag
        if tag in _SKIPPED or not isinstance(tag, str):
            continue
        if tag == _RUN:
            if not has_flag(find(one, "rPr"), "vanish"):
                _collect(one, one, found)
        elif run is not None and tag == w("t"):
            found.append(Segment(one.text or "", one, run))
        elif run is not None and tag in _BREAKS:
            found.append(Segment(_BREAKS[tag], one, run))
        elif tag == _MATH_TEXT:
            found.append(Segment(one.text or "", one, None))
        elif tag != w("tabs"):
            _collect(one, run, found)


def text_of(paragraph: XmlElement) -> str:
    """Visible text of a paragraph."""
    return "".join(segment.text for segment in list_segments(paragraph))


def list_textboxes(paragraph: XmlElement) -> Iterator[XmlElement]:
    """Contents of the text boxes that are anchored in a paragraph, each once."""
    for box in paragraph.iter(w("txbxContent")):
        nearest = next(box.iterancestors(w("p")))
        if nearest is paragraph and not any(True for _ in box.iterancestors(_FALLBACK)):
            yield box


def new_run(text: str, properties: XmlElement | None = None) -> XmlElement:
    """A run with this text; line ends become breaks and tabs tabs."""
    run = make("r")
    if properties is not None:
        run.append(copy.deepcopy(properties))
    for at, line in enumerate(text.split("\n")):
        if at:
            run.append(make("br"))
        for place, part in enumerate(line.split("\t")):
            if place:
                run.append(make("tab"))
            if part:
                run.append(make("t", text=part))
    return run


def cut_runs(paragraph: XmlElement, start: int, end: int) -> list[XmlElement]:
    """Runs that hold exactly the visible characters from start to end; runs are split at both ends, formats kept.

    Each part of a split run has a copy of its properties. Text of formulas cannot be cut and is left out.
    """
    _split_at(paragraph, end)
    _split_at(paragraph, start)
    runs: list[XmlElement] = []
    at = 0
    for segment in list_segments(paragraph):
        length = len(segment.text)
        is_inside = at >= start and at + length <= end and length > 0
        if is_inside and segment.run is not None and (not runs or runs[-1] is not segment.run):
            runs.append(segment.run)
        at += length
    return runs


def _split_at(paragraph: XmlElement, offset: int) -> None:
    """Ensure that a run begins at this offset."""
    at = 0
    for segment in list_segments(paragraph):
        end = at + len(segment.text)
        if segment.run is not None and at < offset < end:
            _split_text(segment, offset - at)
            return
        if segment.run is not None and at == offset and segment.text:
            _split_before(segment.run, segment.element)
            return
        at = end


def _split_text(segment: Segment, offset: int) -> None:
    element, run = segment.element, segment.run
    if run is None:
        return
    rest = make("t", text=segment.text[offset:])
    keep = make("t", text=segment.text[:offset])
    element.addprevious(keep)
    element.addnext(rest)
    run.remove(element)
    _split_before(run, rest)


def _split_before(run: XmlElement, element: XmlElement) -> None:
    """Move an element and what follows it into a run of its own after this one."""
    if next((one for one in run if one.tag != w("rPr")), None) is element:
        return
    second = etree.Element(run.tag, run.attrib, nsmap=run.nsmap)
    properties = find(run, "rPr")
    if properties is not None:
        second.append(copy.deepcopy(properties))
    following = [element, *element.itersiblings()]
    for one in following:
        second.append(one)
    run.addnext(second)
