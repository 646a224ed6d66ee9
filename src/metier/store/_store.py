"""`Store`, the public API: opening, one repository per kind of record, and transactions."""

from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal, TypeVar

from metier.clock import random_id, utc_now
from metier.store._audit import AuditLog
from metier.store._conversations import Conversations
from metier.store._events import Events
from metier.store._exceptions import Exceptions
from metier.store._facts import Facts
from metier.store._keys import ApiKeys, Users
from metier.store._messages import Messages
from metier.store._owned import OwnedRecords
from metier.store._pauses import Pauses
from metier.store._plans import Plans
from metier.store._profiles import Profiles, SkillDataAccess
from metier.store._requests import Requests
from metier.store._turns import Turns
from metier.store._violations import Violations
from metier.store.database import Clock, Database, NewId, Session, StoreSession, open_database
from metier.store.runs import Checkpoints
from metier.store.workbench import Branches, FeedbackAccess, Figures, Shares

T = TypeVar("T")


class _Repositories:
    """Repositories that `Store` and `Transaction` share, one per kind of record."""

    def __init__(self, session: Session) -> None:
        self.conversations = Conversations(session)
        self.messages = Messages(session)
        self.events = Events(session)
        self.turns = Turns(session)
        self.requests = Requests(session)
        self.pauses = Pauses(session)
        self.plans = Plans(session)
        self.facts = Facts(session)
        self.checkpoints = Checkpoints(session)
        self.violations = Violations(session)
        self.exceptions = Exceptions(session)
        self.profiles = Profiles(session)
        self.skill_data = SkillDataAccess(session)
        self.users = Users(session)
        self.keys = ApiKeys(session)
        self.audit = AuditLog(session)
        self.owned = OwnedRecords(session)
        self.shares = Shares(session)
        self.feedback = FeedbackAccess(session)
        self.branches = Branches(session)
        self.figures = Figures(session)


class Transaction(_Repositories):
    """The store's repositories bound to one transaction; created by `store.transaction()`."""


class Store(_Repositories):
    """Persistent state of Metier in SQLite or PostgreSQL. Create it with `Store.open`."""

    def __init__(self, database: Database, clock: Clock, new_id: NewId) -> None:
        self._session = StoreSession(database, clock, new_id)
        super().__init__(self._session)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        durability: Literal["normal", "full"] = "normal",
        busy_timeout_s: float = 4.0,
        clock: Clock = utc_now,
        new_id: NewId = random_id,
    ) -> "PendingStore":
        """Open the database and migrate its tables: `async with Store.open(…)` or `await Store.open(…)`."""

        async def open_store() -> Store:
            return cls(await open_database(url, durability, busy_timeout_s), clock, new_id)

        return PendingStore(open_store)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Open a transaction: all writes are committed together, or none after any error.

        Keep it short (on SQLite it holds the only writer), and write through the transaction, not the store.
        """
        async with self._session.transaction() as inner:
            yield Transaction(inner)

    async def write_together(self, writes: Callable[["Transaction"], Coroutine[object, object, T]]) -> T:
        """Run several writes as one transaction in a single call to the database.

        Faster than `transaction`, where every write switches to the writer and back. `writes` may await only the
        transaction it is given.
        """
        return await self._session.write_together(lambda inner: writes(Transaction(inner)))

    async def read_together(self, reads: Callable[["Transaction"], Coroutine[object, object, T]]) -> T:
        """Run several reads on one snapshot in a single call; `reads` may await only the transaction it is given."""
        return await self._session.read_together(lambda inner: reads(Transaction(inner)))

    async def check(self) -> tuple[str, ...]:
        """Integrity problems of the database, one sentence each; empty when it is sound. Reads every page."""
        return await self._session.check()

    async def backup(self, target: Path) -> None:
        """Copy a SQLite database into a new file while it is in use; PostgreSQL and an existing file are `Refused`."""
        await self._session.backup(target)

    async def truncate_log(self) -> None:
        """Empty the write-ahead log of SQLite, which still holds deleted rows; left for later while it is in use."""
        await self._session.truncate_log()

    async def close(self) -> None:
        """Close the database. Closing twice is allowed."""
        await self._session.close()


class PendingStore:
    """Result of `Store.open`: `async with` opens and closes the store, `await` leaves closing to the caller."""

    def __init__(self, opened: Callable[[], Coroutine[object, object, Store]]) -> None:
        self._open = opened
        self._store: Store | None = None

    def __await__(self) -> Generator[object, object, Store]:
        return self._open().__await__()

    async def __aenter__(self) -> Store:
        self._store = await self._open()
        return self._store

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            await self._store.close()
