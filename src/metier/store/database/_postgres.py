"""PostgreSQL backend over asyncpg: pooled connections with pre-ping; row locks order concurrent writes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import URL, Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from metier.errors import MissingExtra, Refused, StoreUnavailable
from metier.faults import fault_point
from metier.store.database._failures import map_driver_errors
from metier.store.database._migrate import is_current, migrate
from metier.store.database._session import TransactionRunner

T = TypeVar("T")

# `busy_timeout_s` limits waiting for a lock of others; these limit connecting and waiting for a pooled connection.
_CONNECT_TIMEOUT_S = 10.0
_QUEUE_TIMEOUT_S = 30.0
_MAX_CONNECTIONS = 16


class PostgresDatabase:
    """A PostgreSQL database. Open it with `open_postgres`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._slots = asyncio.Semaphore(_MAX_CONNECTIONS)

    async def open(self) -> None:
        """Migrate the tables if needed; `StoreIncompatible` if the database belongs to something else."""
        if not await self.read(is_current):
            await self.write(migrate)

    async def read(self, work: Callable[[Connection], T]) -> T:
        with map_driver_errors():
            async with self._wait_in_line(), self._engine.connect() as connection:
                return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        with map_driver_errors():
            async with self._wait_in_line(), self._engine.begin() as connection:
                return await connection.run_sync(work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[TransactionRunner]:
        async with self._wait_in_line():
            with map_driver_errors():
                connection = await self._engine.connect()
            try:

                async def run(work: Callable[[Connection], T], /) -> T:
                    with map_driver_errors():
                        return await connection.run_sync(work)

                yield run
                with map_driver_errors():
                    await connection.commit()
            finally:
                await connection.close()

    @asynccontextmanager
    async def _wait_in_line(self) -> AsyncIterator[None]:
        """Wait for a connection in the order of asking: the pool serves whoever comes at the right moment.

        With five hundred turns at once some would wait for half a minute, and fail.
        """
        try:
            async with asyncio.timeout(_QUEUE_TIMEOUT_S):
                await self._slots.acquire()
        except TimeoutError:
            raise StoreUnavailable(
                "no database connection became free in time", hint="try again, or allow more of them"
            ) from None
        try:
            yield
        finally:
            self._slots.release()

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
    settings = {"application_name": "metier", "lock_timeout": str(max(1, round(busy_timeout_s * 1000)))}
    if durability == "full":
        settings["synchronous_commit"] = "on"
    database = PostgresDatabase(_create_engine(url, settings))
    async with AsyncExitStack() as undo:
        undo.push_async_callback(database.close)
        await database.open()
        undo.pop_all()
    return database


def _create_engine(url: URL, settings: dict[str, str]) -> AsyncEngine:
    try:
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_size=_MAX_CONNECTIONS // 2,
            max_overflow=_MAX_CONNECTIONS - _MAX_CONNECTIONS // 2,
            pool_timeout=_QUEUE_TIMEOUT_S,
            connect_args={"server_settings": settings, "timeout": _CONNECT_TIMEOUT_S},
        )
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "PostgreSQL needs the 'asyncpg' package, which is not installed",
            hint="pip install 'metier[postgres]'",
        ) from error
