"""Records what a turn's agent says and does, outermost in its stack."""

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
    find_tool_message,
    get_last_message,
    get_tool_call,
    is_held,
)
from metier.agent.loop._gate import stop_text
from metier.agent.middleware import (
    read_suggestions,
)
from metier.agent.models import shorten
from metier.agent.turn import (
    CallBatch,
    TurnState,
    ask_for_held_calls,
    get_turn_state,
    record_result,
)
from metier.json_values import clean_json, clean_text
from metier.store import EventDraft
from metier.tools import ToolCall

_MAX_NAME_CHARS: Final = 200


class RecordMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outermost middleware: stores every message and tool result, then emits it, before it enters the agent's state.

    A call that waits for a person ends the run; the pause holds everything needed to resume.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> AIMessage:
        state = get_turn_state(request.runtime)
        if state.calls.batch is not None and state.calls.batch.held:
            return AIMessage(await ask_for_held_calls(state))
        if ended := stop_text(state):
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
