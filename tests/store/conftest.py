"""Every test that takes `store` runs twice: on a SQLite file and on a real PostgreSQL."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from metier.store import Conversation, Store
from metier.store.database import _sqlite
from tests.once import SYNCHRONOUS, create_empty_database
from tests.postgres import PostgresServer, migrate, run_sql
from tests.store.support import FakeClock, OpenStore, counting_ids


@pytest.fixture(autouse=True)
def _sqlite_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about how a database gets its tables, and what it keeps."""
    monkeypatch.setattr(_sqlite, "_SYNCHRONOUS", SYNCHRONOUS)
    monkeypatch.setattr(_sqlite, "_create_database", create_empty_database)


@pytest.fixture
def empty_postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    run_sql(postgres_server, "CREATE DATABASE empty")
    yield postgres_server.get_uri("empty")
    run_sql(postgres_server, "DROP DATABASE empty WITH (FORCE)")


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "metier.sqlite3"
    asyncio.run(migrate(f"sqlite:///{path}"))
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
