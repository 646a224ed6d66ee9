"""Queries over telemetry: events newest first, page by page. Reading never waits for the writer."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from metier.errors import InvalidInput, StoreUnavailable
from metier.json_values import JsonValue
from metier.telemetry._envelope import TelemetryEvent
from metier.telemetry._file import COLUMNS, connect, from_micros, to_micros
from metier.telemetry._summary import TelemetrySummary, summarise

MAX_ROWS: Final = 10_000
_UNITS: Mapping[str, str] = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class EventPage:
    """A page of events, and the cursor of the next older page; None on the last."""

    events: tuple[TelemetryEvent, ...]
    next: str | None = None

    def to_json(self) -> dict[str, JsonValue]:
        return {"events": [event.to_json() for event in self.events], "next": self.next}


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which events to select. `event` is a name, or a prefix with a star: `chat.*`."""

    event: str | None = None
    session: str | None = None
    turn: str | None = None
    user: str | None = None
    source: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str | None = None

    def to_sql(self) -> tuple[str, list[str | int]]:
        """Return the SQL condition and its bound values."""
        parts: list[tuple[str, str | int]] = []
        if self.event is not None and self.event.endswith("*"):
            parts.append(("event_name GLOB ?", _to_glob(self.event[:-1])))
        elif self.event is not None:
            parts.append(("event_name = ?", self.event))
        named = (("session_id", self.session), ("turn_id", self.turn), ("user", self.user), ("source", self.source))
        parts += [(f"{column} = ?", value) for column, value in named if value is not None]
        if self.since is not None:
            parts.append(("ts >= ?", to_micros(self.since)))
        if self.until is not None:
            parts.append(("ts < ?", to_micros(self.until)))
        if self.text:
            parts.append(("instr(lower(payload || context), lower(?)) > 0", self.text))
        return " AND ".join(part for part, _ in parts) or "1", [value for _, value in parts]


class TelemetryQueries:
    """Reads the telemetry file; a missing file has no events."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self, which: EventFilter | None = None, *, limit: int = 200, cursor: str | None = None) -> EventPage:
        """Return the newest matching events; pass `next` as `cursor` for older ones."""
        if not 1 <= limit <= MAX_ROWS:
            raise InvalidInput(
                f"limit must be from 1 to {MAX_ROWS}, not {limit}", hint="read older events with `cursor`"
            )
        where, values = (which or EventFilter()).to_sql()
        if cursor is not None:
            where += " AND (ts, id) < (?, ?)"
            values += _decode_cursor(cursor)
        sql = f"SELECT id, {COLUMNS} FROM events WHERE {where} ORDER BY ts DESC, id DESC LIMIT ?"  # noqa: S608 - values are bound
        with open_existing(self.path) as connection:
            if connection is None:
                return EventPage(())
            rows = connection.execute(sql, (*values, limit + 1)).fetchall()
        more = len(rows) > limit
        last = rows[limit - 1] if more else None
        return EventPage(tuple(row_to_event(row) for row in rows[:limit]), f"{last[1]}.{last[0]}" if last else None)

    def summary(self, which: EventFilter | None = None) -> TelemetrySummary:
        """Summarise the matching events: counts, durations, skills, tools and violations."""
        with open_existing(self.path) as connection:
            return (
                TelemetrySummary() if connection is None else summarise(connection, *(which or EventFilter()).to_sql())
            )

    def size(self) -> tuple[int, int]:
        """Return the number of events and the size of the file in bytes."""
        with open_existing(self.path) as connection:
            if connection is None:
                return 0, 0
            (rows,) = connection.execute("SELECT count(*) FROM events").fetchone()
        return rows, self.path.stat().st_size


@contextmanager
def open_existing(path: Path, *, write: bool = False) -> Iterator[sqlite3.Connection | None]:
    """Open the telemetry file; yields None if nothing was ever stored. `StoreUnavailable` if it cannot be used."""
    if not path.is_file() or not path.stat().st_size:
        yield None
        return
    try:
        with closing(connect(path)) as connection:
            if not write:
                connection.execute("PRAGMA query_only = ON")
            made = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone()
            yield connection if made else None  # the writer may have just created the file, still without tables
    except sqlite3.Error as error:
        raise StoreUnavailable(
            f"the telemetry file {str(path)!r} cannot be {'changed' if write else 'read'}: {error}",
            hint="a damaged file is set aside when the next event is written; nothing in it is deleted",
        ) from error


def parse_time(text: str, now: datetime) -> datetime:
    """Parse `2h` or `7d` as a time before now, or an ISO 8601 time."""
    unit = _UNITS.get(text[-1:])
    try:
        if unit is not None:
            return now - timedelta(**{unit: float(text[:-1])})
        found = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{text!r} is no time", hint="for example 2h, 7d, or 2026-01-31T08:00") from error
    return found if found.tzinfo else found.replace(tzinfo=now.tzinfo)


def _to_glob(start: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in start) + "*"


def _decode_cursor(cursor: str) -> list[str | int]:
    ts, dot, row = cursor.partition(".")
    if not (dot and ts.isascii() and ts.isdigit() and row.isascii() and row.isdigit() and len(cursor) < 38):
        raise InvalidInput(f"cursor cannot be {cursor[:60]!r}", hint="give the 'next' of the page before")
    return [int(ts), int(row)]


def row_to_event(row: Sequence[str | int]) -> TelemetryEvent:
    """Convert a row, its number and `COLUMNS`, to an event."""
    (_, ts, name, key, schema, source, user, mode, run, session, turn, trace, span, parent, context, payload) = row
    return TelemetryEvent(
        event_name=str(name),
        ts=from_micros(int(ts)),
        event_id=str(key),
        payload=json.loads(str(payload)),
        session_id=_optional_text(session),
        turn_id=_optional_text(turn),
        run_id=_optional_text(run),
        trace_id=_optional_text(trace),
        span_id=_optional_text(span),
        parent_span_id=_optional_text(parent),
        mode=str(mode),
        source="client" if source == "client" else "server",
        user=_optional_text(user),
        context=json.loads(str(context)),
        schema_version=str(schema),
    )


def _optional_text(value: str | int | None) -> str | None:
    return None if value is None else str(value)
