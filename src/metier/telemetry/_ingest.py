"""Events sent by clients: validated one by one, so that an invalid event does not affect the others."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from metier.clock import random_id
from metier.errors import InvalidInput
from metier.json_values import MAX_JSON_DEPTH, JsonObject, JsonValue
from metier.patterns import compile_later
from metier.telemetry._envelope import EVENT_NAMES, TelemetryEvent, make_event_id
from metier.telemetry._texts import TextRedactor

MAX_BATCH_EVENTS: Final = 500
MAX_EVENT_BYTES: Final = 65_536
NAME_PREFIXES: Final = ("bench.", "chat.", "client.", "macro.", "plan.", "rag.", "skills.", "tool.", "ui.", "x.")
_NAME: Final = compile_later(r"[a-z][a-z0-9_]{0,39}(?:\.[a-z0-9_]{1,40}){0,3}")
_ID: Final = compile_later(r"[\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff]{1,128}")
_CONTEXT_FIELDS: Final = (
    "host_app",
    "doc_id",
    "doc_key",
    "story_id",
    "case_id",
    "task_id",
    "message_id",
    "block_id",
    "client_id",
    "extra",
)
_MAX_AHEAD: Final = timedelta(minutes=5)
_MAX_BEHIND: Final = timedelta(days=6)  # less than the default retention of 7 days


@dataclass(frozen=True, slots=True)
class RejectedEvent:
    """A rejected event: its index in the batch, and why."""

    index: int
    code: str
    message: str

    def to_json(self) -> dict[str, JsonValue]:
        return {"index": self.index, "code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class IngestResult:
    """How many events of a batch were accepted, and which were rejected."""

    accepted: int
    rejected: tuple[RejectedEvent, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        return {"accepted": self.accepted, "rejected": [one.to_json() for one in self.rejected]}


class _InvalidEvent(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read_batch(
    batch: JsonValue, user: str, *, texts: TextRedactor, now: datetime
) -> tuple[list[TelemetryEvent], IngestResult]:
    """Validate the events of a batch (a list, or `{"events": […]}`).

    `InvalidInput` if it is not a batch or has more than 500 events: then nothing is accepted.
    """
    shared, items = _split_batch(batch)
    taken: list[TelemetryEvent] = []
    rejected: list[RejectedEvent] = []
    for index, item in enumerate(items):
        try:
            taken.append(_read_event(shared, item, user, texts, now))
        except _InvalidEvent as unfit:
            rejected.append(RejectedEvent(index, unfit.code, unfit.message))
    return taken, IngestResult(len(taken), tuple(rejected))


def _split_batch(batch: JsonValue) -> tuple[JsonObject, Sequence[JsonValue]]:
    items = batch.get("events") if isinstance(batch, Mapping) else batch
    if not isinstance(items, list | tuple):
        raise InvalidInput("a batch is a list of events", hint='send {"events": [{"event_name": …, "payload": {}}]}')
    if len(items) > MAX_BATCH_EVENTS:
        raise InvalidInput(
            f"a batch holds at most {MAX_BATCH_EVENTS} events, not {len(items)}",
            hint="nothing was taken; send it in parts",
        )
    shared = batch.get("context") if isinstance(batch, Mapping) else None
    return (shared if isinstance(shared, Mapping) else {}), items


def _read_event(shared: JsonObject, item: JsonValue, user: str, texts: TextRedactor, now: datetime) -> TelemetryEvent:
    if not isinstance(item, Mapping):
        raise _InvalidEvent("not_an_object", "an event is a JSON object")
    _check_size(item)
    own = item.get("context")
    given = {**shared, **(own if isinstance(own, Mapping) else {}), **item}
    name = _check_name(given.get("event_name"))
    payload = given.get("payload", {})
    if not isinstance(payload, Mapping):
        raise _InvalidEvent("invalid_payload", "payload must be a JSON object")
    ts, clamped = _read_time(given.get("ts"), now)
    context = {field: given[field] for field in _CONTEXT_FIELDS if given.get(field) is not None}
    sent_as = _check_id("event_id", given.get("event_id"))
    if sent_as is None:  # with `ts` the content identifies the event; without it every event is new
        sent_as = random_id() if given.get("ts") is None else json.dumps(item, sort_keys=True, default=dict)
    return TelemetryEvent(
        event_name=name,
        ts=ts,
        event_id=make_event_id("client", user, sent_as),
        payload=texts.redact(payload),
        mode=_check_id("mode", given.get("mode")) or "chat",
        source="client",
        user=user,
        context={**texts.redact(context), **clamped},
        run_id=_check_id("run_id", given.get("run_id")),
        session_id=_check_id("session_id", given.get("session_id")),
        turn_id=_check_id("turn_id", given.get("turn_id")),
        trace_id=_check_id("trace_id", given.get("trace_id")),
        span_id=_check_id("span_id", given.get("span_id")),
        parent_span_id=_check_id("parent_span_id", given.get("parent_span_id")),
    )


def _check_size(item: JsonObject) -> None:
    try:
        text = json.dumps(item, ensure_ascii=False, allow_nan=False, default=dict)
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise _InvalidEvent("invalid_text", "half of a character stands in it") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise _InvalidEvent("not_json", "it holds what JSON has no word for") from error
    if size > MAX_EVENT_BYTES:
        raise _InvalidEvent("too_large", f"{size} bytes; an event has at most {MAX_EVENT_BYTES}")
    if _measure_depth(item) > MAX_JSON_DEPTH:
        raise _InvalidEvent("too_deep", f"nested deeper than {MAX_JSON_DEPTH} levels")


def _measure_depth(value: JsonValue) -> int:
    """Nesting depth, counted no further than one above the limit."""
    level: list[JsonValue] = [value]
    depth = 0
    while level and depth <= MAX_JSON_DEPTH:
        inner = [one for one in level if isinstance(one, Mapping | list | tuple)]
        level = [item for one in inner for item in (one.values() if isinstance(one, Mapping) else one)]
        depth += bool(inner)
    return depth


def _check_name(name: JsonValue) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _InvalidEvent("invalid_name", f"event_name cannot be {str(name)[:60]!r}: use words like 'ui.clicked'")
    if name not in EVENT_NAMES and not name.startswith(NAME_PREFIXES):
        raise _InvalidEvent(
            "unknown_name", f"{name!r} is not known; own names begin with one of: {', '.join(NAME_PREFIXES)}"
        )
    return name


def _check_id(field: str, value: JsonValue) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _InvalidEvent("invalid_id", f"{field} must be a text of at most 128 characters")
    return value


def _read_time(value: JsonValue, now: datetime) -> tuple[datetime, dict[str, JsonValue]]:
    """Read the time of an event. A clock that is far off is clamped, and its value kept as `client_ts`."""
    told = now if value is None else _TIME_PARSERS[type(value)](value) if type(value) in _TIME_PARSERS else None
    if told is None:
        raise _InvalidEvent(
            "invalid_time", f"ts cannot be {str(value)[:60]!r}: use ISO 8601 or milliseconds since 1970"
        )
    fixed = min(max(told, now - _MAX_BEHIND), now + _MAX_AHEAD)
    return fixed, ({} if fixed == told else {"client_ts": told.isoformat()})


def _parse_iso(value: JsonValue) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _parse_millis(value: JsonValue) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(str(value)) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


_TIME_PARSERS: Mapping[type, Callable[[JsonValue], datetime | None]] = {
    str: _parse_iso,
    int: _parse_millis,
    float: _parse_millis,
}
