"""What the telemetry tests share: events of a turn, a clock that stands still, and a receiver that keeps what comes."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from metier.json_values import JsonObject
from metier.store import Event, EventKind
from metier.telemetry import TelemetryEvent
from metier.telemetry._file import TelemetryFile
from metier.telemetry._texts import TextRedactor
from metier.telemetry._translate import Translator

NOW = datetime(2026, 5, 4, 8, 0, tzinfo=UTC)
TURN = "0123456789abcdef0123456789abcdef"


def still() -> datetime:
    return NOW


def runtime_event(kind: EventKind, seq: int = 1, ms: float = 0, turn: str | None = TURN, **data: object) -> Event:
    return Event("talk", turn, seq, NOW + timedelta(milliseconds=ms), kind, data)  # type: ignore[arg-type]


def turn_of(*steps: tuple[EventKind, float, JsonObject], turn: str = TURN) -> list[Event]:
    """The events of one turn: kind, milliseconds since its start, data."""
    return [
        Event("talk", turn, seq, NOW + timedelta(milliseconds=ms), kind, data)
        for seq, (kind, ms, data) in enumerate(steps, 1)
    ]


def translated(events: Sequence[Event], *, content: bool = False, model: str = "openai:gpt-5") -> list[TelemetryEvent]:
    translator = Translator(TextRedactor(b"key", content=content), model=model, run_id="run")
    return [made for event in events for made in translator.translate(event)]


def told(name: str, number: int = 1, *, ago: timedelta = timedelta(0), **payload: object) -> TelemetryEvent:
    """An event in its envelope; the number tells it from others."""
    return TelemetryEvent(
        name,
        NOW - ago,
        f"{name}-{number}",
        payload,  # type: ignore[arg-type]
        session_id="talk",
        turn_id="turn",
    )


def file_at(folder: Path, **more: int) -> TelemetryFile:
    limits = {"retention_days": 7, "max_bytes": 1 << 30, **more}
    return TelemetryFile(folder / "telemetry.sqlite3", clock=still, busy_s=0.01, **limits)


@dataclass
class Receiver:
    """A real HTTP server: what was posted, and what it answers (200 when nothing else is left to answer)."""

    url: str = ""
    bodies: list[tuple[str, str, bytes]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def receiver(*answers: int) -> Iterator[Receiver]:
    found = Receiver(answers=list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.bodies.append((self.path, self.headers["content-type"], body))
            found.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.send_response(found.answers.pop(0) if found.answers else 200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


Deliver = Callable[[Sequence[int]], Sequence[int]]
