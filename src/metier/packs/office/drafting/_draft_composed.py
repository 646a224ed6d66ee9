"""The draft of a message that asks for several pieces, one below the other."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock, build_plan
from metier.packs.office.drafting._draft_call import Draft, DraftCall, check_anchor, settle_place
from metier.packs.office.drafting._slots import take_place
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.composition import compose_blocks
from metier.packs.office.plan import load_plan

__all__ = ["draft_composed"]


def draft_composed(request: str, asked: DraftCall, draft: Callable[[str, DraftCall], Draft]) -> Draft:
    """The draft of all pieces of a message, each read whole; no plan if it is not such a message.

    `draft` drafts what is no text, such as a table, as if it were asked for by itself.
    """
    if asked.host != "wps":
        return Draft(None)
    left_out: list[str] = []

    def draft_thing(said: str) -> Sequence[DraftBlock]:
        drafted = draft(said, replace(asked, reading=None, is_restated=True))
        left_out.extend(drafted.left_out)
        actions = drafted.plan["actions"] if drafted.plan is not None else []
        blocks = [_read_block(one, asked) for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
        return () if None in blocks else [one for one in blocks if one is not None]

    text = RequestText(request)
    try:
        place = take_place(text)
        check_anchor(place, asked.list_pieces())
    except Unclear:
        return Draft(None)
    blocks = compose_blocks(text, asked.language, draft_thing)
    if not blocks:
        return Draft(None)
    plan = build_plan(blocks, asked.host, settle_place(place, blocks, asked.selection), asked.language)
    return Draft(None) if load_plan(plan, host=asked.host).problems else Draft(plan).leave_out(left_out)


def _read_block(action: JsonObject, asked: DraftCall) -> DraftBlock | None:
    """The block of a plan; None for any other action, such as one that looks for a place."""
    inner = action.get("actions")
    if action["op"] != "upsert_block" or not isinstance(inner, list):
        return None
    steps = [{**one, "id": str(one["id"]).partition(".")[2]} for one in inner if isinstance(one, dict)]
    return DraftBlock(str(action["block_id"]), "", asked.language, steps)
