"""Questions that a pack answers from the data of its own work, before the results on screen are asked."""

import asyncio
from typing import Final

from metier.agent.turn import TurnState
from metier.pack import PackAnswer, PackQuestion
from metier.textsearch import to_simplified

_QUESTIONS: Final = "questions"  # in a skill's metadata: "pack" if its pack answers questions about its work


async def ask_packs(state: TurnState) -> PackAnswer | None:
    """Answer of the first pack that knows the message as a question about the work of the skill in use."""
    skill = state.skill.active
    if skill is None or skill.metadata.get(_QUESTIONS) != "pack":
        return None
    facts = {one.name: one.value for one in await state.journal.load_facts()}
    folder = state.resources.workspace(state.conversation)
    question = PackQuestion(to_simplified(state.request.message), skill.id, state.request.language, folder, facts)
    for answer in state.resources.answerers:
        if (found := await asyncio.to_thread(answer, question)) is not None:
            return found
    return None
