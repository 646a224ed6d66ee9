"""Translation of runtime events to telemetry events, with durations measured across the whole turn."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from metier.jsons import JsonObject, JsonValue
from metier.telemetry._envelope import RuntimeEvent, TelemetryEvent, event_id_of, span_id_of, trace_id_of
from metier.telemetry._payloads import Told, number, told
from metier.telemetry._texts import Texts

_MOST_TURNS: Final = 4096
# Stored late, together with what follows the model's answer: their time does not say when anything started.
_STORED_LATE: Final = frozenset({"context.built", "skill.routed", "text.delta"})
_ENDS_TURN: Final = frozenset({"turn.done", "turn.failed"})


@dataclass(slots=True)
class _Clock:
    """Times of a turn since it started or was resumed."""

    root: str
    began: datetime
    mark: datetime
    calling: bool = False
    first_token_ms: float | None = None
    llm_ms: float = 0.0
    tool_ms: float = 0.0
    answer: JsonObject | None = None
    starts: dict[str, datetime] = field(default_factory=dict)


class Translator:
    """Follows turns and translates their events. Not thread-safe."""

    def __init__(self, texts: Texts, *, model: str = "", run_id: str | None = None, mode: str = "chat") -> None:
        self._texts = texts
        self._model = model
        self._run_id = run_id
        self._mode = mode
        self._clocks: OrderedDict[str, _Clock] = OrderedDict()

    def translate(self, event: RuntimeEvent) -> list[TelemetryEvent]:
        """Translate one event; most give one telemetry event, some none, some two."""
        clock = self._clock(event)
        made = [*self._unreported_call(event, clock), *self._told(event, clock)]
        if event.kind in _ENDS_TURN or _interrupts(event):
            made = [self._ended(one, event, clock) for one in made]
            self._clocks.pop(event.turn or "", None)
        elif event.kind == "pause.opened":
            self._clocks.pop(event.turn or "", None)
        return made

    def lost(self, count: int, reasons: Mapping[str, int], now: datetime) -> TelemetryEvent:
        """Make the event that reports lost events."""
        payload: JsonObject = {"count": count, "reasons": reasons}
        key = event_id_of("lost", self._run_id, sum(reasons.values()), now.isoformat())
        return TelemetryEvent("telemetry.lost", now, key, payload, run_id=self._run_id, mode=self._mode)

    def _clock(self, event: RuntimeEvent) -> _Clock:
        turn = event.turn or event.conversation
        clock = self._clocks.get(turn)
        if clock is None:
            clock = _Clock(span_id_of(turn, f"turn {event.seq}"), event.at, event.at)
            self._clocks[turn] = clock
            if len(self._clocks) > _MOST_TURNS:
                self._clocks.popitem(last=False)
        return clock

    def _unreported_call(self, event: RuntimeEvent, clock: _Clock) -> Iterator[TelemetryEvent]:
        """Make the event of a model call that reported no usage."""
        over = clock.calling and event.kind not in ("usage", *_STORED_LATE) and "parent" not in event.data
        if over:
            clock.calling = False
            yield self._made(event, clock, Told("chat.llm_call", self._call({}, event, clock)), f"llm {event.seq}")

    def _told(self, event: RuntimeEvent, clock: _Clock) -> Iterator[TelemetryEvent]:
        if event.kind == "text.delta" and clock.first_token_ms is None:
            clock.first_token_ms = _ms(clock.began, event.at)
        elif event.kind == "text.done":
            clock.answer = self._texts.of(str(event.data.get("text", "")))
        elif event.kind == "context.built":
            clock.calling = True
        for one in told(event.kind, event.data, self._texts):
            timed, key = self._timed(one, event, clock)
            yield self._made(event, clock, timed, key)
        if event.kind not in _STORED_LATE:
            clock.mark = event.at
        elif event.kind == "skill.routed":
            clock.mark += timedelta(milliseconds=number(event.data.get("elapsed_ms")) or 0.0)

    def _timed(self, one: Told, event: RuntimeEvent, clock: _Clock) -> tuple[Told, str | None]:
        """Add durations; also returns the key of the span if the event has its own."""
        payload, call = one.payload, str(one.payload.get("call", ""))
        if one.name == "chat.llm_call":
            clock.calling = False
            return Told(one.name, self._call(payload, event, clock)), f"llm {event.seq}"
        if one.name == "tool.called":
            clock.starts[call] = event.at
        elif one.name == "tool.done":
            began = clock.starts.pop(call, None)
            measured = number(payload.get("elapsed_ms"))
            elapsed = measured if measured is not None else _ms(began, event.at) if began else None
            clock.tool_ms += elapsed or 0.0
            return Told(one.name, {**payload, "elapsed_ms": elapsed}), f"tool {call}"
        elif one.name == "plan.step":
            return self._step(one, event, clock), None
        elif one.name == "pause":
            return Told(one.name, {**payload, "elapsed_ms": _ms(clock.began, event.at)}), None
        return one, f"tool {call}" if one.name in ("tool.called", "tool.violation") else None

    def _call(self, payload: JsonObject, event: RuntimeEvent, clock: _Clock) -> dict[str, JsonValue]:
        """Add the duration of a model call: as measured, or since the last event stored before the call."""
        measured = number(payload.get("elapsed_ms"))
        made = {"model": self._model, **payload}
        if "parent" in payload and measured is None:
            return made
        elapsed = measured if measured is not None else _ms(min(clock.mark, event.at), event.at)
        clock.llm_ms += elapsed
        return {**made, "elapsed_ms": elapsed, "timing": "events" if measured is None else "measured"}

    @staticmethod
    def _step(one: Told, event: RuntimeEvent, clock: _Clock) -> Told:
        key = f"step {one.payload.get('step')}"
        if one.payload.get("phase") == "started":
            clock.starts[key] = event.at
            return one
        began = clock.starts.pop(key, None)
        return Told(one.name, {**one.payload, "elapsed_ms": _ms(began, event.at)}) if began else one

    def _ended(self, one: TelemetryEvent, event: RuntimeEvent, clock: _Clock) -> TelemetryEvent:
        if one.event_name not in ("chat.turn_done", "error"):
            return one
        payload: dict[str, JsonValue] = {
            **({"ok": False, "outcome": one.payload.get("code")} if one.event_name == "error" else {}),
            **one.payload,
            "elapsed_ms": _ms(clock.began, event.at),
            "first_token_ms": clock.first_token_ms,
            "llm_ms": round(clock.llm_ms, 3),
            "tool_ms": round(clock.tool_ms, 3),
        }
        if clock.answer is not None:
            payload["answer"] = clock.answer
        return self._made(event, clock, Told("chat.turn_done", payload), None)

    def _made(self, event: RuntimeEvent, clock: _Clock, one: Told, key: str | None) -> TelemetryEvent:
        turn = event.turn or event.conversation
        above = one.payload.get("parent")  # spans of a sub-agent are children of the call that started it
        return TelemetryEvent(
            event_name=one.name,
            ts=event.at,
            event_id=event_id_of(event.conversation, event.seq, one.name),
            payload=one.payload,
            session_id=event.conversation,
            turn_id=event.turn,
            run_id=self._run_id,
            trace_id=trace_id_of(turn),
            span_id=span_id_of(turn, key) if key else clock.root,
            parent_span_id=span_id_of(turn, f"tool {above}") if key and above else clock.root if key else None,
            mode=self._mode,
        )


def _interrupts(event: RuntimeEvent) -> bool:
    return event.kind == "error" and event.data.get("code") in ("interrupted", "stopped")


def _ms(since: datetime, until: datetime) -> float:
    return round((until - since) / timedelta(milliseconds=1), 3)
