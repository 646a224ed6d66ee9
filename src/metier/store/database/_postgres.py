"""PostgreSQL backend over asyncpg: pooled connections with pre-ping; row locks order concurrent writes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import URL, Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from metier.clock import AWAKE, awake_time
from metier.errors import MissingExtra, Refused, StoreBusy
from metier.faults import fault_point
from metier.store.database._busy import BusyWatch, start_waiting
from metier.store.database._failures import make_queue_error, map_driver_errors
from metier.store.database._migrate import is_current, migrate
from metier.store.database._session import TransactionRunner

T = TypeVar("T")

# `busy_timeout_s` limits waiting for a lock of others, and for a connection while none becomes free.
_CONNECT_TIMEOUT_S = 3.0  # closing one that does not answer takes two seconds more
_FIRST_CONNECT_TIMEOUT_S = 10.0
_LAST_TRY_S = 0.5  # for a call whose time is up when its turn comes
_QUEUE_TIMEOUT_S = 30.0
_STATEMENT_TIMEOUT_S = 3.0  # beside the wait for a lock; a server that falls silent is left after both
_IDLE_TRANSACTION_MS = 15_000  # of a process that froze: then the server ends it, and its locks
_STOPPED_S = 1.0  # of this process: then a lock that it waited for may have been its own
_MIGRATION_TIMEOUT_S = 600.0
_MAX_CONNECTIONS = 16


class PostgresDatabase:
    """A PostgreSQL database. Open it with `open_postgres`."""

    def __init__(self, create_engine: Callable[[float], AsyncEngine], busy_timeout_s: float) -> None:
        self._create_engine = create_engine
        self._engine = create_engine(busy_timeout_s + _STATEMENT_TIMEOUT_S)
        self._slots = asyncio.Semaphore(_MAX_CONNECTIONS)
        self._watch = BusyWatch(busy_timeout_s)
        self._freed_at = awake_time()
        self._connect_timeout_s = _FIRST_CONNECT_TIMEOUT_S

    async def open(self) -> None:
        """Migrate the tables if needed; `StoreIncompatible` if the database belongs to something else."""
        if not await self.read(is_current):
            await self._migrate()
        self._connect_timeout_s = _CONNECT_TIMEOUT_S

    async def _migrate(self) -> None:
        """Migrate over a connection of its own, whose statements may take long."""
        engine = self._create_engine(_MIGRATION_TIMEOUT_S)
        try:
            with map_driver_errors():
                async with engine.begin() as connection:
                    await connection.run_sync(migrate)
        finally:
            await engine.dispose()

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._run_again_after_stop(work, commits=False)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self._run_again_after_stop(work, commits=True)

    async def _run_again_after_stop(self, work: Callable[[Connection], T], *, commits: bool) -> T:
        """Run the work in its own transaction, once more if it waited in vain while this process was stopped.

        PostgreSQL goes on counting meanwhile, and ends what waits for a lock that the process holds itself.
        """
        left_out_s = AWAKE.left_out_s
        try:
            return await self._run(work, commits=commits)
        except StoreBusy:
            if AWAKE.left_out_s - left_out_s < _STOPPED_S:
                raise
        return await self._run(work, commits=commits)

    async def _run(self, work: Callable[[Connection], T], *, commits: bool) -> T:
        with self._watch.watch(), map_driver_errors():
            async with self._connect(commits=commits) as connection:
                return await connection.run_sync(work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[TransactionRunner]:
        async with AsyncExitStack() as stack:
            with self._watch.watch(), map_driver_errors():
                connection = await stack.enter_async_context(self._connect())

            async def run(work: Callable[[Connection], T], /) -> T:
                with self._watch.watch(), map_driver_errors():
                    return await connection.run_sync(work)

            yield run
            with map_driver_errors():
                await connection.commit()

    @asynccontextmanager
    async def _connect(self, *, commits: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection that answers, within the time that is left to this call; `commits` ends with a commit."""
        since = start_waiting()
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._wait_in_line(since))
            async with asyncio.timeout(self._limit_connecting(since)):
                connection = await stack.enter_async_context(self._engine.connect())
            if commits:
                await stack.enter_async_context(connection.begin())
            if (left_s := self._watch.get_left_s(since)) is not None:
                await connection.execute(text(f"SET LOCAL lock_timeout = {max(1, round(left_s * 1000))}"))
            yield connection

    def _limit_connecting(self, since: float) -> float:
        """Seconds for a connection that answers: less for a call that waited in line behind one that failed."""
        left_s = self._watch.get_left_s(since)
        return self._connect_timeout_s if left_s is None else min(self._connect_timeout_s, max(left_s, _LAST_TRY_S))

    @asynccontextmanager
    async def _wait_in_line(self, since: float) -> AsyncIterator[None]:
        """Wait for a connection in the order of asking: the pool serves whoever comes at the right moment.

        With five hundred turns at once some would wait for half a minute, and fail.
        """
        if self._slots.locked():
            await self._wait_for_slot(since)
        else:
            await self._slots.acquire()
        try:
            yield
        finally:
            self._freed_at = awake_time()
            self._slots.release()

    async def _wait_for_slot(self, since: float) -> None:
        """Wait for a slot while others are freed; `StoreBusy` once that takes as long as a lock may."""
        acquiring, began = asyncio.ensure_future(self._slots.acquire()), awake_time()
        try:
            while not acquiring.done():
                idle_s, left_s = awake_time() - max(began, self._freed_at), self._watch.get_left_s(since)
                if idle_s >= self._watch.limit_s or left_s == 0 or awake_time() - began >= _QUEUE_TIMEOUT_S:
                    raise make_queue_error()
                wait_s = self._watch.limit_s - idle_s
                await asyncio.wait({acquiring}, timeout=wait_s if left_s is None else min(wait_s, left_s))
        except BaseException:
            if not acquiring.cancel() and not acquiring.cancelled() and acquiring.exception() is None:
                self._slots.release()
            raise
        if self._watch.get_left_s(since) == 0:
            self._slots.release()
            raise make_queue_error()

    async def check(self) -> tuple[str, ...]:
        await self.read(lambda connection: connection.execute(text("SELECT 1")).scalar_one())
        return ()

    async def backup(self, target: Path) -> None:
        raise Refused(
            "a PostgreSQL database is backed up with its own tools", hint=f"pg_dump --format=custom --file={target}"
        )

    async def truncate_log(self) -> None:
        """Nothing: PostgreSQL vacuums deleted rows itself."""

    async def close(self) -> None:
        fault_point("database_closing")
        await self._engine.dispose()


