"""Outer and inner edge of a turn's agent: record messages and tool results, check the gate, run the tools."""

from collections.abc import Sequence
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainCall
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncModelHandler,
    AsyncToolHandler,
    UsageTotals,
    find_tool_message,
    get_last_message,
    get_tool_call,
    is_held,
    limit_reached,
)
from metier.agent.middleware import build_refusal, read_suggestions, too_many_refusals_text
from metier.agent.models import shorten
from metier.agent.turn import (
    CallBatch,
    TurnState,
    ask_for_held_calls,
    get_turn_state,
    record_result,
    run_call,
    run_control_tool,
)
from metier.json_values import clean_json, clean_text
from metier.store import EventDraft
from metier.tools import MAX_REFUSALS, ToolCall

_MAX_NAME_CHARS: Final = 200


class RecordMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outermost middleware: stores every message and tool result, then emits it, before it enters the agent's state.

    A call that waits for a person ends the run; the pause holds everything needed to resume.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> AIMessage:
        state = get_turn_state(request.runtime)
        if state.calls.batch is not None and state.calls.batch.held:
            return AIMessage(await ask_for_held_calls(state))
        if ended := _stop_text(state):
            state.queue_reply(ended)
            return AIMessage(ended)
        message = get_last_message(await handler(request))
        text = shorten(clean_text(message.text), state.request.language)
        if not message.tool_calls:
            if not state.is_paused:
                reading = read_suggestions(text)
                text, state.calls.suggestions = reading.text, tuple(one.to_json() for one in reading.suggestions)
                state.queue_reply(text)
            return AIMessage(text, usage_metadata=message.usage_metadata)
        calls = _sanitize_calls(message.tool_calls, state)
        state.calls.batch = CallBatch(text, tuple(ToolCall(str(one["id"]), one["name"], one["args"]) for one in calls))
        if text:
            await state.emit(EventDraft("text.done", {"text": text}))
        return AIMessage(text, tool_calls=calls, usage_metadata=message.usage_metadata)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state = get_turn_state(request.runtime)
        result = await handler(request)
        message = find_tool_message(result)
        if message is None or is_held(message):
            return result
        read = await record_result(state, get_tool_call(request), message)
        return read if result is message else result


class TurnGate(AgentMiddleware[AgentState[Any], Any, Any]):
    """Checks the gate at call time: run the call, hold it for a person, or refuse it with a reason."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        message = await refuse_or_hold(state, call)
        return await handler(request) if message is None else message


class ToolMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware: runs the turn's tools. The agent itself has none, so skills can add theirs at any time."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        steered = await run_control_tool(state, call)
        return steered if steered is not None else await run_call(state, call)


async def refuse_or_hold(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """None if the call is allowed; otherwise the ToolMessage to return. A refusal is recorded, counted and emitted."""
    gate = state.gate
    verdict = gate.check(call)
    if verdict.answer == "allow":
        return None
    if verdict.answer == "confirm":
        return state.hold_for_approval(call, verdict)
    refusal = build_refusal(
        call, verdict, state.request.language, conversation=state.conversation, turn=state.turn, skills=gate.skills
    )
    await state.resources.ledger.record_violation(refusal.entry)
    state.calls.usage.refusals += 1
    if state.plan.runner is not None:
        state.plan.runner.count_call(call.name)
    await state.emit(refusal.event)
    return refusal.message


def _sanitize_calls(calls: Sequence[LangChainCall], state: TurnState) -> list[LangChainCall]:
    """Give calls unique ids, and names and arguments that the store accepts; their meaning is not changed."""
    seen: set[str] = set()
    made: list[LangChainCall] = []
    for call in calls:
        call_id = clean_text(call["id"] or "").strip()[:_MAX_NAME_CHARS]
        if not call_id or call_id in seen:
            call_id = f"call-{state.resources.new_id()[:12]}"
        seen.add(call_id)
        name = clean_text(call["name"]).strip()[:_MAX_NAME_CHARS] or "unnamed"
        arguments = {clean_text(str(key)): clean_json(value) for key, value in call["args"].items()}
        made.append(LangChainCall(name=name, args=arguments, id=call_id, type="tool_call"))
    return made


def _stop_text(state: TurnState) -> str:
    """Sentence that ends the turn when a limit or the number of refusals is reached; empty otherwise."""
    if state.calls.usage.refusals >= MAX_REFUSALS:
        return too_many_refusals_text(state.calls.usage.refusals, state.gate.allowed_tools(), state.request.language)
    counts = state.calls.usage
    wall_s = (state.resources.clock() - state.request.started_at).total_seconds() if state.request.started_at else 0.0
    steps = counts.model_calls + counts.tool_calls
    cost = state.resources.price.compute_cost(counts.input_tokens, counts.output_tokens)
    used = UsageTotals(steps, counts.model_calls, counts.input_tokens, counts.output_tokens, wall_s, cost)
    reached = limit_reached(used, state.resources.limits)
    if reached is None:
        return ""
    text = reached.text(state.request.language)
    state.journal.queue(reached.error_event(text))
    return text
