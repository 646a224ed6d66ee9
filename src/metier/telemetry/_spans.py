"""OpenTelemetry spans built from telemetry events: turns, model calls and tools, under `gen_ai.*` names."""

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.jsons import JsonObject, JsonValue
from metier.telemetry._envelope import TelemetryEvent
from metier.telemetry._file import micros

_MOST_TURNS: Final = 4096
_CONTENT_CHARS: Final = 20_000
_PROVIDERS: Mapping[str, str] = {
    "azure_openai": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "google_genai": "gcp.gemini",
    "google_vertexai": "gcp.vertex_ai",
    "mistralai": "mistral_ai",
    "xai": "x_ai",
}
Attributes = Mapping[str, "str | bool | int | float | Sequence[str] | Sequence[float]"]


@dataclass(frozen=True, slots=True)
class Note:
    """An event at one moment of a span."""

    name: str
    at_us: int
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Span:
    """A finished span, in plain values."""

    name: str
    trace_id: str
    span_id: str
    parent_id: str | None
    kind: Literal["internal", "client"]
    start_us: int
    end_us: int
    attributes: Attributes
    notes: tuple[Note, ...] = ()
    error: str | None = None


@dataclass(slots=True)
class _Segment:
    """Part of a turn from its start or resumption to its end or the next question."""

    start_us: int
    attributes: dict[str, JsonValue] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    calls: dict[str, TelemetryEvent] = field(default_factory=dict)


class SpanBuilder:
    """Builds spans from events. A pause ends the turn's span; the answer starts another one."""

    def __init__(self, *, agent: str = "metier") -> None:
        self._agent = agent
        self._segments: OrderedDict[str, _Segment] = OrderedDict()

    def add(self, event: TelemetryEvent) -> Iterable[Span]:
        """Add an event; return the spans that it completes."""
        turn = event.turn_id
        if event.source != "server" or turn is None or event.trace_id is None:
            return ()
        segment = self._segment(turn, event)
        if event.event_name == "chat.llm_call":
            return (_llm_span(event),)
        if event.event_name == "tool.called":
            segment.calls[str(event.payload.get("call"))] = event
        elif event.event_name == "tool.done":
            return self._tool(event, segment)
        elif event.event_name == "tool.violation":
            return (_refused_span(event),)
        elif event.event_name in _NOTED:
            segment.notes.append(_note(event))
        segment.attributes |= _learnt(event)
        if event.event_name == "chat.turn_done" or _asks(event):
            del self._segments[turn]
            return (*_unanswered(segment, event), self._turn(event, segment))
        return ()

    def _segment(self, turn: str, event: TelemetryEvent) -> _Segment:
        found = self._segments.get(turn)
        if found is None:
            found = self._segments[turn] = _Segment(micros(event.ts))
            if len(self._segments) > _MOST_TURNS:
                self._segments.popitem(last=False)
        return found

    def _turn(self, event: TelemetryEvent, segment: _Segment) -> Span:
        outcome = str(event.payload.get("outcome", "paused"))
        attributes: dict[str, JsonValue] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": self._agent,
            "gen_ai.conversation.id": event.session_id,
            "metier.turn.id": event.turn_id,
            "metier.turn.outcome": outcome,
            **segment.attributes,
        }
        failed = outcome in ("failed", "interrupted", "stopped")
        return Span(
            f"invoke_agent {self._agent}",
            event.trace_id or "",
            event.span_id or "",
            None,
            "internal",
            segment.start_us,
            micros(event.ts),
            plain(attributes),
            tuple(segment.notes),
            str(event.payload.get("code") or outcome) if failed else None,
        )

    @staticmethod
    def _tool(event: TelemetryEvent, segment: _Segment) -> tuple[Span, ...]:
        called = segment.calls.pop(str(event.payload.get("call")), None)
        if called is None:  # refused before it ran: its span came with the violation
            return ()
        return (_tool_span(called, event),)


def _llm_span(event: TelemetryEvent) -> Span:
    provider, model = model_names(str(event.payload.get("model", "")))
    end = micros(event.ts)
    elapsed = event.payload.get("elapsed_ms")
    taken = round(elapsed * 1000) if isinstance(elapsed, int | float) else 0
    attributes: JsonObject = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": event.session_id,
        "gen_ai.usage.input_tokens": event.payload.get("input_tokens"),
        "gen_ai.usage.output_tokens": event.payload.get("output_tokens"),
        "metier.timing": event.payload.get("timing"),
    }
    return _child(f"chat {model}".strip(), event, "client", (end - taken, end), attributes)


def _tool_span(called: TelemetryEvent, done: TelemetryEvent, *, answered: bool = True) -> Span:
    payload = done.payload if answered else {}
    attributes: dict[str, JsonValue] = {
        **_tool_names(called.payload),
        "metier.step": called.payload.get("step"),
        "metier.tool.state": payload.get("state"),
        "gen_ai.tool.call.arguments": _content(called.payload.get("arguments")),
        "gen_ai.tool.call.result": _content(payload.get("result")),
    }
    failed = answered and payload.get("ok") is False
    error = str(payload.get("code") or payload.get("state") or "failed") if failed else None
    span = (micros(called.ts), micros(done.ts))
    return _child(f"execute_tool {called.payload.get('tool')}", called, "internal", span, attributes, error=error)


