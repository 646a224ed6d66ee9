"""LangGraph interrupts of the caller's middleware as pauses: asked like Metier's own, answered in LangChain's shape."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from langgraph.types import Interrupt

from metier.agent.turn import (
    InterruptAnswer,
    TurnState,
    ask_question,
    ask_review,
    call_to_json,
    calls_from_json,
    find_decision,
)
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolCall, digest_call

_DECISIONS: Final = ("approve", "edit", "reject")
_TEXT_KEYS: Final = ("question", "text", "message", "reason")

# How an interrupt is answered: with a list of decisions, one decision, or the bare value.
_Shape = Literal["batched", "per_call", "value"]


class RaisedInterrupts(NamedTuple):
    """Interrupts of a run, and the calls of its last reply as the caller's middleware saw them."""

    interrupts: Sequence[Interrupt[Any]]
    calls: Sequence[ToolCall]


@dataclass(frozen=True, slots=True)
class _Review:
    """Interrupt that asks about tool calls, with the decisions that it accepts."""

    interrupt: str
    shape: _Shape
    calls: tuple[ToolCall, ...]
    decisions: tuple[str, ...] = _DECISIONS
    reason: str = ""

    def to_json(self) -> JsonObject:
        calls: list[JsonValue] = [call_to_json(one) for one in self.calls]
        return {"id": self.interrupt, "shape": self.shape, "calls": calls}


def repeat_decisions(raised: RaisedInterrupts, reviewed: dict[str, list[str]]) -> dict[str, Any]:
    """Answers to reviews of calls that a person already let pass in this turn, with the same arguments.

    After one of Metier's own pauses the caller's middleware runs again and asks again. An answer is used up here: a
    second reviewer of the same call has to have been answered too.
    """
    answers: dict[str, Any] = {}
    for review in _read_reviews(raised):
        digests = [(one.id, digest_call(one)) for one in review.calls]
        if "approve" in review.decisions and all(digest in reviewed.get(call, ()) for call, digest in digests):
            for call, digest in digests:
                reviewed[call].remove(digest)
            answers[review.interrupt] = _join_decisions(review.shape, [{"type": "approve"}] * len(digests))
    return answers


async def ask_interrupts(state: TurnState, raised: RaisedInterrupts, checkpoint: JsonObject) -> None:
    """Open a pause for the interrupts of a run: one for all that ask about calls, else one for the first.

    Interrupts that are not asked about now are raised again when the run is resumed.
    """
    reviews, batch = _read_reviews(raised), state.calls.batch
    kept: JsonObject = {
        "checkpoint": checkpoint,
        "exchange": batch.to_json() if batch is not None else None,
        "final_text": state.calls.final_text,
        "edited": sorted(state.calls.edited_ids),
    }
    if not reviews:
        first = raised.interrupts[0]
        asked: JsonObject = {"id": first.id, "shape": "value", "calls": []}
        schema = first.response_schema if isinstance(first.response_schema, dict) else {}
        await ask_question(state, _question_text(first.value), schema, {**kept, "interrupts": [asked]})
        return
    calls = [call for review in reviews for call in review.calls]
    allowed = [one for one in reviews[0].decisions if all(one in review.decisions for review in reviews)]
    listed: list[JsonValue] = [review.to_json() for review in reviews]
    reason = next((review.reason for review in reviews if review.reason), "")
    await ask_review(state, calls, allowed, {**kept, "interrupts": listed, "reason": reason})


def answer_interrupts(state: TurnState, payload: JsonObject, answer: JsonValue) -> None:
    """Prepare the resumption of the interrupted run; edited arguments also replace those of the batch."""
    checkpoint, asked = payload.get("checkpoint"), payload.get("interrupts")
    if not isinstance(checkpoint, Mapping) or not isinstance(asked, Sequence) or isinstance(asked, str):
        raise InvalidInput("the stored interrupt cannot be read", hint="send the message again")
    edited = payload.get("edited")
    state.calls.edited_ids = set(map(str, edited)) if isinstance(edited, list) else set()
    values: dict[str, Any] = {}
    for one in asked:
        if isinstance(one, Mapping):
            values[str(one["id"])] = _resume_value(state, one, answer)
    text = payload.get("final_text")
    state.calls.final_text = text if isinstance(text, str) else None
    state.calls.interrupt = InterruptAnswer(checkpoint, values)
    state.calls.is_resumed = False  # the run continues where it was interrupted; nothing has to be called again


