"""Chooses the model of each call: by the request, the conversation, the skill in use, or the stage of the turn."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import BaseMessage

from metier.agent.adapters import AsyncModelHandler
from metier.agent.loop._skill_choice import can_choose_skill, needs_no_tool
from metier.agent.turn import TurnState, get_turn_state
from metier.model_settings import StageName

_STAGE_OF_NOTE: Final[Mapping[str, StageName]] = MappingProxyType(
    {"fill": "fill", "act": "act", "replan": "act", "report": "report", "stopped": "report"}
)


class ModelChoiceMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Puts the model of the stage into the request, before the prompt is built for it."""

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        stage = find_stage(state, request.messages)
        choice = state.choose_model(stage)
        state.calls.stage, state.calls.model_choice = stage, choice
        return await handler(request.override(model=await state.resources.models.load(choice.name)))


def find_stage(state: TurnState, messages: Sequence[BaseMessage]) -> StageName:
    """Stage that the next model call belongs to."""
    note = state.calls.model_note
    if note is not None and note.purpose in _STAGE_OF_NOTE:
        return _STAGE_OF_NOTE[note.purpose]
    if state.skill.active is not None:
        return "act"
    if needs_no_tool(state):
        return "converse"
    return "choose" if state.skill.shortlist and can_choose_skill(messages, state) else "converse"
