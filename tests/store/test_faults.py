import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from metier.errors import (
    InvalidRecord,
    MetierError,
    RecordNotFound,
    StorageFull,
    StoreBusy,
    StoreIncompatible,
    StoreUnavailable,
)
from metier.store import Conversation, Store
from metier.store.database._failures import to_metier_error
from scripts.forked_children import Child, Ended
from tests.postgres import PostgresServer
from tests.store import child
from tests.store.support import OpenStore, closed_gate


@pytest.mark.parametrize("acknowledged", [1, 30], ids=["after the first", "after thirty"])
async def test_an_acknowledged_event_survives_kill_9_of_the_writer(
    store: Store, open_store: OpenStore, talk: Conversation, url: str, acknowledged: int, tmp_path: Path
) -> None:
    await store.close()
    with closed_gate(tmp_path) as gate:
        writer = Child(child.append, url, talk.id, 1_000_000, gate.path)
        assert writer.hear() == "ready"
    seen = [writer.hear() for _ in range(acknowledged)]
    os.kill(writer.pid, signal.SIGKILL)
    while not isinstance(heard := writer.hear(), Ended):
        seen.append(heard)
    assert heard.code == -signal.SIGKILL
    again = await open_store()
    events = await again.events.read(talk.id, limit=1_000_000)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.data["index"] for event in events] == list(range(len(events)))
    assert seen == list(range(1, len(seen) + 1))
    assert len(events) - len(seen) in (0, 1)
    assert await again.check() == ()
    assert (await again.events.append(talk.id, "usage", {})).seq == len(events) + 1


@asynccontextmanager
async def _sqlite_lock(url: str) -> AsyncIterator[None]:
    other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.close()


@asynccontextmanager
async def _postgres_lock(url: str) -> AsyncIterator[None]:
    other = await asyncpg.connect(url)
    async with other.transaction():
        await other.execute("SELECT 1 FROM conversations FOR UPDATE")
        yield
    await other.close()


def held(backend: str, url: str) -> AbstractAsyncContextManager[None]:
    return _sqlite_lock(url) if backend == "sqlite" else _postgres_lock(url)


async def test_a_database_locked_past_the_timeout_is_unavailable_and_loses_nothing(
    open_store: OpenStore, url: str, backend: str
) -> None:
    store = await open_store(busy_timeout_s=0.05)
    talk = await store.conversations.create("ann")
    await store.events.append(talk.id, "usage", {})
    async with held(backend, url):
        with pytest.raises(StoreUnavailable, match="locked") as caught:
            await store.events.append(talk.id, "usage", {})
        assert "METIER_BUSY_TIMEOUT_S" in caught.value.hint
        with pytest.raises(StoreUnavailable, match="locked"):
            async with store.transaction() as tx:
                await tx.events.append(talk.id, "usage", {})
        assert len(await store.events.read(talk.id)) == 1
    assert (await store.events.append(talk.id, "usage", {})).seq == 2


async def test_many_that_wait_for_one_lock_give_up_together_and_not_one_after_the_other(
    open_store: OpenStore, url: str, backend: str
) -> None:
    store = await open_store(busy_timeout_s=1)
    talk = await store.conversations.create("ann")
    async with held(backend, url), asyncio.timeout(30):  # one after the other it would be a minute
        writes = [store.events.append(talk.id, "usage", {}) for _ in range(60)]
        found = await asyncio.gather(*writes, return_exceptions=True)
    assert {type(one) for one in found} == {StoreBusy}
    assert (await store.events.append(talk.id, "usage", {})).seq == 1


async def test_a_writer_waits_for_a_lock_that_is_let_go_in_time(
    store: Store, talk: Conversation, url: str, backend: str
) -> None:
    async with held(backend, url):
        waiting = asyncio.create_task(store.events.append(talk.id, "usage", {}))
        await store.events.read(talk.id)
        assert not waiting.done()
    assert (await waiting).seq == 1


