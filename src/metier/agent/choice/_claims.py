"""Messages that a pack knows as work for one of its skills, or for the steps of the one in use."""

import asyncio
from collections.abc import Sequence
from typing import Final

from metier.agent.choice._attached_names import load_attached_names
from metier.agent.choice._pack_answers import ask_packs
from metier.agent.turn import TurnState
from metier.attachments import match_names
from metier.language import NoteValue
from metier.names import is_command
from metier.pack import ClaimedSkill, PackClaim
from metier.routing import Candidate, Decision, RoutingNote, read_small_talk
from metier.textsearch import fold, to_simplified

_CLAIMS: Final = ("order", "attached")
_EXPLAINED: Final = "attached_as"


def tell_claim(decision: Decision) -> str:
    """Why the skill is activated if a pack, and not the router, chose it; else empty."""
    if (note := next((one for one in decision.why if one.code == _EXPLAINED), None)) is not None:
        return note.text()
    return "a pack knows the message" if any(one.code in _CLAIMS for one in decision.why) else ""


async def find_claimed(state: TurnState, claims: Sequence[PackClaim], reason: str) -> Decision | None:
    """Decision for a message that a pack knows as work for a skill; None if no pack does.

    A message that is an example of one skill alone is work for that one.
    """
    message = state.request.message
    if not claims or is_command(message):
        return None
    folder = state.resources.workspace(state.conversation)
    for claim in claims:
        claimed = await asyncio.to_thread(claim, to_simplified(message), folder)
        skill = claimed.skill if isinstance(claimed, ClaimedSkill) else claimed
        if isinstance(claimed, ClaimedSkill) and reason != "order" and state.calls.pending_pause is not None:
            continue  # a guess by the kind of a file leaves no question that waits
        if skill in state.request.catalog and isinstance(claimed, ClaimedSkill):
            return _choose(skill, message, _EXPLAINED, because=claimed.because)
        if skill in state.request.catalog:
            offered = [one.id for one in state.request.catalog if fold(message) in map(fold, one.examples)]
            return _choose(offered[0] if len(offered) == 1 else skill, message, reason)
    return None


async def claim_open(state: TurnState, decision: Decision) -> Decision:
    """The decision, or that of a pack that knows what an undecided message speaks of, such as a place."""
    is_open = decision.verdict != "auto" or _stays_unfit(state, decision)
    is_open = is_open and decision.route != "list" and len(decision.requests) <= 1
    is_open = is_open and read_small_talk(fold(state.request.message)) is None
    return (await find_claimed(state, state.resources.fallback_claims, "attached") if is_open else None) or decision


def _stays_unfit(state: TurnState, decision: Decision) -> bool:
    """Whether the skill in use stays only because no other is clearly better, and the message is for another group."""
    first, active = next(iter(decision.candidates), None), state.skill.active
    if decision.route != "sticky" or first is None or active is None or state.calls.pending_pause is not None:
        return False
    found = state.request.catalog.get(first.skill)
    is_apart = found is not None and found.group != active.group
    return is_apart and all(one.skill != active.id for one in decision.candidates)


async def is_for_named_file(state: TurnState) -> bool:
    """Whether a message names an attached file, and a pack knows what it wants of it: no question about results."""
    if not match_names(state.request.message, await load_attached_names(state)):
        return False
    found = await find_claimed(state, state.resources.claims, "order")
    return found is not None and any(one.code == _EXPLAINED for one in found.why)


async def find_ordered(state: TurnState) -> Decision | None:
    """Decision for a message that the pack of the skill in use knows as an order for its steps; None for others."""
    own = None if is_command(state.request.message) else await ask_packs(state)
    if own is None or not own.is_order or state.skill.active is None:
        return None
    wanted = own.skill if own.skill and own.skill in state.request.catalog else state.skill.active.id
    return _choose(wanted, state.request.message, "order")


def _choose(skill: str, message: str, reason: str, **values: NoteValue) -> Decision:
    why = (RoutingNote.of(reason, skill=skill, **values),)
    best = (Candidate(skill, 1.0),)
    return Decision("auto", "search", message, skill=skill, skills=(skill,), candidates=best, why=why)
