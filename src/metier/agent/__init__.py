"""Agent runtime: runs one turn on LangChain's agent loop and emits stored events."""

from metier.agent._runtime import Runtime
from metier.agent.adapters import Form, Limits, OnEvent, Price, form_for, result_data
from metier.agent.lifecycle import Observer
from metier.agent.middleware import (
    ChartMiddleware,
    ConfirmAnswer,
    GateFactory,
    GateMiddleware,
    GateState,
    LimitsMiddleware,
    ParametersMiddleware,
    PerRun,
    SkillMiddleware,
    SkillState,
    SubAgentMiddleware,
    SubAgents,
    Suggestion,
    TableMiddleware,
    ViolationRecord,
    count_message_tokens,
    suggestions_for,
)
from metier.agent.models import BuiltinModel, ModelConfig, NativeToolModel, TextToolModel, load_model
from metier.agent.results import CHART_KINDS, ChartSpec, Table, read_chart
from metier.agent.turn import StoreLedger, TurnRequest

__all__ = [
    "CHART_KINDS",
    "BuiltinModel",
    "ChartMiddleware",
    "ChartSpec",
    "ConfirmAnswer",
    "Form",
    "GateFactory",
    "GateMiddleware",
    "GateState",
    "Limits",
    "LimitsMiddleware",
    "ModelConfig",
    "NativeToolModel",
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
    "Table",
    "TableMiddleware",
    "TextToolModel",
    "TurnRequest",
    "ViolationRecord",
    "count_message_tokens",
    "form_for",
    "load_model",
    "read_chart",
    "result_data",
    "suggestions_for",
]
