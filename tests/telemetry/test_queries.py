"""Events newest first, filtered and page by page; and what they say together."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.errors import InvalidInput, StoreUnavailable
from metier.telemetry import EventFilter, TelemetryEvent, TelemetryQueries, parse_time
from metier.telemetry._summary import compute_duration_stats
from tests.telemetry.support import NOW, file_at, told


def _with(folder: Path, *events: TelemetryEvent) -> TelemetryQueries:
    file = file_at(folder)
    file.write(events)
    file.close()
    return TelemetryQueries(folder / "telemetry.sqlite3")


_EVENTS = (
    told("chat.turn_start", 1, ago=timedelta(hours=3), message={"chars": 4}),
    told("chat.turn_done", 1, ago=timedelta(hours=2), skill="弱覆盖"),
    TelemetryEvent(
        "ui.clicked", NOW - timedelta(hours=1), "u1", {"n": 1}, session_id="other", user="li", source="client"
    ),
    told("chat.turn_done", 2, skill="50%_off"),
)


@pytest.mark.parametrize(
    ("which", "ids"),
    [
        (EventFilter(), ["chat.turn_done-2", "u1", "chat.turn_done-1", "chat.turn_start-1"]),
        (EventFilter(event="chat.turn_done"), ["chat.turn_done-2", "chat.turn_done-1"]),
        (EventFilter(event="chat.*"), ["chat.turn_done-2", "chat.turn_done-1", "chat.turn_start-1"]),
        (EventFilter(event="chat_*"), []),
        (EventFilter(session="other"), ["u1"]),
        (EventFilter(turn="turn", event="chat.turn_start"), ["chat.turn_start-1"]),
        (EventFilter(user="li"), ["u1"]),
        (EventFilter(source="client"), ["u1"]),
        (EventFilter(since=NOW - timedelta(minutes=90)), ["chat.turn_done-2", "u1"]),
        (EventFilter(until=NOW - timedelta(hours=2)), ["chat.turn_start-1"]),
        (EventFilter(text="弱覆盖"), ["chat.turn_done-1"]),
        (EventFilter(text="50%_OFF"), ["chat.turn_done-2"]),
        (EventFilter(text="' OR 1=1 --"), []),
    ],
    ids=lambda value: None,
)
def test_events_are_found(tmp_path: Path, which: EventFilter, ids: list[str]) -> None:
    assert [event.event_id for event in _with(tmp_path, *_EVENTS).events(which).events] == ids


def test_pages_join_without_gap_or_repeat_even_at_one_moment(tmp_path: Path) -> None:
    queries = _with(tmp_path, *(told("error", number) for number in range(23)))
    seen: list[str] = []
    cursor = None
    while True:
        page = queries.events(limit=5, cursor=cursor)
        seen += [event.event_id for event in page.events]
        cursor = page.next
        if cursor is None:
            break
    assert seen == [f"error-{number}" for number in reversed(range(23))]


def test_a_page_that_is_just_full_is_the_last(tmp_path: Path) -> None:
    assert _with(tmp_path, told("error", 1), told("error", 2)).events(limit=2).next is None


@pytest.mark.parametrize("cursor", ["", "x", "1", "1.", ".1", "1.2.3", "-1.2", "１.２", "9" * 40 + ".1"])
def test_a_cursor_that_is_none_is_refused(tmp_path: Path, cursor: str) -> None:
    with pytest.raises(InvalidInput):
        _with(tmp_path, told("error")).events(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_limit_has_bounds(tmp_path: Path, limit: int) -> None:
    with pytest.raises(InvalidInput):
        TelemetryQueries(tmp_path / "none").events(limit=limit)


def test_no_file_means_no_events(tmp_path: Path) -> None:
    queries = TelemetryQueries(tmp_path / "none")
    assert queries.events().events == ()
    assert queries.summary().events == 0
    assert queries.size() == (0, 0)
    assert not (tmp_path / "none").exists()


def test_a_damaged_file_is_an_answer_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.sqlite3"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StoreUnavailable) as caught:
        TelemetryQueries(path).events()
    assert "set aside" in caught.value.hint
    assert path.read_bytes() == b"no database" * 100


def test_the_summary_counts_and_measures(tmp_path: Path) -> None:
    done = [told("chat.turn_done", n, outcome="done", elapsed_ms=n * 100) for n in range(1, 21)]
    queries = _with(
        tmp_path,
        *done,
        told("chat.turn_done", 99, ago=timedelta(hours=1), outcome="failed", code="model_failed"),
        told("chat.llm_call", 1, model="openai:gpt-5", elapsed_ms=50.0, input_tokens=10, output_tokens=2),
        told("chat.llm_call", 2, model="openai:gpt-5", elapsed_ms=70.0, input_tokens=5, output_tokens=1),
        told("skills.selected", 1, skill="weak", verdict="auto", score=0.8, elapsed_ms=3),
        told("skills.selected", 2, skill="weak", verdict="auto", score=0.6, elapsed_ms=5),
        told("skills.selected", 3, verdict="none"),
        told("skills.applied", 1, skill="weak"),
        told("tool.done", 1, tool="search", ok=True, elapsed_ms=9),
        told("tool.done", 2, tool="search", ok=False, code="timeout"),
        told("tool.done", 3, tool="shell", ok=False, state="refused"),
        told("tool.violation", 1, tool="shell", code="not_allowed", layer="skill"),
        told("tool.violation", 2, tool="shell", code="not_allowed", layer="skill"),
        told("telemetry.lost", 1, count=7),
    )
    found = queries.summary()
    assert (found.events, found.sessions, found.turns, found.lost) == (33, 1, 1, 7)
    assert found.outcomes == {"done": 20, "failed": 1}
    assert (found.turn_ms.count, found.turn_ms.p50_ms, found.turn_ms.p95_ms) == (20, 1000, 1900)
    assert found.models == (
        {"model": "openai:gpt-5", "calls": 2, "input_tokens": 15, "output_tokens": 3, "p50_ms": 50.0, "p95_ms": 70.0},
    )
    assert found.skills == ({"skill": "weak", "selected": 2, "applied": 1, "score": pytest.approx(0.7)},)
    assert found.tools == ({"tool": "search", "calls": 2, "failed": 1, "p50_ms": 9.0, "p95_ms": 9.0},)
    assert found.violations == ({"tool": "shell", "code": "not_allowed", "layer": "skill", "count": 2},)
    assert found.verdicts == {"auto": 2, "none": 1}
    assert found.errors == {"model_failed": 1, "timeout": 1}
    assert [hour["hour"] for hour in found.by_hour] == ["2026-05-04T08:00:00+00:00", "2026-05-04T07:00:00+00:00"]
    assert found.by_hour[1]["events"] == {"chat.turn_done": 1}
    assert found.to_json()["turn_ms"] == {"count": 20, "p50_ms": 1000, "p95_ms": 1900}
    assert queries.summary(EventFilter(until=NOW)).events == 1


def test_a_client_cannot_change_what_the_summary_says_of_turns(tmp_path: Path) -> None:
    forged = TelemetryEvent("chat.turn_done", NOW, "f", {"elapsed_ms": 1, "outcome": "done"}, source="client")
    found = _with(tmp_path, forged).summary()
    assert found.by_event == {"chat.turn_done": 1}
    assert found.turn_ms.count == 0


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_the_middle_and_the_slow_end_are_values_that_were_measured(values: list[float]) -> None:
    found = compute_duration_stats(values)
    assert found.p50_ms is not None
    assert found.p95_ms is not None
    rounded = {round(value, 3) for value in values}
    assert found.p50_ms in rounded
    assert found.p95_ms in rounded
    assert sum(value <= found.p95_ms + 0.001 for value in values) >= 0.95 * len(values)


@pytest.mark.parametrize(
    ("text", "ago"),
    [("30s", timedelta(seconds=30)), ("2h", timedelta(hours=2)), ("1.5d", timedelta(days=1.5)), ("1w", timedelta(7))],
)
def test_a_time_may_be_told_as_how_long_ago(text: str, ago: timedelta) -> None:
    assert parse_time(text, NOW) == NOW - ago


def test_a_time_may_be_a_moment() -> None:
    assert parse_time("2026-05-04T08:00", NOW) == NOW
    assert parse_time("2026-05-04T16:00+08:00", NOW) == NOW


@pytest.mark.parametrize("text", ["", "d", "two hours", "nand", "9e99d", "2026-13-01"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_time(text, NOW)
