"""Messages that a pack knows as work for one of its skills."""

import asyncio
from collections.abc import Sequence

from metier.agent.turn import TurnState
from metier.pack import PackClaim
from metier.routing import Candidate, Decision, RoutingNote


async def find_claimed(state: TurnState, claims: Sequence[PackClaim], reason: str) -> Decision | None:
    """Decision for a message that a pack knows as work for a skill; None if no pack does."""
    message = state.request.message
    if not claims or message[:1] in ("/", "／"):
        return None
    folder = state.resources.workspace(state.conversation)
    for claim in claims:
        skill = await asyncio.to_thread(claim, message, folder)
        if skill in state.request.catalog:
            why = (RoutingNote.of(reason, skill=skill),)
            best = (Candidate(skill, 1.0),)
            return Decision("auto", "search", message, skill=skill, skills=(skill,), candidates=best, why=why)
    return None
