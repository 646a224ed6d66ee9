"""Calls that waited while the process was stopped: none is sent away, and one that the server ended runs once more."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy import Connection

from metier.clock import AwakeClock
from metier.errors import StoreBusy, StoreUnavailable
from metier.store.database import _busy, _postgres
from metier.store.database._busy import BusyWatch
from metier.store.database._postgres import PostgresDatabase

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine


class Stopped(AwakeClock):
    """A clock whose time a test sets."""

    def __init__(self) -> None:
        self.at = 0.0
        super().__init__(lambda: self.at, lambda: 0.0)
        self.beat()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Stopped:
    made = Stopped()
    monkeypatch.setattr(_postgres, "AWAKE", made)
    for place in (_busy, _postgres):
        monkeypatch.setattr(place, "awake_time", made.read)
    return made


def test_who_waited_while_the_process_was_stopped_keeps_nearly_all_of_its_time(clock: Stopped) -> None:
    watch, since = BusyWatch(5.0), _busy.start_waiting()
    clock.at += 60
    with pytest.raises(StoreUnavailable), watch.watch():
        raise StoreBusy("one call failed when the process went on", hint="")
    assert watch.get_left_s(since) == pytest.approx(4)


class FakeServer:
    """An engine and its only connection; calls end as told, and commits are counted."""

    def __init__(self, *outcomes: Callable[[], int]) -> None:
        self.outcomes = list(outcomes)
        self.commits = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator["FakeServer"]:
        yield self

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        yield
        self.commits += 1

    async def run_sync(self, _work: object) -> int:
        return self.outcomes.pop(0)()

    async def execute(self, _statement: object) -> None:
        """Set the time that a lock may take."""


def open_database(server: FakeServer) -> PostgresDatabase:
    return PostgresDatabase(lambda _timeout_s: cast("AsyncEngine", server), 5.0)


def count(_connection: Connection) -> int:
    raise AssertionError("it is never connected")


@pytest.mark.parametrize(("call", "commits"), [("read", 0), ("write", 1)])
async def test_a_call_that_postgresql_ended_during_a_stop_runs_once_more(
    clock: Stopped, call: str, commits: int
) -> None:
    def fail_after_stop() -> int:
        clock.at += 4
        raise StoreBusy("canceling statement due to lock timeout", hint="")

    server = FakeServer(fail_after_stop, lambda: 7)
    assert await getattr(open_database(server), call)(count) == 7
    assert server.commits == commits
    server = FakeServer(fail_after_stop, fail_after_stop)
    with pytest.raises(StoreBusy):
        await getattr(open_database(server), call)(count)
    assert (server.outcomes, server.commits) == ([], 0)


@pytest.mark.parametrize(("stopped_s", "error"), [(0, StoreBusy), (0.6, StoreBusy), (60, StoreUnavailable)])
async def test_nothing_else_runs_twice(clock: Stopped, stopped_s: float, error: type[StoreUnavailable]) -> None:
    def fail() -> int:
        clock.at += stopped_s
        raise error("nobody knows whether it was kept", hint="")

    server = FakeServer(fail, lambda: 7)
    with pytest.raises(error):
        await open_database(server).write(count)
    assert len(server.outcomes) == 1
