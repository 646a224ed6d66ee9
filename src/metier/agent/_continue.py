"""Resumes a turn after a person has answered: applies the answer and runs the calls that waited for it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from langchain_core.messages import ToolMessage

from metier.agent._answers import words_for
from metier.agent._calls import answered, is_held, run_call
from metier.agent._control import control
from metier.agent._event_middleware import passed, unanswered
from metier.agent._exchange import Exchange, Held, exchange_from_json
from metier.agent._paired import control_message
from metier.agent._pauses import ask_held
from metier.agent._plan_desk import require_run
from metier.agent._refusals import rejected_message
from metier.agent._starting import take_skill
from metier.agent._user_data import PURPOSE as PROFILE
from metier.agent._user_data import keep_data
from metier.agent._wording import say
from metier.agent._work import Work, counts_from
from metier.jsons import JsonObject, JsonValue
from metier.store import EventDraft, MessageDraft, Pause
from metier.tools import ExceptionAsk, ExceptionRuling, ToolCall, settle_exception

_Resolve: TypeAlias = Callable[[Work, Held, JsonValue], Awaitable[ToolMessage]]


async def take_up(work: Work, pause: Pause, said: str | None = None) -> bool:
    """Apply the answer of a pause. True if the agent has to run next; False if another question was asked."""
    answer = pause.answer
    purpose = str(pause.payload.get("purpose", ""))
    granted = pause.payload.get("granted")
    work.granted = frozenset(map(str, granted)) if isinstance(granted, list) else frozenset()
    work.counts = counts_from(pause.payload.get("counts"))
    told = EventDraft("pause.answered", {"pause": pause.id, "purpose": purpose, "answer": answer})
    if purpose in ("ask", "fill", "choose", PROFILE):
        words = said or _in_words(work, pause, answer)
        await work.journal.record(told, messages=[MessageDraft("user", words)])
        await _settle_step(work, purpose, pause.payload, answer)
        return True
    await work.emit(told)
    work.exchange = exchange_from_json(pause.payload.get("exchange"))
    held = pause.payload.get("held")
    return await _settle_calls(work, work.exchange, held if isinstance(held, list) else [], answer)


def _in_words(work: Work, pause: Pause, answer: JsonValue) -> str:
    if answer is not None:
        return words_for(pause, answer)
    purpose = pause.payload.get("purpose")
    return say("declined" if purpose == PROFILE else "cancelled", work.language)


async def _settle_step(work: Work, purpose: str, payload: JsonObject, answer: JsonValue) -> None:
    if purpose == PROFILE:
        await keep_data(work, answer)
        work.data_of = str(payload.get("skill", ""))
        work.plan_due = payload.get("plan_due") is True and work.plan is None
        return
    if purpose == "choose":
        skill = work.catalog.get(str(answer)) if answer else None
        await take_skill(work, skill, None, "the user chose it")
        return
    desk, step = require_run(work.plan), str(payload.get("step", ""))
    if purpose == "ask":
        drafts = desk.answered(step, answer)
    elif isinstance(answer, Mapping):
        drafts = desk.filled(step, answer)
    else:
        drafts = desk.stop(say("cancelled", work.language))
    await work.journal.record(*drafts, saved=work.saved())


async def _settle_calls(work: Work, exchange: Exchange, group: list[JsonValue], answer: JsonValue) -> bool:
    waiting = [one for one in exchange.held if one.call.id in group]
    exchange.held = [one for one in exchange.held if one.call.id not in group]
    for held in waiting:
        message = await _RESOLVE[held.purpose](work, held, answer)
        call = exchange.call(held.call.id) or held.call
        await answered(work, call, message)
    return await finish_exchange(work)


async def finish_exchange(work: Work) -> bool:
    """Run the remaining calls of the batch, then ask about the held ones. True if every call has a result."""
    exchange = work.exchange
    if exchange is None:
        return True
    waits = {one.call.id for one in exchange.held}
    for call in exchange.open_calls:
        if call.id not in waits:
            message = await made(work, call)
            if not is_held(message):
                await answered(work, call, message)
    if exchange.held:
        await ask_held(work)
        return False
    return True


async def made(work: Work, call: ToolCall) -> ToolMessage:
    """Run a call outside the agent loop in the same order: gate, control tools, tool."""
    refused = await passed(work, call)
    if refused is not None:
        return refused
    steered = await control(work, call)
    return steered if steered is not None else await run_call(work, call)


async def _approved(work: Work, held: Held, answer: JsonValue) -> ToolMessage:
    decision = _decision(held, answer)
    call = held.call
    if decision.get("decision") == "reject":
        return rejected_message(call, str(decision.get("note") or ""), work.language)
    edited = decision.get("arguments")
    if decision.get("decision") != "edit" or not isinstance(edited, Mapping):
        return await run_call(work, call)
    changed = replace(call, arguments=edited)
    if work.exchange is not None:  # the history must show the call that was run, not the one proposed
        calls = tuple(changed if one.id == call.id else one for one in work.exchange.calls)
        work.exchange.calls = calls
    if work.gate.check(changed).answer == "deny":  # an edit must not bypass the gate
        refused = await passed(work, changed)
        if refused is not None:
            return refused
    return await run_call(work, changed)


def _decision(held: Held, answer: JsonValue) -> Mapping[str, JsonValue]:
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    one = each.get(held.call.id) if isinstance(each, Mapping) else given
    return one if isinstance(one, Mapping) else {}


async def _excepted(work: Work, held: Held, answer: JsonValue) -> ToolMessage:
    decision = _decision(held, answer)
    tool, request = str(held.data.get("tool")), str(held.data.get("request"))
    note = str(decision.get("note") or "")
    ruling = ExceptionRuling("granted" if decision.get("decision") == "approve" else "denied", work.user, note)
    ask = ExceptionAsk(work.conversation, work.turn, tool, str(held.data.get("reason")))
    outcome = await settle_exception(request, ruling, ask=ask, gate=work.gate, ledger=work.kit.ledger)
    if outcome.state == "granted":
        work.granted |= {tool}
    told: JsonObject = {"tool": tool, "request": request, "state": outcome.state, "by": work.user, "note": note}
    await work.emit(EventDraft("exception.decided", told))
    failure = outcome.result.failure
    return control_message(
        held.call, outcome.result.data or {"state": "denied", "message": failure.message if failure else ""}
    )


async def _told(work: Work, held: Held, answer: JsonValue) -> ToolMessage:
    return control_message(held.call, {"answer": answer})


async def _outcome(work: Work, held: Held, answer: JsonValue) -> ToolMessage:
    """Apply the person's decision about a call whose outcome is unknown."""
    if answer == "retry":
        return await run_call(work, held.call)
    if answer == "done":
        return control_message(held.call, {"status": "done", "by": work.user})
    return unanswered(held.call, say("outcome_skip", work.language), "outcome_unknown")


async def _parameters(work: Work, held: Held, answer: JsonValue) -> ToolMessage:
    """Run the call with the arguments of the form; a cancelled form becomes an error result."""
    if not isinstance(answer, Mapping):
        return unanswered(held.call, say("cancelled", work.language), "cancelled")
    known = held.data.get("known")
    arguments = {**(known if isinstance(known, Mapping) else {}), **answer}
    call = ToolCall(held.call.id, str(held.data.get("tool") or held.call.name), arguments)
    refused = await passed(work, call)
    return refused if refused is not None else await run_call(work, call)


_RESOLVE: Final[Mapping[str, _Resolve]] = MappingProxyType(
    {
        "approve": _approved,
        "exception": _excepted,
        "ask_user": _told,
        "outcome": _outcome,
        "parameters": _parameters,
    }
)
