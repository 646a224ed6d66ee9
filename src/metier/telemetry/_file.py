"""SQLite file of telemetry events, separate from the store so that neither blocks the other."""

import json
import logging
import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from metier.telemetry._envelope import TelemetryEvent

_log = logging.getLogger(__name__)

COLUMNS: Final = (
    "ts, event_name, event_id, schema_version, source, user, mode, run_id, session_id, turn_id, trace_id, span_id, "
    "parent_span_id, context, payload"
)
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY, ts INTEGER NOT NULL, event_name TEXT NOT NULL, event_id TEXT NOT NULL UNIQUE,
  schema_version TEXT NOT NULL, source TEXT NOT NULL, user TEXT, mode TEXT NOT NULL, run_id TEXT, session_id TEXT,
  turn_id TEXT, trace_id TEXT, span_id TEXT, parent_span_id TEXT, context TEXT NOT NULL, payload TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_by_time ON events (ts, id);
CREATE INDEX IF NOT EXISTS events_by_name ON events (event_name, ts, id);
CREATE INDEX IF NOT EXISTS events_by_session ON events (session_id, ts, id);
CREATE INDEX IF NOT EXISTS events_by_turn ON events (turn_id, ts, id) WHERE turn_id IS NOT NULL;
"""
_INSERT: Final = f"INSERT OR IGNORE INTO events ({COLUMNS}) VALUES ({', '.join('?' * 15)})"  # noqa: S608 - our own names
_APPLICATION_ID: Final = 0x4D74656C  # "Mtel": which program a SQLite file belongs to
_SCHEMA_VERSION: Final = 1
_HEADER_BYTES: Final = 100
_BUSY_TIMEOUT_S: Final = 2.0
_CHUNK_ROWS: Final = 5000
_PRUNE_EVERY: Final = timedelta(hours=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DAMAGE_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRUNE_TARGET_SHARE: Final = 0.9


@dataclass(frozen=True, slots=True)
class PruneResult:
    """How many rows a clean-up removed, and the size of the file before and after."""

    rows: int
    bytes_before: int
    bytes_after: int


def to_micros(moment: datetime) -> int:
    """Convert a time to microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """Convert microseconds since 1970 to a UTC time."""
    return _EPOCH + timedelta(microseconds=value)


class TelemetryFile:
    """Appends events. A damaged file is renamed and a new one is started."""

    def __init__(
        self,
        path: Path,
        *,
        retention_days: int,
        max_bytes: int,
        clock: Callable[[], datetime],
        busy_s: float = _BUSY_TIMEOUT_S,
    ) -> None:
        self._path = path
        self._retention_days = retention_days
        self._max_bytes = max_bytes
        self._clock = clock
        self._busy_s = busy_s
        self._connection: sqlite3.Connection | None = None
        self._inode = 0
        self._pruned_at: datetime | None = None

    def write(self, events: Sequence[TelemetryEvent]) -> None:
        """Append all events or raise `sqlite3.Error` or `OSError`; events already stored are ignored."""
        rows = [_to_row(event) for event in events]
        try:
            self._append(rows)
        except sqlite3.DatabaseError as error:
            if _is_damage(error):
                self._set_aside(error)
                self._append(rows)
            else:
                self.close()
                raise
        self._prune_when_due()

    def close(self) -> None:
        """Close the connection; the next write opens it again."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _append(self, rows: Sequence[tuple[object, ...]]) -> None:
        connection = self._open_connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.executemany(_INSERT, rows)
            connection.execute("COMMIT")
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is not None and self._is_same_file():
            return self._connection
        self.close()
        _create_file(self._path)
        connection = connect(self._path, busy_s=self._busy_s)
        try:
            _prepare(connection)
        except (sqlite3.Error, OSError):
            connection.close()
            raise
        self._connection, self._inode = connection, self._path.stat().st_ino
        return connection

    def _is_same_file(self) -> bool:
        """Whether the path still is the open file: writes to a removed or replaced file would be lost."""
        try:
            return self._path.stat().st_ino == self._inode
        except OSError:
            return False

    def _set_aside(self, error: sqlite3.Error) -> None:
        self.close()
        aside = find_aside_path(self._path, self._clock())
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self._path.with_name(self._path.name + ending).rename(aside.with_name(aside.name + ending))
        _log.warning("the telemetry file was damaged (%s); it is kept as %s and a new one was begun", error, aside.name)

    def _prune_when_due(self) -> None:
        now = self._clock()
        connection = self._open_connection()
        if (
            self._pruned_at is None
            or now - self._pruned_at >= _PRUNE_EVERY
            or _get_used_bytes(connection) > self._max_bytes
        ):
            self._pruned_at = now
            prune_rows(connection, now - timedelta(days=self._retention_days), self._max_bytes)


def connect(path: Path, *, busy_s: float = _BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """Connect to an existing file in autocommit mode."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=busy_s,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA secure_delete = ON")  # deleted events are overwritten, not only unlinked
    return connection


