"""One queue in, a file and a service out; trouble with one is no trouble for a turn."""

import json
import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from metier.telemetry import TelemetryEvent, TelemetryQueries, TelemetrySink
from metier.telemetry._file import TelemetryFile
from metier.telemetry._sink import open_remote
from metier.telemetry._texts import TextRedactor
from metier.telemetry._translate import Translator
from tests.telemetry.support import file_at, receiver, runtime_event, still, told


class Moody(TelemetryFile):
    """A file that cannot be written a few times."""

    def __init__(self, path: Path, failures: int) -> None:
        super().__init__(path, retention_days=7, max_bytes=1 << 30, clock=still)
        self.failures = failures

    def write(self, events: Sequence[TelemetryEvent]) -> None:
        if self.failures:
            self.failures -= 1
            raise sqlite3.OperationalError("database or disk is full")
        super().write(events)


def _translator() -> Translator:
    return Translator(TextRedactor(b"key"))


def _kept(folder: Path) -> list[str]:
    page = TelemetryQueries(folder / "telemetry.sqlite3").events(limit=1000)
    return [event.event_name for event in reversed(page.events)]


def test_events_of_a_turn_reach_the_file(tmp_path: Path) -> None:
    sink = TelemetrySink(_translator(), file=file_at(tmp_path))
    sink.observe(runtime_event("turn.started", 1, message="你好"))
    sink.put(told("ui.clicked"))
    assert sink.flush(60)
    assert sorted(_kept(tmp_path)) == ["chat.turn_start", "ui.clicked"]
    sink.close()
    assert sink.lost == {}


def test_of_a_stream_of_words_only_the_first_is_queued(tmp_path: Path) -> None:
    sink = TelemetrySink(_translator(), file=file_at(tmp_path), wait_s=60)
    for number in range(50):
        sink.observe(runtime_event("text.delta", number, text="好"))
    sink.observe(runtime_event("todos", 51))
    assert sink.queued == 1
    sink.close()


def test_what_cannot_be_written_waits_and_is_told_of_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with receiver() as found, caplog.at_level(logging.INFO):
        remote = open_remote(found.url)
        file = Moody(tmp_path / "telemetry.sqlite3", 3)
        sink = TelemetrySink(_translator(), file=file, remote=remote, retry_s=(0.001, 0.001))
        sink.observe(runtime_event("turn.started", 1, message="hi"))
        assert sink.flush(60)
        sink.close()
        sent = [event["event_name"] for _, _, body in found.bodies for event in json.loads(body)["events"]]
    assert _kept(tmp_path) == ["chat.turn_start"]
    assert sent == ["chat.turn_start"]  # once, although the file took four attempts
    messages = [record.getMessage() for record in caplog.records if record.name == "metier.telemetry._sink"]
    assert messages == [
        "telemetry cannot be written (database or disk is full); events wait in memory",
        "telemetry is written again",
    ]


def test_a_loss_is_put_on_record(tmp_path: Path) -> None:
    file = Moody(tmp_path / "telemetry.sqlite3", 10**9)
    sink = TelemetrySink(_translator(), file=file, max_queued=3, retry_s=(0.001, 0.001))
    for number in range(10):
        sink.put(told("ui.clicked", number))
    assert not sink.flush(0.02)
    file.failures = 0
    assert sink.flush(60)
    sink.close()
    events = TelemetryQueries(tmp_path / "telemetry.sqlite3").events().events
    kept = sorted(event.event_id for event in events if event.event_name == "ui.clicked")
    lost = [event.payload for event in events if event.event_name == "telemetry.lost"]
    assert kept[-3:] == ["ui.clicked-7", "ui.clicked-8", "ui.clicked-9"]  # the oldest went
    assert sum(int(str(one["count"])) for one in lost) == 10 - len(kept) > 0
    assert sink.lost == {"queue": {"queue_full": 10 - len(kept)}}


def test_closing_with_a_file_that_cannot_be_written_says_what_was_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sink = TelemetrySink(_translator(), file=Moody(tmp_path / "telemetry.sqlite3", 10**9), retry_s=(0.001, 0.001))
    sink.put(told("ui.clicked"))
    with caplog.at_level(logging.WARNING):
        sink.close(0.05)
    assert sink.lost == {"queue": {"closed": 1}}
    assert '"closed": 1' in caplog.text