async def fill(store: Store, talk: Conversation) -> None:
    for _ in range(100):
        await store.events.append(talk.id, "usage", {"filler": "x" * 5000})


async def test_a_full_disk_writes_nothing_lets_reads_go_on_and_recovers(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'm.db'}") as store:
        talk = await store.conversations.create("ann")

        async def limit_pages(pages: str) -> None:
            await store._session.write(
                lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar()
            )

        await limit_pages("1")  # SQLite takes the present size when the limit is below it
        with pytest.raises(StorageFull) as caught:
            await fill(store, talk)
        assert "free some space" in caught.value.hint
        stored = await store.events.read(talk.id)
        assert await store.events.get_last_seq(talk.id) == len(stored)
        with pytest.raises(StorageFull):
            async with store.transaction() as tx:
                await tx.events.append(talk.id, "usage", {"filler": "x" * 50000})
        assert await store.check() == ()
        await limit_pages("1000000")
        assert (await store.events.append(talk.id, "usage", {"filler": "x" * 5000})).seq == len(stored) + 1


@pytest.mark.parametrize("replaced", [False, True], ids=["removed", "replaced"])
async def test_a_file_gone_while_in_use_takes_no_more_writes_and_is_not_recreated(
    tmp_path: Path, replaced: bool
) -> None:
    path = tmp_path / "m.db"
    async with Store.open(f"sqlite:///{path}") as store:
        talk = await store.conversations.create("ann")
        path.rename(tmp_path / "moved.db")
        if replaced:
            path.write_bytes(b"")
        with pytest.raises(StoreUnavailable, match="removed or replaced"):
            await store.events.append(talk.id, "usage", {})
        assert path.exists() == replaced
        if not replaced:
            (tmp_path / "moved.db").rename(path)
            assert (await store.events.append(talk.id, "usage", {})).seq == 1


async def test_a_restarted_server_is_found_again(postgres_url: str, postgres_server: PostgresServer) -> None:
    async with Store.open(postgres_url) as store:
        talk = await store.conversations.create("ann")
        await store.events.append(talk.id, "usage", {})
        await asyncio.to_thread(postgres_server.stop)
        try:
            with pytest.raises(StoreUnavailable):
                await store.events.append(talk.id, "usage", {})
            with pytest.raises(StoreUnavailable):
                await store.events.read(talk.id)
        finally:
            await asyncio.to_thread(postgres_server.ensure_postgres_running)
        assert (await store.events.append(talk.id, "usage", {})).seq == 2


async def test_a_connection_lost_in_a_transaction_is_unavailable_and_keeps_nothing(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    killer = await asyncpg.connect(postgres_server.get_uri())
    async with Store.open(postgres_url) as store:
        talk = await store.conversations.create("ann")

        async def interrupted() -> None:
            async with store.transaction() as tx:
                await tx.events.append(talk.id, "usage", {})
                await killer.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'metier'"
                )
                await tx.events.append(talk.id, "usage", {})

        with pytest.raises(StoreUnavailable):
            await interrupted()
        assert await store.events.get_last_seq(talk.id) == 0
    await killer.close()


