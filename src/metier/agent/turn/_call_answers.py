"""Approvals and other answers of a person about held calls: what runs, and the result of a call that does not.

An approval counts for one tool, its description, its script, the arguments and the preview that was shown, by their
digest; if one of them has changed, the person is asked again, once.
"""

import json
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Final

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message, not_run_message, render_sentence
from metier.agent.middleware import rejected_message
from metier.agent.turn._call_batch import CallAnswer, HeldCall, preview_from_data
from metier.agent.turn._state import TurnState
from metier.agent.turn.answers import find_decision
from metier.errors import ToolNotFound
from metier.json_values import JsonObject, JsonValue, clean_json
from metier.store import Pause, Principal
from metier.tools import ToolCall, Verdict, digest_arguments, digest_call, digest_tool

MAX_APPROVALS: Final = 2


def hold_for_approval(state: TurnState, call: ToolCall, verdict: Verdict) -> ToolMessage:
    """Hold a call until a person approves it; they are shown its arguments as the tool would get them."""
    shown, batch = state.calls.previews.get(call.id), state.calls.batch
    if shown is not None and shown.arguments != call.arguments and batch is not None:
        call = replace(call, arguments=shown.arguments)  # asked again: about all rows, not those chosen before
        batch.replace_call(call)
    resolved = state.gate.resolve_call(call)
    data: JsonObject = {
        "reason": verdict.reason,
        "layer": verdict.layer,
        "digest": digest_approval(state, call),
        "tool_digest": _digest_tool(state, call.name),
        "round": _count_questions(state, call.id),
        "is_changed": _count_approvals(state, call.id) > 0,
        **({"preview": shown.to_json()} if shown is not None else {}),
    }
    return state.hold_call(HeldCall(replace(resolved, arguments=_to_json(resolved.arguments)), "approve", data))


def is_approved(state: TurnState, call: ToolCall) -> bool:
    """Whether a person approved this call with exactly these arguments, and the tool as it is now."""
    answer = state.calls.answers.get(call.id)
    return answer is not None and digest_approval(state, call) in answer.approved


async def has_lasting_approval(state: TurnState, call: ToolCall, verdict: Verdict) -> bool:
    """Whether a person approved the tool earlier in this conversation, and its approval holds for all of it.

    A person's approval that a skill or the operator demands is needed for each call all the same.
    """
    spec = state.gate.get_spec(call.name)
    if spec is None or spec.approval.lasts != "conversation" or verdict.source != f"tool {call.name}":
        return False
    known = state.calls.lasting_approvals
    if not known.get(call.name):
        answered = await state.resources.store.pauses.list_answered(state.conversation, "approval")
        known[call.name] = any(_approves(pause, call.name) for pause in answered)
    return known[call.name]


