"""Operations on the look of text and paragraphs; Chinese fonts are set where Word looks for them (`w:eastAsia`)."""

import copy
import re
from collections.abc import Mapping
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office._look_text import describe_look
from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction, read_color
from metier.packs.office.writer._edit import track_change
from metier.packs.office.writer._search import find_spans
from metier.packs.office.writer._selection import block_paragraphs, target_spans
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import PlacedText, StepRefused, WriterSession
from metier.packs.office.writer._styling import style_paragraph, style_run
from metier.packs.office.writer.reading import cut_runs, drop, ensure, find, fingerprint, make, w, w_value

__all__ = [
    "apply_paragraph_style",
    "apply_text_style_to_matches",
    "normalize_headings",
    "set_paragraph_format",
    "set_text_style",
]

_CHINESE_NUMBERS: Final = "[一二三四五六七八九十百]+"
# How headings look that were only typed: by level, as GB/T 9704 numbers them, and as books do.
_TYPED_HEADINGS: Final = (
    (1, re.compile(rf"第{_CHINESE_NUMBERS}[章编部分]+\b.*|{_CHINESE_NUMBERS}、.*|第\d+章.*")),
    (2, re.compile(rf"[（(]{_CHINESE_NUMBERS}[)）].*|第{_CHINESE_NUMBERS}节.*|\d+\.\d+(?![\d.]).*")),
    (3, re.compile(r"\d+[.．](?!\d).*|\d+\.\d+\.\d+(?![\d.]).*")),
)
_MAX_HEADING_CHARS: Final = 40


def _format_runs(session: WriterSession, runs: list[XmlElement], fields: Mapping[str, JsonValue]) -> bool:
    is_changed = False
    for run in runs:
        old = find(run, "rPr")
        kept = copy.deepcopy(old) if old is not None else make("rPr")
        properties = ensure(run, "rPr")
        style_run(properties, fields)
        if fingerprint(properties) == fingerprint(kept):
            if old is None:
                run.remove(properties)
            continue
        is_changed = True
        if session.is_tracked:
            _track_format(session, properties, kept, "rPrChange")
    return is_changed


def _format_paragraph(session: WriterSession, paragraph: XmlElement, fields: Mapping[str, JsonValue]) -> bool:
    old = find(paragraph, "pPr")
    kept = copy.deepcopy(old) if old is not None else make("pPr")
    properties = ensure(paragraph, "pPr")
    style_paragraph(properties, fields)
    if fingerprint(properties) == fingerprint(kept):
        if old is None:
            paragraph.remove(properties)
        return False
    if session.is_tracked:
        drop(kept, "rPr", "sectPr")
        _track_format(session, properties, kept, "pPrChange")
    return True


def _track_format(session: WriterSession, properties: XmlElement, kept: XmlElement, name: str) -> None:
    if find(properties, name) is not None:
        return
    drop(kept, name)
    change = track_change(session, name)
    change.append(kept)
    properties.append(change)


def _runs_of(span: PlacedText) -> list[XmlElement]:
    return cut_runs(span.element, span.start, span.end) if span.end > span.start else []


def _apply(
    session: WriterSession, action: OfficeAction, spans: list[PlacedText], *, is_text: bool, is_block: bool
) -> None:
    """One change for all places: a format is chosen or not, not paragraph by paragraph."""
    spans = [span for span in spans if span.end > span.start or is_block]
    if not spans:
        raise StepRefused("nothing_to_change")
    change_id = session.take_change(action)
    if change_id is None:
        return
    count = 0
    for span in spans:
        is_changed = False
        if is_text:
            fields = {**action.fields, "highlight": None} if is_block and _cell_of(span) is not None else action.fields
            is_changed |= _format_runs(session, _runs_of(span), fields)
        if is_block:
            is_changed |= _format_paragraph(session, span.element, action.fields)
            is_changed |= _shade_cell(span, action.fields)
        count += is_changed
    if not count:
        session.skip(action, "already_there")
        return
    session.note_change(*(span.element for span in spans))
    is_whole = len(spans) > 1 and not action.text("block_id") and not action.flag("apply_to_selection", True)
    shown = "" if is_whole else session.text(spans[0].element)[spans[0].start : spans[0].end]
    session.add_change(
        change_id,
        action,
        "" if is_whole else spans[0].placed.address,
        shown,
        describe_look(action.fields, session.language),
        places=count,
    )


def _cell_of(span: PlacedText) -> XmlElement | None:
    parent = span.element.getparent()
    return parent if parent is not None and parent.tag == w("tc") else None


def _shade_cell(span: PlacedText, fields: Mapping[str, JsonValue]) -> bool:
    """Shade the whole cell of the text; whether this changed anything."""
    cell, shade = _cell_of(span), read_color(fields.get("highlight"))
    if cell is None or not shade:
        return False
    properties = ensure(cell, "tcPr")
    before = fingerprint(properties)
    ensure(properties, "shd").attrib.update({w("val"): "clear", w("color"): "auto", w("fill"): shade})
    return fingerprint(properties) != before


