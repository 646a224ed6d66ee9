"""One model call: counted, within the turn's time, its tokens reported, and repeated when the reply is unusable."""

import asyncio
import time
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, HumanMessage

from metier.agent.adapters import (
    LIMIT_REACHED,
    MAX_OUTPUT_CHARS,
    AsyncModelHandler,
    ReachedLimit,
    get_last_message,
    render_sentence,
    usage_event,
)
from metier.agent.middleware import read_suggestions
from metier.agent.models import (
    MAX_REPAIRS,
    METIER,
    DroppedCall,
    dropped_calls,
    find_chat_template,
    find_reasoning,
    has_stood_in,
    model_name,
    reply_end,
)
from metier.agent.results import find_contract_problem
from metier.agent.turn import TurnState, get_turn_state
from metier.json_values import clean_text
from metier.language import Language
from metier.store import EventDraft


class RepairMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware around the model.

    A reply that is empty, or whose tool call is unreadable or broke off, is sent back, at most twice; nothing of it
    runs. So is an answer that breaks the output contract of its skill; the last one is kept, with an `error` event. A
    text that broke off is kept, with the reason.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
        state = get_turn_state(request.runtime)
        state.journal.streamed_text = ""  # of a reply that middleware of the caller sent back
        asked, message, problem = request, AIMessage(""), ""
        kept: ModelResponse[Any] | None = None
        broken: str | None = None
        for attempt in range(MAX_REPAIRS + 1):
            began = time.perf_counter()
            response = await _call_model(state, asked, handler)
            elapsed_s = time.perf_counter() - began
            state.journal.queue(*state.journal.reasoning.finish())  # of a call that the turn's limit stopped
            message = get_last_message(response)
            state.calls.reply_end = reply_end(message)
            _record_usage(state, message, model_name(asked.model, message), elapsed_s)
            found = _find_problem(message, state)
            broken = _find_broken_contract(message, state) if found is None else None
            if found is None and broken is None:
                return _mark_end(response, message, state)
            kept = response if broken else None
            problem = found or render_sentence("note_contract", state.request.language, why=broken)
            if attempt < MAX_REPAIRS:
                await _close_text(state, message)
                before = [AIMessage(message.text)] if broken else []
                note = HumanMessage(problem, name="runtime")
                asked = request.override(messages=[*request.messages, *before, note])
        if kept is not None:
            told = render_sentence("contract_broken", state.request.language, why=broken)
            state.journal.queue(
                EventDraft("error", {"code": "output_invalid", "message": told, "repairs": MAX_REPAIRS})
            )
            return _mark_end(kept, message, state)
        await state.emit(EventDraft("error", {"code": "no_answer", "message": problem, "repairs": MAX_REPAIRS}))
        text = _failure_text(state, message)
        return ModelResponse(result=[AIMessage(text, response_metadata={METIER: {"ended": "no_answer"}})])


async def _call_model(state: TurnState, request: ModelRequest[Any], handler: AsyncModelHandler) -> ModelResponse[Any]:
    """Call the model, and stop it when the turn's time is up: what it has said by then is kept."""
    most = state.resources.limits.wall_s
    state.calls.is_model_running = True
    try:
        async with asyncio.timeout(None if most is None else max(0.0, most - state.elapsed_s)) as limit:
            return await handler(request)
    except TimeoutError as error:
        if most is not None and limit.expired():
            return _stop_at_limit(state, ReachedLimit("wall_s", round(state.elapsed_s, 1), most))
        state.calls.model_error = error
        raise
    except Exception as error:
        state.calls.model_error = error  # tells a failure of the model from one of the caller's middleware
        raise
    finally:
        state.calls.is_model_running = False