def prune_file(path: Path, *, now: datetime, days: int, max_bytes: int) -> PruneResult:
    """Delete events older than `days`, then the oldest until the file fits."""
    if not path.is_file():
        return PruneResult(0, 0, 0)
    with closing(connect(path)) as connection:
        before = _get_file_bytes(connection)
        rows = prune_rows(connection, now - timedelta(days=days), max_bytes)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return PruneResult(rows, before, _get_file_bytes(connection))


def prune_rows(connection: sqlite3.Connection, before: datetime, max_bytes: int) -> int:
    """Delete a few thousand rows per transaction, so that other writers are not blocked for long."""
    rows = gone = connection.execute(_DELETE_OLD, (to_micros(before), _CHUNK_ROWS)).rowcount
    while gone == _CHUNK_ROWS:
        gone = connection.execute(_DELETE_OLD, (to_micros(before), _CHUNK_ROWS)).rowcount
        rows += gone
    if _get_used_bytes(connection) > max_bytes:
        while _get_used_bytes(connection) > max_bytes * _PRUNE_TARGET_SHARE:
            gone = connection.execute(_DELETE_OLDEST, (_count_rows_to_drop(connection),)).rowcount
            rows += gone
            if not gone:
                break
    if rows:
        connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page and stop
    return rows


_DELETE_OLD: Final = "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE ts < ? ORDER BY ts LIMIT ?)"
_DELETE_OLDEST: Final = "DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY ts, id LIMIT ?)"


def find_aside_path(path: Path, now: datetime) -> Path:
    """Find an unused name for a damaged file."""
    stem = f"{path.name}.damaged-{now:%Y%m%dT%H%M%S}"
    names = (path.with_name(stem if number == 1 else f"{stem}-{number}") for number in range(1, 1000))
    return next(name for name in names if not name.exists())


def _count_rows_to_drop(connection: sqlite3.Connection) -> int:
    (rows,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return int(min(_CHUNK_ROWS, max(1, rows // 20)))


def _create_file(path: Path) -> None:
    """Create an empty file readable only by its owner; SQLite would treat a file below header size as empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{str(path)!r} is not a file")
    if 0 < found.st_size < _HEADER_BYTES:
        raise _damage_error("it is not a SQLite database")


def _prepare(connection: sqlite3.Connection) -> None:
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if owner not in (0, _APPLICATION_ID):
        raise _damage_error("it belongs to another program")
    if version > _SCHEMA_VERSION:
        raise OSError(f"the telemetry file was written by a newer Metier (version {version})")
    if owner == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA journal_size_limit = 4194304")
    connection.executescript(_SCHEMA)
    if owner == 0:
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")


def _damage_error(reason: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(reason)
    error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
    return error


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE_CODES


def _get_file_bytes(connection: sqlite3.Connection) -> int:
    (pages,), (page,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
    return int(pages * page)


def _get_used_bytes(connection: sqlite3.Connection) -> int:
    (free,), (page,) = (connection.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_size"))
    return _get_file_bytes(connection) - int(free * page)


def _to_row(event: TelemetryEvent) -> tuple[object, ...]:
    return (
        to_micros(event.ts),
        event.event_name,
        event.event_id,
        event.schema_version,
        event.source,
        event.user,
        event.mode,
        event.run_id,
        event.session_id,
        event.turn_id,
        event.trace_id,
        event.span_id,
        event.parent_span_id,
        _to_json_text(event.context),
        _to_json_text(event.payload),
    )


def _to_json_text(value: object) -> str:
    """Encode as JSON that SQLite accepts: one lone surrogate must not fail the whole batch."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
