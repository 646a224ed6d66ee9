"""The tools that a stage offers, and how long each is kept when tokens are short."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from langchain_core.messages import BaseMessage

from metier.agent.adapters import to_openai
from metier.agent.loop._delegate import task_offers
from metier.agent.loop._skill_choice import find_menu, needs_no_tool
from metier.agent.middleware import TASK, WRITE_TODOS, make_menu_tool
from metier.agent.results import READ_RESULT, SHOW_CHART
from metier.agent.turn import SEARCH_SKILLS, WRITE_PLAN, TurnState, list_control_tools, list_offered_tools
from metier.context import STAGES, StageName, ToolOffer, build_skill_menu
from metier.plans import CallModel
from metier.skills import Skill
from metier.tools import rules_from_skills

# Higher stays longer. Tools of the present step are required and have no place here.
_SKILL_TOOL_PRIORITY: Final = 80
_MENU_PRIORITY: Final = 70
_SHORT_MENU_TOKENS: Final = 350
_TYPE_TOOL_PRIORITY: Final = 60  # named by the task type of the message
_OTHER_TOOL_PRIORITY: Final = 50
_LIKELY_TOOL_PRIORITY: Final = 45  # of a pack, for a skill that the router found likely
_PACK_TOOL_PRIORITY: Final = 42  # of a pack: its skills say when it is used
_CONTROL_PRIORITIES: Mapping[str, int] = MappingProxyType(
    {
        "ask_user": 90,
        "request_exception": 90,
        "load_rule": 85,
        "read_result": 85,
        "read_document": 85,
        WRITE_PLAN: 75,
        "leave_skill": 65,
        TASK: 60,
        SHOW_CHART.name: 40,
        WRITE_TODOS.name: 30,
    }
)
# Control tools that a single step of a plan may need; the others steer the turn, which the plan does.
_STEP_CONTROLS: Final = frozenset({"ask_user", "load_rule", "read_document", "request_exception"})
SEARCH_OFFER: Final = ToolOffer(to_openai(SEARCH_SKILLS), required=True)
READ_MORE: Final = ToolOffer(to_openai(READ_RESULT), _CONTROL_PRIORITIES[READ_RESULT.name])


def list_offers(state: TurnState, stage: StageName, messages: Sequence[BaseMessage]) -> tuple[ToolOffer, ...]:
    """Tools of the stage in the order in which the model reads them. The menu of `choose` is built with its prompt."""
    scope = STAGES[stage].tools
    if scope in ("menu", "none"):
        return ()
    if needs_no_tool(state):
        return tuple(_menu_offers(state, messages))
    runner = state.plan.runner
    move = None if runner is None or runner.is_over else runner.current_move
    if isinstance(move, CallModel):
        opened = list_offered_tools(state)
        step = [ToolOffer(opened[name], required=True) for name in move.tools if name in opened]
        return tuple(step if scope == "one" else [*step, *_control_offers(state, _STEP_CONTROLS)])
    return (*_gate_offers(state), *_control_offers(state), *_menu_offers(state, messages))


def _gate_offers(state: TurnState) -> list[ToolOffer]:
    offered = {name: tool for name, tool in list_offered_tools(state).items() if name not in state.plan.waiting_tools}
    places = _rank_tools(state)
    return [ToolOffer(tool, places.get(name, _OTHER_TOOL_PRIORITY)) for name, tool in offered.items()]


def _rank_tools(state: TurnState) -> Mapping[str, int]:
    """Priority of tools by name: without it, the names that the alphabet puts last would be kept."""
    task_type = state.task_type
    likely = (name for skill, _ in state.skill.shortlist for name in _named_tools(skill))
    places = {tool.spec.name: _PACK_TOOL_PRIORITY for tool in state.resources.pack_tools.load()}
    places |= {name: _LIKELY_TOOL_PRIORITY for name in likely if name in places}
    places |= dict.fromkeys(task_type.allowed if task_type is not None else (), _TYPE_TOOL_PRIORITY)
    return places | dict.fromkeys(_named_tools(state.skill.active), _SKILL_TOOL_PRIORITY)


def _named_tools(skill: Skill | None) -> frozenset[str]:
    """Tools that the skill in use lists; empty if it lists none and may use all."""
    allowed = rules_from_skills([skill])[0].allowed if skill is not None else None
    return frozenset(allowed or ())


def _control_offers(state: TurnState, only: frozenset[str] | None = None) -> list[ToolOffer]:
    tools: list[dict[str, Any]] = [*list_control_tools(state), *task_offers(state)]
    named = [(str(tool["function"]["name"]), tool) for tool in tools]
    return [
        ToolOffer(tool, _CONTROL_PRIORITIES.get(name, _OTHER_TOOL_PRIORITY))
        for name, tool in named
        if only is None or name in only
    ]


def _menu_offers(state: TurnState, messages: Sequence[BaseMessage]) -> list[ToolOffer]:
    menu = find_menu(state, messages) if state.skill.active is not None or needs_no_tool(state) else None
    if menu is None:
        return []
    tool = state.resources.settings.skill_tool
    short = build_skill_menu(state.skill.shortlist, _SHORT_MENU_TOKENS, language=state.request.language)
    return [ToolOffer(make_menu_tool(tool, menu), _MENU_PRIORITY, short=short.to_tool(tool) if short.enum else None)]