def set_text_style(session: WriterSession, action: OfficeAction) -> None:
    """`set_text_style`: of the selection, or of the whole body."""
    _apply(session, action, target_spans(session, action), is_text=True, is_block=False)


def set_paragraph_format(session: WriterSession, action: OfficeAction) -> None:
    """`set_paragraph_format`: alignment and spacing."""
    _apply(session, action, target_spans(session, action), is_text=False, is_block=True)


def apply_paragraph_style(session: WriterSession, action: OfficeAction) -> None:
    """`apply_paragraph_style`: text and paragraph format together; `heading` and `list` make headings and lists."""
    spans = target_spans(session, action)[: action.whole("max_paragraphs", 2_000)]
    if "heading" in action.fields or action.text("list"):
        _change_kind(session, action, spans)
        return
    _apply(session, action, spans, is_text=True, is_block=True)


def _change_kind(session: WriterSession, action: OfficeAction, spans: list[PlacedText]) -> None:
    from metier.packs.office.writer._lists import make_list

    change_id = session.take_change(action)
    if change_id is None or not spans:
        return
    level, kind = action.whole("heading"), action.text("list")
    before = [fingerprint(span.element) for span in spans]
    for span in spans:
        if "heading" in action.fields and level:
            _make_heading(session, span, level, action.fields)
        elif "heading" in action.fields:
            drop(find(span.element, "pPr"), "pStyle", "outlineLvl")
    if kind:
        is_listed = all(find(span.element, "pPr", "numPr") is not None for span in spans)
        if not is_listed:
            make_list(session, kind, [span.element for span in spans])
    count = sum(fingerprint(span.element) != old for span, old in zip(spans, before, strict=True))
    if not count:
        session.skip(action, "already_there")
        return
    session.note_change()
    shown = describe_look(action.fields, session.language)
    before_text = session.text(spans[0].element)
    session.add_change(change_id, action, spans[0].placed.address, before_text, shown, places=count)


def apply_text_style_to_matches(session: WriterSession, action: OfficeAction) -> None:
    """`apply_text_style_to_matches`: the format of every place of a text."""
    block_id = action.text("block_id")
    spans = find_spans(
        session,
        action.text("find_text"),
        is_case_sensitive=action.flag("case_sensitive"),
        is_whole_word=action.flag("whole_word"),
        within=block_paragraphs(session, block_id) if block_id else None,
    )
    if not spans:
        raise StepRefused("anchor_missing", anchor=action.text("find_text")[:60])
    for span in spans[: action.whole("max_matches", 50)]:
        change_id = session.take_change(action)
        if change_id is None:
            continue
        if _format_runs(session, _runs_of(span), action.fields):
            session.note_change(span.element)
            shown = session.text(span.element)[span.start : span.end]
            session.add_change(
                change_id, action, span.placed.address, shown, describe_look(action.fields, session.language)
            )
    if not any(one.action_id == action.id for one in session.changes):
        session.skip(action, "already_there")


def normalize_headings(session: WriterSession, action: OfficeAction) -> None:
    """`normalize_headings`: headings by style or by their typed number get the heading style and its format."""
    spans = target_spans(session, action, whole_if_none=True)
    levels = action.fields.get("levels")
    formats = {one["level"]: one for one in (levels if isinstance(levels, list) else []) if isinstance(one, Mapping)}
    done = 0
    for span in spans[: action.whole("max_paragraphs", 3_000)]:
        level = _heading_level(session, span)
        if not level or span.placed.kind != "paragraph":
            continue
        change_id = session.take_change(action)
        if change_id is None:
            continue
        if _make_heading(session, span, level, formats.get(level, {})):
            done += 1
            session.add_change(
                change_id, action, span.placed.address, session.text(span.element), _heading_words(session, level)
            )
    if not done:
        session.skip(action, "already_there")


def _heading_words(session: WriterSession, level: int) -> str:
    return WRITER_SENTENCES.render("look_heading", session.language, value=level)


def _heading_level(session: WriterSession, span: PlacedText) -> int:
    own = w_value(find(span.element, "pPr", "outlineLvl"))
    if own.isdecimal() and int(own) < 9:
        return int(own) + 1
    style_id = w_value(find(span.element, "pPr", "pStyle"))
    if level := session.styles.heading_level(style_id):
        return 0 if session.styles.name_of(style_id).lower() == "title" else level
    text = session.text(span.element).strip()
    if not text or len(text) > _MAX_HEADING_CHARS or text[-1] in "。；;，,：:！？":
        return 0
    return next((level for level, pattern in _TYPED_HEADINGS if pattern.fullmatch(text)), 0)


def _make_heading(session: WriterSession, span: PlacedText, level: int, fields: Mapping[str, JsonValue]) -> bool:
    paragraph = span.element
    before = fingerprint(paragraph)
    properties = ensure(paragraph, "pPr")
    style_id = session.styles.ensure_heading(level)
    if session.styles.heading_level(w_value(find(properties, "pStyle"))) != level:
        ensure(properties, "pStyle").set(w("val"), style_id)
    style_paragraph(properties, fields)
    _format_runs(session, _runs_of(span), fields)
    if fingerprint(paragraph) == before:
        return False
    session.note_change(paragraph)
    return True