def _resume_value(state: TurnState, asked: Mapping[str, Any], answer: JsonValue) -> Any:
    if asked["shape"] == "value":
        return answer
    decisions = [(call, find_decision(call.id, answer)) for call in calls_from_json(asked["calls"])]
    for call, decision in decisions:
        _record_review(state, call, decision)
    return _join_decisions(asked["shape"], [_to_langchain_decision(call.name, one) for call, one in decisions])


def _join_decisions(shape: _Shape, decisions: Sequence[dict[str, Any]]) -> Any:
    return {"decisions": list(decisions)} if shape == "batched" else decisions[0]


def _to_langchain_decision(tool: str, decision: JsonObject) -> dict[str, Any]:
    """Decision in the shape of LangChain's `HumanInTheLoopMiddleware`."""
    kind, note, arguments = decision.get("decision"), str(decision.get("note") or ""), decision.get("arguments")
    if kind == "edit" and isinstance(arguments, Mapping):
        return {"type": "edit", "edited_action": {"name": tool, "args": dict(arguments)}}
    if kind == "approve":
        return {"type": "approve"}
    if kind == "respond":
        return {"type": "respond", "message": note}
    return {"type": "reject", **({"message": note} if note else {})}  # also whatever is not understood


def _record_review(state: TurnState, call: ToolCall, decision: JsonObject) -> None:
    """Remember which call the person let pass; edited arguments replace those of the batch."""
    batch, arguments = state.calls.batch, decision.get("arguments")
    if decision.get("decision") == "edit" and isinstance(arguments, Mapping):
        call = replace(call, arguments=arguments)
        if batch is not None and batch.find_call(call.id) is not None:
            batch.replace_call(call)
            state.calls.edited_ids.add(call.id)
    elif decision.get("decision") != "approve":
        return
    state.calls.reviewed.setdefault(call.id, []).append(digest_call(call))


def _read_reviews(raised: RaisedInterrupts) -> list[_Review]:
    """Reviews in the order of the model's calls: interrupts of calls that run side by side come in any order."""
    found = [review for one in raised.interrupts if (review := _read_review(one, raised.calls)) is not None]
    places = {call.id: at for at, call in enumerate(raised.calls)}
    return sorted(found, key=lambda one: min((places.get(call.id, len(places)) for call in one.calls), default=0))


def _read_review(interrupt: Interrupt[Any], calls: Sequence[ToolCall]) -> _Review | None:
    """Read an interrupt of LangChain's human-in-the-loop middleware; None for any other."""
    value = interrupt.value if isinstance(interrupt.value, Mapping) else {}
    if isinstance(value.get("action_requests"), Sequence):
        return _read_batched(interrupt.id, value, calls)
    if value.get("type") == "tool_approval":
        call = ToolCall(str(value["tool_call_id"]), str(value["name"]), value["args"])
        accepted = _accepted_decisions(interrupt.response_schema)
        return _Review(interrupt.id, "per_call", (call,), accepted, _first_line(value.get("description")))
    return None


def _accepted_decisions(schema: object) -> tuple[str, ...]:
    """Decisions that the schema of an interrupt's answer names; all where it names none."""
    text = json.dumps(schema, default=str)
    return tuple(one for one in (*_DECISIONS, "respond") if f'"{one}"' in text) or _DECISIONS


def _read_batched(interrupt: str, value: Mapping[str, Any], made_calls: Sequence[ToolCall]) -> _Review:
    """Read a `HITLRequest`. It names no call ids: each action is matched with a call of the reply."""
    left, calls = list(made_calls), []
    for at, action in enumerate(value["action_requests"]):
        made = ToolCall(f"action-{at + 1}", str(action["name"]), action["args"])
        same = next((one for one in left if (one.name, one.arguments) == (made.name, made.arguments)), None)
        if same is not None:
            left.remove(same)
        calls.append(same or made)
    allowed = [set(config.get("allowed_decisions", _DECISIONS)) for config in value.get("review_configs", ())]
    decisions = tuple(one for one in (*_DECISIONS, "respond") if all(one in each for each in allowed))
    described = next((action.get("description") for action in value["action_requests"]), "")
    return _Review(interrupt, "batched", tuple(calls), decisions or ("reject",), _first_line(described))


def _question_text(value: object) -> str:
    if isinstance(value, Mapping):
        return next((str(value[key]) for key in _TEXT_KEYS if value.get(key)), str(dict(value)))
    return str(value)


def _first_line(text: object) -> str:
    return str(text or "").strip().partition("\n")[0]
