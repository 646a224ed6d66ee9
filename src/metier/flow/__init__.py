"""Deep runs: plan, execute, reflect and report over a typed DAG of operators."""

from typing import TYPE_CHECKING

from metier.errors import OperatorNotFound, OperatorRefused
from metier.flow._packs import FlowLibrary, load_pack_operators, load_pack_rules
from metier.flow._rules import (
    DrawingRules,
    FlowForm,
    FlowRequest,
    FlowRules,
    FlowState,
    Goal,
    Reflection,
    RoundRules,
)
from metier.flow.dag import (
    CATEGORIES,
    STOP,
    Axis,
    Category,
    DagTracker,
    Node,
    NodeLimits,
    Operator,
    OperatorRegistry,
    Port,
    Value,
    ValueStore,
    read_dag,
    replay_nodes,
    sketch,
)
from metier.flow.engines import DaskEngine, Engine, JobFailed, JobResult, ProcessEngine, ThreadEngine
from metier.flow.roles import FlowBudget, FlowRun, render_flow_sentence, run_rules

if TYPE_CHECKING:
    from metier.flow.graph import StoreSaver, run_flow
    from metier.flow.pictures import Card, draw_dags, draw_graph, render_mermaid, render_png, render_svg

__all__ = [
    "CATEGORIES",
    "STOP",
    "Axis",
    "Card",
    "Category",
    "DagTracker",
    "DaskEngine",
    "DrawingRules",
    "Engine",
    "FlowBudget",
    "FlowForm",
    "FlowLibrary",
    "FlowRequest",
    "FlowRules",
    "FlowRun",
    "FlowState",
    "Goal",
    "JobFailed",
    "JobResult",
    "Node",
    "NodeLimits",
    "Operator",
    "OperatorNotFound",
    "OperatorRefused",
    "OperatorRegistry",
    "Port",
    "ProcessEngine",
    "Reflection",
    "RoundRules",
    "StoreSaver",
    "ThreadEngine",
    "Value",
    "ValueStore",
    "draw_dags",
    "draw_graph",
    "load_pack_operators",
    "load_pack_rules",
    "read_dag",
    "render_flow_sentence",
    "render_mermaid",
    "render_png",
    "render_svg",
    "replay_nodes",
    "run_flow",
    "run_rules",
    "sketch",
]


def __getattr__(name: str) -> object:
    """Import what needs LangGraph on first access: operators and DAGs work without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    room = "graph" if name in ("StoreSaver", "run_flow") else "pictures"
    return getattr(import_module(f"metier.flow.{room}"), name)
