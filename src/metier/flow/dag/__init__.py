"""Typed DAG of an analysis: values, operators, checked edges, cache, limits, replay. Pure: numpy only."""

from metier.flow.dag._files import ValueStore
from metier.flow.dag._node import Node, digest_value, summarize
from metier.flow.dag._operator import CATEGORIES, STOP, Category, Operator, OperatorRegistry, Port
from metier.flow.dag._replay import read_dag, replay_nodes
from metier.flow.dag._sketch import sketch, sketch_node
from metier.flow.dag._tracker import DagTracker, NodeLimits
from metier.flow.dag._value import Axis, Value

__all__ = [
    "CATEGORIES",
    "STOP",
    "Axis",
    "Category",
    "DagTracker",
    "Node",
    "NodeLimits",
    "Operator",
    "OperatorRegistry",
    "Port",
    "Value",
    "ValueStore",
    "digest_value",
    "read_dag",
    "replay_nodes",
    "sketch",
    "sketch_node",
    "summarize",
]
