"""Outer and inner edge of a turn's agent: record messages and tool results, check the gate, run the tools."""

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.messages import ToolCall as LangChainCall
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent._calls import answer_of, answered, is_held, run_call
from metier.agent._control import control
from metier.agent._exchange import Exchange
from metier.agent._limits import LIMIT_REACHED, Use, ended_text, limit_reached
from metier.agent._messages import storable
from metier.agent._output import bearable
from metier.agent._pauses import ask_held
from metier.agent._refusals import answer_message, record_of, refusal_message, violation_event
from metier.agent._suggestions import read_suggestions
from metier.agent._work import Work
from metier.errors import UsageError
from metier.jsons import JsonValue
from metier.store import EventDraft
from metier.tools import MOST_REFUSALS, RefusedCall, ToolCall, args_digest

ModelHandler: TypeAlias = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
ToolHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]

_NAME_CHARS: Final = 200


class EventMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Outermost middleware: stores every message and tool result, then emits it, before it enters the agent's state.

    A call that waits for a person ends the run; the pause holds everything needed to resume.
    """

    async def awrap_model_call(self, request: ModelRequest[Any], handler: ModelHandler) -> AIMessage:
        work = work_of(request.runtime)
        if work.exchange is not None and work.exchange.held:
            return AIMessage(await ask_held(work))
        if ended := _ended(work):
            work.say(ended)
            return AIMessage(ended)
        message = last_message(await handler(request))
        text = bearable(storable(message.text), work.language)
        if not message.tool_calls:
            if not work.paused:
                reading = read_suggestions(text)
                text, work.suggested = reading.text, tuple(one.to_json() for one in reading.suggestions)
                work.say(text)
            return AIMessage(text, usage_metadata=message.usage_metadata)
        calls = _sound(message.tool_calls, work)
        work.exchange = Exchange(text, tuple(ToolCall(str(one["id"]), one["name"], one["args"]) for one in calls))
        if text:
            await work.emit(EventDraft("text.done", {"text": text}))
        return AIMessage(text, tool_calls=calls, usage_metadata=message.usage_metadata)

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        work = work_of(request.runtime)
        result = await handler(request)
        message = answer_of(result)
        if message is None or is_held(message):
            return result
        read = await answered(work, call_of(request), message)
        return read if result is message else result


class TurnGate(AgentMiddleware[AgentState[Any], Any, Any]):
    """Checks the gate at call time: run the call, hold it for a person, or refuse it with a reason."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        work, call = work_of(request.runtime), call_of(request)
        message = await passed(work, call)
        return await handler(request) if message is None else message


class ToolMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Innermost middleware: runs the turn's tools. The agent itself has none, so skills can add theirs at any time."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        work, call = work_of(request.runtime), call_of(request)
        steered = await control(work, call)
        return steered if steered is not None else await run_call(work, call)


async def passed(work: Work, call: ToolCall) -> ToolMessage | None:
    """None if the call is allowed; otherwise the ToolMessage to return. A refusal is recorded, counted and emitted."""
    gate = work.gate
    verdict = gate.check(call)
    if verdict.answer == "allow":
        return None
    if verdict.answer == "confirm":
        return work.hold(call, verdict)
    record = record_of(call, verdict)
    refused = RefusedCall(
        conversation=work.conversation,
        turn=work.turn,
        tool=call.name,
        args_digest=args_digest(call.arguments),
        layer=verdict.layer,
        code=verdict.code,
        reason=verdict.reason,
        skill=", ".join(gate.skills) or None,
    )
    await work.kit.ledger.violation(refused)
    work.counts.refusals += 1
    if work.plan is not None:
        work.plan.called(call.name)
    await work.emit(violation_event(record))
    return refusal_message(call, verdict, work.language)


def work_of(runtime: object) -> Work:
    """Return the state of the turn that this agent runs for; `UsageError` outside Metier's own runtime."""
    work = getattr(runtime, "context", None)
    if not isinstance(work, Work):
        raise UsageError("this middleware belongs to Metier's own runtime", hint="use metier.langchain in other agents")
    return work


def call_of(request: ToolCallRequest) -> ToolCall:
    call = request.tool_call
    return ToolCall(call["id"] or "", call["name"], call["args"])


def last_message(response: ModelResponse[Any] | AIMessage) -> AIMessage:
    """Return the last AIMessage of a model response; an empty one if there is none."""
    if isinstance(response, AIMessage):
        return response
    return next((one for one in reversed(response.result) if isinstance(one, AIMessage)), AIMessage(""))


def unanswered(call: ToolCall, text: str, code: str) -> ToolMessage:
    """Build the ToolMessage for a call that did not run."""
    return answer_message(call, text, code)


def _sound(calls: Sequence[LangChainCall], work: Work) -> list[LangChainCall]:
    """Give calls unique ids, and names and arguments that the store accepts; their meaning is not changed."""
    seen: set[str] = set()
    made: list[LangChainCall] = []
    for call in calls:
        call_id = storable(call["id"] or "").strip()[:_NAME_CHARS]
        if not call_id or call_id in seen:
            call_id = f"call-{work.kit.new_id()[:12]}"
        seen.add(call_id)
        name = storable(call["name"]).strip()[:_NAME_CHARS] or "unnamed"
        arguments = {storable(str(key)): _plain(value) for key, value in call["args"].items()}
        made.append(LangChainCall(name=name, args=arguments, id=call_id, type="tool_call"))
    return made


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {storable(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    return value


def _ended(work: Work) -> str:
    """Sentence that ends the turn when a limit or the number of refusals is reached; empty otherwise."""
    if work.counts.refusals >= MOST_REFUSALS:
        return _too_many(work)
    counts = work.counts
    wall_s = (work.kit.clock() - work.began).total_seconds() if work.began else 0.0
    steps = counts.model_calls + counts.tool_calls
    cost = work.kit.price.of(counts.input_tokens, counts.output_tokens)
    used = Use(steps, counts.model_calls, counts.input_tokens, counts.output_tokens, wall_s, cost)
    reached = limit_reached(used, work.kit.limits)
    if reached is None:
        return ""
    name, so_far, most = reached
    text = ended_text(name, so_far, most, work.language)
    figures = {"limit": name, "used": round(so_far, 6), "most": most}
    work.journal.later(EventDraft("error", {"code": LIMIT_REACHED, "message": text, **figures}))
    return text


def _too_many(work: Work) -> str:
    allowed = ", ".join(work.gate.allowed()[:40])
    if work.language == "zh":
        return f"本轮已停止：{work.counts.refusals} 次工具调用被拒绝。可以使用的工具：{allowed or '无'}。"
    return (
        f"I stopped: {work.counts.refusals} tool calls of this turn were refused. Allowed tools: {allowed or 'none'}."
    )
