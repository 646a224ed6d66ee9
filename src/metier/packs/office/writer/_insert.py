"""Operations that write text: at the cursor, before or after a text, or in place of one."""

import copy
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._edit import (
    insert_text_at,
    mark_inserted,
    new_paragraph,
    part_from_table,
    replace_span,
    split_paragraph,
)
from metier.packs.office.writer._search import find_one, find_spans
from metier.packs.office.writer._session import Cursor, PlacedText, StepRefused, WriterSession
from metier.packs.office.writer.reading import (
    drop,
    ensure,
    find,
    fingerprint,
    list_segments,
    make,
    new_run,
    text_of,
    w,
    w_value,
)

__all__ = [
    "add_receipt",
    "body_format",
    "insert_at_text",
    "insert_text",
    "is_done",
    "make_lines",
    "place_blocks",
    "receipt_name",
    "replace_text",
    "text_lines",
    "text_width",
]

_TEXT_WIDTH: Final = 8_306  # twips of A4 within Word's usual margins
_HEADING: Final = re.compile(r"(#{1,6})\s+(.+)")
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_OWN_NUMBER: Final = re.compile(r"\s*(第[一二三四五六七八九十百\d]+[条章节]|[（(]?[一二三四五六七八九十\d]+[)）、.．])")


def receipt_name(action: OfficeAction) -> str:
    """Name of the hidden bookmark that shows that this very step was already written."""
    content = json.dumps([action.id, action.op, dict(action.fields)], ensure_ascii=False, sort_keys=True)
    return f"_mi_{hashlib.sha1(content.encode(), usedforsecurity=False).hexdigest()[:16]}"


def is_done(session: WriterSession, action: OfficeAction) -> bool:
    """Whether this insertion is already in the document; noted as skipped then."""
    if session.has_receipt(receipt_name(action)):
        session.skip(action, "already_there")
        return True
    return False


def add_receipt(session: WriterSession, action: OfficeAction, elements: Sequence[XmlElement]) -> None:
    """Put the bookmark of a step around its first run or paragraph."""
    start, end = session.bookmark(receipt_name(action))
    first = elements[0]
    if first.tag in (w("p"), w("tbl")):
        paragraph = first if first.tag == w("p") else next(first.iter(w("p")))
        properties = find(paragraph, "pPr")
        paragraph.insert(0 if properties is None else 1, start)
        paragraph.append(end)
        return
    outer = first.getparent() if first.getparent() is not None and first.getparent().tag == w("ins") else first
    outer.addprevious(start)
    outer.addnext(end)


def body_format(session: WriterSession) -> tuple[XmlElement | None, XmlElement | None]:
    """Format of the document's running text, that of most characters outside of headings, lists and tables.

    What the style of the plan says comes before it.
    """
    if session.body_format is None:
        properties, runs = _find_body_format(session)
        session.body_format = properties, _dress(session, runs)
    return session.body_format


def _dress(session: WriterSession, runs: XmlElement | None, *, is_heading: bool = False) -> XmlElement | None:
    from metier.packs.office.writer._styling import dress_run  # which finds blocks, and blocks are inserted here

    return dress_run(runs, session.style, is_heading=is_heading)


def _find_body_format(session: WriterSession) -> tuple[XmlElement | None, XmlElement | None]:
    weights: Counter[bytes] = Counter()
    samples: dict[bytes, tuple[XmlElement | None, XmlElement | None]] = {}
    for placed in session.paragraphs:
        element = placed.element
        style_id = w_value(find(element, "pPr", "pStyle"))
        if placed.kind != "paragraph" or placed.address.startswith("new:") or session.styles.heading_level(style_id):
            continue
        segments = [one for one in list_segments(element) if one.run is not None]
        if not segments or find(element, "pPr", "numPr") is not None:
            continue
        longest = max(segments, key=lambda one: len(one.text))
        properties = _clean_paragraph(find(element, "pPr"))
        runs = _clean_run(find(longest.run, "rPr"))
        key = b"|".join(b"" if one is None else fingerprint(one) for one in (properties, runs))
        weights[key] += len(session.text(element))
        samples[key] = (properties, runs)
    return samples[weights.most_common(1)[0][0]] if weights else (None, None)


