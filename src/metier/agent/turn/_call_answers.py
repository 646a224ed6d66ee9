"""Answers of a person about held calls: which call runs, with which arguments, and the result of one that does not."""

from collections.abc import Container, Mapping
from dataclasses import replace

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message, not_run_message, render_sentence
from metier.agent.middleware import rejected_message
from metier.agent.turn._call_batch import CallAnswer, HeldCall
from metier.agent.turn._state import TurnState
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolCall


def answer_held_calls(state: TurnState, call_ids: Container[JsonValue], answer: JsonValue) -> None:
    """Release held calls with the answer of a person. Arguments that the person gave replace those of the call."""
    batch = state.calls.batch
    if batch is None:
        return
    released = [one for one in batch.held if one.call.id in call_ids]
    batch.held = [one for one in batch.held if one.call.id not in call_ids]
    for held in released:
        value = find_decision(held.call.id, answer) if held.purpose in ("approve", "exception") else answer
        state.calls.answers[held.call.id] = CallAnswer(held.purpose, value, held.data)
        arguments = _given_arguments(held, value)
        if arguments is not None:
            batch.replace_call(replace(held.call, arguments=arguments))


def find_decision(call_id: str, answer: JsonValue) -> JsonObject:
    """Decision about one call: its own, or the one for all calls of the question."""
    given = answer if isinstance(answer, Mapping) else {}
    each = given.get("decisions")
    decision = each.get(call_id) if isinstance(each, Mapping) else given
    return decision if isinstance(decision, Mapping) else {}


def is_approved(state: TurnState, call_id: str) -> bool:
    """Whether a person approved this call, or wants it run again after a crash."""
    answer = state.calls.answers.get(call_id)
    if answer is None:
        return False
    if answer.purpose == "approve":
        return answer.decision in ("approve", "edit")
    return answer.purpose == "outcome" and answer.value == "retry"


def closing_message(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """Result of a call that a person rejected, cancelled or settled; None if the call has to run."""
    answer, language = state.calls.answers.get(call.id), state.request.language
    if answer is None:
        return None
    if answer.purpose == "approve" and answer.decision == "reject":
        return rejected_message(call, answer.note, language)
    if answer.purpose == "parameters" and not isinstance(answer.value, Mapping):
        return not_run_message(call, render_sentence("cancelled", language), "cancelled")
    if answer.purpose == "outcome" and answer.value == "done":
        state.calls.started_ids.add(call.id)  # its `tool.called` was stored before the crash
        return control_message(call, {"status": "done", "by": state.request.user})
    if answer.purpose == "outcome" and answer.value != "retry":
        return not_run_message(call, render_sentence("outcome_skip", language), "outcome_unknown")
    return None


def _given_arguments(held: HeldCall, value: JsonValue) -> JsonObject | None:
    if not isinstance(value, Mapping):
        return None
    if held.purpose == "approve":
        edited = value.get("arguments") if value.get("decision") == "edit" else None
        return edited if isinstance(edited, Mapping) else None
    if held.purpose == "parameters":
        known = held.data.get("known")
        return {**(known if isinstance(known, Mapping) else {}), **value}
    return None
