"""The choice of a skill in a turn: the same tool as in `SkillMiddleware`, with the choice kept in the turn's state."""

from collections.abc import Sequence
from typing import Final

from langchain_core.messages import BaseMessage, ToolMessage

from metier.agent.adapters import control_message
from metier.agent.choice import assign_chosen_skill, describe_used_trial
from metier.agent.middleware import choose_from_menu, is_last_from_user
from metier.agent.turn import SEARCH_SKILLS, TurnState, enter_skill, may_leave_skill
from metier.context import SkillMenu
from metier.tools import ToolCall

_MAX_FAILED_CHOICES: Final = 2


def needs_no_tool(state: TurnState) -> bool:
    """Whether words alone answer the message, which came with nothing to read: only skills are offered beside them."""
    if state.skill.active is not None or state.request.attached is not None or state.request.document is not None:
        return False
    return state.analysis is not None and state.analysis.is_talk


async def enter_chosen_skill(state: TurnState, call: ToolCall) -> ToolMessage:
    """Run the choose-a-skill tool: enter the skill that the model chose, or answer that it is unknown or used up."""
    menu = state.skill.menu or state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
    chosen = choose_from_menu(call, state.request.catalog, menu)
    over = await describe_used_trial(state, chosen.skill)
    if over is not None and chosen.skill is not None:
        return control_message(call, {"status": "refused", "skill": chosen.skill.id, "message": over}, ok=False)
    if chosen.is_known:
        if chosen.skill is not None:
            assign_chosen_skill(state, chosen.skill)
        await enter_skill(state, chosen.skill, chosen.scenario, "model")
    return chosen.message


def find_menu(state: TurnState, messages: Sequence[BaseMessage]) -> SkillMenu | None:
    """Menu to offer beside the tools of the skill in use; None if no choice may be made, or there is none."""
    if not can_choose_skill(messages, state):
        return None
    state.skill.menu = state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
    return state.skill.menu if state.skill.menu.enum else None


def _has_failed_choice(messages: Sequence[BaseMessage], state: TurnState) -> bool:
    """Whether the model has just named an unknown skill, for the first or second time: then the menu stays."""
    failed = [
        isinstance(one, ToolMessage) and one.name == state.resources.settings.skill_tool and one.status == "error"
        for one in messages
    ]
    return bool(failed) and failed[-1] and sum(failed) <= _MAX_FAILED_CHOICES


def can_choose_skill(messages: Sequence[BaseMessage], state: TurnState) -> bool:
    """Whether a skill may be chosen now: after a user's message, a search or a failed choice, if none must be kept."""
    after_search = bool(messages) and isinstance(messages[-1], ToolMessage) and messages[-1].name == SEARCH_SKILLS.name
    if not (is_last_from_user(messages) or after_search or _has_failed_choice(messages, state)):
        return False
    return state.skill.active is None or (may_leave_skill(state) and not state.has_open_work)
