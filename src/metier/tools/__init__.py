"""What tools there are, whether one may run now, and running it where it can do no harm."""

from metier.tools._calls import Tool, ToolCall, ToolContext, ToolFailure, ToolResult
from metier.tools._spec import ALWAYS, NEVER, Approval, Origin, ResultKind, SideEffect, ToolSpec

__all__ = [
    "ALWAYS",
    "NEVER",
    "Approval",
    "Origin",
    "ResultKind",
    "SideEffect",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolFailure",
    "ToolResult",
    "ToolSpec",
]
