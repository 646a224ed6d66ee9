"""Sessions that run SQL: each call in its own transaction, or all calls in one open transaction."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar, cast

from sqlalchemy import Connection

from metier.errors import UsageError

T = TypeVar("T")
Clock: TypeAlias = Callable[[], datetime]
NewId: TypeAlias = Callable[[], str]


class Session(Protocol):
    """What a repository (`store.events`, `store.turns`, …) needs: a clock, ids, and a way to run SQL."""

    def now(self) -> datetime: ...

    def new_id(self) -> str: ...

    async def read(self, work: Callable[[Connection], T]) -> T: ...

    async def write(self, work: Callable[[Connection], T]) -> T: ...


class TransactionRunner(Protocol):
    """Runs one SQL function inside the open transaction."""

    async def __call__(self, work: Callable[[Connection], T], /) -> T: ...


class Database(Protocol):
    """A database backend (SQLite or PostgreSQL): single reads and writes, transactions, integrity check."""

    async def read(self, work: Callable[[Connection], T]) -> T: ...

    async def write(self, work: Callable[[Connection], T]) -> T: ...

    def transaction(self) -> AbstractAsyncContextManager[TransactionRunner]: ...

    async def check(self) -> tuple[str, ...]: ...

    async def backup(self, target: Path) -> None: ...

    async def truncate_log(self) -> None: ...

    async def close(self) -> None: ...


class StoreSession:
    """Session of a store: runs each call in its own transaction."""

    def __init__(self, database: Database, clock: Clock, new_id: NewId) -> None:
        self.now = clock
        self.new_id = new_id
        self._database = database
        self._transaction_tasks: set[asyncio.Task[object] | None] = set()
        self._closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        self._raise_if_closed()
        return await self._database.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        self._raise_if_closed()
        self._raise_if_nested()
        return await self._database.write(work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["TransactionSession"]:
        self._raise_if_closed()
        self._raise_if_nested()
        holder = asyncio.current_task()
        self._transaction_tasks.add(holder)
        try:
            async with self._database.transaction() as work:
                inner = TransactionSession(self, work)
                try:
                    yield inner
                    inner.raise_if_failed()
                finally:
                    inner.closed = True
        finally:
            self._transaction_tasks.discard(holder)

    async def read_together(self, reads: "BatchCallback[T]") -> T:
        """Run several reads on one connection in one transaction, so that they see one snapshot."""
        return await self.read(lambda connection: _run_synchronously(reads, DirectSession(self, connection)))

    async def write_together(self, writes: "BatchCallback[T]") -> T:
        """Run several writes on one connection in one transaction."""
        return await self.write(lambda connection: _run_synchronously(writes, DirectSession(self, connection)))

    async def check(self) -> tuple[str, ...]:
        self._raise_if_closed()
        return await self._database.check()

    async def backup(self, target: Path) -> None:
        self._raise_if_closed()
        await self._database.backup(target)

    async def truncate_log(self) -> None:
        self._raise_if_closed()
        await self._database.truncate_log()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._database.close()

    def _raise_if_closed(self) -> None:
        if self._closed:
            raise UsageError("the store is closed", hint="open it again with Store.open")

    def _raise_if_nested(self) -> None:
        """Refuse a write of a task that has a transaction open: it would wait for its own lock forever."""
        if self._transaction_tasks and asyncio.current_task() in self._transaction_tasks:
            raise UsageError(
                "this task has a transaction open and would wait for itself",
                hint="write with the transaction: `async with store.transaction() as tx: await tx.events.append(…)`",
            )


class TransactionSession:
    """Session of a transaction: after one failed call every further call fails and nothing is committed."""

    def __init__(self, store: StoreSession, work: TransactionRunner) -> None:
        self.now = store.now
        self.new_id = store.new_id
        self.closed = False
        self._run = work
        self._lock = asyncio.Lock()
        self._failed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self.write(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        if self.closed:
            raise UsageError("the transaction is over", hint="use it inside its `async with` block")
        async with self._lock:
            self.raise_if_failed()
            self._failed = True
            result = await self._run(work)
            self._failed = False
            return result

    def raise_if_failed(self) -> None:
        raise_if_failed(self._failed)


class DirectSession:
    """Session that runs each call immediately on a given connection, for code already on the database thread."""

    def __init__(self, store: StoreSession, connection: Connection) -> None:
        self.now = store.now
        self.new_id = store.new_id
        self._connection = connection
        self._failed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self.write(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        self.raise_if_failed()
        self._failed = True
        result = work(self._connection)
        self._failed = False
        return result

    def raise_if_failed(self) -> None:
        raise_if_failed(self._failed)


BatchCallback: TypeAlias = Callable[[DirectSession], Coroutine[object, object, T]]


def _run_synchronously(several: BatchCallback[T], session: DirectSession) -> T:
    """Run a coroutine without an event loop: a `DirectSession` never suspends, so one `send` completes it."""
    work = several(session)
    try:
        work.send(None)
    except StopIteration as done:
        session.raise_if_failed()
        return cast("T", done.value)
    work.close()
    raise UsageError(
        "work that is done together waited for something else", hint="await only what it was given; nothing was kept"
    )


def raise_if_failed(failed: bool) -> None:
    """Refuse calls after a failed one, as PostgreSQL aborts a transaction at its first error; also on SQLite."""
    if failed:
        raise UsageError("an earlier call in this transaction failed: nothing of it is kept", hint="begin a new one")
