"""Chooses the model of each call: by the request, the conversation, the skill in use, or the stage of the turn."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage

from metier.agent.adapters import AsyncModelHandler, get_last_message
from metier.agent.loop._skill_choice import can_choose_skill, needs_no_tool
from metier.agent.models import METIER
from metier.agent.turn import TurnState, get_turn_state
from metier.model_settings import StageName

_STAGE_OF_NOTE: Final[Mapping[str, StageName]] = MappingProxyType(
    {"fill": "fill", "act": "act", "replan": "act", "report": "report", "stopped": "report"}
)

_CHOOSER_AND_TALKER: Final[tuple[StageName, StageName]] = ("choose", "converse")


class ModelChoiceMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Puts the model of the stage into the request, before the prompt is built for it.

    Where one model chooses the skill and another one talks to the user, words of the first are not shown: it has taken
    no skill, and the other one is asked.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        stage = find_stage(state, request.messages)
        state.calls.only_chooses = stage == "choose" and _has_other_talker(state)
        response = await _call_stage(state, stage, request, handler)
        if not state.calls.only_chooses or not _took_no_skill(get_last_message(response)):
            return response
        state.calls.only_chooses = False
        return await _call_stage(state, "converse", request, handler)


async def _call_stage(
    state: TurnState, stage: StageName, request: ModelRequest[Any], handler: AsyncModelHandler
) -> ModelResponse[Any]:
    choice = state.choose_model(stage)
    state.calls.stage, state.calls.model_choice = stage, choice
    return await handler(request.override(model=await state.resources.models.load(choice.name)))


def _has_other_talker(state: TurnState) -> bool:
    """Whether another language model than the one that chooses talks to the user; the built-in one has no words."""
    chooser, talker = (state.choose_model(stage) for stage in _CHOOSER_AND_TALKER)
    return chooser.name != talker.name and not state.resources.models.is_builtin(talker)


def _took_no_skill(reply: AIMessage) -> bool:
    """Whether the model answered in words; a reply that the runtime wrote, such as one at a limit, is no answer."""
    ours = reply.response_metadata.get(METIER)
    return not reply.tool_calls and not (isinstance(ours, dict) and ours.get("ended"))


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
