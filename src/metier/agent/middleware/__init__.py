"""Drop-in middleware for anybody's LangChain agent; knows no `Runtime` and no store."""

from metier.agent.middleware._clear_results import EditingMiddleware
from metier.agent.middleware._gate import ConfirmAnswer, GateMiddleware
from metier.agent.middleware._gate_rules import GateFactory
from metier.agent.middleware._limits import (
    LIMIT_REACHED,
    Limits,
    LimitsMiddleware,
    Price,
    UsageTotals,
    limit_reached,
    limit_reached_text,
    usage_event,
)
from metier.agent.middleware._missing_arguments import ParametersMiddleware
from metier.agent.middleware._refusals import (
    GateState,
    Refusal,
    ViolationRecord,
    build_refusal,
    refusal_message,
    refused_call,
    rejected_message,
    too_many_refusals_text,
    violation_event,
    violation_record,
)
from metier.agent.middleware._subagents import TASK, Delegation, SubAgentMiddleware, SubAgents, task_tool
from metier.agent.middleware._suggestions import Suggestion, SuggestionsMiddleware, read_suggestions, suggestions_for
from metier.agent.middleware._todos import (
    TODOS_DESCRIPTION,
    TODOS_SCHEMA,
    WRITE_TODOS,
    TodosMiddleware,
    read_todos,
    todos_event,
    todos_from_run,
)

__all__ = [
    "LIMIT_REACHED",
    "TASK",
    "TODOS_DESCRIPTION",
    "TODOS_SCHEMA",
    "WRITE_TODOS",
    "ConfirmAnswer",
    "Delegation",
    "EditingMiddleware",
    "GateFactory",
    "GateMiddleware",
    "GateState",
    "Limits",
    "LimitsMiddleware",
    "ParametersMiddleware",
    "Price",
    "Refusal",
    "SubAgentMiddleware",
    "SubAgents",
    "Suggestion",
    "SuggestionsMiddleware",
    "TodosMiddleware",
    "UsageTotals",
    "ViolationRecord",
    "build_refusal",
    "limit_reached",
    "limit_reached_text",
    "read_suggestions",
    "read_todos",
    "refusal_message",
    "refused_call",
    "rejected_message",
    "suggestions_for",
    "task_tool",
    "todos_event",
    "todos_from_run",
    "too_many_refusals_text",
    "usage_event",
    "violation_event",
    "violation_record",
]