def _clean_paragraph(properties: XmlElement | None) -> XmlElement | None:
    if properties is None:
        return None
    own = copy.deepcopy(properties)
    drop(own, "rPr", "sectPr", "numPr", "pageBreakBefore", "outlineLvl", "keepNext", "pPrChange", "framePr", "pBdr")
    return own if len(own) else None


def _clean_run(properties: XmlElement | None) -> XmlElement | None:
    if properties is None:
        return None
    own = copy.deepcopy(properties)
    drop(
        own, "b", "bCs", "i", "iCs", "u", "color", "highlight", "vanish", "rStyle", "rPrChange", "ins", "del", "strike"
    )
    return own if len(own) else None


def text_lines(text: str) -> list[str]:
    """Lines of a text without the empty one after its last line end."""
    return text.removesuffix("\n").split("\n")


def make_lines(session: WriterSession, text: str) -> list[XmlElement]:
    """Paragraphs in the document's own format: `# …` becomes a heading, `**…**` bold."""
    properties, runs = body_format(session)
    made: list[XmlElement] = []
    for line in text_lines(text):
        heading = _HEADING.fullmatch(line.strip())
        if heading:
            paragraph = new_paragraph(session, heading[2], None, _dress(session, None, is_heading=True))
            own = ensure(paragraph, "pPr")
            ensure(own, "pStyle").set(w("val"), session.styles.ensure_heading(len(heading[1])))
        elif _BOLD.search(line):
            paragraph = new_paragraph(session, "", properties, None)
            for at, part in enumerate(_BOLD.split(line)):
                if part:
                    paragraph.append(_bold_run(part, runs) if at % 2 else new_run(part, runs))
            if session.is_tracked:
                mark_inserted(session, paragraph)
        else:
            paragraph = new_paragraph(session, line, properties, runs)
        made.append(paragraph)
    return made


def _bold_run(text: str, properties: XmlElement | None) -> XmlElement:
    run = new_run(text, properties)
    ensure(ensure(run, "rPr"), "b")
    return run


def place_blocks(session: WriterSession, elements: list[XmlElement]) -> None:
    """Put paragraphs and tables where the cursor is, and move the cursor behind them.

    Two tables that touch become one in Word, and a cell must end with a paragraph: an empty one is put there.
    """
    anchor, is_before = _find_anchor(session)
    previous = anchor if not is_before else (None if anchor is None else anchor.getprevious())
    if elements[0].tag == w("tbl") and previous is not None and previous.tag == w("tbl"):
        elements = [make("p"), *elements]
    if elements[-1].tag == w("tbl"):
        following = anchor if is_before else (None if anchor is None else anchor.getnext())
        if following is None or following.tag != w("p"):
            elements = [*elements, make("p")]
    if anchor is None:
        for at, element in enumerate(elements):
            session.body.insert(at, element)
    elif is_before:
        for element in elements:
            anchor.addprevious(element)
    else:
        for element in reversed(elements):
            anchor.addnext(element)
    part_from_table(session, elements[0])
    session.place_after(previous, elements)
    session.cursor = Cursor(after=elements[-1])
    session.note_change()


def text_width(session: WriterSession) -> int:
    """Twips between the margins where the cursor is: the section ends with the next section's properties."""
    anchor, _ = _find_anchor(session)
    behind = [] if anchor is None else [anchor, *anchor.itersiblings(w("p"))]
    own = next((one for element in behind if (one := find(element, "pPr", "sectPr")) is not None), None)
    section = find(session.body, "sectPr") if own is None else own
    size, margins = find(section, "pgSz"), find(section, "pgMar")
    values = [w_value(size, "w"), w_value(margins, "left"), w_value(margins, "right")]
    if not all(value.isdecimal() for value in values):
        return _TEXT_WIDTH
    return max(1_000, int(values[0]) - int(values[1]) - int(values[2]))


