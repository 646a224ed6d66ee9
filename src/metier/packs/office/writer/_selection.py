"""Operations that move the cursor. Files have no live cursor: that of the request counts, else the end."""

from typing import TYPE_CHECKING

from metier.packs.office.files import XmlElement
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._blocks import find_block
from metier.packs.office.writer._search import find_one
from metier.packs.office.writer._session import Cursor, PlacedText, StepRefused, WriterSession
from metier.packs.office.writer.reading import w

if TYPE_CHECKING:
    from metier.packs.office.writer.reading import PlacedParagraph

__all__ = ["block_paragraphs", "set_selection", "set_selection_by_block", "set_selection_by_text", "target_spans"]


def block_paragraphs(session: WriterSession, block_id: str) -> list[XmlElement]:
    """Paragraphs inside a block."""
    block = find_block(session, block_id)
    if block is None:
        raise StepRefused("block_missing", block=block_id)
    return [one for element in block.content for one in element.iter(w("p"))]


def set_selection(session: WriterSession, action: OfficeAction) -> None:
    """`set_selection`: the start, the end, or lines and characters away from where the cursor is."""
    anchor = action.text("anchor", "cursor")
    if anchor == "end_of_document":
        session.cursor = Cursor()
    elif anchor == "start_of_document" and session.paragraphs:
        session.cursor = Cursor(session.paragraphs[0].element, 0)
    session.selected = []
    lines, chars = action.whole("offset_lines"), action.whole("offset_chars")
    if lines or chars:
        _move(session, lines, chars)
    session.is_lost = False


def _move(session: WriterSession, lines: int, chars: int) -> None:
    visible = [placed for placed in session.paragraphs if placed.kind == "paragraph"]
    if not visible:
        return
    current = session.cursor.paragraph
    at = next((at for at, placed in enumerate(visible) if placed.element is current), len(visible) - 1)
    offset = session.cursor.offset if current is not None else len(session.text(visible[at].element))
    at = max(0, min(len(visible) - 1, at + lines))
    element = visible[at].element
    offset = max(0, min(len(session.text(element)), offset + chars))
    session.cursor = Cursor(element, offset)


def set_selection_by_text(session: WriterSession, action: OfficeAction) -> None:
    """`set_selection_by_text`: before or after an occurrence of a text."""
    block_id = action.text("block_id")
    within = block_paragraphs(session, block_id) if block_id else None
    if action.text("address"):
        within = [one.element for one in session.at_address(action.text("address"))]
    occurrence = action.whole("occurrence", 1)
    span = find_one(session, action.text("anchor_text"), occurrence=occurrence, within=within)
    place = span.start if action.text("position", "after") in ("before", "start") else span.end
    length = len(session.text(span.element))
    offset = max(0, min(length, place + action.whole("offset_chars")))
    session.cursor = Cursor(span.element, offset)
    session.selected = [span]
    session.is_lost = False


def set_selection_by_block(session: WriterSession, action: OfficeAction) -> None:
    """`set_selection_by_block`: the start or the end of a block's content."""
    block = find_block(session, action.text("block_id"))
    if block is None:
        raise StepRefused("block_missing", block=action.text("block_id"))
    inside = {one for element in block.content for one in element.iter(w("p"))}
    session.selected = [
        PlacedText(placed, 0, len(session.text(placed.element)))
        for placed in session.paragraphs
        if placed.element in inside
    ]
    is_start = action.text("position", "start") == "start"
    last = block.content[-1] if block.content else block.start
    session.cursor = Cursor(after=block.start if is_start else last)
    session.is_lost = False


def target_spans(session: WriterSession, action: OfficeAction, *, whole_if_none: bool = False) -> list[PlacedText]:
    """What a step of formatting is about: a block, the selection, or the whole body."""
    block_id, addresses = action.text("block_id"), action.fields.get("addresses")
    if isinstance(addresses, list) and addresses:
        listed = [placed for address in addresses for placed in session.at_address(str(address))]
        return [PlacedText(placed, 0, len(session.text(placed.element))) for placed in listed]
    if block_id:
        inside = set(block_paragraphs(session, block_id))
        places: list[PlacedParagraph] = [one for one in session.paragraphs if one.element in inside]
    elif action.flag("apply_to_selection", True):
        if session.selected:
            return session.selected
        if not whole_if_none:
            raise StepRefused("nothing_selected")
        places = session.paragraphs
    else:
        places = session.paragraphs
    return [PlacedText(placed, 0, len(session.text(placed.element))) for placed in places if "h" not in placed.address]
