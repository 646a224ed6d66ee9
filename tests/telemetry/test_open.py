"""Telemetry from the settings: on by default, off when asked, and never in the way of a turn."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from metier.agent import Runtime, TurnRequest
from metier.errors import InvalidSettings
from metier.settings import load_settings
from metier.telemetry import EventFilter, TelemetryQueries, open_telemetry, telemetry_path
from tests.e2e.support import Desk, settings_in
from tests.telemetry.support import receiver, runtime_event, still


async def test_a_turn_of_the_runtime_is_on_record(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    async with (
        open_telemetry(settings, run_id="nightly", mode="bench") as telemetry,
        Runtime.open(settings, tools=Desk().tools(), observers=telemetry.observers) as runtime,
    ):
        events = [event async for event in runtime.turn(TurnRequest("我要查订单 42"))]
        assert telemetry.flush(60)
    found = TelemetryQueries(telemetry_path(settings)).events(EventFilter(session=events[0].conversation))
    names = [event.event_name for event in found.events]
    assert names[-1] == "chat.turn_start"
    assert "skills.selected" in names
    assert {(event.run_id, event.mode) for event in found.events} == {("nightly", "bench")}
    assert "查订单" not in (tmp_path / "storage" / "telemetry" / "telemetry.sqlite3").read_bytes().decode(
        "utf-8", "ignore"
    )


def test_the_file_is_where_it_was_promised() -> None:
    assert telemetry_path(load_settings()) == Path("storage/telemetry/telemetry.sqlite3")
    with open_telemetry(load_settings()) as telemetry:
        telemetry.emit("rag.retrieve", {"hits": 3}, session_id="talk", turn_id="t")
        assert telemetry.flush(60)
        (event,) = telemetry.queries.events().events
    assert (event.event_name, event.session_id, event.payload) == ("rag.retrieve", "talk", {"hits": 3})


@pytest.mark.parametrize("name", ["METIER_TELEMETRY_MODE", "TELEMETRY_MODE", "AH32_TELEMETRY_MODE"])
def test_off_leaves_no_trace(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(name, "off")
    with open_telemetry(load_settings()) as telemetry:
        assert telemetry.observers == ()
        telemetry.emit("error", {})
        assert telemetry.ingest([{"event_name": "ui.a"}], "li").accepted == 1
        assert telemetry.flush(60)
        assert telemetry.lost == {}
    assert list(tmp_path.iterdir()) == []


def test_a_mode_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEMETRY_MODE", "loud")
    with pytest.raises(InvalidSettings, match="TELEMETRY_MODE"):
        load_settings()


@pytest.mark.parametrize(("mode", "local"), [("remote", False), ("both", True)])
def test_remote_batches_are_what_the_door_takes(mode: str, local: bool, tmp_path: Path) -> None:
    with receiver() as found:
        settings = settings_in(tmp_path, telemetry_mode=mode, telemetry_url=f"{found.url}/telemetry/events")
        with open_telemetry(settings) as telemetry:
            telemetry.observers[0](runtime_event("turn.started", message="你好"))
            assert telemetry.flush(60)
        ((path, kind, body),) = found.bodies
    assert (path, kind) == ("/telemetry/events", "application/json")
    assert telemetry_path(settings).exists() is local
    with open_telemetry(settings_in(tmp_path / "other"), clock=still) as other:
        account = other.ingest(json.loads(body), "ann")
        assert account.to_json() == {"accepted": 1, "rejected": []}
        assert other.flush(60)
        (event,) = other.queries.events().events
    assert (event.event_name, event.source, event.user) == ("chat.turn_start", "client", "ann")


@pytest.mark.parametrize("mode", ["remote", "both"])
def test_remote_needs_an_address(mode: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings) as caught:
        open_telemetry(settings_in(tmp_path, telemetry_mode=mode))
    assert "METIER_TELEMETRY_URL" in caught.value.hint


def test_ingested_events_are_kept_once_however_often_they_are_sent(tmp_path: Path) -> None:
    batch = [{"event_name": "ui.clicked", "event_id": "1"}]
    with open_telemetry(settings_in(tmp_path)) as telemetry:
        for _ in range(3):
            assert telemetry.ingest(batch, "li").accepted == 1
        assert telemetry.flush(60)
        assert len(telemetry.queries.events().events) == 1


def test_a_storage_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "storage").write_text("a file, not a folder")
    telemetry = open_telemetry(settings_in(tmp_path))
    telemetry.observers[0](runtime_event("turn.started", message="hi"))
    assert not telemetry.flush(0.02)
    telemetry.close(0.05)
    assert telemetry.lost == {"queue": {"closed": 1}}


def test_nothing_heavy_is_loaded_until_it_is_needed() -> None:
    heavy = ("opentelemetry", "httpx", "sqlalchemy", "langchain_core")
    code = f"import sys, metier.telemetry; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
