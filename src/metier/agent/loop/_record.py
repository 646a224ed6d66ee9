"""Records what a turn's agent says and does, outermost in its stack."""

import contextlib
from collections.abc import Sequence
from typing import Any, Final, cast

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainCall
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    AsyncModelHandler,
    AsyncToolHandler,
    find_tool_message,
    get_last_message,
    get_tool_call,
    held_message,
)
from metier.agent.loop._gate import CallHeld, stop_text
from metier.agent.middleware import read_suggestions
from metier.agent.models import PROVIDER_REPLY, hide_blocks, reply_end, shorten
from metier.agent.turn import (
    CallBatch,
    TurnState,
    ask_for_held_calls,
    close_open_calls,
    closing_message,
    get_turn_state,
    mark_not_run,
    record_given_results,
    record_result,
)
from metier.faults import fault_point
from metier.json_values import JsonObject, clean_json, clean_text
from metier.tools import ToolCall

_MAX_NAME_CHARS: Final = 200


class RecordMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outermost middleware: stores every message and tool result, then emits it, before it enters the agent's state.

    A call that waits for a person ends the run; the pause holds everything needed to resume.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> AIMessage:
        state = get_turn_state(request.runtime)
        state.calls.final_text = None  # a reply that middleware of the caller sent back to the model is not the last
        await record_given_results(state, request.messages)
        if (pending := await _continue_batch(state)) is not None:
            return pending
        if state.calls.looked_up is not None:
            return AIMessage("")
        await close_open_calls(state)  # calls that middleware of the caller dropped from the reply
        if ended := stop_text(state):
            return _record_reply(state, AIMessage(ended), ended)
        # LangChain puts the tools of middleware into every request; they are offered with the others, through the gate.
        message = get_last_message(await handler(request.override(tools=[])))
        fault_point("model_done")
        text = clean_text(message.text).strip()
        if reply_end(message) == "complete":  # the text of any other reply says already how it ended
            text = shorten(text, state.request.language)
        text = state.guard_text(text)
        if not message.tool_calls:
            reading = read_suggestions(text)
            state.calls.suggestions = tuple(one.to_json() for one in reading.suggestions)
            return _record_reply(state, message, hide_blocks(reading.text) or reading.text)
        text, calls = hide_blocks(text), _sanitize_calls(message.tool_calls, state)
        state.calls.batch = CallBatch(text, tuple(ToolCall(str(one["id"]), one["name"], one["args"]) for one in calls))
        state.calls.answers, state.calls.reviewed, state.calls.is_resumed = {}, {}, False
        if (kept := message.additional_kwargs.get(PROVIDER_REPLY)) is not None:
            state.calls.provider_replies |= {str(one["id"]): kept for one in calls}
        if text:
            await state.journal.emit(*state.text_drafts(text))
        return AIMessage(text, tool_calls=calls, usage_metadata=message.usage_metadata)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state = get_turn_state(request.runtime)
        request = _apply_edit(state, request)
        call = get_tool_call(request)
        result: ToolMessage | Command[Any] | None = closing_message(state, call)
        if result is None:
            with contextlib.suppress(CallHeld):
                result = await handler(request)
        if result is None or state.is_held(call.id):  # whatever middleware of the caller returned: nothing ran
            return held_message(call)
        message = find_tool_message(result)
        if message is None:
            return result
        read = await record_result(state, call, mark_not_run(state, call, message))
        return read if result is message else result


def _apply_edit(state: TurnState, request: ToolCallRequest) -> ToolCallRequest:
    """Request with the arguments that a person gave when middleware of the caller asked.

    LangChain's review applies them itself, but only inside the gate, which has to check and show what would run.
    """
    call, batch = request.tool_call, state.calls.batch
    edited = batch.find_call(call["id"] or "") if batch is not None and call["id"] in state.calls.edited_ids else None
    return request if edited is None else request.override(tool_call={**call, "args": dict(edited.arguments)})


async def _continue_batch(state: TurnState) -> AIMessage | None:
    """Message that continues an open batch: its ready calls after an answer or a crash, or the question about others.

    The calls are returned as if the model had just made them, so that they pass every middleware like any other.
    """
    batch = state.calls.batch
    if batch is None:
        return None
    state.calls.edited_ids.clear()  # a new run of the agent begins with the edited calls
    ready = batch.ready_calls if state.calls.is_resumed else ()
    state.calls.is_resumed = False
    if ready:
        text = "" if batch.results else batch.text
        calls = [LangChainCall(name=one.name, args=dict(one.arguments), id=one.id, type="tool_call") for one in ready]
        return AIMessage(text, tool_calls=calls)
    asks = batch.held and state.calls.looked_up is None  # to look something up asks nobody
    return AIMessage(await ask_for_held_calls(state)) if asks else None


def _record_reply(state: TurnState, message: AIMessage, text: str) -> AIMessage:
    """Keep the reply that ends the run, to be stored when middleware of the caller has seen it.

    A question that was asked instead is stored with its pause.
    """
    if not state.is_paused:
        state.calls.final_text = text
    return AIMessage(text, usage_metadata=message.usage_metadata)


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
        arguments = dict(cast("JsonObject", clean_json(call["args"])))
        made.append(LangChainCall(name=name, args=arguments, id=call_id, type="tool_call"))
    return made
