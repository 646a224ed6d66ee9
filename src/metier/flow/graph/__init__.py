"""The outer graph of a deep run on LangGraph, and its checkpoints in the store."""

from metier.flow.graph._graph import build_graph, run_flow
from metier.flow.graph._saver import StoreSaver

__all__ = ["StoreSaver", "build_graph", "run_flow"]