def _approves(pause: Pause, tool: str) -> bool:
    calls = pause.payload.get("calls")
    asked = [one for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
    same = [one for one in asked if one.get("name") == tool]
    return any(find_decision(str(one.get("id")), pause.answer).get("decision") == "approve" for one in same)


def digest_approval(state: TurnState, call: ToolCall) -> str:
    """SHA-256 of what a person approves: tool and arguments, how the tool is described, its script, and the preview."""
    resolved, shown = state.gate.resolve_call(call), state.calls.previews.get(call.id)
    return combine_digests(resolved, _digest_tool(state, call.name), shown.digest if shown is not None else "")


def combine_digests(call: ToolCall, tool_digest: str, preview_digest: str = "") -> str:
    """SHA-256 of a call together with those of its tool and its preview."""
    shown: JsonObject = {"preview": preview_digest} if preview_digest else {}
    return digest_arguments({"call": digest_call(call), "tool": tool_digest, **shown})


def _digest_tool(state: TurnState, name: str) -> str:
    spec, registry = state.gate.get_spec(name), state.resources.toolset(state.request.catalog).registry
    try:
        return digest_tool(registry.get(name, skill=spec.skill if spec else None))
    except ToolNotFound:
        return ""


async def record_void_approval(state: TurnState, call: ToolCall) -> None:
    """Record that an approval counts no more because what was approved has changed."""
    answer = state.calls.answers.get(call.id)
    if answer is not None and answer.approved:
        told: JsonObject = {
            "conversation": state.conversation,
            "tool": call.name,
            "approved": answer.approved[-1],
            "digest": digest_approval(state, call),
        }
        by = Principal(answer.by or state.request.user, answer.key)
        await state.resources.store.audit.append(by, "approval.void", call.id, told)


def may_ask_for_approval(state: TurnState, call_id: str) -> bool:
    """Whether a person may be asked about this call: once, and once more if its arguments changed after that."""
    return _count_approvals(state, call_id) < MAX_APPROVALS


def answer_held_calls(
    state: TurnState, call_ids: Container[JsonValue], answer: JsonValue, *, by: Principal | None = None
) -> None:
    """Release held calls with the answer of a person. Arguments that the person gave replace those of the call."""
    batch, who = state.calls.batch, by or Principal(state.request.user)
    if batch is None:
        return
    released = [one for one in batch.held if one.call.id in call_ids]
    batch.held = [one for one in batch.held if one.call.id not in call_ids]
    for held in released:
        value = find_decision(held.call.id, answer) if held.purpose in ("approve", "exception") else answer
        arguments = given_arguments(held, value)
        if arguments is not None:
            batch.replace_call(replace(held.call, arguments=arguments))
        given = _build_answer(state, held, value, arguments)
        state.calls.answers[held.call.id] = replace(given, by=who.user, key=who.key)


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
        return control_message(call, {"status": "done", "by": answer.by or state.request.user})
    if answer.purpose == "outcome" and answer.value != "retry":
        return not_run_message(call, render_sentence("outcome_skip", language), "outcome_unknown")
    return None


def _build_answer(state: TurnState, held: HeldCall, value: JsonValue, arguments: JsonObject | None) -> CallAnswer:
    """Answer with the approvals that its call has had so far, and the one that this answer gives."""
    earlier = state.calls.answers.get(held.call.id)
    answer = CallAnswer(held.purpose, value, held.data, earlier.approved if earlier is not None else ())
    preview = preview_from_data(held.data)
    if not answer.is_approval or (preview is not None and answer.decision == "edit"):
        return answer  # edited arguments have another preview, which the person has yet to see
    shown = held.data.get("digest") if arguments is None else None
    ran = state.gate.resolve_call(held.call if arguments is None else replace(held.call, arguments=arguments))
    digest = shown or combine_digests(ran, _digest_tool(state, ran.name), preview.digest if preview else "")
    return replace(answer, approved=(*answer.approved, str(digest)))


def _count_questions(state: TurnState, call_id: str) -> int:
    """How often a person was asked to approve this call."""
    answer = state.calls.answers.get(call_id)
    earlier = answer.data.get("round") if answer is not None and answer.purpose == "approve" else None
    return earlier + 1 if isinstance(earlier, int) else _count_approvals(state, call_id)


def _count_approvals(state: TurnState, call_id: str) -> int:
    answer = state.calls.answers.get(call_id)
    return len(answer.approved) if answer is not None else 0


def _to_json(arguments: JsonObject) -> JsonObject:
    """Copy of the arguments that the store keeps; middleware of the caller may have added any object."""
    plain: JsonObject = json.loads(json.dumps(arguments, default=_to_plain))
    cleaned = clean_json(plain)
    return cleaned if isinstance(cleaned, Mapping) else {}


def _to_plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def given_arguments(held: HeldCall, value: JsonValue) -> JsonObject | None:
    """Arguments that an answer gives to a held call: edited ones, a form, or with the chosen rows; None for none."""
    if not isinstance(value, Mapping):
        return None
    if held.purpose == "approve":
        if value.get("decision") == "approve":
            return _chosen_arguments(held, value.get("rows"))
        edited = value.get("arguments") if value.get("decision") == "edit" else None
        return edited if isinstance(edited, Mapping) else None
    if held.purpose == "parameters":
        known = held.data.get("known")
        return {**(known if isinstance(known, Mapping) else {}), **value}
    return None


def _chosen_arguments(held: HeldCall, rows: JsonValue) -> JsonObject | None:
    """Arguments with the rows that a person chose and edited; None if all run as they were shown."""
    shown = preview_from_data(held.data)
    if shown is None or shown.preview is None or not shown.preview.chosen_as or not isinstance(rows, list):
        return None
    listed: list[JsonValue] = [{"id": row.id} for row in shown.preview.rows]
    return None if rows == listed else {**held.call.arguments, shown.preview.chosen_as: rows}
