"""What packs know of a message: an order for one of their skills, or a question that the data of their work answer."""

import asyncio
from collections.abc import Sequence
from typing import Final

from metier.agent.turn import TurnState
from metier.pack import PackAnswer, PackClaim, PackQuestion
from metier.routing import Candidate, Decision, RoutingNote

_QUESTIONS: Final = "questions"  # in a skill's metadata: "pack" if its pack answers questions about its work

_COMMANDS: Final = ("/", "／")


async def ask_packs(state: TurnState) -> PackAnswer | None:
    """Answer of the first pack that knows the message as a question about the work of the skill in use."""
    skill = state.skill.active
    if skill is None or skill.metadata.get(_QUESTIONS) != "pack":
        return None
    facts = {one.name: one.value for one in await state.journal.load_facts()}
    folder = state.resources.workspace(state.conversation)
    question = PackQuestion(state.request.message, skill.id, state.request.language, folder, facts)
    for answer in state.resources.answerers:
        if (found := await asyncio.to_thread(answer, question)) is not None:
            return found
    return None


async def find_claimed(state: TurnState, claims: Sequence[PackClaim], reason: str) -> Decision | None:
    """Decision for a message that a pack knows as work for a skill; None if no pack does."""
    message = state.request.message
    if not claims or message[:1] in _COMMANDS:
        return None
    folder = state.resources.workspace(state.conversation)
    for claim in claims:
        skill = await asyncio.to_thread(claim, message, folder)
        if skill in state.request.catalog:
            return _choose_for_pack(skill, message, reason)
    return None


async def find_ordered(state: TurnState) -> Decision | None:
    """Decision for a message that the pack of the skill in use knows as an order for its steps; None for others."""
    own = None if state.request.message[:1] in _COMMANDS else await ask_packs(state)
    if own is None or not own.is_order or state.skill.active is None:
        return None
    return _choose_for_pack(state.skill.active.id, state.request.message, "order")


def _choose_for_pack(skill: str, message: str, reason: str) -> Decision:
    why = (RoutingNote.of(reason, skill=skill),)
    best = (Candidate(skill, 1.0),)
    return Decision("auto", "search", message, skill=skill, skills=(skill,), candidates=best, why=why)
