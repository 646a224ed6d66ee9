"""Agent runtime: runs one turn on LangChain's agent loop and emits stored events."""

from metier.agent._from_settings import open_model
from metier.agent._runtime import Runtime
from metier.agent.adapters import Form, OnEvent, form_for, result_data
from metier.agent.lifecycle import Observer
from metier.agent.loop import SkillMiddleware, SkillState
from metier.agent.middleware import (
    ConfirmAnswer,
    EditingMiddleware,
    GateFactory,
    GateMiddleware,
    GateState,
    Limits,
    LimitsMiddleware,
    ParametersMiddleware,
    Price,
    SubAgentMiddleware,
    SubAgents,
    Suggestion,
    SuggestionsMiddleware,
    TodosMiddleware,
    ViolationRecord,
    suggestions_for,
)
from metier.agent.models import MAX_REPAIRS, BuiltinModel, ModelConfig, TextToolModel, load_model
from metier.agent.results import (
    CHART_KINDS,
    ChartMiddleware,
    ChartSpec,
    PerRun,
    Table,
    TableMiddleware,
    read_chart,
)
from metier.agent.turn import StoreLedger, TurnRequest

__all__ = [
    "CHART_KINDS",
    "MAX_REPAIRS",
    "BuiltinModel",
    "ChartMiddleware",
    "ChartSpec",
    "ConfirmAnswer",
    "EditingMiddleware",
    "Form",
    "GateFactory",
    "GateMiddleware",
    "GateState",
    "Limits",
    "LimitsMiddleware",
    "ModelConfig",
    "Observer",
    "OnEvent",
    "ParametersMiddleware",
    "PerRun",
    "Price",
    "Runtime",
    "SkillMiddleware",
    "SkillState",
    "StoreLedger",
    "SubAgentMiddleware",
    "SubAgents",
    "Suggestion",
    "SuggestionsMiddleware",
    "Table",
    "TableMiddleware",
    "TextToolModel",
    "TodosMiddleware",
    "TurnRequest",
    "ViolationRecord",
    "form_for",
    "load_model",
    "open_model",
    "read_chart",
    "result_data",
    "suggestions_for",
]
