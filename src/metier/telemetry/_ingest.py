"""Events sent by clients: validated one by one, so that an invalid event does not affect the others."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import uuid4

from metier.errors import InvalidInput
from metier.jsons import JSON_DEPTH, JsonObject, JsonValue
from metier.telemetry._envelope import EVENT_NAMES, TelemetryEvent, event_id_of
from metier.telemetry._texts import Texts

MOST_EVENTS: Final = 500
MOST_BYTES: Final = 65_536
PREFIXES: Final = ("bench.", "chat.", "client.", "macro.", "plan.", "rag.", "skills.", "tool.", "ui.", "x.")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}(?:\.[a-z0-9_]{1,40}){0,3}")
_ID: Final = re.compile(r"[\x20-\x7e\u00a0-\ud7ff\ue000-\U0010ffff]{1,128}")
_CONTEXT: Final = (
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
_AHEAD: Final = timedelta(minutes=5)
_BEHIND: Final = timedelta(days=6)  # less than the default retention of 7 days


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected event: its index in the batch, and why."""

    index: int
    code: str
    message: str

    def to_json(self) -> dict[str, JsonValue]:
        return {"index": self.index, "code": self.code, "message": self.message}


@dataclass(frozen=True, slots=True)
class Ingested:
    """How many events of a batch were accepted, and which were rejected."""

    accepted: int
    rejected: tuple[Rejected, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        return {"accepted": self.accepted, "rejected": [one.to_json() for one in self.rejected]}


class _Unfit(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read_batch(batch: JsonValue, user: str, *, texts: Texts, now: datetime) -> tuple[list[TelemetryEvent], Ingested]:
    """Validate the events of a batch (a list, or `{"events": […]}`).

    `InvalidInput` if it is not a batch or has more than 500 events: then nothing is accepted.
    """
    shared, items = _items(batch)
    taken: list[TelemetryEvent] = []
    rejected: list[Rejected] = []
    for index, item in enumerate(items):
        try:
            taken.append(_event(shared, item, user, texts, now))
        except _Unfit as unfit:
            rejected.append(Rejected(index, unfit.code, unfit.message))
    return taken, Ingested(len(taken), tuple(rejected))


def _items(batch: JsonValue) -> tuple[JsonObject, Sequence[JsonValue]]:
    items = batch.get("events") if isinstance(batch, Mapping) else batch
    if not isinstance(items, list | tuple):
        raise InvalidInput("a batch is a list of events", hint='send {"events": [{"event_name": …, "payload": {}}]}')
    if len(items) > MOST_EVENTS:
        raise InvalidInput(
            f"a batch holds at most {MOST_EVENTS} events, not {len(items)}", hint="nothing was taken; send it in parts"
        )
    shared = batch.get("context") if isinstance(batch, Mapping) else None
    return (shared if isinstance(shared, Mapping) else {}), items


def _event(shared: JsonObject, item: JsonValue, user: str, texts: Texts, now: datetime) -> TelemetryEvent:
    if not isinstance(item, Mapping):
        raise _Unfit("not_an_object", "an event is a JSON object")
    _check_size(item)
    own = item.get("context")
    given = {**shared, **(own if isinstance(own, Mapping) else {}), **item}
    name = _named(given.get("event_name"))
    payload = given.get("payload", {})
    if not isinstance(payload, Mapping):
        raise _Unfit("invalid_payload", "payload must be a JSON object")
    ts, clamped = _time(given.get("ts"), now)
    context = {field: given[field] for field in _CONTEXT if given.get(field) is not None}
    sent_as = _id("event_id", given.get("event_id"))
    if sent_as is None:  # with `ts` the content identifies the event; without it every event is new
        sent_as = uuid4().hex if given.get("ts") is None else json.dumps(item, sort_keys=True, default=dict)
    return TelemetryEvent(
        event_name=name,
        ts=ts,
        event_id=event_id_of("client", user, sent_as),
        payload=texts.cleaned(payload),
        mode=_id("mode", given.get("mode")) or "chat",
        source="client",
        user=user,
        context={**texts.cleaned(context), **clamped},
        run_id=_id("run_id", given.get("run_id")),
        session_id=_id("session_id", given.get("session_id")),
        turn_id=_id("turn_id", given.get("turn_id")),
        trace_id=_id("trace_id", given.get("trace_id")),
        span_id=_id("span_id", given.get("span_id")),
        parent_span_id=_id("parent_span_id", given.get("parent_span_id")),
    )


def _check_size(item: JsonObject) -> None:
    try:
        text = json.dumps(item, ensure_ascii=False, allow_nan=False, default=dict)
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise _Unfit("invalid_text", "half of a character stands in it") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise _Unfit("not_json", "it holds what JSON has no word for") from error
    if size > MOST_BYTES:
        raise _Unfit("too_large", f"{size} bytes; an event has at most {MOST_BYTES}")
    if _depth(item) > JSON_DEPTH:
        raise _Unfit("too_deep", f"nested deeper than {JSON_DEPTH} levels")


def _depth(value: JsonValue) -> int:
    """Nesting depth, counted no further than one above the limit."""
    level: list[JsonValue] = [value]
    depth = 0
    while level and depth <= JSON_DEPTH:
        inner = [one for one in level if isinstance(one, Mapping | list | tuple)]
        level = [item for one in inner for item in (one.values() if isinstance(one, Mapping) else one)]
        depth += bool(inner)
    return depth


def _named(name: JsonValue) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _Unfit("invalid_name", f"event_name cannot be {str(name)[:60]!r}: use words like 'ui.clicked'")
    if name not in EVENT_NAMES and not name.startswith(PREFIXES):
        raise _Unfit("unknown_name", f"{name!r} is not known; own names begin with one of: {', '.join(PREFIXES)}")
    return name


def _id(field: str, value: JsonValue) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _Unfit("invalid_id", f"{field} must be a text of at most 128 characters")
    return value


def _time(value: JsonValue, now: datetime) -> tuple[datetime, dict[str, JsonValue]]:
    """Read the time of an event. A clock that is far off is clamped, and its value kept as `client_ts`."""
    told = now if value is None else _READERS[type(value)](value) if type(value) in _READERS else None
    if told is None:
        raise _Unfit("invalid_time", f"ts cannot be {str(value)[:60]!r}: use ISO 8601 or milliseconds since 1970")
    fixed = min(max(told, now - _BEHIND), now + _AHEAD)
    return fixed, ({} if fixed == told else {"client_ts": told.isoformat()})


def _from_text(value: JsonValue) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(value))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _from_number(value: JsonValue) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(str(value)) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


_READERS: Mapping[type, Callable[[JsonValue], datetime | None]] = {
    str: _from_text,
    int: _from_number,
    float: _from_number,
}
