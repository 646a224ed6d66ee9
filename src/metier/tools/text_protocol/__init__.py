"""Tool calls written as text, by models without native tool calls and by weak models with them."""

from metier.tools.text_protocol._marks import begins_in_thought, escape_result_mark
from metier.tools.text_protocol._parse import format_call, format_error, format_result, read_reply
from metier.tools.text_protocol._problems import TextProblem, TextReply
from metier.tools.text_protocol._prompt import (
    format_repair_failure,
    format_repair_request,
    format_tool,
    schema_instructions,
    tool_instructions,
)
from metier.tools.text_protocol._read import ReadingRules
from metier.tools.text_protocol._stream import ReplyStream

__all__ = [
    "ReadingRules",
    "ReplyStream",
    "TextProblem",
    "TextReply",
    "begins_in_thought",
    "escape_result_mark",
    "format_call",
    "format_error",
    "format_repair_failure",
    "format_repair_request",
    "format_result",
    "format_tool",
    "read_reply",
    "schema_instructions",
    "tool_instructions",
]
