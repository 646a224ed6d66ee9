"""Middleware that the caller brings: the tools it adds, the tools it is shown, its interrupts and their checkpoints."""

from metier.agent.loop.callers._check import OWN_NAMES
from metier.agent.loop.callers._checkpoints import RunCheckpoints
from metier.agent.loop.callers._interrupts import RaisedInterrupts, answer_interrupts, ask_interrupts, repeat_decisions
from metier.agent.loop.callers._tool_errors import CatchToolErrors, RaiseToolErrors
from metier.agent.loop.callers._tool_views import HideToolViews, ShowToolViews
from metier.agent.loop.callers._tools import MiddlewareTool, list_middleware_tools, run_with_handler

__all__ = [
    "OWN_NAMES",
    "CatchToolErrors",
    "HideToolViews",
    "MiddlewareTool",
    "RaiseToolErrors",
    "RaisedInterrupts",
    "RunCheckpoints",
    "ShowToolViews",
    "answer_interrupts",
    "ask_interrupts",
    "list_middleware_tools",
    "repeat_decisions",
    "run_with_handler",
]
