"""Recovers an interrupted turn: finds its unfinished calls and decides which may run again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from metier.agent.adapters import data_text
from metier.agent.lifecycle._resume import (
    QUESTION_PURPOSES,
    apply_answer,
    apply_question_answer,
    get_held_ids,
    is_about_plan,
    restore_batch,
    restore_counts,
)
from metier.agent.turn import (
    CallBatch,
    HeldCall,
    Resources,
    TurnState,
    answer_held_calls,
    batch_from_json,
    calls_from_json,
    turn_events,
    turn_messages,
)
from metier.store import Event, Message, Pause, Store, Turn
from metier.tools import ToolCall

PROCESS_GONE: Final = "the process that ran this turn is gone"  # in the event of a turn whose process did not say why
_MAX_RECOVERIES: Final = 2  # without a person's answer between them
_REPEATABLE_ANSWERS: Final = ("approve", "ask_user", "parameters")


class TurnCrashed(Exception):
    """A turn whose process died each time it was run: it is not run again."""


def check_crashes(events: Sequence[Event]) -> None:
    """Raise `TurnCrashed` if the process of this turn died too often since a person last answered in it."""
    answered = max((at for at, one in enumerate(events) if one.kind == "pause.answered"), default=-1)
    crashes = sum(map(is_crash, events[answered + 1 :]))
    if crashes > _MAX_RECOVERIES:
        raise TurnCrashed(f"the process that ran this turn died {crashes} times")


def is_crash(event: Event) -> bool:
    """Whether this event tells that the process of the turn died, and did not end it in order."""
    is_told = PROCESS_GONE in (event.data.get("message"), event.data.get("detail"))
    return event.kind == "error" and event.data.get("code") == "interrupted" and is_told


async def recover(state: TurnState, events: Sequence[Event], messages: Sequence[Message], pause: Pause | None) -> bool:
    """Restore an interrupted turn so that its agent can continue; `pause` is its last pause, if that was answered.

    False if the reply is complete.

    A stored result is never recomputed. A call that was started and has no result runs again only if its tool is
    idempotent; otherwise a person is asked. All other open calls are run by the agent, like any other call.
    """
    applied = None if pause is None else find_answer_event(events, pause)
    if pause is not None and applied is None:
        return await apply_answer(state, pause)
    if pause is not None and applied is not None and _has_no_effect(events, pause, applied):
        return await apply_question_answer(state, pause)
    batch = unfinished_batch(events, messages)
    if pause is not None:
        restore_counts(state, pause.payload)
        batch = _restore_approvals(state, pause, batch, events, messages)
    if batch is None:
        return True
    state.calls.batch = batch
    _reclaim_plan_calls(state, events, batch)
    ran = {str(one.data.get("call")): str(one.data.get("tool")) for one in started_calls(events)}
    starts = Counter(str(one.data.get("call")) for one in started_calls(events))
    for call in batch.open_calls:
        if call.id in ran and not _may_repeat(state, call.name, ran[call.id]):
            state.calls.answers.pop(call.id, None)
            batch.held.append(HeldCall(call, "outcome", {"round": starts[call.id] - 1}))
    if batch.is_complete:
        await _store_batch(state, batch)
    state.calls.is_resumed = True
    return True


def _has_no_effect(events: Sequence[Event], pause: Pause, applied: Event) -> bool:
    """Whether the process died when the answer to a question was told and nothing was made of it yet."""
    is_last = all(one.seq <= applied.seq or one.data.get("code") == "interrupted" for one in events)
    return is_last and pause.payload.get("purpose") in QUESTION_PURPOSES and not is_about_plan(pause)


def _restore_approvals(
    state: TurnState, pause: Pause, batch: CallBatch | None, events: Sequence[Event], messages: Sequence[Message]
) -> CallBatch | None:
    """Apply the last answer again to calls that had not run yet: a person is not asked twice for the same approval."""
    if pause.payload.get("purpose") not in _REPEATABLE_ANSWERS or "interrupts" in pause.payload:
        return batch
    asked = batch_from_json(pause.payload.get("exchange"))
    if _is_stored(asked, messages) or (batch is not None and not _is_same(asked, batch)):
        return batch
    restore_batch(state, asked, pause.payload)
    answer_held_calls(state, get_held_ids(pause.payload), pause.answer, by=pause.answerer)
    _add_results(asked, events)
    return asked


def _may_repeat(state: TurnState, called: str, ran: str) -> bool:
    """Whether a call may run twice. Middleware of the caller may have run another tool than the model called."""
    catalog, skill = state.request.catalog, state.skill.active
    return all(state.resources.is_idempotent(catalog, skill, tool) for tool in (called, ran))


def _is_stored(batch: CallBatch, messages: Sequence[Message]) -> bool:
    stored = {call.id for message in messages for call in message.tool_calls}
    return any(call.id in stored for call in batch.calls)


def _is_same(one: CallBatch, other: CallBatch) -> bool:
    return {call.id for call in other.calls} <= {call.id for call in one.calls}


def _reclaim_plan_calls(state: TurnState, events: Sequence[Event], batch: CallBatch) -> None:
    """Map the plan's own open calls to their steps again."""
    for event in events:
        call, step = str(event.data.get("call")), event.data.get("step")
        unanswered = batch.find_call(call) is not None and call not in batch.results
        if event.kind == "tool.called" and state.plan.runner is not None and step and unanswered:
            state.plan.runner.claim_call(call, str(step))


