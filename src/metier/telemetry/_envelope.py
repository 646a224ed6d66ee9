"""Telemetry event: the envelope shared by the file, the remote service, the queries and the spans."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Literal, Protocol

from metier.json_values import JsonObject, JsonValue

SCHEMA_VERSION: Final = "metier.telemetry.v1"
_TRACE_ID: Final = re.compile(r"[0-9a-f]{32}")

EVENT_NAMES: Mapping[str, str] = {
    "artifact": "a table, chart, image or file was shown",
    "attachment": "a user attached a file, or removed one",
    "chat.llm_call": "the model answered: model, tokens, milliseconds",
    "chat.turn_done": "a turn ended: outcome, totals, milliseconds",
    "chat.turn_start": "a message came in",
    "context.built": "what the model was going to see, in tokens",
    "error": "something went wrong that did not end the turn",
    "exception": "a tool was asked for beyond the rules, or that was decided",
    "macro.error_report": "a client could not carry out a plan",
    "macro.exec_done": "a client carried out a plan",
    "macro.exec_start": "a client began to carry out a plan",
    "fact": "a fact was settled, changed or removed",
    "milestone": "a milestone was checked",
    "pause": "a person was asked, or answered",
    "plan.created": "a plan was made",
    "plan.step": "a step began or ended",
    "rag.retrieve": "knowledge, memories, cases or the web were searched: retriever, hits, milliseconds",
    "reflect": "the work was looked at again",
    "report": "a report was written",
    "skills.activated": "a skill took over: id, digest, why",
    "skills.applied": "a skill shaped the answer of a turn: id, digest, why it was chosen",
    "skills.left": "a skill was left",
    "skills.selected": "the router decided: candidates, scores, verdict, milliseconds",
    "telemetry.lost": "events were dropped: how many, and why",
    "tool.called": "a tool was called",
    "tool.done": "a tool answered: outcome, milliseconds",
    "tool.violation": "the gate refused a call: code, layer, reason",
}


class RuntimeEvent(Protocol):
    """Event of a turn as telemetry needs it; the store's `Event` is one."""

    @property
    def conversation(self) -> str: ...
    @property
    def turn(self) -> str | None: ...
    @property
    def seq(self) -> int: ...
    @property
    def at(self) -> datetime: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> JsonObject: ...


@dataclass(frozen=True, slots=True)
class TelemetryEvent:
    """What happened, when, and in which run, session and turn."""

    event_name: str
    ts: datetime
    event_id: str
    payload: JsonObject = field(default_factory=dict)
    session_id: str | None = None
    turn_id: str | None = None
    run_id: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    mode: str = "chat"
    source: Literal["server", "client"] = "server"
    user: str | None = None
    context: JsonObject = field(default_factory=dict)
    schema_version: str = SCHEMA_VERSION

    def to_json(self) -> dict[str, JsonValue]:
        """Convert to the JSON that is sent and shown; unknown ids are left out."""
        told: dict[str, JsonValue] = {
            "schema_version": self.schema_version,
            "event_id": self.event_id,
            "event_name": self.event_name,
            "ts": self.ts.astimezone(UTC).isoformat(),
            "source": self.source,
            "mode": self.mode,
        }
        for name in ("run_id", "session_id", "turn_id", "trace_id", "span_id", "parent_span_id", "user"):
            if (value := getattr(self, name)) is not None:
                told[name] = value
        if self.context:
            told["context"] = self.context
        return {**told, "payload": self.payload}


def make_trace_id(turn: str) -> str:
    """Make the trace id of a turn; the same in every process that works on it."""
    return turn if _TRACE_ID.fullmatch(turn) and int(turn, 16) else hashlib.sha256(turn.encode()).hexdigest()[:32]


def make_span_id(turn: str, key: str) -> str:
    """Make the span id of one operation in a turn."""
    return hashlib.blake2b(f"{turn}\n{key}".encode(), digest_size=8).hexdigest()


def make_event_id(*parts: object) -> str:
    """Make an event id from its parts: equal parts give equal ids, so that a resent event is stored once."""
    return hashlib.blake2b("\n".join(map(str, parts)).encode("utf-8", "replace"), digest_size=12).hexdigest()
