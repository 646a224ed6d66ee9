"""Operation that moves paragraphs and tables to another place of the document."""

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer.pages import note_direct
from metier.packs.office.writer.reading import find, text_of, w, walk_blocks

__all__ = ["move_paragraphs"]


def move_paragraphs(session: WriterSession, action: OfficeAction) -> None:
    """`move_paragraphs`: paragraphs (`p3`) and tables (`t1`) before or after another one, in their order."""
    listed = action.fields.get("addresses")
    moved = [_find(session, str(one)) for one in listed] if isinstance(listed, list) else []
    is_before = bool(action.text("before"))
    place = _find(session, action.text("before") or action.text("after"))
    expected = action.fields.get("expected")
    now = ["\n".join(text_of(one) for one in block.iter(w("p"))) for block in moved]
    if isinstance(expected, list) and [str(one) for one in expected] != now:
        raise StepRefused("already_there")  # the paragraphs there are others, as on a second run
    if place in moved or any(find(one, "pPr", "sectPr") is not None for one in moved if one.tag == w("p")):
        raise StepRefused("cannot_move")
    order = [one for one in walk_blocks(session.body) if one in {*moved, place}]
    if order == ([*moved, place] if is_before else [place, *moved]) and _is_run(moved, place):
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    for one in moved:
        one.getparent().remove(one)
    anchor = place
    for one in moved:
        if is_before:
            place.addprevious(one)
        else:
            anchor.addnext(one)
            anchor = one
    position = {one: at for at, one in enumerate(session.body.iter(w("p")))}
    session.paragraphs.sort(key=lambda one: position.get(one.element, 0))
    session.note_change()
    note_direct(session, action)
    beside = text_of(next(place.iter(w("p"))))
    shown = WRITER_SENTENCES.render("moved_before" if is_before else "moved_after", session.language, text=beside)
    session.add_change(change_id, action, session.address_of(moved[0]), "\n".join(now), shown)


def _is_run(moved: list[XmlElement], place: XmlElement) -> bool:
    """Whether the blocks already stand side by side."""
    blocks = [one for one in place.getparent() if one in {*moved, place}]
    at = [place.getparent().index(one) for one in blocks]
    return len(blocks) == len(moved) + 1 and at[-1] - at[0] == len(moved)


def _find(session: WriterSession, address: str) -> XmlElement:
    if not address.startswith("t"):
        return session.at_address(address)[-1].element
    cell = next((one.element for one in session.paragraphs if one.address.startswith(f"{address}.")), None)
    table = None if cell is None else next((one for one in cell.iterancestors(w("tbl"))), None)
    if table is None:
        raise StepRefused("address_missing", address=address)
    return table
