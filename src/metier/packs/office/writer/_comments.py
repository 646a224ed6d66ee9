"""Comments in the margin, as Word keeps them: a part of their own and a range in the text."""

from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._search import find_one
from metier.packs.office.writer._session import PlacedText, WriterSession
from metier.packs.office.writer.reading import NAMESPACES, cut_runs, find, make, new_run, text_of, w, w_value

__all__ = ["add_comment", "attach_comment"]

_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_MAX_SHOWN: Final = 200


def add_comment(session: WriterSession, action: OfficeAction) -> None:
    """`add_comment`: at a text, or at a whole paragraph by its address."""
    anchor, address = action.text("anchor_text"), action.text("address")
    if anchor:
        within = [one.element for one in session.at_address(address)] if address else None
        occurrence = action.whole("occurrence", 1)
        # Where the plan names no occurrence, a text that stands in several places is not guessed.
        is_named = occurrence > 1 or bool(address)
        span = find_one(session, anchor, occurrence=occurrence if is_named else None, within=within)
    else:
        placed = session.at_address(address)[0]
        span = PlacedText(placed, 0, len(session.text(placed.element)))
    text = action.text("text")
    if _has_comment(session, span.element, text):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    attach_comment(session, span.element, span.start, span.end, text, author=action.text("author"))
    shown = session.text(span.element)[span.start : span.end][:_MAX_SHOWN]
    session.add_change(change_id, action, span.placed.address, shown, text)


def attach_comment(
    session: WriterSession, paragraph: XmlElement, start: int, end: int, text: str, *, author: str = ""
) -> None:
    """Add a comment on visible characters of a paragraph."""
    part = _comments_part(session)
    root = session.package.xml(part)
    used = {w_value(one, "id") for one in root.findall(w("comment"))}
    number = next(str(at) for at in range(len(used), 10**6) if str(at) not in used)
    name = author or session.author
    comment = make("comment", {"id": number, "author": name, "date": session.date, "initials": name[:1]})
    for at, line in enumerate(text.split("\n")):
        own = make("p")
        if at == 0:
            own.append(make("r", None, make("annotationRef")))
        own.append(new_run(line))
        comment.append(own)
    root.append(comment)
    session.package.touch(part)
    _mark_range(paragraph, start, end, number)
    session.note_change(paragraph)


def _mark_range(paragraph: XmlElement, start: int, end: int, number: str) -> None:
    begin, finish = make("commentRangeStart", {"id": number}), make("commentRangeEnd", {"id": number})
    reference = make("r", None, make("commentReference", {"id": number}))
    runs = cut_runs(paragraph, start, end) if end > start else []
    if runs:
        first, last = _within_paragraph(runs[0]), _within_paragraph(runs[-1])
        first.addprevious(begin)
        last.addnext(finish)
    else:
        at = 0 if find(paragraph, "pPr") is None else 1
        paragraph.insert(at, begin)
        paragraph.append(finish)
    finish.addnext(reference)


def _within_paragraph(run: XmlElement) -> XmlElement:
    element = run
    while element.getparent() is not None and element.getparent().tag != w("p"):
        element = element.getparent()
    return element


def _has_comment(session: WriterSession, paragraph: XmlElement, text: str) -> bool:
    numbers = {w_value(one, "id") for one in paragraph.iter(w("commentReference"))}
    if not numbers:
        return False
    root = session.package.xml(_comments_part(session))
    wanted = "".join(text.split())
    return any(
        w_value(one, "id") in numbers and "".join("".join(map(text_of, one.iter(w("p")))).split()) == wanted
        for one in root.findall(w("comment"))
    )


def _comments_part(session: WriterSession) -> str:
    package = session.package
    found = next((one for one in package.list_relations(package.main_part, "comments") if one in package), "")
    if found:
        return found
    name = package.new_name("word/comments{}.xml").replace("comments1.xml", "comments.xml")
    package.add(name, f'<w:comments xmlns:w="{NAMESPACES["w"]}"/>'.encode(), _TYPE)
    package.add_relation(package.main_part, "comments", name)
    return name
