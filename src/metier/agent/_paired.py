"""The answers of tools that this room runs itself: data, as the model reads it, in a paired message."""

import json

from langchain_core.messages import ToolMessage

from metier.jsons import JsonObject, JsonValue
from metier.tools import ToolCall


def data_text(data: JsonValue) -> str:
    """A result as the model reads it when nobody makes a digest of it."""
    return json.dumps(data, ensure_ascii=False, default=dict)


def control_message(call: ToolCall, data: JsonObject, *, ok: bool = True) -> ToolMessage:
    """The answer of a tool that steers the turn."""
    text = data_text(data)
    status = "success" if ok else "error"
    artifact = {"metier": {"state": "done" if ok else "failed", "data": data}}
    return ToolMessage(text, tool_call_id=call.id, name=call.name, status=status, artifact=artifact)
