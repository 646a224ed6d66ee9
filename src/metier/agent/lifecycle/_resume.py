"""Resumes a turn after a person has answered: applies the answer, so that the agent can run the calls that waited."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from metier.agent.adapters import render_sentence, usage_from_json
from metier.agent.choice import begin_chosen_tasks, decline_choice, drop_pending_tasks
from metier.agent.deep import FACTS_PURPOSE as FACTS
from metier.agent.deep import save_form_facts
from metier.agent.loop import PROFILE_PURPOSE as PROFILE
from metier.agent.loop import answer_interrupts, save_data
from metier.agent.turn import (
    ASKED_MESSAGE,
    CallBatch,
    TurnState,
    answer_held_calls,
    answers_from_json,
    batch_from_json,
    describe_answer,
    enter_skill,
    leave_skill,
    require_plan,
)
from metier.json_values import JsonObject, JsonValue
from metier.store import EventDraft, MessageDraft, Pause

_PLAN_PURPOSES: Final = ("ask", "fill")
QUESTION_PURPOSES: Final = (*_PLAN_PURPOSES, "choose", PROFILE, FACTS)


async def apply_answer(state: TurnState, pause: Pause, message: str | None = None) -> bool:
    """Apply the answer of a pause. Calls that it releases are run by the agent, like any other call.

    False if the reply is complete: a guard refused to store the answer.
    """
    answer, payload = pause.answer, pause.payload
    purpose = str(payload.get("purpose", ""))
    restore_counts(state, payload)
    by = {"by": pause.answerer.to_json()} if pause.answerer else {}
    told = EventDraft("pause.answered", {"pause": pause.id, "purpose": purpose, "answer": answer, **by})
    drop_pending_tasks(state, message or "")
    if purpose in QUESTION_PURPOSES:
        said = MessageDraft("user", message or _answer_text(state, pause, answer))
        if is_about_plan(pause):
            await _apply_to_plan(state, pause, told, said)
            return True
        await state.journal.record(told, messages=[said])
        return await apply_question_answer(state, pause)
    await state.journal.record(told, used_pause=pause.id)
    if payload.get("exchange") is not None:
        restore_batch(state, batch_from_json(payload["exchange"]), payload)
    if "interrupts" in payload:
        answer_interrupts(state, payload, answer)
    else:
        answer_held_calls(state, get_held_ids(payload), answer, by=pause.answerer)
    return True


def is_about_plan(pause: Pause) -> bool:
    """Whether a question is about a step of the plan."""
    return pause.payload.get("purpose") in _PLAN_PURPOSES


def restore_counts(state: TurnState, payload: JsonObject) -> None:
    """Restore what the turn had counted and been granted when its pause was opened."""
    granted = payload.get("granted")
    state.calls.granted_tools = frozenset(map(str, granted)) if isinstance(granted, list) else frozenset()
    state.calls.usage = usage_from_json(payload.get("counts"))
    replies = payload.get("provider_replies")
    listed = replies.items() if isinstance(replies, Mapping) else ()
    state.calls.provider_replies = {call: kept for call, kept in listed if isinstance(kept, Mapping)}


def restore_batch(state: TurnState, batch: CallBatch, payload: JsonObject) -> None:
    """Restore the batch of calls that a pause holds, with the answers its calls already have."""
    state.calls.batch = batch
    state.calls.answers = answers_from_json(payload.get("answers"))
    reviewed = payload.get("reviewed")
    listed = reviewed.items() if isinstance(reviewed, Mapping) else ()
    state.calls.reviewed = {call: list(map(str, one)) for call, one in listed if isinstance(one, list)}
    state.calls.is_resumed = True


def get_held_ids(payload: JsonObject) -> list[JsonValue]:
    """Ids of the calls that a question is about."""
    held = payload.get("held")
    return held if isinstance(held, list) else []


def _answer_text(state: TurnState, pause: Pause, answer: JsonValue) -> str:
    if answer is not None:
        return describe_answer(pause, answer)
    purpose = pause.payload.get("purpose")
    return render_sentence("declined" if purpose == PROFILE else "cancelled", state.request.language)


async def apply_question_answer(state: TurnState, pause: Pause) -> bool:
    """Apply the answer to a question that is not about a step of the plan; False if the reply is complete."""
    payload, answer = pause.payload, pause.answer
    purpose = payload.get("purpose")
    if purpose == PROFILE:
        if refused := await save_data(state, answer):
            await leave_skill(state, "router")
            state.queue_reply(refused)
            return False
        state.skill.form_asked_for = str(payload.get("skill", ""))
        state.plan.is_due = payload.get("plan_due") is True and state.plan.runner is None
        return True
    if purpose == FACTS:
        await save_form_facts(state, payload, answer)
        return True
    if await begin_chosen_tasks(state, payload, answer):
        return True
    skill = state.request.catalog.get(str(answer)) if answer else None
    if skill is None:
        return await decline_choice(state)
    if isinstance(asked := payload.get(ASKED_MESSAGE), str) and asked:
        state.request = replace(state.request, message=asked)
    await enter_skill(state, skill, None, "user")
    return True


async def _apply_to_plan(state: TurnState, pause: Pause, told: EventDraft, said: MessageDraft) -> None:
    """Store that a step of the plan is answered together with the plan: one without the other would lose the answer."""
    runner, step, answer = require_plan(state.plan.runner), str(pause.payload.get("step", "")), pause.answer
    if pause.payload.get("purpose") == "ask":
        drafts = await runner.limit_steps(lambda: runner.answer_step(step, answer))
    elif isinstance(answer, Mapping):
        drafts = await runner.limit_steps(lambda: runner.fill_arguments(step, answer))
    else:
        drafts = runner.stop(render_sentence("cancelled", state.request.language))
    await state.journal.record(told, *drafts, messages=[said], plan=state.plan_snapshot())