def _find_anchor(session: WriterSession) -> tuple[XmlElement | None, bool]:
    cursor = session.cursor
    if cursor.paragraph is not None:
        return cursor.paragraph, cursor.offset == 0 and bool(session.text(cursor.paragraph))
    if cursor.after is not None:
        return cursor.after, False
    content = [one for one in session.body if one.tag != w("sectPr")]
    return (content[-1] if content else None), False


def insert_text(session: WriterSession, action: OfficeAction, *, in_block: bool = False) -> None:
    """`insert_text`: into the paragraph of the cursor if there is one, else as paragraphs of their own."""
    if not in_block and is_done(session, action):
        return
    text = action.text("text")
    change_id = session.take_change(action)
    if change_id is None:
        return
    paragraph = session.cursor.paragraph
    address = session.address_at_cursor()
    is_own = action.flag("new_paragraph_before") or "\n" in text or bool(action.whole("level") or action.text("list"))
    if paragraph is not None and not is_own:
        offset = session.cursor.offset
        before = session.text(paragraph)
        elements = [insert_text_at(session, paragraph, offset, text)]
        session.cursor = Cursor(paragraph, offset + len(text))
        after = session.text(paragraph)
        if action.flag("new_paragraph_after"):
            second = split_paragraph(session, paragraph, offset + len(text))
            session.place_after(paragraph, [second])
            session.cursor = Cursor(second, 0)
    else:
        before, after = "", text
        level = action.whole("level")
        elements = make_lines(session, f"{'#' * level} {text}" if 0 < level <= 6 and "\n" not in text else text)
        if action.text("list"):
            from metier.packs.office.writer._lists import make_list

            make_list(session, action.text("list"), elements)
        place_blocks(session, elements)
    if not in_block:
        add_receipt(session, action, elements)
    session.selected = _spans_of(session, elements)
    session.add_change(change_id, action, address, before, after)


def _spans_of(session: WriterSession, elements: Sequence[XmlElement]) -> list[PlacedText]:
    inside = {one for one in elements if one.tag == w("p")}
    return [
        PlacedText(placed, 0, len(session.text(placed.element)))
        for placed in session.paragraphs
        if placed.element in inside
    ]


def insert_at_text(session: WriterSession, action: OfficeAction) -> None:
    """`insert_after_text` and `insert_before_text`: the anchor must stand in exactly one place."""
    if is_done(session, action):
        return
    address = action.text("address")
    within = [one.element for one in session.at_address(address)] if address else None
    span = find_one(session, action.text("anchor_text"), within=within)
    change_id = session.take_change(action)
    if change_id is None:
        return
    is_after = action.op == "insert_after_text"
    paragraph, text = span.element, action.text("text")
    has_break = action.flag("new_paragraph_before") if is_after else action.flag("new_paragraph_after")
    whole = session.text(paragraph)
    at_edge = not whole[span.end :].strip() if is_after else not whole[: span.start].strip()
    lines = text_lines(text)
    if has_break or (len(lines) > 1 and at_edge):
        after = text
        elements = [_like(session, paragraph, line) for line in lines]
        for element in reversed(elements) if is_after else elements:
            paragraph.addnext(element) if is_after else paragraph.addprevious(element)
        session.place_after(paragraph if is_after else paragraph.getprevious(), elements)
        session.note_change()
        before = ""
    else:
        before = whole
        elements = [insert_text_at(session, paragraph, span.end if is_after else span.start, text)]
        after = session.text(paragraph)
        is_split = action.flag("new_paragraph_after") if is_after else action.flag("new_paragraph_before")
        if is_split and not at_edge:
            offset = span.end + len(text) if is_after else span.start
            session.place_after(paragraph, [split_paragraph(session, paragraph, offset)])
    add_receipt(session, action, elements)
    session.add_change(change_id, action, span.placed.address, before, after)