def _stop_at_limit(state: TurnState, reached: ReachedLimit) -> ModelResponse[Any]:
    text = reached.text(state.request.language)
    state.journal.queue(reached.error_event(text))
    said = "\n\n".join(filter(None, (state.journal.streamed_text, text)))
    return ModelResponse(result=[AIMessage(said, response_metadata={METIER: {"ended": LIMIT_REACHED}})])


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
        if state.calls.model_choice is not None:
            key = (state.calls.model_choice.name, state.calls.stage or "converse")
            state.resources.models.token_scale.learn(key, state.calls.prompt_tokens, inside)
    else:
        written = f"{find_reasoning(message)}{message.text}"[:MAX_OUTPUT_CHARS]
        written += "".join(str(call["args"]) for call in message.tool_calls)
        inside, outside = state.calls.prompt_tokens, find_chat_template(model).count(written)
    stood_in = has_stood_in(message)
    price = state.find_price(state.calls.model_choice, model, stood_in=stood_in)
    state.calls.usage.add_tokens(inside, outside, price)
    event = usage_event(
        inside,
        outside,
        estimated=used is None,
        price=price,
        model=model,
        elapsed_s=elapsed_s,
        end=reply_end(message),
        stood_in=stood_in,
    )
    state.journal.queue(replace(event, data={**event.data, **state.describe_model_choice()}))


def _find_problem(message: AIMessage, state: TurnState) -> str | None:
    """What to tell the model about an unusable reply; None if the reply is usable, or asking again would not help."""
    end, language = reply_end(message), state.request.language
    if end == "filter":
        return None
    if (dropped := dropped_calls(message)) or (end != "complete" and message.tool_calls):
        return _explain_dropped(dropped[0] if dropped else DroppedCall("", end), language)
    if message.tool_calls:
        return None
    if message.invalid_tool_calls:
        why = str(message.invalid_tool_calls[0].get("error") or "no JSON")[:200]
        return render_sentence("note_broken_call", language, why=why)
    if message.text.strip():
        return None
    return render_sentence("note_cut_before_text" if end == "length" else "note_empty", language)


def _find_broken_contract(message: AIMessage, state: TurnState) -> str | None:
    """What to tell the model about an answer that breaks the output contract of the skill in use."""
    skill = state.skill.active
    if skill is None or message.tool_calls or state.is_builtin_call or state.calls.stage in ("choose", "fill"):
        return None
    if reply_end(message) != "complete":
        return None
    output = skill.output if skill.output.plan is None else replace(skill.output, schema="")  # checked where submitted
    return find_contract_problem(read_suggestions(message.text).text, output, state.request.language)


def _mark_end(response: ModelResponse[Any], message: AIMessage, state: TurnState) -> ModelResponse[Any]:
    """The reply as it is; if it is not complete, its text with the reason and without its calls."""
    end = reply_end(message)
    if end == "complete":
        return response
    said, why = message.text.strip(), render_sentence(f"end_{end}", state.request.language)
    text = "\n\n".join(filter(None, (said, why)))
    kept = AIMessage(text, usage_metadata=message.usage_metadata, response_metadata=message.response_metadata)
    return ModelResponse(result=[kept])


async def _close_text(state: TurnState, message: AIMessage) -> None:
    """End the text of a reply that is sent back: the user has read it, and the next reply is another text."""
    if state.journal.streamed_text:
        await state.journal.emit(*state.text_drafts(clean_text(message.text).strip()))


def _failure_text(state: TurnState, message: AIMessage) -> str:
    language, dropped = state.request.language, dropped_calls(message)
    if not dropped:
        return render_sentence("empty_answer", language)
    why = render_sentence(f"why_{dropped[0].why}", language)
    return render_sentence("call_cut", language, count=MAX_REPAIRS + 1, why=why)


def _explain_dropped(call: DroppedCall, language: Language) -> str:
    """What to tell the model about a call that did not run."""
    if call.why == "no_json":
        return render_sentence("note_broken_call", language, why=call.detail)
    return render_sentence("note_cut_call", language, why=render_sentence(f"why_{call.why}", language))
