"""Batch of tool calls from one assistant message: stored once every call has a result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from metier.agent.turn._journal import StoredBatch
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.store import MessageDraft, StoredToolCall
from metier.tools import Preview, ToolCall, preview_from_json

HoldPurpose = Literal["approve", "exception", "ask_user", "parameters", "outcome"]


@dataclass(frozen=True, slots=True)
class HeldCall:
    """Tool call that waits for a person; `data` is what the question needs."""

    call: ToolCall
    purpose: HoldPurpose
    data: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        asked = call_to_json(self.call)  # may differ from the call of the batch, which is the model's
        return {"call": self.call.id, "purpose": self.purpose, "data": self.data, "asked": asked}


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """A person's answer about a held call; `data` is what the question had.

    `approved` are the digests of the calls that the person has approved under this call's id, one per question. `by` is
    the user who answered, `key` the id of the key.
    """

    purpose: HoldPurpose
    value: JsonValue
    data: JsonObject = field(default_factory=dict)
    approved: tuple[str, ...] = ()
    by: str = ""
    key: str = ""

    @property
    def decision(self) -> str:
        """Decision of an approval or exception; empty if the answer has none."""
        return str(self.value.get("decision", "")) if isinstance(self.value, Mapping) else ""

    @property
    def is_approval(self) -> bool:
        """Whether the call may run as it was shown: it was approved, edited, or is to run again after a crash."""
        if self.purpose == "approve":
            return self.decision in ("approve", "edit")
        return self.purpose == "outcome" and self.value == "retry"

    @property
    def note(self) -> str:
        return str(self.value.get("note") or "") if isinstance(self.value, Mapping) else ""

    def to_json(self) -> JsonObject:
        return {
            "purpose": self.purpose,
            "value": self.value,
            "data": self.data,
            "approved": list(self.approved),
            "by": self.by,
            "key": self.key,
        }


@dataclass(frozen=True, slots=True)
class ShownPreview:
    """Preview that a person was shown of a call: the arguments it is of, its table, or why there is none."""

    arguments: JsonObject
    preview: Preview | None
    problem: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of what was shown; another one if the preview failed."""
        return self.preview.digest if self.preview is not None else "unavailable"

    def to_json(self) -> JsonObject:
        table = self.preview.to_json() if self.preview is not None else None
        return {"arguments": self.arguments, "digest": self.digest, "table": table, "problem": self.problem}


def preview_from_data(data: JsonObject) -> ShownPreview | None:
    """Preview in the data of a held call; None without one."""
    value = data.get("preview")
    if not isinstance(value, Mapping) or not isinstance(arguments := value.get("arguments"), Mapping):
        return None
    table = value.get("table")
    return ShownPreview(
        arguments, preview_from_json(table) if table is not None else None, str(value.get("problem", ""))
    )


@dataclass(slots=True)
class CallBatch:
    """Assistant message with tool calls, and the results so far."""

    text: str
    calls: tuple[ToolCall, ...]
    results: dict[str, str] = field(default_factory=dict)
    held: list[HeldCall] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return all(call.id in self.results for call in self.calls)

    @property
    def open_calls(self) -> tuple[ToolCall, ...]:
        """Calls without a result, in order."""
        return tuple(call for call in self.calls if call.id not in self.results)

    @property
    def ready_calls(self) -> tuple[ToolCall, ...]:
        """Calls without a result that nobody has to be asked about."""
        waiting = {one.call.id for one in self.held}
        return tuple(call for call in self.open_calls if call.id not in waiting)

    def replace_call(self, call: ToolCall) -> None:
        """Put this call in the place of the one with its id: the history must show the call that runs."""
        self.calls = tuple(call if one.id == call.id else one for one in self.calls)

    def find_call(self, call_id: str) -> ToolCall | None:
        return next((call for call in self.calls if call.id == call_id), None)

    def to_messages(self) -> StoredBatch:
        """The batch as messages for the store; every call must have a result."""
        names = {call.id: call.name for call in self.calls}
        calls = tuple(StoredToolCall(call.id, call.name, call.arguments) for call in self.calls)
        results = [
            MessageDraft("tool", self.results[call.id], tool_call_id=call.id, name=names[call.id])
            for call in self.calls
        ]
        return StoredBatch(MessageDraft("assistant", self.text, calls), results)

    def to_json(self) -> JsonObject:
        return {
            "text": self.text,
            "calls": [call_to_json(call) for call in self.calls],
            "results": dict(self.results),
            "held": [one.to_json() for one in self.held],
        }


def batch_from_json(value: JsonValue) -> CallBatch:
    """Read what `CallBatch.to_json` wrote; raises `InvalidInput` for anything else."""
    try:
        return _parse_batch(value)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidInput("the stored batch cannot be read", hint="send the message again") from error


def answers_from_json(value: Any) -> dict[str, CallAnswer]:
    """Read a mapping of call ids to what `CallAnswer.to_json` wrote."""
    listed = value.items() if isinstance(value, Mapping) else ()
    return {
        str(call): CallAnswer(
            one["purpose"],
            one["value"],
            one["data"],
            tuple(map(str, one.get("approved", ()))),
            one.get("by", ""),
            one.get("key", ""),
        )
        for call, one in listed
    }


def call_to_json(call: ToolCall) -> JsonObject:
    return {"id": call.id, "name": call.name, "args": call.arguments}


def calls_from_json(value: Any) -> tuple[ToolCall, ...]:
    """Read a list of what `call_to_json` wrote; malformed entries are skipped."""
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return tuple(ToolCall(str(one["id"]), str(one["name"]), one["args"]) for one in listed if _is_call(one))


def _is_call(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("args"), Mapping)


def _parse_batch(value: Any) -> CallBatch:
    item = value
    made = CallBatch(str(item["text"]), calls_from_json(item["calls"]), dict(item["results"]))
    for one in item["held"]:
        asked = calls_from_json([one.get("asked")])
        call = asked[0] if asked else made.find_call(one["call"])
        if call is not None:
            made.held.append(HeldCall(call, one["purpose"], one["data"]))
    return made