def _refused_span(event: TelemetryEvent) -> Span:
    payload, at = event.payload, micros(event.ts)
    verdict: JsonObject = {
        "metier.gate.verdict": "deny",
        **{f"metier.gate.{name}": payload.get(name) for name in ("code", "layer", "source", "reason", "allowed")},
    }
    notes = (Note("metier.gate.verdict", at, plain(verdict)),)
    name = f"execute_tool {payload.get('tool')}"
    code = str(payload.get("code") or "refused")
    return _child(name, event, "internal", (at, at), _tool_names(payload), notes=notes, error=code)


def _tool_names(payload: JsonObject) -> dict[str, JsonValue]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": payload.get("tool"),
        "gen_ai.tool.call.id": payload.get("call"),
        "gen_ai.tool.type": "function",
    }


def _child(
    name: str,
    event: TelemetryEvent,
    kind: Literal["internal", "client"],
    span_us: tuple[int, int],
    attributes: JsonObject,
    *,
    notes: tuple[Note, ...] = (),
    error: str | None = None,
) -> Span:
    said = plain({**attributes, "error.type": error})
    start, end = span_us
    parent, own = event.parent_span_id, event.span_id or ""
    return Span(name, event.trace_id or "", own, parent, kind, start, end, said, notes, error)


def _unanswered(segment: _Segment, event: TelemetryEvent) -> tuple[Span, ...]:
    """Spans of calls that wait for approval, or that the end of the turn cut off."""
    return tuple(_tool_span(called, event, answered=False) for called in segment.calls.values())


def _asks(event: TelemetryEvent) -> bool:
    return event.event_name == "pause" and event.payload.get("state") == "opened"


_NOTED: Final = frozenset(
    {"error", "exception", "milestone", "pause", "skills.selected", "skills.applied", "skills.left"}
)


def _note(event: TelemetryEvent) -> Note:
    attributes: dict[str, JsonValue] = {
        f"metier.{name}": value for name, value in event.payload.items() if not isinstance(value, Mapping | list)
    }
    if event.event_name == "skills.selected":
        attributes |= _candidates(event.payload)
    return Note(event.event_name, micros(event.ts), plain(attributes))


def _candidates(payload: JsonObject) -> JsonObject:
    listed = payload.get("candidates")
    found = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    return {
        "gen_ai.skill.candidates": [str(one.get("skill")) for one in found],
        "gen_ai.skill.candidate_scores": [float(str(one.get("score") or 0.0)) for one in found],
    }


def _learnt(event: TelemetryEvent) -> dict[str, JsonValue]:
    """Attributes that this event adds to the span of its turn."""
    payload = event.payload
    if event.event_name == "skills.selected":
        return {f"gen_ai.skill.{name}": payload.get(name) for name in ("score", "verdict", "margin")}
    if event.event_name == "skills.applied":
        named = {f"gen_ai.skill.{name}": payload.get(name) for name in ("version", "digest")}
        return {"gen_ai.skill.id": payload.get("skill"), "gen_ai.skill.name": payload.get("title"), **named}
    if event.event_name == "chat.turn_start":
        return {"gen_ai.input.messages": _messages("user", payload.get("message"))}
    if event.event_name == "chat.turn_done":
        return {
            "gen_ai.usage.input_tokens": payload.get("input_tokens"),
            "gen_ai.usage.output_tokens": payload.get("output_tokens"),
            "metier.turn.refusals": payload.get("refusals"),
            "error.type": payload.get("code"),
            "gen_ai.output.messages": _messages("assistant", payload.get("answer")),
        }
    return {}


def _messages(role: str, facts: JsonValue) -> str | None:
    """Encode a message as the `gen_ai` convention says; None if the content is not kept."""
    text = facts.get("text") if isinstance(facts, Mapping) else None
    if not isinstance(text, str):
        return None
    part = {"type": "text", "content": text[:_CONTENT_CHARS]}
    return json.dumps([{"role": role, "parts": [part]}], ensure_ascii=False)


def _content(facts: JsonValue) -> str | None:
    if not isinstance(facts, Mapping) or "value" not in facts:
        return None
    value = facts["value"]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)
    return text[:_CONTENT_CHARS]


def model_names(name: str) -> tuple[str, str]:
    """Split `openai:gpt-5` into the convention's provider and the model; names without provider are our own."""
    provider, colon, model = name.partition(":")
    return (_PROVIDERS.get(provider, provider), model) if colon else ("metier", name)


def plain(attributes: JsonObject) -> Attributes:
    """Convert to valid attribute values: text, number, boolean, or a list of text or numbers."""
    made: dict[str, str | bool | int | float | Sequence[str] | Sequence[float]] = {}
    for name, value in attributes.items():
        if isinstance(value, str | bool | int | float):
            made[name] = value
        elif isinstance(value, list | tuple) and all(isinstance(item, float) for item in value):
            made[name] = [float(str(item)) for item in value]
        elif isinstance(value, list | tuple):
            made[name] = [str(item) for item in value]
    return made
