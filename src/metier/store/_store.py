"""The store: opening it, its groups, and several writes as one."""

import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, TypeVar

from metier.store._cases import Cases
from metier.store._conversations import Conversations
from metier.store._engine import open_database
from metier.store._events import Events
from metier.store._exceptions import Exceptions
from metier.store._messages import Messages
from metier.store._pauses import Pauses
from metier.store._plans import Plans
from metier.store._profiles import Profiles, SkillDataAccess
from metier.store._session import Clock, Database, NewId, Session, StoreSession
from metier.store._turns import Turns
from metier.store._violations import Violations

T = TypeVar("T")


def utc_now() -> datetime:
    return datetime.now(UTC)


def random_id() -> str:
    return uuid.uuid4().hex


class _Groups:
    """What a store and a transaction have in common: one door per kind of record."""

    def __init__(self, session: Session) -> None:
        self.conversations = Conversations(session)
        self.messages = Messages(session)
        self.events = Events(session)
        self.turns = Turns(session)
        self.pauses = Pauses(session)
        self.plans = Plans(session)
        self.violations = Violations(session)
        self.exceptions = Exceptions(session)
        self.profiles = Profiles(session)
        self.skill_data = SkillDataAccess(session)
        self.cases = Cases(session)


class Transaction(_Groups):
    """The store's groups inside one transaction; from `store.transaction()`."""


class Store(_Groups):
    """Everything Metier remembers, in SQLite or PostgreSQL. Made by `Store.open`."""

    def __init__(self, database: Database, clock: Clock, new_id: NewId) -> None:
        self._session = StoreSession(database, clock, new_id)
        super().__init__(self._session)

    @classmethod
    def open(
        cls,
        url: str,
        *,
        durability: Literal["normal", "full"] = "normal",
        busy_timeout_s: float = 5.0,
        clock: Clock = utc_now,
        new_id: NewId = random_id,
    ) -> "Opening":
        """Open the database and bring its tables up to date: `async with Store.open(…)` or `await Store.open(…)`."""

        async def opened() -> Store:
            return cls(await open_database(url, durability, busy_timeout_s), clock, new_id)

        return Opening(opened)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Several writes as one: all of them are kept, or, after any error, none.

        Keep it short, and write with the transaction inside, not with the store.
        """
        async with self._session.transaction() as inner:
            yield Transaction(inner)

    async def write_together(self, writes: Callable[["Transaction"], Coroutine[object, object, T]]) -> T:
        """As `transaction`, in one visit: a write costs less than the way to the writer.

        `writes` may await nothing but the transaction it is given.
        """
        return await self._session.write_together(lambda inner: writes(Transaction(inner)))

    async def read_together(self, reads: Callable[["Transaction"], Coroutine[object, object, T]]) -> T:
        """Several reads of one moment, in one visit; `reads` may await nothing but what it is given."""
        return await self._session.read_together(lambda inner: reads(Transaction(inner)))

    async def check(self) -> tuple[str, ...]:
        """What is wrong with the database, sentence by sentence; empty when it is sound. Reads every page."""
        return await self._session.check()

    async def close(self) -> None:
        """Let the database go. Closing twice is fine."""
        await self._session.close()


class Opening:
    """A store about to be opened: `async with` closes it at the end, `await` leaves that to the caller."""

    def __init__(self, opened: Callable[[], Coroutine[object, object, Store]]) -> None:
        self._opened = opened
        self._store: Store | None = None

    def __await__(self) -> Generator[object, object, Store]:
        return self._opened().__await__()

    async def __aenter__(self) -> Store:
        self._store = await self._opened()
        return self._store

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store is not None:
            await self._store.close()