async def open_postgres(url: URL, durability: Literal["normal", "full"], busy_timeout_s: float) -> PostgresDatabase:
    """Open the PostgreSQL database of this URL and migrate its tables."""
    settings = {
        "application_name": "metier",
        "lock_timeout": str(max(1, round(busy_timeout_s * 1000))),
        "idle_in_transaction_session_timeout": str(_IDLE_TRANSACTION_MS),
    }
    if durability == "full":
        settings["synchronous_commit"] = "on"
    database = PostgresDatabase(partial(_create_engine, url, settings), busy_timeout_s)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(database.close)
        await database.open()
        undo.pop_all()
    return database


def _create_engine(url: URL, settings: dict[str, str], statement_timeout_s: float) -> AsyncEngine:
    try:
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=_MAX_CONNECTIONS // 2,
            max_overflow=_MAX_CONNECTIONS - _MAX_CONNECTIONS // 2,
            pool_timeout=_CONNECT_TIMEOUT_S,
            connect_args={
                "server_settings": settings,
                "timeout": _FIRST_CONNECT_TIMEOUT_S,
                "command_timeout": statement_timeout_s,
            },
        )
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "PostgreSQL needs the 'asyncpg' package, which is not installed",
            hint="pip install 'metier[postgres]'",
        ) from error
