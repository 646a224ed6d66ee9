"""OpenTelemetry spans built from telemetry events: turns, model calls and tools, under `gen_ai.*` names."""

import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.telemetry._envelope import TelemetryEvent
from metier.telemetry._file import to_micros

_MAX_TURNS: Final = 4096
_MAX_CONTENT_CHARS: Final = 20_000
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
class SpanEvent:
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
    events: tuple[SpanEvent, ...] = ()
    error: str | None = None


@dataclass(slots=True)
class _Segment:
    """Part of a turn from its start or resumption to its end or the next question."""

    start_us: int
    attributes: dict[str, JsonValue] = field(default_factory=dict)
    events: list[SpanEvent] = field(default_factory=list)
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
        segment = self._get_segment(turn, event)
        if event.event_name == "chat.llm_call":
            return (_make_llm_span(event),)
        if event.event_name == "tool.called":
            segment.calls[str(event.payload.get("call"))] = event
        elif event.event_name == "tool.done":
            return self._finish_tool_call(event, segment)
        elif event.event_name == "tool.violation":
            return (_make_refused_span(event),)
        elif event.event_name in _SPAN_EVENT_NAMES:
            segment.events.append(_make_span_event(event))
        segment.attributes |= _turn_attributes(event)
        if event.event_name == "chat.turn_done" or _is_question(event):
            del self._segments[turn]
            return (*_make_unanswered_spans(segment, event), self._make_turn_span(event, segment))
        return ()

    def _get_segment(self, turn: str, event: TelemetryEvent) -> _Segment:
        found = self._segments.get(turn)
        if found is None:
            found = self._segments[turn] = _Segment(to_micros(event.ts))
            if len(self._segments) > _MAX_TURNS:
                self._segments.popitem(last=False)
        return found

    def _make_turn_span(self, event: TelemetryEvent, segment: _Segment) -> Span:
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
            to_micros(event.ts),
            to_attributes(attributes),
            tuple(segment.events),
            str(event.payload.get("code") or outcome) if failed else None,
        )

    @staticmethod
    def _finish_tool_call(event: TelemetryEvent, segment: _Segment) -> tuple[Span, ...]:
        called = segment.calls.pop(str(event.payload.get("call")), None)
        if called is None:  # refused before it ran: its span came with the violation
            return ()
        return (_make_tool_span(called, event),)


def _make_llm_span(event: TelemetryEvent) -> Span:
    provider, model = split_model_name(str(event.payload.get("model", "")))
    end = to_micros(event.ts)
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
    return _make_child_span(f"chat {model}".strip(), event, "client", (end - taken, end), attributes)


def _make_tool_span(called: TelemetryEvent, done: TelemetryEvent, *, answered: bool = True) -> Span:
    payload = done.payload if answered else {}
    attributes: dict[str, JsonValue] = {
        **_tool_attributes(called.payload),
        "metier.step": called.payload.get("step"),
        "metier.tool.state": payload.get("state"),
        "gen_ai.tool.call.arguments": _encode_content(called.payload.get("arguments")),
        "gen_ai.tool.call.result": _encode_content(payload.get("result")),
    }
    failed = answered and payload.get("ok") is False
    error = str(payload.get("code") or payload.get("state") or "failed") if failed else None
    span = (to_micros(called.ts), to_micros(done.ts))
    return _make_child_span(
        f"execute_tool {called.payload.get('tool')}", called, "internal", span, attributes, error=error
    )


def _make_refused_span(event: TelemetryEvent) -> Span:
    payload, at = event.payload, to_micros(event.ts)
    verdict: JsonObject = {
        "metier.gate.verdict": "deny",
        **{f"metier.gate.{name}": payload.get(name) for name in ("code", "layer", "source", "reason", "allowed")},
    }
    notes = (SpanEvent("metier.gate.verdict", at, to_attributes(verdict)),)
    name = f"execute_tool {payload.get('tool')}"
    code = str(payload.get("code") or "refused")
    return _make_child_span(name, event, "internal", (at, at), _tool_attributes(payload), notes=notes, error=code)


