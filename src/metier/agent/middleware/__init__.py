"""Drop-in middleware for anybody's LangChain agent; knows no `Runtime` and no store."""

from metier.agent.middleware._clear_results import clear_results_middleware, count_message_tokens
from metier.agent.middleware._events import PerRun
from metier.agent.middleware._gate import ConfirmAnswer, GateMiddleware
from metier.agent.middleware._gate_rules import GateFactory
from metier.agent.middleware._limits import LimitsMiddleware
from metier.agent.middleware._missing_arguments import ParametersMiddleware
from metier.agent.middleware._offer import make_offer
from metier.agent.middleware._refusals import (
    GateState,
    Refusal,
    ViolationRecord,
    build_refusal,
    rejected_message,
    too_many_refusals_text,
)
from metier.agent.middleware._results import ChartMiddleware, TableMiddleware
from metier.agent.middleware._skill import SkillMiddleware, SkillState
from metier.agent.middleware._skill_menu import (
    ChosenSkill,
    choose_from_menu,
    fits_menu,
    is_last_from_user,
    make_menu,
    make_menu_tool,
    make_shortlist,
)
from metier.agent.middleware._subagents import TASK, Delegation, SubAgentMiddleware, SubAgents, task_tool
from metier.agent.middleware._suggestions import (
    MAX_SUGGESTIONS,
    Suggestion,
    fold_text,
    is_example_of,
    is_suggested_by,
    read_suggestions,
    suggest_examples,
    suggest_skills,
    suggestions_for,
)
from metier.agent.middleware._todos import WRITE_TODOS, read_todos, todos_event, todos_from_run

__all__ = [
    "MAX_SUGGESTIONS",
    "TASK",
    "WRITE_TODOS",
    "ChartMiddleware",
    "ChosenSkill",
    "ConfirmAnswer",
    "Delegation",
    "GateFactory",
    "GateMiddleware",
    "GateState",
    "LimitsMiddleware",
    "ParametersMiddleware",
    "PerRun",
    "Refusal",
    "SkillMiddleware",
    "SkillState",
    "SubAgentMiddleware",
    "SubAgents",
    "Suggestion",
    "TableMiddleware",
    "ViolationRecord",
    "build_refusal",
    "choose_from_menu",
    "clear_results_middleware",
    "count_message_tokens",
    "fits_menu",
    "fold_text",
    "is_example_of",
    "is_last_from_user",
    "is_suggested_by",
    "make_menu",
    "make_menu_tool",
    "make_offer",
    "make_shortlist",
    "read_suggestions",
    "read_todos",
    "rejected_message",
    "suggest_examples",
    "suggest_skills",
    "suggestions_for",
    "task_tool",
    "todos_event",
    "todos_from_run",
    "too_many_refusals_text",
]
