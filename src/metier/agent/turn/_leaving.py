"""Whether the model may leave the skill in use: never one that a person chose, any other once in a turn."""

from typing import Final, Literal

from metier.agent.middleware import choose_from_menu
from metier.agent.turn._state import PERSONS, TurnState
from metier.skills import Skill
from metier.tools import ToolCall, Verdict

LEAVE: Final = "leave_skill"
_MAX_LEFT: Final = 1


def may_leave_skill(state: TurnState) -> bool:
    """Whether a skill is in use that the model may leave."""
    return state.skill.active is not None and _leaving_problem(state) is None


def check_leaving(state: TurnState, call: ToolCall) -> Verdict | None:
    """Verdict that refuses a call by which the model would leave a skill it must keep; None for every other call."""
    active, problem = state.skill.active, _leaving_problem(state)
    if active is None or problem is None or not _would_leave(state, active, call):
        return None
    source = f"skill {active.id}"
    reason = {
        "skill_is_bound": f"a person chose {source}; only a person can leave it",
        "skill_was_left": f"a skill was left in this turn already; {source} stays in use",
    }
    return Verdict("deny", problem, reason[problem], "skill", source, state.gate.allowed_tools(), tool=call.name)


def _leaving_problem(state: TurnState) -> Literal["skill_is_bound", "skill_was_left"] | None:
    if state.skill.chosen_by in PERSONS:
        return "skill_is_bound"
    return "skill_was_left" if state.calls.usage.skills_left >= _MAX_LEFT else None


def _would_leave(state: TurnState, active: Skill, call: ToolCall) -> bool:
    if call.name == LEAVE:
        return True
    if call.name != state.resources.settings.skill_tool:
        return False
    menu = state.skill.menu or state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
    chosen = choose_from_menu(call, state.request.catalog, menu)
    return chosen.is_known and (chosen.skill is None or chosen.skill.id != active.id)
