"""Sink of all telemetry: one queue and thread that writes the file and forwards to the remote service and spans."""

import json
import logging
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from metier.json_values import JsonObject
from metier.telemetry._envelope import RuntimeEvent, TelemetryEvent
from metier.telemetry._file import TelemetryFile
from metier.telemetry._http import HttpBatchQueue, validate_url
from metier.telemetry._lane import BATCH_SIZE, BATCH_WAIT_S, MAX_QUEUED, BatchQueue
from metier.telemetry._spans import Span, SpanBuilder
from metier.telemetry._translate import Translator

_log = logging.getLogger(__name__)
_MAX_STREAMED_TURNS: Final = 8192


class _PendingWrite(NamedTuple):
    """An event that was forwarded already and only waits to be written to the file."""

    event: TelemetryEvent


_QueueItem: TypeAlias = RuntimeEvent | TelemetryEvent | _PendingWrite


class TelemetrySink:
    """Accepts runtime and telemetry events. Never blocks on disk, network or another process."""

    def __init__(
        self,
        translator: Translator,
        *,
        file: TelemetryFile | None = None,
        remote: HttpBatchQueue[TelemetryEvent] | None = None,
        spans: HttpBatchQueue[Span] | None = None,
        max_queued: int = MAX_QUEUED,
        batch: int = BATCH_SIZE,
        wait_s: float = BATCH_WAIT_S,
        retry_s: tuple[float, float] = (0.5, 30.0),
    ) -> None:
        self._translator = translator
        self._file = file
        self._remote = remote
        self._spans = spans
        self._builder = SpanBuilder()
        self._write_failing = False
        self._reported_lost = 0
        self._streamed_turns: set[str] = set()
        self._queue: BatchQueue[_QueueItem] = BatchQueue(
            "telemetry", self._deliver, max_queued=max_queued, batch=batch, wait_s=wait_s, retry_s=retry_s
        )

    def observe(self, event: RuntimeEvent) -> None:
        """Queue an event of a turn. Only the first text delta of a turn is recorded."""
        kind = event.kind
        if kind == "text.delta":
            turn = event.turn or ""
            if turn in self._streamed_turns:
                return
            if len(self._streamed_turns) >= _MAX_STREAMED_TURNS:
                self._streamed_turns.clear()
            self._streamed_turns.add(turn)
        elif kind in ("reasoning.delta", "reasoning.done", "suggestions", "tasks", "todos"):
            return
        self._queue.put(event)

    def put(self, event: TelemetryEvent) -> None:
        """Queue a telemetry event."""
        self._queue.put(event)

    @property
    def queued(self) -> int:
        """Number of waiting events."""
        return self._queue.queued

    @property
    def lost(self) -> JsonObject:
        """Number of dropped events since the start, by destination and reason; empty if none."""
        counts = {"queue": self._queue.lost}
        if self._remote is not None:
            counts["remote"] = self._remote.queue.lost
        if self._spans is not None:
            counts["otlp"] = self._spans.queue.lost
        return {place: dict(found) for place, found in counts.items() if found}

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all events are written and forwarded; False on timeout."""
        lanes = [self._queue, *(one.queue for one in (self._remote, self._spans) if one is not None)]
        return all(lane.flush(timeout_s) for lane in lanes)

    def close(self, timeout_s: float = 3.0) -> None:
        """Write and send what is left, as far as the timeout allows."""
        self._queue.close(timeout_s)
        for one in (self._remote, self._spans):
            if one is not None:
                one.close(timeout_s)
        if self._file is not None:
            self._file.close()
        if lost := self.lost:
            _log.warning("telemetry lost events: %s", json.dumps(lost))

    def _deliver(self, items: Sequence[_QueueItem]) -> Sequence[_QueueItem]:
        events: list[TelemetryEvent] = []
        for item in items:
            if isinstance(item, _PendingWrite):
                events.append(item.event)
                continue
            made = [item] if isinstance(item, TelemetryEvent) else self._translator.translate(item)
            self._forward(made)
            events += made
        if self._file is None or not events:
            return ()
        return [_PendingWrite(event) for event in events] if not self._try_write(events) else ()

    def _forward(self, events: Sequence[TelemetryEvent]) -> None:
        for event in events:
            if self._remote is not None:
                self._remote.put(event)
            if self._spans is not None:
                for span in self._builder.add(event):
                    self._spans.put(span)

    def _try_write(self, events: Sequence[TelemetryEvent]) -> bool:
        assert self._file is not None
        reasons = self._queue.lost
        lost = sum(reasons.values())
        news = (
            [self._translator.make_lost_event(lost - self._reported_lost, reasons, events[-1].ts)]
            if lost > self._reported_lost
            else []
        )
        try:
            self._file.write([*events, *news])
        except (sqlite3.Error, OSError) as error:
            if not self._write_failing:  # log once, not at every attempt
                _log.warning("telemetry cannot be written (%s); events wait in memory", error)
            self._write_failing = True
            return False
        if self._write_failing:
            _log.info("telemetry is written again")
        self._write_failing, self._reported_lost = False, lost
        return True


def open_remote(url: str) -> HttpBatchQueue[TelemetryEvent]:
    """Open a queue that posts batches to another Metier's `/telemetry/events` or a compatible endpoint."""
    headers = {"content-type": "application/json", "user-agent": "metier"}
    return HttpBatchQueue("remote telemetry", validate_url(url, "telemetry_url"), encode_batch, headers)


def encode_batch(events: Sequence[TelemetryEvent]) -> bytes:
    """Encode events as `{"events": […]}`."""
    told = {"events": [event.to_json() for event in events]}
    return json.dumps(told, ensure_ascii=False, default=dict).encode("utf-8", "replace")
