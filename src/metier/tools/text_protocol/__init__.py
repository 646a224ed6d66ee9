"""Tool calls written as text, for models without native tool calls."""

from metier.tools.text_protocol._parse import (
    TextProblem,
    TextReply,
    escape_result_mark,
    find_call_start,
    format_call,
    format_error,
    format_result,
    read_reply,
)
from metier.tools.text_protocol._prompt import (
    format_repair_failure,
    format_repair_request,
    tool_instructions,
)

__all__ = [
    "TextProblem",
    "TextReply",
    "escape_result_mark",
    "find_call_start",
    "format_call",
    "format_error",
    "format_repair_failure",
    "format_repair_request",
    "format_result",
    "read_reply",
    "tool_instructions",
]
