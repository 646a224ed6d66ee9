"""Which draft of a message is taken where several readings make one: of an order, of new content, of several pieces."""

from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_steps, list_texts
from metier.packs.office.drafting._result import Draft

__all__ = ["fills_new_slide", "is_new", "may_be_pieces", "prefer_content", "says_more"]

_INSERTS: Final = frozenset(
    {
        "set_selection",
        "insert_text",
        "insert_before_text",
        "insert_after_text",
        "set_text_style",
        "set_paragraph_format",
    }
)


def is_new(plan: JsonObject) -> bool:
    """Whether a plan only adds something new to the document."""
    return bool(_list_own_ops(plan) & {"upsert_block", "add_slide"})


def fills_new_slide(plan: JsonObject) -> bool:
    """Whether a plan writes on a new slide what an order says, which was read to its last word."""
    ops = _list_own_ops(plan)
    return "add_slide" in ops and len(ops) > 1


def may_be_pieces(draft: Draft) -> bool:
    """Whether the message is read for several pieces too: nothing was drafted, or only new content.

    Several texts that are inserted at one place are composed as one.
    """
    if draft.plan is None or draft.is_whole:
        return draft.plan is None
    return (is_new(draft.plan) and not fills_new_slide(draft.plan)) or _inserts_several(draft.plan)


def prefer_content(order: Draft, content: Draft) -> Draft:
    """New content as a block of its own rather than an order for the same kinds of things."""
    if order.plan is None or content.plan is None:
        return order
    return content if _list_ops(order.plan) <= _list_ops(content.plan) else order


def says_more(composed: Draft, draft: Draft) -> bool:
    """Whether a draft has a text or a kind of thing that the other one lacks; one read to its last word has its own."""
    if composed.plan is None or draft.plan is None:
        return composed.plan is not None
    known = "\n".join(list_texts(list_steps(draft.plan)))
    if composed.is_whole:
        return list_texts(list_steps(composed.plan)) != list_texts(list_steps(draft.plan))
    is_new_kind = _list_ops(composed.plan) - _list_ops(draft.plan)
    return bool(is_new_kind) or any(one not in known for one in list_texts(list_steps(composed.plan)))


def _inserts_several(plan: JsonObject) -> bool:
    """Whether a plan only inserts texts, several of them."""
    ops = [str(one["op"]) for one in list_steps(plan)]
    return set(ops) <= _INSERTS and sum(one.startswith("insert_") for one in ops) > 1


def _list_own_ops(plan: JsonObject) -> set[str]:
    """Operations of a plan without those of its blocks."""
    actions = plan["actions"]
    return {str(one["op"]) for one in actions if isinstance(one, dict)} if isinstance(actions, list) else set()


def _list_ops(plan: JsonObject) -> set[str]:
    return {str(one["op"]) for one in list_steps(plan)}
