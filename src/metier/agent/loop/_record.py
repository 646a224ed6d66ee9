"""Outer and inner edge of a turn's agent: record messages and tool results, check the gate, run the tools."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainCall
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncModelHandler,
    AsyncToolHandler,
    clean_text,
    find_tool_message,
    get_last_message,
    get_tool_call,
    is_held,
)
from metier.agent.middleware import (
    LIMIT_REACHED,
    UsageTotals,
    build_refusal,
    limit_reached,
    limit_reached_text,
    read_suggestions,
    too_many_refusals_text,
)
from metier.agent.models import shorten
from metier.agent.turn import (
    CallBatch,
    TurnState,
    ask_for_held_calls,
    record_result,
    run_call,
    run_control_tool,
)
from metier.errors import UsageError
from metier.json_values import JsonValue
from metier.store import EventDraft
from metier.tools import MAX_REFUSALS, ToolCall

_MAX_NAME_CHARS: Final = 200


class RecordMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outermost middleware: stores every message and tool result, then emits it, before it enters the agent's state.

    A call that waits for a person ends the run; the pause holds everything needed to resume.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> AIMessage:
        work = get_turn_state(request.runtime)
        if work.call_batch is not None and work.call_batch.held:
            return AIMessage(await ask_for_held_calls(work))
        if ended := _stop_text(work):
            work.queue_reply(ended)
            return AIMessage(ended)
        message = get_last_message(await handler(request))
        text = shorten(clean_text(message.text), work.language)
        if not message.tool_calls:
            if not work.is_paused:
                reading = read_suggestions(text)
                text, work.suggestions = reading.text, tuple(one.to_json() for one in reading.suggestions)
                work.queue_reply(text)
            return AIMessage(text, usage_metadata=message.usage_metadata)
        calls = _sanitize_calls(message.tool_calls, work)
        work.call_batch = CallBatch(text, tuple(ToolCall(str(one["id"]), one["name"], one["args"]) for one in calls))
        if text:
            await work.emit(EventDraft("text.done", {"text": text}))
        return AIMessage(text, tool_calls=calls, usage_metadata=message.usage_metadata)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        work = get_turn_state(request.runtime)
        result = await handler(request)
        message = find_tool_message(result)
        if message is None or is_held(message):
            return result
        read = await record_result(work, get_tool_call(request), message)
        return read if result is message else result


class TurnGate(AgentMiddleware[AgentState[Any], Any, Any]):
    """Checks the gate at call time: run the call, hold it for a person, or refuse it with a reason."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        work, call = get_turn_state(request.runtime), get_tool_call(request)
        message = await refuse_or_hold(work, call)
        return await handler(request) if message is None else message


class ToolMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware: runs the turn's tools. The agent itself has none, so skills can add theirs at any time."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        work, call = get_turn_state(request.runtime), get_tool_call(request)
        steered = await run_control_tool(work, call)
        return steered if steered is not None else await run_call(work, call)


async def refuse_or_hold(work: TurnState, call: ToolCall) -> ToolMessage | None:
    """None if the call is allowed; otherwise the ToolMessage to return. A refusal is recorded, counted and emitted."""
    gate = work.gate
    verdict = gate.check(call)
    if verdict.answer == "allow":
        return None
    if verdict.answer == "confirm":
        return work.hold_for_approval(call, verdict)
    refusal = build_refusal(
        call, verdict, work.language, conversation=work.conversation, turn=work.turn, skills=gate.skills
    )
    await work.resources.ledger.record_violation(refusal.entry)
    work.usage.refusals += 1
    if work.plan_runner is not None:
        work.plan_runner.count_call(call.name)
    await work.emit(refusal.event)
    return refusal.message


def get_turn_state(runtime: object) -> TurnState:
    """Return the state of the turn that this agent runs for; `UsageError` outside Metier's own runtime."""
    work = getattr(runtime, "context", None)
    if not isinstance(work, TurnState):
        raise UsageError("this middleware belongs to Metier's own runtime", hint="use metier.langchain in other agents")
    return work


def _sanitize_calls(calls: Sequence[LangChainCall], work: TurnState) -> list[LangChainCall]:
    """Give calls unique ids, and names and arguments that the store accepts; their meaning is not changed."""
    seen: set[str] = set()
    made: list[LangChainCall] = []
    for call in calls:
        call_id = clean_text(call["id"] or "").strip()[:_MAX_NAME_CHARS]
        if not call_id or call_id in seen:
            call_id = f"call-{work.resources.new_id()[:12]}"
        seen.add(call_id)
        name = clean_text(call["name"]).strip()[:_MAX_NAME_CHARS] or "unnamed"
        arguments = {clean_text(str(key)): _sanitize_value(value) for key, value in call["args"].items()}
        made.append(LangChainCall(name=name, args=arguments, id=call_id, type="tool_call"))
    return made


def _sanitize_value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {clean_text(str(key)): _sanitize_value(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_sanitize_value(item) for item in value]
    return value


def _stop_text(work: TurnState) -> str:
    """Sentence that ends the turn when a limit or the number of refusals is reached; empty otherwise."""
    if work.usage.refusals >= MAX_REFUSALS:
        return too_many_refusals_text(work.usage.refusals, work.gate.allowed_tools(), work.language)
    counts = work.usage
    wall_s = (work.resources.clock() - work.started_at).total_seconds() if work.started_at else 0.0
    steps = counts.model_calls + counts.tool_calls
    cost = work.resources.price.compute_cost(counts.input_tokens, counts.output_tokens)
    used = UsageTotals(steps, counts.model_calls, counts.input_tokens, counts.output_tokens, wall_s, cost)
    reached = limit_reached(used, work.resources.limits)
    if reached is None:
        return ""
    name, so_far, most = reached
    text = limit_reached_text(name, so_far, most, work.language)
    figures = {"limit": name, "used": round(so_far, 6), "most": most}
    work.journal.queue(EventDraft("error", {"code": LIMIT_REACHED, "message": text, **figures}))
    return text
