"""Fills templates and answers: placeholders, content controls, and the blanks of questions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from metier.packs.office._pieces import BLANK_PLACE
from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._edit import insert_text_at, replace_span
from metier.packs.office.writer._selection import block_paragraphs
from metier.packs.office.writer._session import PlacedText, StepRefused, WriterSession
from metier.packs.office.writer.reading import Numbering, drop, find, make, text_of, w, w_value

__all__ = ["answer_mode_apply", "fill_template"]

_PLACEHOLDER: Final = re.compile(r"\{\{\s*([^{}]{1,80}?)\s*\}\}|\$\{\s*([^{}]{1,80}?)\s*\}|«\s*([^«»]{1,80}?)\s*»")
_QUESTION: Final = re.compile(
    r"\s*(?:[（(]\s*[）)]\s*)?(?:第\s*)?[（(]?\s*(\d{1,4}|[一二三四五六七八九十]{1,4})\s*(?:题|[)）]|[.．、:：])"
)
_BRACKETS: Final = "（(【["


def fill_template(session: WriterSession, action: OfficeAction) -> None:
    """`fill_template`: `{{name}}`, `${name}`, `«name»` and content controls of this tag, in the format found there."""
    given = action.fields.get("values")
    values = (
        {name: "" if one is None else str(one) for name, one in given.items()} if isinstance(given, Mapping) else {}
    )
    spans = _find_placeholders(session)
    controls = _find_controls(session, values)
    missing = sorted({name for name, _ in spans} - values.keys())
    if missing and action.text("missing") == "refuse":
        raise StepRefused("values_missing", names=tuple(missing))
    filled = values if action.text("missing") != "blank" else {**dict.fromkeys(missing, ""), **values}
    wanted = [(name, span) for name, span in spans if name in filled]
    if not wanted and not controls:
        is_filled = any(
            value and value in session.text(one.element) for value in values.values() for one in session.paragraphs
        )
        raise StepRefused("already_there" if is_filled else "placeholders_missing", names=tuple(sorted(values)))
    taken = [(name, span, session.take_change(action)) for name, span in wanted]
    for name, span, change_id in reversed(taken):
        if change_id is None:
            continue
        before = session.text(span.element)
        replace_span(session, span.element, span.start, span.end, filled[name])
        session.add_change(change_id, action, span.placed.address, before, text_of(span.element))
    for name, control in controls:
        change_id = session.take_change(action)
        if change_id is not None:
            before = _set_control(session, control, values[name])
            session.add_change(change_id, action, name, before, values[name])


def _find_placeholders(session: WriterSession) -> list[tuple[str, PlacedText]]:
    return [
        (next(group for group in match.groups() if group), PlacedText(placed, match.start(), match.end()))
        for placed in session.everywhere()
        for match in _PLACEHOLDER.finditer(session.text(placed.element))
    ]


def _find_controls(session: WriterSession, values: Mapping[str, str]) -> list[tuple[str, XmlElement]]:
    """Content controls with a given tag or title whose text is another one."""
    found: list[tuple[str, XmlElement]] = []
    for control in session.root.iter(w("sdt")):
        names = (w_value(find(control, "sdtPr", "tag")), w_value(find(control, "sdtPr", "alias")))
        name = next((one for one in names if one and one in values), "")
        content = find(control, "sdtContent")
        if name and content is not None and text_of(content) != values[name]:
            found.append((name, control))
    return found


def _set_control(session: WriterSession, control: XmlElement, text: str) -> str:
    content = find(control, "sdtContent")
    if content is None:
        return ""
    before = text_of(content)
    texts = list(content.iter(w("t")))
    drop(find(control, "sdtPr"), "showingPlcHdr")
    for one in texts[1:]:
        one.text = ""
    if texts:
        texts[0].text = text
        run = texts[0].getparent()
        drop(find(run, "rPr"), "rStyle")
    else:
        place = next(content.iter(w("p")), content)
        place.append(make("r", None, make("t", text=text)))
    session.note_change(*control.iterancestors(w("p")), *control.iter(w("p")))
    return before


@dataclass(frozen=True, slots=True)
class _Question:
    label: str
    first: int
    last: int


def answer_mode_apply(session: WriterSession, action: OfficeAction) -> None:
    """`answer_mode_apply`: each answer goes into the blank of its question; strictly all of them or none."""
    given = action.fields.get("answers")
    answers = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    questions = _list_questions(session, action.text("block_id"))
    window = action.whole("search_window_chars", 520)
    places: list[tuple[str, list[PlacedText]]] = []
    for one in answers:
        label, answer, addresses = (str(one.get(name) or "").strip() for name in ("q", "answer", "addresses"))
        try:
            spans = (
                _find_placed(session, addresses.split(), label, answer)
                if addresses
                else _find_blanks(session, questions, label, answer, window)
            )
        except StepRefused as refusal:
            if action.flag("strict", True):
                raise
            session.skip(action, refusal.code, refusal.reason)
            continue
        if spans:
            places.append((answer, spans))
    if not places:
        session.skip(action, "already_there")
        return
    taken = [(answer, spans, session.take_change(action)) for answer, spans in places]
    for answer, spans, change_id in taken:
        if change_id is None:
            continue
        before = session.text(spans[0].element)
        parts = re.split(r"[;；\n]", answer) if len(spans) > 1 else [answer]
        parts = parts if len(parts) == len(spans) else [answer]
        for span, part in reversed(list(zip(spans, parts, strict=False))):
            _fill_blank(session, span, part.strip())
        session.add_change(change_id, action, spans[0].placed.address, before, session.text(spans[0].element))


def _list_questions(session: WriterSession, block_id: str) -> list[_Question]:
    inside = set(block_paragraphs(session, block_id)) if block_id else None
    numbering = Numbering(session.package, session.styles)
    found: list[tuple[str, int]] = []
    for at, placed in enumerate(session.paragraphs):
        number = numbering.number_of(placed.element)
        if inside is not None and placed.element not in inside:
            continue
        match = _QUESTION.match(f"{number} {session.text(placed.element)}" if number else session.text(placed.element))
        if match:
            found.append((match[1], at))
    if not found:
        return []
    ends = [at for _, at in found[1:]] + [len(session.paragraphs)]
    return [_Question(label, at, end) for (label, at), end in zip(found, ends, strict=True)]


def _find_blanks(
    session: WriterSession, questions: list[_Question], label: str, answer: str, window: int
) -> list[PlacedText]:
    """Blanks of a question, the first one or as many as the answer has parts; none if it is already answered."""
    wanted = re.sub(r"[第题.．、()（）\s]", "", label)
    question = _choose_question(session, [one for one in questions if one.label == wanted], label)
    spans: list[PlacedText] = []
    seen = 0
    has_answer = False
    for placed in session.paragraphs[question.first : question.last]:
        text = session.text(placed.element)
        spans += [
            PlacedText(placed, one.start(), one.end()) for one in BLANK_PLACE.finditer(text[: max(0, window - seen)])
        ]
        has_answer = has_answer or (
            bool(answer) and re.search(rf"[（(【\[_]?\s*{re.escape(answer)}\s*[)）】\]_]?", text) is not None
        )
        seen += len(text) + 1
        if seen >= window:
            break
    if not spans:
        if has_answer:
            return []
        raise StepRefused("no_blank", q=label)
    parts = len(re.split(r"[;；\n]", answer))
    return spans[:parts] if 1 < parts <= len(spans) else spans[:1]


def _choose_question(session: WriterSession, fitting: list[_Question], label: str) -> _Question:
    """The only question of this number, or the only one of several that waits for an answer."""
    waiting = [
        one
        for one in fitting
        if any(BLANK_PLACE.search(session.text(placed.element)) for placed in session.paragraphs[one.first : one.last])
    ]
    if not fitting:
        raise StepRefused("no_question", q=label)
    if len(waiting) > 1:
        raise StepRefused("several_questions", q=label)
    return (waiting or fitting)[0]


def _find_placed(session: WriterSession, addresses: list[str], label: str, answer: str) -> list[PlacedText]:
    """Blanks of the paragraphs that a question has them in; none if they hold the answer already."""
    inside = [one for one in session.paragraphs if one.address in addresses]
    texts = [session.text(one.element) for one in inside]
    spans = [
        PlacedText(placed, one.start(), one.end())
        for placed, text in zip(inside, texts, strict=True)
        for one in BLANK_PLACE.finditer(text)
    ]
    parts = len(re.split(r"[;；\n]", answer))
    if not spans and inside and all(part.strip() in "".join(texts) for part in re.split(r"[;；\n]", answer)):
        return []
    if not spans:
        raise StepRefused("no_blank", q=label)
    return spans if parts == len(spans) else spans[:1]


def _fill_blank(session: WriterSession, span: PlacedText, answer: str) -> None:
    blank = session.text(span.element)[span.start : span.end]
    if blank[0] in _BRACKETS:
        replace_span(session, span.element, span.start + 1, span.end - 1, f" {answer} ")
    elif blank[0] in "_＿":
        replace_span(session, span.element, span.start, span.end, answer)
    else:
        insert_text_at(session, span.element, span.end, answer)
