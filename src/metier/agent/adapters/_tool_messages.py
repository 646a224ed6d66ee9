"""ToolMessages that answer a call: every one is built here, and Metier's part of its artifact is read here.

The artifact holds `{"metier": …}`: `data` is the whole result; `state` and `error` tell how the call ended; `refused`
and `failed` are codes of calls that did not run; `raised` is the exception of a tool, which is never stored.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from langchain_core.messages import ToolMessage
from langgraph.types import Command

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools import Outcome, ToolCall, ToolResult

_KEY: Final = "metier"


def data_text(data: JsonValue) -> str:
    """Result data as JSON text for the model."""
    return json.dumps(data, ensure_ascii=False, default=dict)


def outcome_message(outcome: Outcome) -> ToolMessage:
    """ToolMessage of a call that was executed; the full result is in its artifact."""
    result = outcome.result
    ours: dict[str, Any] = {"state": outcome.state, "elapsed_ms": round(result.elapsed_ms, 1)}
    if result.ok:
        ours["data"] = result.data
    elif result.failure is not None:
        ours["error"] = {"code": result.failure.code, "message": result.failure.message, "hint": result.failure.hint}
    if result.notes:
        ours["notes"] = list(result.notes)
    if result.ok and result.keep:
        ours["kept"] = sorted(result.keep)
    if result.cause is not None:
        ours["raised"] = result.cause
    text = data_text(result.data) if result.ok else _failure_text(result)
    return _build(outcome.call.id, outcome.call.name, text, ours, ok=result.ok)


def control_message(call: ToolCall, data: JsonObject, *, ok: bool = True) -> ToolMessage:
    """ToolMessage of a control tool, which the agent runs itself."""
    return _build(call.id, call.name, data_text(data), {"state": "done" if ok else "failed", "data": data}, ok=ok)


def tool_message(call_id: str, tool: str, text: str, *, error: str = "") -> ToolMessage:
    """ToolMessage of a call that a middleware answers without running a tool; `error` is a code."""
    return _build(call_id, tool, text, {"failed": error} if error else {}, ok=not error)


def not_run_message(call: ToolCall, text: str, code: str) -> ToolMessage:
    """ToolMessage of a call that was refused, rejected or cancelled."""
    return _build(call.id, call.name, text, {"refused": code}, ok=False)


def unknown_message(call: ToolCall, text: str) -> ToolMessage:
    """ToolMessage of a call that began and whose effect nobody knows."""
    error = {"code": "outcome_unknown", "message": text, "hint": ""}
    return _build(call.id, call.name, text, {"state": "unknown", "error": error}, ok=False)


def held_message(call: ToolCall) -> ToolMessage:
    """Placeholder of a call that waits for a person; the agent's run ends before the model reads it."""
    return _build(call.id, call.name, "…", {}, ok=True)


def find_tool_message(result: ToolMessage | Command[Any]) -> ToolMessage | None:
    """ToolMessage in a handler's result, also if a middleware wrapped it in a Command."""
    if isinstance(result, ToolMessage):
        return result
    update = result.update if isinstance(result.update, Mapping) else {}
    return next((one for one in update.get("messages", ()) if isinstance(one, ToolMessage)), None)


def get_metier_artifact(message: ToolMessage) -> Mapping[str, Any]:
    """Metier's part of the message's artifact; empty if there is none."""
    ours = message.artifact.get(_KEY) if isinstance(message.artifact, Mapping) else None
    return ours if isinstance(ours, Mapping) else {}


def get_tool_error(message: ToolMessage) -> Exception | None:
    """What the tool of a failed call raised; None if it raised nothing."""
    raised = get_metier_artifact(message).get("raised")
    return raised if isinstance(raised, Exception) else None


def update_metier_artifact(message: ToolMessage, content: str | None = None, **values: object) -> ToolMessage:
    """Copy of the message with these values in Metier's part of its artifact, and with new content if given."""
    beside = message.artifact if isinstance(message.artifact, Mapping) else {}
    artifact = {**beside, _KEY: {**get_metier_artifact(message), **values}}
    return message.model_copy(update={"artifact": artifact, **({} if content is None else {"content": content})})


def call_state(message: ToolMessage) -> str:
    """How the call ended: `done`, `failed`, `refused`, or the state that its executor reported."""
    ours = get_metier_artifact(message)
    if "refused" in ours:
        return "refused"
    return str(ours.get("state") or ("done" if message.status != "error" else "failed"))


def result_data(message: ToolMessage) -> JsonValue:
    """The whole result of a call, whatever digest the model reads: its JSON, or its text."""
    ours = get_metier_artifact(message)
    if "data" in ours:
        data: JsonValue = ours["data"]
        return data
    try:
        return load_json(message.text)
    except JsonInvalid:
        return message.text


def _failure_text(result: ToolResult) -> str:
    failure = result.failure
    if failure is None:
        return "failed"
    return f"{failure.code}: {failure.message}" + (f" ({failure.hint})" if failure.hint else "")


def _build(call_id: str, tool: str, text: str, ours: Mapping[str, Any], *, ok: bool) -> ToolMessage:
    return ToolMessage(
        text,
        tool_call_id=call_id,
        name=tool,
        status="success" if ok else "error",
        artifact={_KEY: dict(ours)} if ours else None,
    )
