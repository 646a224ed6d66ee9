"""Changes to the text of paragraphs, directly or as tracked changes; the format of what stays is kept."""

import copy
import re
from typing import Final

from lxml import etree

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import WriterSession, list_visible
from metier.packs.office.writer.reading import cut_runs, drop, ensure, find, list_segments, make, new_run, w, w_value

__all__ = [
    "insert_runs",
    "insert_text_at",
    "mark_deleted",
    "mark_inserted",
    "new_paragraph",
    "part_from_table",
    "replace_span",
    "split_paragraph",
    "track_change",
]

_GAP_TWIPS: Final = "120"  # between a table and what is below it
_TOKEN: Final = re.compile(r"[A-Za-z0-9.]")


def track_change(session: WriterSession, name: str) -> XmlElement:
    """A `w:ins`, `w:del` or change of format with author and date."""
    return make(name, {"id": session.new_id(), "author": session.author, "date": session.date})


def replace_span(session: WriterSession, paragraph: XmlElement, start: int, end: int, text: str) -> None:
    """Put a text in place of visible characters; only what differs is changed, in the format that stood there."""
    old = session.text(paragraph)[start:end]
    head, tail = _common_ends(old, text)
    start, end, text = start + head, end - tail, text[head : len(text) - tail]
    if start == end:
        insert_text_at(session, paragraph, start, text)
        return
    properties = _properties_at(paragraph, start, is_after=True)
    runs = cut_runs(paragraph, start, end)
    if not runs:
        return
    is_tracked = session.is_tracked and not all(_is_own(session, run) for run in runs)
    last = _delete_runs(session, runs) if is_tracked else None
    if text:
        run = new_run(text, properties)
        if is_tracked:
            insertion = track_change(session, "ins")
            insertion.append(run)
            _add_after(last if last is not None else runs[-1], insertion)
        else:
            runs[0].addprevious(run)
    if not is_tracked:
        _remove_runs(runs)
    session.note_change(paragraph)


def _is_own(session: WriterSession, run: XmlElement) -> bool:
    """Whether the run is a tracked insertion of the same author, which may be changed without a trace."""
    return any(w_value(one, "author") == session.author for one in run.iterancestors(w("ins")))


def insert_text_at(session: WriterSession, paragraph: XmlElement, offset: int, text: str) -> XmlElement:
    """Insert a text into a paragraph in the format of the character before, and return its run."""
    run = new_run(text, _properties_at(paragraph, offset))
    insert_runs(session, paragraph, offset, [run])
    return run


def insert_runs(session: WriterSession, paragraph: XmlElement, offset: int, runs: list[XmlElement]) -> None:
    """Insert runs at an offset; as a tracked insertion if changes are tracked."""
    if session.is_tracked and runs:
        insertion = track_change(session, "ins")
        insertion.extend(runs)
        runs = [insertion]
    before = cut_runs(paragraph, 0, offset)
    if before:
        anchor = before[-1]
        for run in runs:
            _add_after(anchor, run)
            anchor = run
    else:
        first = next((one.run for one in list_segments(paragraph) if one.run is not None), None)
        if first is not None:
            place = _outermost(first)
            for run in runs:
                place.addprevious(run)
        else:
            paragraph.extend(runs)
    session.note_change(paragraph)


def new_paragraph(
    session: WriterSession, text: str, properties: XmlElement | None, run_properties: XmlElement | None
) -> XmlElement:
    """A paragraph with a text in a given format; tracked as inserted if changes are tracked."""
    paragraph = make("p")
    if properties is not None:
        own = copy.deepcopy(properties)
        drop(own, "sectPr", "pPrChange", "rPr")
        if len(own):
            paragraph.append(own)
    if text:
        paragraph.append(new_run(text, run_properties))
    if session.is_tracked:
        mark_inserted(session, paragraph)
    return paragraph


def split_paragraph(session: WriterSession, paragraph: XmlElement, offset: int) -> XmlElement:
    """Move what follows an offset into a new paragraph with the same format, and return that."""
    cut_runs(paragraph, 0, offset)
    second = make("p")
    properties = find(paragraph, "pPr")
    if properties is not None:
        own = copy.deepcopy(properties)
        second.append(own)
        drop(find(paragraph, "pPr"), "sectPr")
    at = 0
    moving: list[XmlElement] = []
    for segment in list_segments(paragraph):
        if at >= offset and segment.run is not None:
            moving = [_outermost(segment.run)]
            moving += list(moving[0].itersiblings())
            break
        at += len(segment.text)
    second.extend(moving)
    paragraph.addnext(second)
    if session.is_tracked:
        _mark(session, paragraph, "ins")
    session.note_change(paragraph)
    return second


def mark_inserted(session: WriterSession, paragraph: XmlElement) -> None:
    """Track a whole paragraph as inserted."""
    _mark(session, paragraph, "ins")
    for run in [one for one in paragraph if one.tag == w("r")]:
        insertion = track_change(session, "ins")
        run.addprevious(insertion)
        insertion.append(run)


