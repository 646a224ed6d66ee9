"""Sink of all telemetry: one queue and thread that writes the file and forwards to the remote service and spans."""

import json
import logging
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from metier.jsons import JsonObject
from metier.telemetry._envelope import RuntimeEvent, TelemetryEvent
from metier.telemetry._file import TelemetryFile
from metier.telemetry._http import HttpLane, checked_url
from metier.telemetry._lane import BATCH, MOST_QUEUED, WAIT_S, Lane
from metier.telemetry._spans import Span, SpanBuilder
from metier.telemetry._translate import Translator

_log = logging.getLogger(__name__)
_MOST_SPOKEN: Final = 8192


class _Kept(NamedTuple):
    """An event that was forwarded already and only waits to be written to the file."""

    event: TelemetryEvent


_Item: TypeAlias = RuntimeEvent | TelemetryEvent | _Kept


class TelemetrySink:
    """Accepts runtime and telemetry events. Never blocks on disk, network or another process."""

    def __init__(
        self,
        translator: Translator,
        *,
        file: TelemetryFile | None = None,
        remote: HttpLane[TelemetryEvent] | None = None,
        spans: HttpLane[Span] | None = None,
        most: int = MOST_QUEUED,
        batch: int = BATCH,
        wait_s: float = WAIT_S,
        retry_s: tuple[float, float] = (0.5, 30.0),
    ) -> None:
        self._translator = translator
        self._file = file
        self._remote = remote
        self._spans = spans
        self._builder = SpanBuilder()
        self._troubled = False
        self._told_lost = 0
        self._spoken: set[str] = set()
        self._lane: Lane[_Item] = Lane(
            "telemetry", self._deliver, most=most, batch=batch, wait_s=wait_s, retry_s=retry_s
        )

    def observe(self, event: RuntimeEvent) -> None:
        """Queue an event of a turn. Only the first text delta of a turn is recorded."""
        kind = event.kind
        if kind == "text.delta":
            turn = event.turn or ""
            if turn in self._spoken:
                return
            if len(self._spoken) >= _MOST_SPOKEN:
                self._spoken.clear()
            self._spoken.add(turn)
        elif kind in ("todos", "suggestions"):
            return
        self._lane.put(event)

    def put(self, event: TelemetryEvent) -> None:
        """Queue a telemetry event."""
        self._lane.put(event)

    @property
    def queued(self) -> int:
        """Number of waiting events."""
        return self._lane.queued

    @property
    def lost(self) -> JsonObject:
        """Number of dropped events since the start, by destination and reason; empty if none."""
        counts = {"queue": self._lane.lost}
        if self._remote is not None:
            counts["remote"] = self._remote.lane.lost
        if self._spans is not None:
            counts["otlp"] = self._spans.lane.lost
        return {place: dict(found) for place, found in counts.items() if found}

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all events are written and forwarded; False on timeout."""
        lanes = [self._lane, *(one.lane for one in (self._remote, self._spans) if one is not None)]
        return all(lane.flush(timeout_s) for lane in lanes)

    def close(self, timeout_s: float = 3.0) -> None:
        """Write and send what is left, as far as the timeout allows."""
        self._lane.close(timeout_s)
        for one in (self._remote, self._spans):
            if one is not None:
                one.close(timeout_s)
        if self._file is not None:
            self._file.close()
        if lost := self.lost:
            _log.warning("telemetry lost events: %s", json.dumps(lost))

    def _deliver(self, items: Sequence[_Item]) -> Sequence[_Item]:
        events: list[TelemetryEvent] = []
        for item in items:
            if isinstance(item, _Kept):
                events.append(item.event)
                continue
            made = [item] if isinstance(item, TelemetryEvent) else self._translator.translate(item)
            self._send_on(made)
            events += made
        if self._file is None or not events:
            return ()
        return [_Kept(event) for event in events] if not self._written(events) else ()

    def _send_on(self, events: Sequence[TelemetryEvent]) -> None:
        for event in events:
            if self._remote is not None:
                self._remote.put(event)
            if self._spans is not None:
                for span in self._builder.add(event):
                    self._spans.put(span)

    def _written(self, events: Sequence[TelemetryEvent]) -> bool:
        assert self._file is not None
        reasons = self._lane.lost
        lost = sum(reasons.values())
        news = [self._translator.lost(lost - self._told_lost, reasons, events[-1].ts)] if lost > self._told_lost else []
        try:
            self._file.write([*events, *news])
        except (sqlite3.Error, OSError) as error:
            if not self._troubled:  # log once, not at every attempt
                _log.warning("telemetry cannot be written (%s); events wait in memory", error)
            self._troubled = True
            return False
        if self._troubled:
            _log.info("telemetry is written again")
        self._troubled, self._told_lost = False, lost
        return True


def open_remote(url: str) -> HttpLane[TelemetryEvent]:
    """Open a queue that posts batches to another Metier's `/telemetry/events` or a compatible endpoint."""
    headers = {"content-type": "application/json", "user-agent": "metier"}
    return HttpLane("remote telemetry", checked_url(url, "telemetry_url"), encode_batch, headers)


def encode_batch(events: Sequence[TelemetryEvent]) -> bytes:
    """Encode events as `{"events": […]}`."""
    told = {"events": [event.to_json() for event in events]}
    return json.dumps(told, ensure_ascii=False, default=dict).encode("utf-8", "replace")
