"""Tracked changes that are accepted or rejected, and pictures that get another size."""

from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._insert import add_receipt, is_done
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer.pages import note_direct
from metier.packs.office.writer.reading import attribute, ensure, find, make, new_run, text_of, w

__all__ = ["set_picture", "settle_changes"]

_GONE: Final = ("del", "moveFrom")
_KEPT: Final = ("ins", "moveTo")
_FORMATS: Final = (
    *("rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange", "sectPrChange", "tblGridChange"),
    *("numberingChange", "tblPrExChange"),
)
_MARKS: Final = ("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd")
_EMU_PER_MM: Final = 36_000
_INLINE: Final = "wp:inline"


def settle_changes(session: WriterSession, action: OfficeAction) -> None:
    """`settle_changes`: all tracked changes are accepted, or all rejected."""
    accepts = action.text("decision", "accept") == "accept"
    roots = [session.body, *(session.package.xml(one) for one in _side_parts(session))]
    count = sum(1 for root in roots for one in root.iter(*map(w, (*_GONE, *_KEPT, *_FORMATS))))
    if not count:
        session.skip(action, "already_there")
        return
    if not accepts and any(True for root in roots for _ in root.iter(*map(w, _FORMATS))):
        raise StepRefused("formats_tracked")
    change_id = session.take_change(action)
    if change_id is None:
        return
    for root in roots:
        _settle(root, gone=_GONE if accepts else _KEPT, kept=_KEPT if accepts else _GONE)
    for part in _side_parts(session):
        session.package.touch(part)
    session.note_change()
    note_direct(session, action)
    words = WRITER_SENTENCES.render("settled_accept" if accepts else "settled_reject", session.language, count=count)
    session.add_change(change_id, action, "", "", words)


def _side_parts(session: WriterSession) -> list[str]:
    package = session.package
    found = [
        one
        for kind in ("header", "footer", "footnotes", "endnotes")
        for one in package.list_relations(package.main_part, kind)
    ]
    return [one for one in found if one in package]


def _settle(root: XmlElement, *, gone: tuple[str, ...], kept: tuple[str, ...]) -> None:
    for one in list(root.iter(*map(w, (*_FORMATS, *_MARKS)))):
        one.getparent().remove(one)
    ended = [one for one in root.iter(w("p")) if any(find(one, "pPr", "rPr", name) is not None for name in gone)]
    rows = [one for one in root.iter(w("tr")) if any(find(one, "trPr", name) is not None for name in gone)]
    for one in list(root.iter(*map(w, gone))):
        if one.getparent() is not None:
            one.getparent().remove(one)
    for one in list(root.iter(*map(w, kept))):
        parent = one.getparent()
        for item in list(one):
            one.addprevious(item)
        parent.remove(one)
    for one in root.iter(w("delText")):
        one.tag = w("t")
    for row in rows:
        row.getparent().remove(row)
    for one in ended:
        _join_next(one)


def _join_next(paragraph: XmlElement) -> None:
    """A paragraph whose mark goes is joined with the next one; an empty one goes."""
    after = paragraph.getnext()
    if paragraph.getparent() is None:
        return
    if after is None or after.tag != w("p"):
        if not text_of(paragraph) and len(paragraph.getparent()) > 1:
            paragraph.getparent().remove(paragraph)
        return
    at = 1 if find(after, "pPr") is not None else 0
    for item in reversed([one for one in paragraph if one.tag != w("pPr")]):
        after.insert(at, item)
    paragraph.getparent().remove(paragraph)


def set_picture(session: WriterSession, action: OfficeAction) -> None:
    """`set_picture`: width of a picture in proportion, its alignment, and a caption below it."""
    drawings = [
        one
        for one in session.body.iter(attribute(_INLINE))
        if any(str(item.tag).endswith("}pic") for item in one.iter())
    ]
    number = action.whole("index", 1)
    if is_done(session, action):
        return
    if not 1 <= number <= len(drawings):
        raise StepRefused("no_picture", number=number, count=len(drawings))
    inline = drawings[number - 1]
    paragraph = next(one for one in inline.iterancestors(w("p")))
    caption, alignment = action.text("caption"), action.text("alignment")
    extent = next(one for one in inline if str(one.tag).endswith("}extent"))
    width, height = int(extent.get("cx", "0")), int(extent.get("cy", "0"))
    wanted = _wanted_width(action, width)
    change_id = session.take_change(action)
    if change_id is None:
        return
    if wanted != width and width:
        new = (str(wanted), str(round(height * wanted / width)))
        for one in (extent, *(item for item in inline.iter() if str(item.tag).endswith("main}ext") and item.get("cx"))):
            one.set("cx", new[0])
            one.set("cy", new[1])
    if alignment:
        ensure(ensure(paragraph, "pPr"), "jc").set(w("val"), alignment)
    if caption:
        below = make("p")
        ensure(ensure(below, "pPr"), "jc").set(w("val"), alignment or "center")
        below.append(new_run(caption))
        paragraph.addnext(below)
    add_receipt(session, action, [paragraph])
    session.note_change()
    note_direct(session, action)
    before = WRITER_SENTENCES.render("picture_size", session.language, width=round(width / _EMU_PER_MM))
    shown = WRITER_SENTENCES.render("picture_size", session.language, width=round(wanted / _EMU_PER_MM))
    session.add_change(change_id, action, session.address_of(paragraph), before, f"{shown} {caption}".strip())


def _wanted_width(action: OfficeAction, width: int) -> int:
    """Width in the file's unit."""
    millimetres, share = action.size("width_mm"), action.size("scale")
    if millimetres is not None:
        return round(millimetres * _EMU_PER_MM)
    return width if share is None else round(width * share)
