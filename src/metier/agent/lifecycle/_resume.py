"""Resumes a turn after a person has answered: applies the answer and runs the calls that waited for it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message, is_held, not_run_message, render_sentence
from metier.agent.loop import PROFILE_PURPOSE as PROFILE
from metier.agent.loop import refuse_or_hold, save_data
from metier.agent.middleware import rejected_message
from metier.agent.turn import (
    CallBatch,
    HeldCall,
    TurnState,
    ask_for_held_calls,
    batch_from_json,
    describe_answer,
    enter_skill,
    record_result,
    require_plan,
    run_call,
    run_control_tool,
    usage_from_json,
)
from metier.json_values import JsonObject, JsonValue
from metier.store import EventDraft, MessageDraft, Pause
from metier.tools import ExceptionRuling, ToolCall, ToolExceptionRequest, settle_exception

_Resolver: TypeAlias = Callable[[TurnState, HeldCall, JsonValue], Awaitable[ToolMessage]]


async def apply_answer(state: TurnState, pause: Pause, message: str | None = None) -> bool:
    """Apply the answer of a pause. True if the agent has to run next; False if another question was asked."""
    answer = pause.answer
    purpose = str(pause.payload.get("purpose", ""))
    granted = pause.payload.get("granted")
    state.calls.granted_tools = frozenset(map(str, granted)) if isinstance(granted, list) else frozenset()
    state.calls.usage = usage_from_json(pause.payload.get("counts"))
    told = EventDraft("pause.answered", {"pause": pause.id, "purpose": purpose, "answer": answer})
    if purpose in ("ask", "fill", "choose", PROFILE):
        words = message or _answer_text(state, pause, answer)
        await state.journal.record(told, messages=[MessageDraft("user", words)])
        await _apply_question_answer(state, purpose, pause.payload, answer)
        return True
    await state.emit(told)
    state.calls.batch = batch_from_json(pause.payload.get("exchange"))
    held = pause.payload.get("held")
    return await _resolve_held_calls(state, state.calls.batch, held if isinstance(held, list) else [], answer)


def _answer_text(state: TurnState, pause: Pause, answer: JsonValue) -> str:
    if answer is not None:
        return describe_answer(pause, answer)
    purpose = pause.payload.get("purpose")
    return render_sentence("declined" if purpose == PROFILE else "cancelled", state.request.language)


async def _apply_question_answer(state: TurnState, purpose: str, payload: JsonObject, answer: JsonValue) -> None:
    if purpose == PROFILE:
        await save_data(state, answer)
        state.skill.form_asked_for = str(payload.get("skill", ""))
        state.plan.is_due = payload.get("plan_due") is True and state.plan.runner is None
        return
    if purpose == "choose":
        skill = state.request.catalog.get(str(answer)) if answer else None
        await enter_skill(state, skill, None, "the user chose it")
        return
    runner, step = require_plan(state.plan.runner), str(payload.get("step", ""))
    if purpose == "ask":
        drafts = runner.answer_step(step, answer)
    elif isinstance(answer, Mapping):
        drafts = runner.fill_arguments(step, answer)
    else:
        drafts = runner.stop(render_sentence("cancelled", state.request.language))
    await state.journal.record(*drafts, plan=state.plan_snapshot())


async def _resolve_held_calls(state: TurnState, batch: CallBatch, group: list[JsonValue], answer: JsonValue) -> bool:
    waiting = [one for one in batch.held if one.call.id in group]
    batch.held = [one for one in batch.held if one.call.id not in group]
    for held in waiting:
        message = await _RESOLVERS[held.purpose](state, held, answer)
        call = batch.find_call(held.call.id) or held.call
        await record_result(state, call, message)
    return await finish_batch(state)


async def finish_batch(state: TurnState) -> bool:
    """Run the remaining calls of the batch, then ask about the held ones. True if every call has a result."""
    batch = state.calls.batch
    if batch is None:
        return True
    waits = {one.call.id for one in batch.held}
    for call in batch.open_calls:
        if call.id not in waits:
            message = await run_gated_call(state, call)
            if not is_held(message):
                await record_result(state, call, message)
    if batch.held:
        await ask_for_held_calls(state)
        return False
    return True


async def run_gated_call(state: TurnState, call: ToolCall) -> ToolMessage:
    """Run a call outside the agent loop in the same order: gate, control tools, tool."""
    refused = await refuse_or_hold(state, call)
    if refused is not None:
        return refused
    steered = await run_control_tool(state, call)
    return steered if steered is not None else await run_call(state, call)


async def _resolve_approval(state: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    decision = _decision_for(held, answer)
    call = held.call
    if decision.get("decision") == "reject":
        return rejected_message(call, str(decision.get("note") or ""), state.request.language)
    edited = decision.get("arguments")
    if decision.get("decision") != "edit" or not isinstance(edited, Mapping):
        return await run_call(state, call)
    changed = replace(call, arguments=edited)
    if state.calls.batch is not None:  # the history must show the call that was run, not the one proposed
        calls = tuple(changed if one.id == call.id else one for one in state.calls.batch.calls)
        state.calls.batch.calls = calls
    if state.gate.check(changed).answer == "deny":  # an edit must not bypass the gate
        refused = await refuse_or_hold(state, changed)
        if refused is not None:
            return refused
    return await run_call(state, changed)


def _decision_for(held: HeldCall, answer: JsonValue) -> Mapping[str, JsonValue]:
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    one = each.get(held.call.id) if isinstance(each, Mapping) else given
    return one if isinstance(one, Mapping) else {}


async def _resolve_exception(state: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    decision = _decision_for(held, answer)
    tool, request = str(held.data.get("tool")), str(held.data.get("request"))
    note = str(decision.get("note") or "")
    ruling = ExceptionRuling("granted" if decision.get("decision") == "approve" else "denied", state.request.user, note)
    ask = ToolExceptionRequest(state.conversation, state.turn, tool, str(held.data.get("reason")))
    outcome = await settle_exception(request, ruling, ask=ask, gate=state.gate, ledger=state.resources.ledger)
    if outcome.state == "granted":
        state.calls.granted_tools |= {tool}
    told: JsonObject = {
        "tool": tool,
        "request": request,
        "state": outcome.state,
        "by": state.request.user,
        "note": note,
    }
    await state.emit(EventDraft("exception.decided", told))
    failure = outcome.result.failure
    return control_message(
        held.call, outcome.result.data or {"state": "denied", "message": failure.message if failure else ""}
    )


async def _resolve_user_answer(state: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    return control_message(held.call, {"answer": answer})


async def _resolve_outcome(state: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    """Apply the person's decision about a call whose outcome is unknown."""
    if answer == "retry":
        return await run_call(state, held.call)
    if answer == "done":
        return control_message(held.call, {"status": "done", "by": state.request.user})
    return not_run_message(held.call, render_sentence("outcome_skip", state.request.language), "outcome_unknown")


async def _resolve_parameters(state: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    """Run the call with the arguments of the form; a cancelled form becomes an error result."""
    if not isinstance(answer, Mapping):
        return not_run_message(held.call, render_sentence("cancelled", state.request.language), "cancelled")
    known = held.data.get("known")
    arguments = {**(known if isinstance(known, Mapping) else {}), **answer}
    call = ToolCall(held.call.id, str(held.data.get("tool") or held.call.name), arguments)
    refused = await refuse_or_hold(state, call)
    return refused if refused is not None else await run_call(state, call)


_RESOLVERS: Final[Mapping[str, _Resolver]] = MappingProxyType(
    {
        "approve": _resolve_approval,
        "exception": _resolve_exception,
        "ask_user": _resolve_user_answer,
        "outcome": _resolve_outcome,
        "parameters": _resolve_parameters,
    }
)
