"""Telemetry of a program: opened from the settings, fed by observers, closed at the end."""

import asyncio
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from metier.clock import random_id, utc_now
from metier.errors import InvalidSettings
from metier.json_values import JsonObject, JsonValue
from metier.settings import Settings
from metier.telemetry._envelope import RuntimeEvent, TelemetryEvent, make_event_id, make_trace_id
from metier.telemetry._file import TelemetryFile
from metier.telemetry._ingest import IngestResult, read_batch
from metier.telemetry._otlp import open_otlp
from metier.telemetry._queries import TelemetryQueries
from metier.telemetry._sink import TelemetrySink, open_remote
from metier.telemetry._texts import TextRedactor, load_or_create_key
from metier.telemetry._translate import Translator

_FOLDER: Final = "telemetry"
_FILE: Final = "telemetry.sqlite3"


def telemetry_path(settings: Settings) -> Path:
    """Path of the telemetry file."""
    return settings.storage_dir / _FOLDER / _FILE


class Telemetry:
    """Telemetry of a process. Made by `open_telemetry`; pass `observers` to `Runtime.open`.

    `close` it, or use it with `with` or `async with`.
    """

    def __init__(
        self, sink: TelemetrySink | None, texts: TextRedactor, queries: TelemetryQueries, clock: Callable[[], datetime]
    ) -> None:
        self._sink = sink
        self._texts = texts
        self._clock = clock
        self.queries = queries

    @property
    def observers(self) -> tuple[Callable[[RuntimeEvent], None], ...]:
        """Observers for the runtime; empty if telemetry is off."""
        return () if self._sink is None else (self._sink.observe,)

    @property
    def lost(self) -> JsonObject:
        """Number of dropped events since the start, by destination and reason."""
        return {} if self._sink is None else self._sink.lost

    def emit(
        self, event_name: str, payload: JsonObject, *, session_id: str | None = None, turn_id: str | None = None
    ) -> None:
        """Record an event of one's own."""
        if self._sink is None:
            return
        trace = make_trace_id(turn_id) if turn_id else None
        self._sink.put(
            TelemetryEvent(
                event_name,
                self._clock(),
                make_event_id(random_id()),
                payload,
                session_id=session_id,
                turn_id=turn_id,
                trace_id=trace,
            )
        )

    def ingest(self, batch: JsonValue, user: str) -> IngestResult:
        """Accept a client's batch. Invalid events are returned with their index; the others are accepted.

        `InvalidInput` if it is not a batch or has more than 500 events. If telemetry is off, events are accepted and
        discarded.
        """
        taken, account = read_batch(batch, user, texts=self._texts, now=self._clock())
        if self._sink is not None:
            for event in taken:
                self._sink.put(event)
        return account

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all events so far are written and sent; False on timeout."""
        return self._sink is None or self._sink.flush(timeout_s)

    def close(self, timeout_s: float = 3.0) -> None:
        """Write and send what is left, with this timeout per destination."""
        if self._sink is not None:
            self._sink.close(timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await asyncio.to_thread(self.close)


def open_telemetry(
    settings: Settings, *, mode: str = "chat", run_id: str | None = None, clock: Callable[[], datetime] = utc_now
) -> Telemetry:
    """Open telemetry as configured, for `with` or `async with`; queued events are written when the block ends.

    `mode` says what kind of run this is (chat, bench), and `run_id` which one.
    """
    path = telemetry_path(settings)
    silent = settings.telemetry_mode == "off" and not settings.otlp_endpoint
    key = secrets.token_bytes(32) if silent else load_or_create_key(path.with_name("key"))
    texts = TextRedactor(key, content=settings.telemetry_content == "on")
    translator = Translator(texts, model=settings.model, run_id=run_id or random_id(), mode=mode)
    return Telemetry(_build_sink(settings, translator, clock), texts, TelemetryQueries(path), clock)


def _build_sink(settings: Settings, translator: Translator, clock: Callable[[], datetime]) -> TelemetrySink | None:
    how = settings.telemetry_mode
    local, remote = how in ("local", "both"), how in ("remote", "both")
    if remote and not settings.telemetry_url:
        raise InvalidSettings(f"telemetry_mode {how!r} needs an address", hint="set METIER_TELEMETRY_URL")
    if not (local or remote or settings.otlp_endpoint):
        return None
    file = TelemetryFile(
        telemetry_path(settings),
        retention_days=settings.telemetry_retention_days,
        max_bytes=settings.telemetry_max_bytes,
        clock=clock,
    )
    return TelemetrySink(
        translator,
        file=file if local else None,
        remote=open_remote(settings.telemetry_url) if remote else None,
        spans=open_otlp(settings.otlp_endpoint) if settings.otlp_endpoint else None,
    )