def find_answer_event(events: Sequence[Event], pause: Pause) -> Event | None:
    """`pause.answered` event of this pause; None if its answer was not applied yet."""
    return next((one for one in events if one.kind == "pause.answered" and one.data.get("pause") == pause.id), None)


def unfinished_batch(events: Sequence[Event], messages: Sequence[Message]) -> CallBatch | None:
    """Last batch of calls that is not in the message history yet, with the results recorded so far."""
    kept = {call.id for message in messages for call in message.tool_calls}
    called = [one for one in started_calls(events) if one.data.get("call") not in kept]
    if not called:
        return None
    last = called[-1].data
    calls = calls_from_json(last.get("calls")) if "calls" in last else ()
    made = CallBatch(str(last.get("text", "")), calls or (_call_from_event(last),))
    _add_results(made, events)
    return made


async def is_left_empty(resources: Resources, turn: Turn) -> bool:
    """Whether nobody runs this turn and nothing of it was stored, not even the message: its process stopped there."""
    is_running = turn.state == "running" and turn.lease_until > resources.clock()
    return not is_running and not await turn_events(resources.store, turn)


async def has_call_in_flight(store: Store, turn: Turn) -> bool:
    """Whether a call of this turn began and has no result."""
    events = await turn_events(store, turn)
    batch = unfinished_batch(events, await turn_messages(store, turn))
    begun = {str(one.data.get("call")) for one in started_calls(events)}
    return batch is not None and any(call.id in begun for call in batch.open_calls)


def _add_results(batch: CallBatch, events: Sequence[Event]) -> None:
    for event in events:
        call_id = str(event.data.get("call"))
        if event.kind == "tool.result" and "parent" not in event.data and batch.find_call(call_id) is not None:
            batch.results[call_id] = _result_text(event)


def has_unstarted_plan(events: Sequence[Event]) -> bool:
    """Whether a skill was activated in this turn and its plan was not created."""
    marks = [one.kind for one in events if one.kind in ("skill.activated", "plan.created")]
    return bool(marks) and marks[-1] == "skill.activated"


def started_calls(events: Sequence[Event]) -> list[Event]:
    """`tool.called` events without those of sub-agents, whose outcome is in the result of `task`."""
    return [one for one in events if one.kind == "tool.called" and "parent" not in one.data]


def _call_from_event(data: Mapping[str, object]) -> ToolCall:
    arguments = data.get("arguments")
    return ToolCall(str(data["call"]), str(data["tool"]), arguments if isinstance(arguments, Mapping) else {})


def _result_text(event: Event) -> str:
    if "content" in event.data:
        return str(event.data["content"])
    return data_text(event.data.get("data"))


async def _store_batch(state: TurnState, batch: CallBatch) -> None:
    """Store a batch whose results are all known."""
    await state.journal.record(batch=batch.to_messages(), plan=state.plan_snapshot())
    state.calls.batch = None