def _tool_attributes(payload: JsonObject) -> dict[str, JsonValue]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": payload.get("tool"),
        "gen_ai.tool.call.id": payload.get("call"),
        "gen_ai.tool.type": "function",
    }


def _make_child_span(
    name: str,
    event: TelemetryEvent,
    kind: Literal["internal", "client"],
    span_us: tuple[int, int],
    attributes: JsonObject,
    *,
    notes: tuple[SpanEvent, ...] = (),
    error: str | None = None,
) -> Span:
    said = to_attributes({**attributes, "error.type": error})
    start, end = span_us
    parent, own = event.parent_span_id, event.span_id or ""
    return Span(name, event.trace_id or "", own, parent, kind, start, end, said, notes, error)


def _make_unanswered_spans(segment: _Segment, event: TelemetryEvent) -> tuple[Span, ...]:
    """Spans of calls that wait for approval, or that the end of the turn cut off."""
    return tuple(_make_tool_span(called, event, answered=False) for called in segment.calls.values())


def _is_question(event: TelemetryEvent) -> bool:
    return event.event_name == "pause" and event.payload.get("state") == "opened"


_SPAN_EVENT_NAMES: Final = frozenset(
    {"error", "exception", "milestone", "pause", "skills.selected", "skills.activated", "skills.applied", "skills.left"}
)


def _make_span_event(event: TelemetryEvent) -> SpanEvent:
    attributes: dict[str, JsonValue] = {
        f"metier.{name}": value for name, value in event.payload.items() if not isinstance(value, Mapping | list)
    }
    if event.event_name == "skills.selected":
        attributes |= _candidate_attributes(event.payload)
    return SpanEvent(event.event_name, to_micros(event.ts), to_attributes(attributes))


def _candidate_attributes(payload: JsonObject) -> JsonObject:
    listed = payload.get("candidates")
    found = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    return {
        "gen_ai.skill.candidates": [str(one.get("skill")) for one in found],
        "gen_ai.skill.candidate_scores": [float(str(one.get("score") or 0.0)) for one in found],
    }


def _turn_attributes(event: TelemetryEvent) -> dict[str, JsonValue]:
    """Attributes that this event adds to the span of its turn."""
    payload = event.payload
    if event.event_name == "skills.selected":
        return {f"gen_ai.skill.{name}": payload.get(name) for name in ("score", "verdict", "margin")}
    if event.event_name in ("skills.activated", "skills.applied"):
        named = {f"gen_ai.skill.{name}": payload.get(name) for name in ("version", "digest")}
        return {"gen_ai.skill.id": payload.get("skill"), "gen_ai.skill.name": payload.get("title"), **named}
    if event.event_name == "chat.turn_start":
        return {"gen_ai.input.messages": _encode_message("user", payload.get("message"))}
    if event.event_name == "chat.turn_done":
        return {
            "gen_ai.usage.input_tokens": payload.get("input_tokens"),
            "gen_ai.usage.output_tokens": payload.get("output_tokens"),
            "metier.turn.refusals": payload.get("refusals"),
            "error.type": payload.get("code"),
            "gen_ai.output.messages": _encode_message("assistant", payload.get("answer")),
        }
    return {}


def _encode_message(role: str, facts: JsonValue) -> str | None:
    """Encode a message as the `gen_ai` convention says; None if the content is not kept."""
    text = facts.get("text") if isinstance(facts, Mapping) else None
    if not isinstance(text, str):
        return None
    part = {"type": "text", "content": text[:_MAX_CONTENT_CHARS]}
    return json.dumps([{"role": role, "parts": [part]}], ensure_ascii=False)


def _encode_content(facts: JsonValue) -> str | None:
    if not isinstance(facts, Mapping) or "value" not in facts:
        return None
    value = facts["value"]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)
    return text[:_MAX_CONTENT_CHARS]


def split_model_name(name: str) -> tuple[str, str]:
    """Split `openai:gpt-5` into the convention's provider and the model; names without provider are our own."""
    provider, colon, model = name.partition(":")
    return (_PROVIDERS.get(provider, provider), model) if colon else ("metier", name)


def to_attributes(attributes: JsonObject) -> Attributes:
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
