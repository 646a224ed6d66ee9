"""Tool calls written as text, for models without native tool calls."""

from metier.tools.text_protocol._parse import (
    RESULT_MARK,
    TextProblem,
    TextReply,
    escape_result_mark,
    find_call_start,
    format_call,
    format_error,
    format_result,
    inject_document,
    read_reply,
)
from metier.tools.text_protocol._prompt import (
    format_repair_failure,
    format_repair_request,
    format_tool,
    language_of,
    tool_instructions,
)

__all__ = [
    "RESULT_MARK",
    "TextProblem",
    "TextReply",
    "escape_result_mark",
    "find_call_start",
    "format_call",
    "format_error",
    "format_repair_failure",
    "format_repair_request",
    "format_result",
    "format_tool",
    "inject_document",
    "language_of",
    "read_reply",
    "tool_instructions",
]