def _like(session: WriterSession, paragraph: XmlElement, line: str) -> XmlElement:
    """A paragraph with a text in the format of another; of headings only the text after them is not one."""
    style_id = w_value(find(paragraph, "pPr", "pStyle"))
    if session.styles.heading_level(style_id) or find(paragraph, "pPr", "outlineLvl") is not None:
        return make_lines(session, line)[0]
    runs = [one.run for one in list_segments(paragraph) if one.run is not None]
    properties = copy.deepcopy(find(paragraph, "pPr"))
    if properties is not None and _OWN_NUMBER.match(line):
        drop(properties, "numPr")
    run_properties = _clean_run(find(runs[-1], "rPr")) if runs else None
    return new_paragraph(session, line, properties, run_properties)


def replace_text(session: WriterSession, action: OfficeAction) -> None:
    """`replace_text`: every match, or one occurrence; places that already have the new text are left alone."""
    wanted, text = action.text("find_text"), action.text("replace_text")
    within = _find_scope(session, action)
    spans = find_spans(
        session,
        wanted,
        is_case_sensitive=action.flag("case_sensitive", True),
        is_whole_word=action.flag("whole_word"),
        within=within,
        everywhere=not action.text("block_id"),
    )
    occurrence = action.whole("occurrence")
    if occurrence and spans:
        if occurrence > len(spans):
            raise StepRefused("occurrence_missing", anchor=wanted[:60], count=len(spans))
        spans = [spans[occurrence - 1]]
    inside = text.find(wanted)
    spans = [span for span in spans if not _has_new_text(session, span, text, inside)]
    if not spans:
        is_there = bool(text) and bool(find_spans(session, text, within=within))
        raise StepRefused("already_there" if is_there else "anchor_missing", anchor=wanted[:60])
    was_tracked = session.is_tracked
    session.is_tracked = was_tracked or action.flag("track")
    try:
        _replace_spans(session, action, spans[: action.whole("max_matches", 50)], text)
    finally:
        session.is_tracked = was_tracked


def _find_scope(session: WriterSession, action: OfficeAction) -> list[XmlElement] | None:
    from metier.packs.office.writer._selection import block_paragraphs

    if action.text("address"):
        return [one.element for one in session.at_address(action.text("address"))]
    return block_paragraphs(session, action.text("block_id")) if action.text("block_id") else None


def _has_new_text(session: WriterSession, span: PlacedText, text: str, inside: int) -> bool:
    """Whether the match is part of the new text, as after a first run of `甲方` → `甲方（买方）`."""
    if inside < 0:
        return False
    whole, start = session.text(span.element), span.start - inside
    return start >= 0 and whole[start : start + len(text)] == text


def _replace_spans(session: WriterSession, action: OfficeAction, spans: list[PlacedText], text: str) -> None:
    from metier.packs.office.writer._comments import attach_comment

    taken = [(span, session.take_change(action)) for span in spans]
    for span, change_id in reversed(taken):  # from the end, so that offsets within a paragraph stay right
        if change_id is None:
            continue
        before = session.text(span.element)
        replace_span(session, span.element, span.start, span.end, text)
        if action.text("comment"):
            end = span.start + max(len(text), 1)
            attach_comment(session, span.element, span.start, end, action.text("comment"))
        after = text_of(span.element)
        session.add_change(change_id, action, span.placed.address, before, after)
    session.changes[-len(taken) :] = sorted(session.changes[-len(taken) :], key=lambda one: _order(one.id))


def _order(change_id: str) -> tuple[str, int]:
    name, _, number = change_id.partition("#")
    return name, int(number or 1)
