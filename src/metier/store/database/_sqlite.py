"""SQLite backend: one writer and several readers, each with its own thread and connection, in WAL mode."""

import asyncio
import os
import sqlite3
import stat
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Literal, TypeVar, cast

from sqlalchemy import Connection, Engine, QueuePool, RootTransaction, create_engine, event
from sqlalchemy.exc import DatabaseError

from metier.clock import awake_time
from metier.errors import StoreIncompatible, StoreUnavailable, TargetTaken
from metier.faults import fault_point
from metier.store.database._busy import BusyWatch, start_waiting
from metier.store.database._failures import map_driver_errors
from metier.store.database._migrate import is_current, migrate
from metier.store.database._session import TransactionRunner

T = TypeVar("T")
Durability = Literal["normal", "full"]

_READER_COUNT = 4
_HEADER_BYTES = 100
_TRUNCATE_WAIT_S = 1.0
_APPLICATION_ID = 0x4D455449  # METI; the program `file` shows it
_SYNCHRONOUS: Mapping[Durability, str] = {"normal": "NORMAL", "full": "FULL"}


class SqliteDatabase:
    """A SQLite file. Open it with `open_sqlite`."""

    def __init__(self, path: Path, durability: Durability, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._watch = BusyWatch(busy_timeout_s)
        self._synchronous = _SYNCHRONOUS[durability]
        self._write_lock = asyncio.Lock()
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="metier-writer")
        self._read_threads = ThreadPoolExecutor(_READER_COUNT, thread_name_prefix="metier-reader")
        self._write_engine = self._create_engine(size=1, begin="BEGIN IMMEDIATE")
        self._read_engine = self._create_engine(size=_READER_COUNT, begin="BEGIN")
        event.listen(self._read_engine, "connect", _forbid_writing)
        self._writer: Connection | None = None
        self._inode = 0

    async def open(self) -> None:
        """Create the file if missing and migrate its tables; `StoreIncompatible` if it is not a Metier database."""
        await _run_in_thread(self._write_thread, self._open)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await _run_in_thread(self._read_threads, lambda: self._query(work))

    async def write(self, work: Callable[[Connection], T]) -> T:
        async with self._hold_writer() as wait_s:
            return await _run_in_thread(self._write_thread, lambda: self._commit(work, wait_s))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[TransactionRunner]:
        """Hold the writer from `BEGIN IMMEDIATE` to commit.

        All steps run in order on the one writer thread, so a rollback waits for a statement whose caller was
        cancelled.
        """
        async with self._hold_writer() as wait_s:
            kept = False
            try:
                await _run_in_thread(self._write_thread, lambda: self._begin(wait_s))
                yield self._run_step
                await _run_shielded(self._write_thread, self._require_writer().commit)
                kept = True
            finally:
                if not kept:
                    await _run_shielded(self._write_thread, self._require_writer().rollback)

    @asynccontextmanager
    async def _hold_writer(self) -> AsyncIterator[float]:
        """Hold the writer; yields how long it may wait for a lock of other processes."""
        since = start_waiting()
        with self._watch.watch():
            async with self._write_lock:
                left_s = self._watch.get_left_s(since)
                yield self._busy_timeout_s if left_s is None else left_s

    async def check(self) -> tuple[str, ...]:
        """Problems found by `quick_check` and `foreign_key_check`; empty when the file is sound."""
        return await self.read(_find_problems)

    async def backup(self, target: Path) -> None:
        """Copy the database into a new file while others write; the copy is one committed state."""
        await _run_in_thread(self._read_threads, lambda: _copy_database(self._path, target))

    async def truncate_log(self) -> None:
        """Move the write-ahead log into the file and empty it; nothing happens while another reader needs it."""
        await _run_in_thread(self._read_threads, lambda: _truncate_log(self._path))

    async def close(self) -> None:
        fault_point("database_closing")
        await asyncio.to_thread(self._read_threads.shutdown)
        await _run_shielded(self._write_thread, self._close)
        self._write_thread.shutdown()

    async def _run_step(self, work: Callable[[Connection], T], /) -> T:
        return await _run_in_thread(self._write_thread, lambda: work(self._require_writer()))

    def _create_engine(self, *, size: int, begin: str) -> Engine:
        engine = create_engine(
            "sqlite://", creator=self._connect, poolclass=QueuePool, pool_size=size, max_overflow=0, pool_timeout=30
        )
        # Not `exec_driver_sql`: its overhead is 30 µs of the 300 µs that an append takes.
        event.listen(engine, "begin", lambda connection: _driver_connection(connection).execute(begin))
        return engine

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode=rw",
            uri=True,
            timeout=self._busy_timeout_s,
            isolation_level=None,
            check_same_thread=False,
        )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # deleted content is overwritten, not only unlinked
        connection.execute("PRAGMA recursive_triggers = ON")  # REPLACE fires the delete trigger only with this
        connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        return connection

    def _open(self) -> None:
        self._create_file()
        self._writer = self._write_engine.connect()
        driver = _driver_connection(self._writer)
        with self._read_engine.connect() as reader:
            current = is_current(reader)
        _use_wal(driver, self._busy_timeout_s)
        if not current:
            self._commit(migrate, self._busy_timeout_s)

    def _create_file(self) -> None:
        """Create a missing file with mode 0600; refuse one so short that SQLite would take it for a new database.

        An existing file is not opened here: closing it would drop every POSIX lock that this process holds on it.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            _create_database(self._path)
        found = self._path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise StoreUnavailable(
                f"{str(self._path)!r} is not a file", hint="name a file for the database, not a folder"
            )
        if found.st_size < _HEADER_BYTES:
            what = "is not a SQLite database" if found.st_size else "is empty: what it held is gone"
            hint = "restore it from a backup, name another file, or remove it to begin anew; it was not touched"
            raise StoreIncompatible(f"{str(self._path)!r} {what}", hint=hint)
        self._inode = found.st_ino

    def _query(self, work: Callable[[Connection], T]) -> T:
        with self._read_engine.connect() as reader:
            return work(reader)

    def _commit(self, work: Callable[[Connection], T], wait_s: float) -> T:
        with self._begin(wait_s):
            return work(self._require_writer())

    def _begin(self, wait_s: float) -> RootTransaction:
        self._check_file()
        writer = self._require_writer()
        if wait_s == self._busy_timeout_s:
            return writer.begin()
        driver = _driver_connection(writer)
        driver.execute(f"PRAGMA busy_timeout = {round(wait_s * 1000)}")
        try:
            return writer.begin()
        finally:
            driver.execute(f"PRAGMA busy_timeout = {round(self._busy_timeout_s * 1000)}")

    def _require_writer(self) -> Connection:
        assert self._writer is not None
        return self._writer

    def _check_file(self) -> None:
        """Compare the inode before a write: a write to a removed or replaced file would be acknowledged and lost."""
        try:
            found = self._path.stat().st_ino
        except FileNotFoundError:
            found = None
        if found != self._inode:
            raise StoreUnavailable(
                f"the database file {str(self._path)!r} was removed or replaced while in use",
                hint="nothing was written; put the file back or restart Metier",
            )

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._read_engine.dispose()
        self._write_engine.dispose()


def _copy_database(path: Path, target: Path) -> None:
    """Copy under another name first, so that the target is whole or not there; an existing target is refused.

    One step for the whole file: in several steps, every write of this process would begin the copy anew.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        source = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        fault_point("backup_copied")
        os.link(part, target)
    except FileExistsError:
        raise TargetTaken(f"{str(target)!r} exists already", hint="name another file; nothing was written") from None
    finally:
        part.unlink()


