"""Builds the ToolMessage of tools that the agent runs itself."""

import json

from langchain_core.messages import ToolMessage

from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolCall


def data_text(data: JsonValue) -> str:
    """Result data as JSON text for the model."""
    return json.dumps(data, ensure_ascii=False, default=dict)


def control_message(call: ToolCall, data: JsonObject, *, ok: bool = True) -> ToolMessage:
    """Result of a control tool as ToolMessage."""
    text = data_text(data)
    status = "success" if ok else "error"
    artifact = {"metier": {"state": "done" if ok else "failed", "data": data}}
    return ToolMessage(text, tool_call_id=call.id, name=call.name, status=status, artifact=artifact)