def mark_deleted(session: WriterSession, element: XmlElement) -> None:
    """Track a whole paragraph or table as deleted."""
    for row in element.iter(w("tr")):
        properties = ensure(row, "trPr")
        drop(properties, "del")
        properties.append(track_change(session, "del"))
    for paragraph in [element] if element.tag == w("p") else list(element.iter(w("p"))):
        _mark(session, paragraph, "del")
        _delete_runs(session, [one for one in paragraph.iter(w("r")) if not _is_deleted(one)])
        session.note_change(paragraph)


def _mark(session: WriterSession, paragraph: XmlElement, name: str) -> None:
    properties = ensure(ensure(paragraph, "pPr"), "rPr")
    drop(properties, name)
    properties.insert(0, track_change(session, name))


def _is_deleted(run: XmlElement) -> bool:
    return any(True for _ in run.iterancestors(w("del"), w("moveFrom"), w("txbxContent")))


def _delete_runs(session: WriterSession, runs: list[XmlElement]) -> XmlElement | None:
    """Wrap runs as deleted and return the last wrapper."""
    last: XmlElement | None = None
    for run in runs:
        deletion = track_change(session, "del")
        run.addprevious(deletion)
        deletion.append(run)
        for one in run.findall(w("t")):
            one.tag = w("delText")
            one.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        last = deletion
    return last


def _remove_runs(runs: list[XmlElement]) -> None:
    """Take visible runs out; a run that also holds a picture or a note keeps that."""
    for run in runs:
        for one in [one for one in run if one.tag in (w("t"), w("tab"), w("br"), w("cr"), w("noBreakHyphen"))]:
            run.remove(one)
        parent = run.getparent()
        if parent is not None and all(one.tag == w("rPr") for one in run):
            parent.remove(run)
            if parent.tag in (w("ins"), w("hyperlink"), w("smartTag")) and len(parent) == 0:
                parent.getparent().remove(parent)


def _properties_at(paragraph: XmlElement, offset: int, *, is_after: bool = False) -> XmlElement | None:
    """Format of the character before an offset (or after it); that of the paragraph mark if there is no text."""
    at = 0
    found: XmlElement | None = None
    for segment in list_segments(paragraph):
        if segment.run is None:
            at += len(segment.text)
            continue
        if found is None or at < offset or (is_after and at <= offset):
            found = segment.run
        at += len(segment.text)
        if at > offset if is_after else at >= offset:
            break
    properties = find(found, "rPr") if found is not None else find(paragraph, "pPr", "rPr")
    if properties is None:
        return None
    own = copy.deepcopy(properties)
    drop(own, "ins", "del", "moveFrom", "moveTo", "rPrChange", "vanish")
    return own if len(own) else None


def _outermost(run: XmlElement) -> XmlElement:
    """The run, or what it is wrapped in, as a child of the paragraph."""
    element = run
    parent = element.getparent()
    while parent is not None and parent.tag != w("p"):
        element, parent = parent, parent.getparent()
    return element


def _add_after(anchor: XmlElement, element: XmlElement) -> None:
    """Add after a run. A tracked insertion cannot stand inside another one, so that one is divided."""
    parent = anchor.getparent()
    if parent is not None and parent.tag == w("ins") and element.tag == w("ins"):
        following = list(anchor.itersiblings())
        if following:
            second = etree.Element(parent.tag, parent.attrib, nsmap=parent.nsmap)
            second.extend(following)
            parent.addnext(second)
        parent.addnext(element)
        return
    anchor.addnext(element)


def _common_ends(old: str, new: str) -> tuple[int, int]:
    """Length of the common beginning and end; numbers and words are not cut."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    while head and _is_inside_token(old, head, new):
        head -= 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    while tail and _is_inside_token(old, len(old) - tail, new, len(new) - tail):
        tail -= 1
    return head, tail


def _is_inside_token(old: str, at: int, new: str, new_at: int | None = None) -> bool:
    return any(
        0 < place < len(text) and _TOKEN.match(text[place - 1]) and _TOKEN.match(text[place])
        for text, place in ((old, at), (new, at if new_at is None else new_at))
    )


def part_from_table(session: WriterSession, element: XmlElement) -> None:
    """A small gap between a table and what is written or drawn right below it; headings have their own."""
    if element.tag != w("p") or find(element, "r") is None or not _follows_table(element):
        return
    if session.styles.heading_level(w_value(find(element, "pPr", "pStyle"))):
        return
    spacing = ensure(ensure(element, "pPr"), "spacing")
    if w_value(spacing, "before") in ("", "0") and w_value(spacing, "lineRule") != "exact":
        spacing.set(w("before"), _GAP_TWIPS)


def _follows_table(paragraph: XmlElement) -> bool:
    """Whether the page shows a table right before a paragraph."""
    return next((one.tag for one in list_visible(paragraph, is_before=True)), "") == w("tbl")
