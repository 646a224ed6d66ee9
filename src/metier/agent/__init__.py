"""Agent runtime: runs one turn on LangChain's agent loop and emits stored events."""

from metier.agent._artifacts import PerRun, result_data
from metier.agent._builtin_model import BuiltinModel
from metier.agent._chart_spec import CHART_KINDS, ChartSpec, read_chart
from metier.agent._charts import ChartMiddleware
from metier.agent._drive import Observer
from metier.agent._editing import EditingMiddleware
from metier.agent._forms import Form, form_for
from metier.agent._gate_middleware import ConfirmAnswer, GateMiddleware, OnEvent
from metier.agent._gate_sources import GateFactory
from metier.agent._ledger import StoreLedger
from metier.agent._limits import Limits, LimitsMiddleware, Price
from metier.agent._models import ModelConfig, load_model
from metier.agent._opening import open_model
from metier.agent._parameters import ParametersMiddleware
from metier.agent._refusals import GateState, ViolationRecord
from metier.agent._requests import TurnRequest
from metier.agent._runtime import Runtime
from metier.agent._skill_middleware import SkillMiddleware, SkillState
from metier.agent._subagents import SubAgentMiddleware, SubAgents
from metier.agent._suggestions import Suggestion, SuggestionsMiddleware, suggestions_for
from metier.agent._tables import Table, TableMiddleware
from metier.agent._text_model import MAX_REPAIRS, TextToolModel
from metier.agent._todos import TodosMiddleware
from metier.agent._trackers import ToolStep, Tracker, todo_tracker

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
    "ToolStep",
    "Tracker",
    "TurnRequest",
    "ViolationRecord",
    "form_for",
    "load_model",
    "open_model",
    "read_chart",
    "result_data",
    "suggestions_for",
    "todo_tracker",
]
