"""The gate of a turn: which calls run, wait for a person or are refused, and when refusals or limits end the turn."""

from collections.abc import Sequence
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import AnyMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import (
    MAX_REPEATS,
    AsyncToolHandler,
    get_tool_call,
    not_run_message,
    render_sentence,
)
from metier.agent.loop._delegate import find_reached_limit, refuse_delegation
from metier.agent.loop._form import describe_invented_name
from metier.agent.middleware import TASK, build_refusal, too_many_refusals_text
from metier.agent.turn import (
    TurnState,
    check_skill_choice,
    ensure_user_data,
    get_turn_state,
    has_lasting_approval,
    hold_for_approval,
    is_approved,
    is_control_tool,
    may_ask_for_approval,
    record_void_approval,
    update_preview,
)
from metier.store import EventDraft
from metier.tools import MAX_REFUSALS, ToolCall, Verdict


class CallHeld(GraphBubbleUp):
    """A call was held after middleware of the caller had passed it on; LangChain's middleware lets this pass."""


class TurnGate(AgentMiddleware[AgentState[Any], Any, Any]):
    """Checks the gate at call time: run the call, hold it for a person, or refuse it with a reason."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        message = _return_waiting(state, call) or _return_invented(state, call, request.state["messages"])
        message = message or await refuse_or_hold(state, call, is_first=True) or await _refuse_repeated(state, call)
        return await handler(request) if message is None else message


class FinalGate(AgentMiddleware[AgentState[Any], Any, Any]):
    """Checks the gate for the call that would run, which middleware of the caller may have changed.

    A call that it holds leaves the caller's middleware as `CallHeld`: there is no result that could be passed on.
    """

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        state, call = get_turn_state(request.runtime), get_tool_call(request)
        message = await refuse_or_hold(state, call)
        if message is not None and state.is_held(call.id):
            raise CallHeld
        return await handler(request) if message is None else message


async def refuse_or_hold(state: TurnState, call: ToolCall, *, is_first: bool = False) -> ToolMessage | None:
    """None if the call is allowed; otherwise the ToolMessage to return. A refusal is recorded, counted and emitted.

    A call whose arguments or preview changed after a person had approved them is asked about once more, and then
    refused. The preview is run again by the first check of a call.
    """
    if call.name == TASK:
        return refuse_delegation(state, call)
    if is_control_tool(state, call.name):
        left = check_skill_choice(state, call)
        return None if left is None else await _refuse(state, call, left)
    await ensure_user_data(state)
    verdict = state.gate.check(call)
    if verdict.answer == "allow":
        return None
    if verdict.answer == "confirm":
        if await has_lasting_approval(state, call, verdict):
            return None
        failed = await update_preview(state, call, verdict, again=is_first)
        if failed is not None or is_approved(state, call):
            return failed
        if may_ask_for_approval(state, call.id):
            await record_void_approval(state, call)
            return hold_for_approval(state, call, verdict)
        verdict = verdict.deny_changed_arguments()
    return await _refuse(state, call, verdict)


async def _refuse(state: TurnState, call: ToolCall, verdict: Verdict) -> ToolMessage:
    language, skills = state.request.language, state.gate.skills
    refusal = build_refusal(call, verdict, language, conversation=state.conversation, turn=state.turn, skills=skills)
    await state.resources.ledger.record_violation(refusal.entry)
    state.calls.usage.refusals += 1
    if state.plan.runner is not None:
        state.plan.runner.count_call(call.name)
    await state.emit(refusal.event)
    return refusal.message


def _return_waiting(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """ToolMessage for a call that comes after a question which the user has not answered; None for others."""
    if call.name not in state.plan.waiting_tools or state.plan.runner is not None:
        return None
    text = render_sentence("waiting_call", state.request.language, tool=call.name)
    return not_run_message(call, text, "waits_for_answer")


def _return_invented(state: TurnState, call: ToolCall, messages: Sequence[AnyMessage]) -> ToolMessage | None:
    """ToolMessage for a model's call on a file or page that nobody named; None for others and for plan steps."""
    planned = state.plan.runner is not None and state.plan.runner.find_step(call.id)
    if planned or is_control_tool(state, call.name) or state.gate.check(call).answer == "deny":
        return None
    text = describe_invented_name(state, call.name, call.arguments, messages[:-1])
    return not_run_message(call, text, "invented_name") if text else None


async def _refuse_repeated(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """ToolMessage for a call that was made again and again with the same result; None for others and for plan steps."""
    planned = state.plan.runner is not None and state.plan.runner.find_step(call.id)
    if planned or not state.calls.repeats.is_repeated(call):
        return None
    text = render_sentence("repeated_call", state.request.language, tool=call.name, count=MAX_REPEATS)
    state.calls.usage.refusals += 1
    await state.emit(EventDraft("error", {"code": "repeated_call", "message": text}))
    return not_run_message(call, text, "repeated_call")


def stop_text(state: TurnState) -> str:
    """Sentence that ends the turn when a limit or the number of refusals is reached; empty otherwise."""
    if state.calls.usage.refusals >= MAX_REFUSALS:
        return too_many_refusals_text(state.calls.usage.refusals, state.gate.allowed_tools(), state.request.language)
    reached = find_reached_limit(state)
    if reached is None:
        return ""
    text = reached.text(state.request.language)
    state.journal.queue(reached.error_event(text))
    return text
