"""The draft of a message that asks for several pieces, one below the other."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.analysis import Reading
from metier.packs.office.drafting._blocks import DraftBlock, build_plan
from metier.packs.office.drafting._draft_call import DraftCall, check_anchor, settle_place
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.drafting._result import Draft
from metier.packs.office.drafting._slots import DraftPlace, take_place
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.comparison import check_demands, find_lost
from metier.packs.office.drafting.composition import compose_blocks, compose_sheet, compose_slides
from metier.packs.office.drafting.lists import check_refused
from metier.packs.office.drafting.remarks import holds_in
from metier.packs.office.drafting.statements import state_sheet, state_slide
from metier.packs.office.drafting.wholes import read_whole
from metier.packs.office.orders import read_orders
from metier.packs.office.plan import load_plan

__all__ = ["draft_composed"]

_AT_END: Final = re.compile(r"文末|(?:末尾|结尾|最后面)|\b(?:at|to) the (?:very )?end\b", re.IGNORECASE)
DraftMessage = Callable[[str, DraftCall], Draft]


def draft_composed(request: str, asked: DraftCall, draft: DraftMessage, *, at_least: int) -> Draft:
    """The draft of all pieces of a message, each read whole; no plan if it is not such a message.

    `draft` drafts what is no text, such as a table, as if it were asked for by itself. One thing (`at_least` 1) may be
    stated clause by clause.
    """
    match asked.host:
        case "wps":
            return _draft_texts(request, asked, draft, at_least)
        case "et":
            return _draft_sheet(request, asked, at_least)
        case "wpp":
            return _draft_slides(request, asked, draft, at_least)


def _draft_slides(request: str, asked: DraftCall, draft: DraftMessage, at_least: int) -> Draft:
    left_out: list[str] = []
    blocks = compose_slides(
        RequestText(request), asked.language, lambda said: _draft_thing(said, asked, draft, left_out)
    )
    if not blocks and at_least == 1 and (stated := state_slide(request, asked.language)) is not None:
        return _build([stated], DraftPlace("end"), asked)
    drafted = _build(blocks, DraftPlace("end"), asked)
    said, steps = RequestText(request), list_steps(drafted.plan) if drafted.plan is not None else []
    try:
        check_demands(said, steps)
        check_refused(said, steps)
    except Unclear:
        return Draft(None)
    return drafted.leave_out(left_out)


def _draft_sheet(request: str, asked: DraftCall, at_least: int) -> Draft:
    def order(said: str, reading: Reading) -> Sequence[JsonObject]:
        return read_orders(said, reading, language=asked.language).actions or ()

    known = [one.name for one in asked.reading.sheets] if asked.reading is not None else []
    block = compose_sheet(RequestText(request), asked.language, order, known)
    if block is None and at_least == 1:
        block = state_sheet(request, asked.language)
        if block is not None and any(one.get("sheet_name") in known for one in block.actions):
            return Draft(None)  # the sheet is there already, and what stands in it would be written over
    return Draft(None) if block is None else _build([block], DraftPlace("end"), asked)


def _draft_texts(request: str, asked: DraftCall, draft: DraftMessage, at_least: int) -> Draft:
    left_out: list[str] = []
    text = RequestText(request)
    try:
        place = take_place(text)
        check_anchor(place, asked.list_pieces())
    except Unclear:
        return Draft(None)
    if (whole := _draft_whole(text, place, asked)).plan is not None:
        return whole
    if place.kind == "start" and _AT_END.search(text.mask):
        return Draft(None)  # some of the pieces have a place of their own
    blocks = compose_blocks(
        text, asked.language, lambda said: _draft_thing(said, asked, draft, left_out), at_least=at_least
    )
    return _build(blocks, settle_place(place, blocks, asked.selection), asked).leave_out(left_out)


def _draft_whole(text: RequestText, place: DraftPlace, asked: DraftCall) -> Draft:
    """The draft of a message about one text of which every word is read."""
    whole = read_whole(text, asked.language)
    if whole is None:
        return Draft(None)
    drafted = _build([whole.block], settle_place(place, [whole.block], asked.selection), asked)
    if drafted.plan is None or not all(holds_in(one, drafted.plan) for one in whole.remarks):
        return Draft(None)
    said, steps = RequestText(text.raw), list_steps(drafted.plan)
    try:
        check_demands(said, steps)
        check_refused(said, steps)
    except Unclear:
        return Draft(None)
    return Draft(None) if find_lost(text.raw, steps) else replace(drafted, is_whole=True).leave_out(whole.left_out)


def _draft_thing(said: str, asked: DraftCall, draft: DraftMessage, left_out: list[str]) -> Sequence[DraftBlock]:
    """Blocks of a thing that is drafted as if it were asked for by itself; none if it cannot be."""
    drafted = draft(said, replace(asked, reading=None, is_restated=True))
    left_out.extend(drafted.left_out)
    actions = drafted.plan["actions"] if drafted.plan is not None else []
    blocks = [_read_block(one, asked) for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
    return () if None in blocks else [one for one in blocks if one is not None]


def _build(blocks: list[DraftBlock], place: DraftPlace, asked: DraftCall) -> Draft:
    if not blocks:
        return Draft(None)
    plan = build_plan(blocks, asked.host, place, asked.language)
    return Draft(None if load_plan(plan, host=asked.host).problems else plan)


def _read_block(action: JsonObject, asked: DraftCall) -> DraftBlock | None:
    """The block of a plan; None for any other action, such as one that looks for a place."""
    inner = action.get("actions")
    if action["op"] != "upsert_block" or not isinstance(inner, list):
        return None
    steps: list[JsonObject] = [
        {**one, "id": str(one["id"]).partition(".")[2]} for one in inner if isinstance(one, dict)
    ]
    return DraftBlock(str(action["block_id"]), "", asked.language, steps)
