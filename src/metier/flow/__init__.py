"""Deep runs: plan, execute, reflect and report over a typed DAG of operators."""

from metier.errors import OperatorNotFound, OperatorRefused
from metier.flow._packs import load_pack_operators, load_pack_rules
from metier.flow._rules import FlowForm, FlowRequest, FlowRules, FlowState, Goal, Reflection
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
)
from metier.flow.engines import Engine, JobFailed, JobResult, ProcessEngine, ThreadEngine

__all__ = [
    "CATEGORIES",
    "STOP",
    "Axis",
    "Category",
    "DagTracker",
    "Engine",
    "FlowForm",
    "FlowRequest",
    "FlowRules",
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
    "ThreadEngine",
    "Value",
    "ValueStore",
    "load_pack_operators",
    "load_pack_rules",
    "read_dag",
]