async def test_a_server_that_falls_silent_in_a_transaction_is_left_in_time_and_keeps_nothing(
    postgres_url: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metier.store.database._postgres._STATEMENT_TIMEOUT_S", 0.5)
    other = await asyncpg.connect(postgres_server.get_uri())
    stopped: list[int] = []
    async with Store.open(postgres_url, busy_timeout_s=0.5) as store:
        talk = await store.conversations.create("ann")

        async def interrupted() -> None:
            async with store.transaction() as tx:
                await tx.events.append(talk.id, "usage", {})
                found = await other.fetch("SELECT pid FROM pg_stat_activity WHERE application_name = 'metier'")
                for row in found:
                    os.kill(row["pid"], signal.SIGSTOP)
                    stopped.append(row["pid"])
                await tx.events.append(talk.id, "usage", {})

        try:
            with pytest.raises(StoreUnavailable):
                async with asyncio.timeout(40):  # the limit of the driver was 60 s
                    await interrupted()
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        assert stopped
        assert await store.events.get_last_seq(talk.id) == 0
    await other.close()


class PostgresFailure(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__(f"state {sqlstate}")
        self.sqlstate = sqlstate


def sqlite_failure(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("said SQLite")
    error.sqlite_errorcode = code
    return error


MEANINGS: dict[str, tuple[Exception, type[MetierError] | None]] = {
    "server shutting down": (PostgresFailure("57P01"), StoreUnavailable),
    "server starting up": (PostgresFailure("57P03"), StoreUnavailable),
    "too many connections": (PostgresFailure("53300"), StoreUnavailable),
    "connection failure": (PostgresFailure("08006"), StoreUnavailable),
    "wrong password": (PostgresFailure("28P01"), StoreUnavailable),
    "no such database": (PostgresFailure("3D000"), StoreUnavailable),
    "lock timeout": (PostgresFailure("55P03"), StoreBusy),
    "deadlock": (PostgresFailure("40P01"), StoreBusy),
    "read-only server": (PostgresFailure("25006"), StoreUnavailable),
    "server's disk full": (PostgresFailure("53100"), StorageFull),
    "foreign key": (PostgresFailure("23503"), RecordNotFound),
    "bad text": (PostgresFailure("22021"), InvalidRecord),
    "syntax error": (PostgresFailure("42601"), None),
    "busy": (sqlite_failure(sqlite3.SQLITE_BUSY), StoreBusy),
    "busy in recovery": (sqlite_failure(sqlite3.SQLITE_BUSY_RECOVERY), StoreBusy),
    "full": (sqlite_failure(sqlite3.SQLITE_FULL), StorageFull),
    "cannot open": (sqlite_failure(sqlite3.SQLITE_CANTOPEN), StoreUnavailable),
    "read-only": (sqlite_failure(sqlite3.SQLITE_READONLY), StoreUnavailable),
    "I/O error": (sqlite_failure(sqlite3.SQLITE_IOERR_WRITE), StoreUnavailable),
    "malformed": (sqlite_failure(sqlite3.SQLITE_CORRUPT), StoreUnavailable),
    "not a database": (sqlite_failure(sqlite3.SQLITE_NOTADB), StoreIncompatible),
    "SQLite foreign key": (sqlite_failure(sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY), RecordNotFound),
    "SQLite misuse": (sqlite_failure(sqlite3.SQLITE_MISUSE), None),
}


@pytest.mark.parametrize(("driver", "ours"), MEANINGS.values(), ids=MEANINGS)
def test_what_a_drivers_error_means(driver: Exception, ours: type[MetierError] | None) -> None:
    explained = to_metier_error(OperationalError("SELECT 1", {}, driver))
    assert (None if explained is None else type(explained)) is ours


def test_a_lost_connection_without_a_state_is_unavailable() -> None:
    lost: DBAPIError = InterfaceError("SELECT 1", {}, Exception("connection is closed"), connection_invalidated=True)
    assert isinstance(to_metier_error(lost), StoreUnavailable)


async def test_an_empty_file_is_refused_and_not_taken_for_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    path.write_bytes(b"")
    with pytest.raises(StoreIncompatible, match="is empty"):
        await Store.open(f"sqlite:///{path}")
    assert path.stat().st_size == 0


async def test_many_who_open_a_missing_file_at_once_create_one_database(tmp_path: Path) -> None:
    stores = await asyncio.gather(*(Store.open(f"sqlite:///{tmp_path / 'm.db'}") for _ in range(4)))
    talks = [await store.conversations.create("ann") for store in stores]
    assert len(await stores[0].conversations.list("ann")) == len(talks)
    for store in stores:
        await store.close()
    assert os.listdir(tmp_path) == ["m.db"]  # noqa: PTH208 - no blocking call of pathlib in a coroutine
