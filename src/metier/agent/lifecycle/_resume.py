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


async def apply_answer(work: TurnState, pause: Pause, message: str | None = None) -> bool:
    """Apply the answer of a pause. True if the agent has to run next; False if another question was asked."""
    answer = pause.answer
    purpose = str(pause.payload.get("purpose", ""))
    granted = pause.payload.get("granted")
    work.granted_tools = frozenset(map(str, granted)) if isinstance(granted, list) else frozenset()
    work.usage = usage_from_json(pause.payload.get("counts"))
    told = EventDraft("pause.answered", {"pause": pause.id, "purpose": purpose, "answer": answer})
    if purpose in ("ask", "fill", "choose", PROFILE):
        words = message or _answer_text(work, pause, answer)
        await work.journal.record(told, messages=[MessageDraft("user", words)])
        await _apply_question_answer(work, purpose, pause.payload, answer)
        return True
    await work.emit(told)
    work.call_batch = batch_from_json(pause.payload.get("exchange"))
    held = pause.payload.get("held")
    return await _resolve_held_calls(work, work.call_batch, held if isinstance(held, list) else [], answer)


def _answer_text(work: TurnState, pause: Pause, answer: JsonValue) -> str:
    if answer is not None:
        return describe_answer(pause, answer)
    purpose = pause.payload.get("purpose")
    return render_sentence("declined" if purpose == PROFILE else "cancelled", work.language)


async def _apply_question_answer(work: TurnState, purpose: str, payload: JsonObject, answer: JsonValue) -> None:
    if purpose == PROFILE:
        await save_data(work, answer)
        work.profile_form_skill = str(payload.get("skill", ""))
        work.plan_due = payload.get("plan_due") is True and work.plan_runner is None
        return
    if purpose == "choose":
        skill = work.catalog.get(str(answer)) if answer else None
        await enter_skill(work, skill, None, "the user chose it")
        return
    desk, step = require_plan(work.plan_runner), str(payload.get("step", ""))
    if purpose == "ask":
        drafts = desk.answer_step(step, answer)
    elif isinstance(answer, Mapping):
        drafts = desk.fill_arguments(step, answer)
    else:
        drafts = desk.stop(render_sentence("cancelled", work.language))
    await work.journal.record(*drafts, plan=work.plan_snapshot())


async def _resolve_held_calls(work: TurnState, exchange: CallBatch, group: list[JsonValue], answer: JsonValue) -> bool:
    waiting = [one for one in exchange.held if one.call.id in group]
    exchange.held = [one for one in exchange.held if one.call.id not in group]
    for held in waiting:
        message = await _RESOLVERS[held.purpose](work, held, answer)
        call = exchange.find_call(held.call.id) or held.call
        await record_result(work, call, message)
    return await finish_batch(work)


async def finish_batch(work: TurnState) -> bool:
    """Run the remaining calls of the batch, then ask about the held ones. True if every call has a result."""
    exchange = work.call_batch
    if exchange is None:
        return True
    waits = {one.call.id for one in exchange.held}
    for call in exchange.open_calls:
        if call.id not in waits:
            message = await run_gated_call(work, call)
            if not is_held(message):
                await record_result(work, call, message)
    if exchange.held:
        await ask_for_held_calls(work)
        return False
    return True


async def run_gated_call(work: TurnState, call: ToolCall) -> ToolMessage:
    """Run a call outside the agent loop in the same order: gate, control tools, tool."""
    refused = await refuse_or_hold(work, call)
    if refused is not None:
        return refused
    steered = await run_control_tool(work, call)
    return steered if steered is not None else await run_call(work, call)


async def _resolve_approval(work: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    decision = _decision_for(held, answer)
    call = held.call
    if decision.get("decision") == "reject":
        return rejected_message(call, str(decision.get("note") or ""), work.language)
    edited = decision.get("arguments")
    if decision.get("decision") != "edit" or not isinstance(edited, Mapping):
        return await run_call(work, call)
    changed = replace(call, arguments=edited)
    if work.call_batch is not None:  # the history must show the call that was run, not the one proposed
        calls = tuple(changed if one.id == call.id else one for one in work.call_batch.calls)
        work.call_batch.calls = calls
    if work.gate.check(changed).answer == "deny":  # an edit must not bypass the gate
        refused = await refuse_or_hold(work, changed)
        if refused is not None:
            return refused
    return await run_call(work, changed)


def _decision_for(held: HeldCall, answer: JsonValue) -> Mapping[str, JsonValue]:
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    one = each.get(held.call.id) if isinstance(each, Mapping) else given
    return one if isinstance(one, Mapping) else {}


async def _resolve_exception(work: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    decision = _decision_for(held, answer)
    tool, request = str(held.data.get("tool")), str(held.data.get("request"))
    note = str(decision.get("note") or "")
    ruling = ExceptionRuling("granted" if decision.get("decision") == "approve" else "denied", work.user, note)
    ask = ToolExceptionRequest(work.conversation, work.turn, tool, str(held.data.get("reason")))
    outcome = await settle_exception(request, ruling, ask=ask, gate=work.gate, ledger=work.resources.ledger)
    if outcome.state == "granted":
        work.granted_tools |= {tool}
    told: JsonObject = {"tool": tool, "request": request, "state": outcome.state, "by": work.user, "note": note}
    await work.emit(EventDraft("exception.decided", told))
    failure = outcome.result.failure
    return control_message(
        held.call, outcome.result.data or {"state": "denied", "message": failure.message if failure else ""}
    )


async def _resolve_user_answer(work: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    return control_message(held.call, {"answer": answer})


async def _resolve_outcome(work: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    """Apply the person's decision about a call whose outcome is unknown."""
    if answer == "retry":
        return await run_call(work, held.call)
    if answer == "done":
        return control_message(held.call, {"status": "done", "by": work.user})
    return not_run_message(held.call, render_sentence("outcome_skip", work.language), "outcome_unknown")


async def _resolve_parameters(work: TurnState, held: HeldCall, answer: JsonValue) -> ToolMessage:
    """Run the call with the arguments of the form; a cancelled form becomes an error result."""
    if not isinstance(answer, Mapping):
        return not_run_message(held.call, render_sentence("cancelled", work.language), "cancelled")
    known = held.data.get("known")
    arguments = {**(known if isinstance(known, Mapping) else {}), **answer}
    call = ToolCall(held.call.id, str(held.data.get("tool") or held.call.name), arguments)
    refused = await refuse_or_hold(work, call)
    return refused if refused is not None else await run_call(work, call)


_RESOLVERS: Final[Mapping[str, _Resolver]] = MappingProxyType(
    {
        "approve": _resolve_approval,
        "exception": _resolve_exception,
        "ask_user": _resolve_user_answer,
        "outcome": _resolve_outcome,
        "parameters": _resolve_parameters,
    }
)
