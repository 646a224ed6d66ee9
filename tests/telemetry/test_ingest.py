"""Batches from clients: every event is judged alone, and says what is wrong with it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.telemetry import MAX_BATCH_EVENTS, IngestResult, TelemetryEvent
from metier.telemetry._ingest import read_batch
from metier.telemetry._texts import TextRedactor
from tests.telemetry.support import NOW


def _read(batch: JsonValue, user: str = "li") -> tuple[list[TelemetryEvent], IngestResult]:
    return read_batch(batch, user, texts=TextRedactor(b"key"), now=NOW)


def _deep(levels: int) -> JsonValue:
    made: JsonValue = 1
    for _ in range(levels):
        made = [made]
    return made


def test_an_event_of_a_client_gets_its_envelope() -> None:
    sent: JsonObject = {
        "event_name": "macro.exec_done",
        "ts": "2026-05-04T07:59:58Z",
        "session_id": "会话一",
        "turn_id": "t1",
        "mode": "bench",
        "payload": {"op": "upsert_block", "ms": 120, "message": "已写入第三段"},
    }
    (event,), account = _read({"context": {"host_app": "wps", "client_id": "c9"}, "events": [sent]})
    assert account.to_json() == {"accepted": 1, "rejected": []}
    assert (event.source, event.user, event.mode) == ("client", "li", "bench")
    assert (event.session_id, event.turn_id) == ("会话一", "t1")
    assert event.ts == NOW - timedelta(seconds=2)
    assert event.context == {"host_app": "wps", "client_id": "c9"}
    assert event.payload["op"] == "upsert_block"
    assert "已写入" not in str(event.payload)


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ("text", "not_an_object"),
        ({}, "invalid_name"),
        ({"event_name": 5}, "invalid_name"),
        ({"event_name": "Ui Clicked"}, "invalid_name"),
        ({"event_name": "ui.clicked\n"}, "invalid_name"),
        ({"event_name": "nobody.knows"}, "unknown_name"),
        ({"event_name": "ui.a", "payload": []}, "invalid_payload"),
        ({"event_name": "ui.a", "session_id": 7}, "invalid_id"),
        ({"event_name": "ui.a", "session_id": "x" * 129}, "invalid_id"),
        ({"event_name": "ui.a", "turn_id": "a\x00b"}, "invalid_id"),
        ({"event_name": "ui.a", "ts": "yesterday"}, "invalid_time"),
        ({"event_name": "ui.a", "ts": True}, "invalid_time"),
        ({"event_name": "ui.a", "ts": 10**30}, "invalid_time"),
        ({"event_name": "ui.a", "payload": {"a": "好" * 30_000}}, "too_large"),
        ({"event_name": "ui.a", "payload": {"a": float("nan")}}, "not_json"),
        ({"event_name": "ui.a", "payload": {"a": "\ud800"}}, "invalid_text"),
        ({"event_name": "ui.a", "payload": {"a": _deep(40)}}, "too_deep"),
        ({"event_name": "ui.a", "payload": {"a": _deep(5000)}}, "not_json"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_bad_event_costs_only_itself(item: JsonValue, code: str) -> None:
    good: JsonObject = {"event_name": "ui.clicked", "payload": {}}
    taken, account = _read([good, item, {**good, "event_id": "2"}])
    assert len(taken) == account.accepted == 2
    ((index, found),) = [(one.index, one.code) for one in account.rejected]
    assert (index, found) == (1, code)


@pytest.mark.parametrize("name", ["chat.turn_done", "error", "macro.error_report", "x.mine", "plan.insert_image"])
def test_known_names_and_own_names_under_a_prefix_are_taken(name: str) -> None:
    assert _read([{"event_name": name}])[1].accepted == 1


@pytest.mark.parametrize(
    "batch",
    [None, "x", 5, {}, {"events": {}}, [{}] * (MAX_BATCH_EVENTS + 1)],
    ids=["null", "text", "number", "no-events", "events-object", "too-many"],
)
def test_what_is_no_batch_is_refused_whole(batch: JsonValue) -> None:
    with pytest.raises(InvalidInput) as caught:
        _read(batch)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (NOW + timedelta(hours=9), NOW + timedelta(minutes=5)),
        (datetime(1999, 1, 1, tzinfo=UTC), NOW - timedelta(days=6)),
    ],
    ids=["ahead", "behind"],
)
def test_a_clock_that_is_far_off_is_set_right_and_remembered(said: datetime, kept: datetime) -> None:
    (event,), _ = _read([{"event_name": "ui.a", "ts": said.isoformat()}])
    assert event.ts == kept
    assert event.context["client_ts"] == said.isoformat()


def test_times_may_be_milliseconds_and_may_lack_a_zone() -> None:
    millis = int(NOW.timestamp() * 1000)
    events, _ = _read([{"event_name": "ui.a", "ts": millis}, {"event_name": "ui.b", "ts": "2026-05-04T08:00:00"}])
    assert {event.ts for event in events} == {NOW}


def test_sent_twice_is_the_same_event_and_another_users_is_not() -> None:
    batch: JsonValue = [{"event_name": "ui.a", "event_id": "1"}, {"event_name": "ui.a", "ts": NOW.isoformat()}]
    first, again, other = _read(batch)[0], _read(batch)[0], _read(batch, "ann")[0]
    assert [one.event_id for one in first] == [one.event_id for one in again]
    assert not {one.event_id for one in first} & {one.event_id for one in other}


def test_the_same_words_twice_are_two_events_when_nothing_says_otherwise() -> None:
    events, _ = _read([{"event_name": "ui.clicked"}, {"event_name": "ui.clicked"}])
    assert len({event.event_id for event in events}) == 2


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
_FIELDS = ("event_name", "ts", "payload", "session_id", "context", "event_id", "mode")


@given(st.lists(_JSON | st.dictionaries(st.sampled_from(_FIELDS), _JSON | st.just("ui.a"), max_size=4), max_size=3))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_sent_is_taken_or_named(batch: list[JsonValue]) -> None:
    taken, account = _read(batch)
    assert account.accepted == len(taken)
    assert account.accepted + len(account.rejected) == len(batch)
