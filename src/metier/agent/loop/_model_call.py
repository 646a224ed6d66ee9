"""One model call: counted, its tokens reported, and repeated when the reply is unusable."""

import time
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, HumanMessage

from metier.agent.adapters import MAX_OUTPUT_CHARS, AsyncModelHandler, get_last_message, render_sentence, usage_event
from metier.agent.models import MAX_REPAIRS, model_name
from metier.agent.turn import TurnState, get_turn_state
from metier.store import EventDraft
from metier.tokens import count_tokens


class RepairMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware around the model. An empty reply or an unreadable tool call is sent back, at most twice."""

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        asked = request
        for attempt in range(MAX_REPAIRS + 1):
            began = time.perf_counter()
            response = await _call_model(state, asked, handler)
            elapsed_s = time.perf_counter() - began
            message = get_last_message(response)
            _record_usage(state, message, model_name(asked.model, message), elapsed_s)
            problem = _find_problem(message, state)
            if problem is None:
                return response
            if attempt < MAX_REPAIRS:
                asked = request.override(messages=[*request.messages, HumanMessage(problem, name="runtime")])
        await state.emit(EventDraft("error", {"code": "no_answer", "message": problem or "", "repairs": MAX_REPAIRS}))
        text = render_sentence("empty_answer", state.request.language)
        return ModelResponse(result=[AIMessage(text, response_metadata={"metier": {"ended": "no_answer"}})])


async def _call_model(state: TurnState, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
    try:
        return await handler(request)
    except Exception as error:
        state.calls.model_error = error  # tells a failure of the model from one of the caller's middleware
        raise


def _record_usage(state: TurnState, message: AIMessage, model: str, elapsed_s: float) -> None:
    """Queue one `usage` event per call. Without usage metadata tokens are estimated; the prompt was counted before."""
    if state.is_builtin_call:
        return
    state.calls.usage.model_calls += 1
    if state.plan.runner is not None:
        state.plan.runner.record = state.plan.runner.record.record_model_call()
    used = message.usage_metadata
    if used is not None:
        inside, outside = used["input_tokens"], used["output_tokens"]
    else:
        written = message.text[:MAX_OUTPUT_CHARS] + "".join(str(call["args"]) for call in message.tool_calls)
        inside, outside = state.calls.prompt_tokens, count_tokens(written)
    price = state.model_price
    state.calls.usage.add_tokens(inside, outside, price)
    event = usage_event(inside, outside, estimated=used is None, price=price, model=model, elapsed_s=elapsed_s)
    state.journal.queue(replace(event, data={**event.data, **state.describe_model_choice()}))


def _find_problem(message: AIMessage, state: TurnState) -> str | None:
    """What to tell the model about an unusable reply; None if the reply is usable."""
    if message.tool_calls:
        return None
    if message.invalid_tool_calls:
        why = str(message.invalid_tool_calls[0].get("error") or "no JSON")[:200]
        return render_sentence("note_broken_call", state.request.language, why=why)
    return None if message.text.strip() else render_sentence("note_empty", state.request.language)
