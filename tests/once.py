"""Work that is the same for every test and is done once per test process: each fixture says what one time costs."""

import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoints, entry_points

import pytest
from sqlalchemy import Connection, create_engine

from metier import pack
from metier.store.database import VERSION_TABLE, _migrate, _sqlite
from metier.tools import _plugins


@pytest.fixture(autouse=True, scope="session")
def _encoders_loaded_once() -> Iterator[None]:
    """Every router of a test process shares the encoders: each takes a second and a hundred megabytes to load."""
    from metier.routing.vectors import _shipped  # not above: it imports NumPy, which reads how many threads it may use

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open_use", "open_minilm"):
            patch.setattr(_shipped, name, cache(getattr(_shipped, name)))
        yield


@pytest.fixture(autouse=True, scope="session")
def _entry_points_read_once() -> Iterator[None]:
    """The installed packages do not change while `sys.path` is the same; to read all of them takes 10 ms."""
    path = list(sys.path)

    @cache
    def read_once(group: str) -> EntryPoints:
        return entry_points(group=group)

    def read(*, group: str) -> EntryPoints:
        return read_once(group) if sys.path == path else entry_points(group=group)

    with pytest.MonkeyPatch.context() as patch:
        for module in (pack, _plugins):
            patch.setattr(module, "entry_points", read)
        yield


@pytest.fixture(autouse=True, scope="session")
def _sqlite_migrated_once() -> Iterator[None]:
    """A new SQLite file gets the tables of one that was migrated: 2 ms instead of 25. `tests/store` migrates each."""
    migrate = _migrate.migrate

    def create_tables(connection: Connection) -> None:
        if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one():
            migrate(connection)
            return
        for statement in _read_migrated_schema():
            connection.exec_driver_sql(statement)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sqlite, "migrate", create_tables)
        yield


@cache
def _read_migrated_schema() -> tuple[str, ...]:
    with create_engine("sqlite://").begin() as connection:
        _migrate.migrate(connection)
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        version = f"INSERT INTO {VERSION_TABLE} VALUES ('{_migrate.HEAD}')"
        return (*found.scalars(), version)
