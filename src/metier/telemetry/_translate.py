"""Translation of runtime events to telemetry events, with durations measured across the whole turn."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.telemetry._applied import AppliedSkills
from metier.telemetry._envelope import RuntimeEvent, TelemetryEvent, make_event_id, make_span_id, make_trace_id
from metier.telemetry._payloads import NamedPayload, as_number, build_payloads
from metier.telemetry._texts import TextRedactor

_MAX_TURNS: Final = 4096
# Stored late, together with what follows the model's answer: their time does not say when anything started.
_STORED_LATE: Final = frozenset({"context.built", "reasoning.delta", "reasoning.done", "skill.routed", "text.delta"})
_ENDS_TURN: Final = frozenset({"turn.done", "turn.failed"})


@dataclass(slots=True)
class _TurnTimer:
    """Times of a turn since it started or was resumed."""

    root_span_id: str
    started_at: datetime
    last_stored_at: datetime
    awaiting_model: bool = False
    first_token_ms: float | None = None
    llm_ms: float = 0.0
    tool_ms: float = 0.0
    answer: JsonObject | None = None
    skills: AppliedSkills = field(default_factory=AppliedSkills)
    starts: dict[str, datetime] = field(default_factory=dict)


class Translator:
    """Follows turns and translates their events. Not thread-safe."""

    def __init__(self, texts: TextRedactor, *, model: str = "", run_id: str | None = None, mode: str = "chat") -> None:
        self._texts = texts
        self._model = model
        self._run_id = run_id
        self._mode = mode
        self._timers: OrderedDict[str, _TurnTimer] = OrderedDict()

    def translate(self, event: RuntimeEvent) -> list[TelemetryEvent]:
        """Translate one event; most give one telemetry event, some none, some two."""
        clock = self._get_timer(event)
        made = [*self._make_unreported_call(event, clock), *self._translate_skills(event, clock)]
        made += self._translate_event(event, clock)
        if event.kind in _ENDS_TURN or _is_interruption(event):
            made = [self._end_turn(one, event, clock) for one in made]
            self._timers.pop(event.turn or "", None)
        elif event.kind == "pause.opened":
            self._timers[event.turn or event.conversation] = _TurnTimer("", event.at, event.at, skills=clock.skills)
        return made

    def make_lost_event(self, count: int, reasons: Mapping[str, int], now: datetime) -> TelemetryEvent:
        """Make the event that reports lost events."""
        payload: JsonObject = {"count": count, "reasons": reasons}
        key = make_event_id("lost", self._run_id, sum(reasons.values()), now.isoformat())
        return TelemetryEvent("telemetry.lost", now, key, payload, run_id=self._run_id, mode=self._mode)

    def _get_timer(self, event: RuntimeEvent) -> _TurnTimer:
        turn = event.turn or event.conversation
        clock = self._timers.get(turn)
        if clock is None or not clock.root_span_id:  # a turn that waited keeps its skills: the answer is one
            skills = AppliedSkills() if clock is None else clock.skills
            clock = _TurnTimer(make_span_id(turn, f"turn {event.seq}"), event.at, event.at, skills=skills)
            self._timers[turn] = clock
            if len(self._timers) > _MAX_TURNS:
                self._timers.popitem(last=False)
        return clock

    def _make_unreported_call(self, event: RuntimeEvent, clock: _TurnTimer) -> Iterator[TelemetryEvent]:
        """Make the event of a model call that reported no usage."""
        over = clock.awaiting_model and event.kind not in ("usage", *_STORED_LATE) and "parent" not in event.data
        if over:
            clock.awaiting_model = False
            yield self._make_event(
                event, clock, NamedPayload("chat.llm_call", self._time_model_call({}, event, clock)), f"llm {event.seq}"
            )

    def _translate_skills(self, event: RuntimeEvent, clock: _TurnTimer) -> Iterator[TelemetryEvent]:
        """Make the events of cases that the prompt shows, and, before the end, of the skills that shaped the answer."""
        clock.skills.follow(event.kind, event.data)
        if event.kind == "context.built" and (found := clock.skills.take_cases(event.data)) is not None:
            yield self._make_event(event, clock, NamedPayload("rag.retrieve", found), None)
        if event.kind == "turn.done":
            for payload in clock.skills.list_applied(event.data):
                yield self._make_event(
                    event, clock, NamedPayload("skills.applied", payload), None, part=payload["skill"]
                )

    def _translate_event(self, event: RuntimeEvent, clock: _TurnTimer) -> Iterator[TelemetryEvent]:
        if event.kind == "text.delta" and clock.first_token_ms is None:
            clock.first_token_ms = _elapsed_ms(clock.started_at, event.at)
        elif event.kind == "text.done":
            clock.answer = self._texts.describe(str(event.data.get("text", "")))
        elif event.kind == "context.built":
            clock.awaiting_model = True
        for one in build_payloads(event.kind, event.data, self._texts):
            timed, key = self._add_timing(one, event, clock)
            yield self._make_event(event, clock, timed, key)
        if event.kind not in _STORED_LATE:
            clock.last_stored_at = event.at
        elif event.kind == "skill.routed":
            clock.last_stored_at += timedelta(milliseconds=as_number(event.data.get("elapsed_ms")) or 0.0)

    def _add_timing(self, one: NamedPayload, event: RuntimeEvent, clock: _TurnTimer) -> tuple[NamedPayload, str | None]:
        """Add durations; also returns the key of the span if the event has its own."""
        payload, call = one.payload, str(one.payload.get("call", ""))
        if one.name == "chat.llm_call":
            clock.awaiting_model = False
            return NamedPayload(one.name, self._time_model_call(payload, event, clock)), f"llm {event.seq}"
        if one.name == "tool.called":
            clock.starts[call] = event.at
        elif one.name == "tool.done":
            began = clock.starts.pop(call, None)
            measured = as_number(payload.get("elapsed_ms"))
            elapsed = measured if measured is not None else _elapsed_ms(began, event.at) if began else None
            clock.tool_ms += elapsed or 0.0
            return NamedPayload(one.name, {**payload, "elapsed_ms": elapsed}), f"tool {call}"
        elif one.name == "plan.step":
            return self._time_step(one, event, clock), None
        elif one.name == "pause":
            return NamedPayload(one.name, {**payload, "elapsed_ms": _elapsed_ms(clock.started_at, event.at)}), None
        return one, f"tool {call}" if one.name in ("tool.called", "tool.violation") else None

    def _time_model_call(self, payload: JsonObject, event: RuntimeEvent, clock: _TurnTimer) -> dict[str, JsonValue]:
        """Add the duration of a model call: as measured, or since the last event stored before the call."""
        measured = as_number(payload.get("elapsed_ms"))
        made = {"model": self._model, **payload}
        if "parent" in payload and measured is None:
            return made
        elapsed = measured if measured is not None else _elapsed_ms(min(clock.last_stored_at, event.at), event.at)
        clock.llm_ms += elapsed
        return {**made, "elapsed_ms": elapsed, "timing": "events" if measured is None else "measured"}

    @staticmethod
    def _time_step(one: NamedPayload, event: RuntimeEvent, clock: _TurnTimer) -> NamedPayload:
        key = f"step {one.payload.get('step')}"
        if one.payload.get("phase") == "started":
            clock.starts[key] = event.at
            return one
        began = clock.starts.pop(key, None)
        return NamedPayload(one.name, {**one.payload, "elapsed_ms": _elapsed_ms(began, event.at)}) if began else one

    def _end_turn(self, one: TelemetryEvent, event: RuntimeEvent, clock: _TurnTimer) -> TelemetryEvent:
        if one.event_name not in ("chat.turn_done", "error"):
            return one
        payload: dict[str, JsonValue] = {
            **({"ok": False, "outcome": one.payload.get("code")} if one.event_name == "error" else {}),
            **one.payload,
            "elapsed_ms": _elapsed_ms(clock.started_at, event.at),
            "first_token_ms": clock.first_token_ms,
            "llm_ms": round(clock.llm_ms, 3),
            "tool_ms": round(clock.tool_ms, 3),
        }
        if clock.answer is not None:
            payload["answer"] = clock.answer
        return self._make_event(event, clock, NamedPayload("chat.turn_done", payload), None)

    def _make_event(
        self, event: RuntimeEvent, clock: _TurnTimer, one: NamedPayload, key: str | None, *, part: JsonValue = None
    ) -> TelemetryEvent:
        turn = event.turn or event.conversation
        above = one.payload.get("parent")  # spans of a sub-agent are children of the call that started it
        return TelemetryEvent(
            event_name=one.name,
            ts=event.at,
            event_id=make_event_id(event.conversation, event.seq, one.name, *([part] if part else [])),
            payload=one.payload,
            session_id=event.conversation,
            turn_id=event.turn,
            run_id=self._run_id,
            trace_id=make_trace_id(turn),
            span_id=make_span_id(turn, key) if key else clock.root_span_id,
            parent_span_id=make_span_id(turn, f"tool {above}")
            if key and above
            else clock.root_span_id
            if key
            else None,
            mode=self._mode,
        )


def _is_interruption(event: RuntimeEvent) -> bool:
    return event.kind == "error" and event.data.get("code") in ("interrupted", "stopped")


def _elapsed_ms(since: datetime, until: datetime) -> float:
    return round((until - since) / timedelta(milliseconds=1), 3)
