"""The choice of a skill in a turn: the same tool as in `SkillMiddleware`, with the choice kept in the turn's state."""

from collections.abc import Sequence
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import BaseMessage, ToolMessage

from metier.agent.adapters import AsyncModelHandler
from metier.agent.middleware import choose_from_menu, is_last_from_user, make_menu_tool
from metier.agent.turn import TurnState, enter_skill, get_turn_state, may_leave_skill
from metier.tools import ToolCall

_MAX_FAILED_CHOICES: Final = 2


class SkillChoiceMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Offers the choose-a-skill tool when a choice may be made.

    `PromptMiddleware` puts the skill in use into the prompt; `enter_chosen_skill` runs the tool.
    """

    def __init__(self, tool: str) -> None:
        super().__init__()
        self._tool = tool

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        return await handler(self._offer_choice(request, get_turn_state(request.runtime)))

    def _offer_choice(self, request: ModelRequest[Any], state: TurnState) -> ModelRequest[Any]:
        if state.is_builtin_call or not can_choose_skill(request.state.get("messages", []), state):
            return request
        if state.skill.active is not None or not state.skill.menu:
            state.skill.menu = state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
        menu = state.skill.menu
        return request.override(tools=[*request.tools, make_menu_tool(self._tool, menu)]) if menu.enum else request


async def enter_chosen_skill(state: TurnState, call: ToolCall) -> ToolMessage:
    """Run the choose-a-skill tool: enter the skill that the model chose, or answer that it is unknown."""
    menu = state.skill.menu or state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
    chosen = choose_from_menu(call, state.request.catalog, menu)
    if chosen.is_known:
        await enter_skill(state, chosen.skill, chosen.scenario, "model")
    return chosen.message


def _has_failed_choice(messages: Sequence[BaseMessage], state: TurnState) -> bool:
    """Whether the model has just named an unknown skill, for the first or second time: then the menu stays."""
    failed = [
        isinstance(one, ToolMessage) and one.name == state.resources.settings.skill_tool and one.status == "error"
        for one in messages
    ]
    return bool(failed) and failed[-1] and sum(failed) <= _MAX_FAILED_CHOICES


def can_choose_skill(messages: Sequence[BaseMessage], state: TurnState) -> bool:
    """Whether a skill may be chosen now: after a user's message or a failed choice, if the one in use may be left."""
    if not is_last_from_user(messages) and not _has_failed_choice(messages, state):
        return False
    return state.skill.active is None or (may_leave_skill(state) and not state.has_open_work)