def _truncate_log(path: Path) -> None:
    writer = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=_TRUNCATE_WAIT_S, isolation_level=None)
    with closing(writer):
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _create_database(path: Path) -> None:
    """Create a database without tables, whole or not at all: an empty file is never one that we have begun."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        with closing(sqlite3.connect(fresh)) as connection:
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        with suppress(FileExistsError):  # another process was faster
            os.link(fresh, path)
    finally:
        fresh.unlink()


async def open_sqlite(path: Path, durability: Durability, busy_timeout_s: float) -> SqliteDatabase:
    """Open the SQLite database in this file and migrate it; a missing file and its folder are created."""
    database = SqliteDatabase(path, durability, busy_timeout_s)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(database.close)
        await database.open()
        undo.pop_all()
    return database


async def _run_in_thread(thread: Executor, job: Callable[[], T]) -> T:
    with map_driver_errors():
        return await asyncio.get_running_loop().run_in_executor(thread, job)


async def _run_shielded(thread: Executor, job: Callable[[], T]) -> T:
    """Like `_run_in_thread`, but the job completes even if the caller is cancelled."""
    with map_driver_errors():
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(thread, job))


def _driver_connection(connection: Connection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", connection.connection.dbapi_connection)


def _forbid_writing(driver: sqlite3.Connection, _record: object) -> None:
    driver.execute("PRAGMA query_only = ON")


def _use_wal(driver: sqlite3.Connection, patience_s: float) -> None:
    """Switch to WAL, retrying while busy: SQLite does not call its busy handler for this switch."""
    deadline = awake_time() + patience_s
    while True:
        try:
            (mode,) = driver.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or awake_time() > deadline:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise StoreUnavailable(
                f"SQLite cannot keep a write-ahead log here (it says {mode!r})",
                hint="put the database on a local disk, or use PostgreSQL",
            )
        return


def _find_problems(connection: Connection) -> tuple[str, ...]:
    try:
        pages = [row[0] for row in connection.exec_driver_sql("PRAGMA quick_check")]
        keys = [
            f"{row[0]}: a row without its {row[2]}" for row in connection.exec_driver_sql("PRAGMA foreign_key_check")
        ]
    except DatabaseError as error:
        return (str(error.orig),)
    return (*(line for line in pages if line != "ok"), *keys)
