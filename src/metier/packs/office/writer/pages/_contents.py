"""Table of contents: a field that Word keeps up to date, with the headings as its present entries."""

from typing import Final

from metier.language import choose
from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer.pages._sections import note_direct
from metier.packs.office.writer.pages._settings import setting
from metier.packs.office.writer.reading import PlacedParagraph, ensure, find, make, new_run, text_of, w, w_value, whole

__all__ = ["insert_contents"]

_TITLES: Final = ("title", "标题")
_INDENT_TWIPS: Final = 420
_TEXT_WIDTH_TWIPS: Final = 8_300


def insert_contents(session: WriterSession, action: OfficeAction) -> None:
    """`insert_contents`: after a paragraph, by default the title; Word and WPS fill in the page numbers."""
    if _has_contents(session):
        session.skip(action, "already_there")
        return
    levels = action.whole("levels") or 3
    after = session.at_address(action.text("after"))[-1] if action.text("after") else _find_title(session)
    headings = [
        (level, placed)
        for placed in session.paragraphs
        if placed.kind == "paragraph"
        and 1 <= (level := _level(session, placed)) <= levels
        and (after is None or placed.element is not after.element)
        and session.text(placed.element).strip()
    ]
    if not headings:
        raise StepRefused("no_headings")
    change_id = session.take_change(action)
    if change_id is None:
        return
    made = [_heading(session), *_entries(session, headings, levels)]
    anchor = None if after is None else after.element
    for one in reversed(made):
        if anchor is None:
            session.body.insert(0, one)
        else:
            anchor.addnext(one)
    session.place_after(anchor, made)
    update = setting(session, "updateFields", is_made=True)
    if update is not None:
        update.set(w("val"), "true")
    session.note_change()
    note_direct(session, action)
    shown = "\n".join(text_of(one) for one in made)
    session.add_change(change_id, action, session.address_of(anchor), "", shown)


def _has_contents(session: WriterSession) -> bool:
    codes = (one.text or "" for one in session.body.iter(w("instrText")))
    return any(code.split()[:1] == ["TOC"] for code in codes)


def _level(session: WriterSession, placed: PlacedParagraph) -> int:
    style = w_value(find(placed.element, "pPr", "pStyle"))
    outline = w_value(find(placed.element, "pPr", "outlineLvl"))
    return session.styles.heading_level(style) or (whole(outline, -1) + 1 if outline else 0) or 0


def _find_title(session: WriterSession) -> PlacedParagraph | None:
    first = next((one for one in session.paragraphs if session.text(one.element).strip()), None)
    if first is None or first.kind != "paragraph":
        return None
    name = session.styles.name_of(w_value(find(first.element, "pPr", "pStyle")))
    return first if name.lower() in _TITLES or not _level(session, first) else None


def _heading(session: WriterSession) -> XmlElement:
    made = make("p")
    properties = ensure(made, "pPr")
    ensure(properties, "keepNext")
    ensure(properties, "jc").set(w("val"), "center")
    run = new_run(choose(session.language, en="Contents", zh="目　录"), None)
    ensure(ensure(run, "rPr"), "b")
    made.append(run)
    return made


def _entries(session: WriterSession, headings: list[tuple[int, PlacedParagraph]], levels: int) -> list[XmlElement]:
    width = _text_width(session)
    made = []
    for number, (level, placed) in enumerate(headings):
        name = _mark_heading(session, placed.element)
        paragraph = make("p")
        properties = ensure(paragraph, "pPr")
        style = session.styles.find_id(f"toc {level}")
        if style:
            ensure(properties, "pStyle").set(w("val"), style)
        ensure(properties, "tabs").append(make("tab", {"val": "right", "leader": "dot", "pos": str(width)}))
        ensure(properties, "ind").set(w("left"), str(_INDENT_TWIPS * (level - 1)))
        if not number:
            paragraph.extend(_begin_field(f' TOC \\o "1-{levels}" \\h \\z \\u '))
        link = make("hyperlink", {"anchor": name, "history": "1"})
        link.append(new_run(session.text(placed.element).strip(), None))
        link.append(_run(make("tab")))
        link.extend([*_begin_field(f" PAGEREF {name} \\h "), _run(_mark("end"))])
        paragraph.append(link)
        made.append(paragraph)
    made[-1].append(_run(_mark("end")))
    return made


def _text_width(session: WriterSession) -> int:
    section = session.body.find(w("sectPr"))
    size, margins = find(section, "pgSz"), find(section, "pgMar")
    width = whole(w_value(size, "w")) - whole(w_value(margins, "left")) - whole(w_value(margins, "right"))
    return width if width > 0 else _TEXT_WIDTH_TWIPS


def _mark_heading(session: WriterSession, paragraph: XmlElement) -> str:
    """Bookmark of a heading that entries point to; one that is there is used again."""
    for one in paragraph.iter(w("bookmarkStart")):
        if w_value(one, "name").startswith("_Toc"):
            return w_value(one, "name")
    name = f"_Toc{90_000_000 + int(session.new_id())}"
    start, end = session.bookmark(name)
    paragraph.insert(0 if find(paragraph, "pPr") is None else 1, start)
    paragraph.append(end)
    return name


def _begin_field(code: str) -> list[XmlElement]:
    return [_run(_mark("begin")), _run(make("instrText", text=code)), _run(_mark("separate"))]


def _mark(kind: str) -> XmlElement:
    return make("fldChar", {"fldCharType": kind})


def _run(element: XmlElement) -> XmlElement:
    made = new_run("", None)
    made.append(element)
    return made
