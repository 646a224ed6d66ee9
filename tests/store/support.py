"""What the store's tests share: a clock that stands still, and a gate for real child processes."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from metier.store import Store


class FakeClock:
    """Time that moves when a test says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class OpenStore(Protocol):
    """Open the test's database once more, as another process or a restart would."""

    async def __call__(self, *, busy_timeout_s: float = 5.0) -> Store: ...


def counting_ids() -> Callable[[], str]:
    count = 0

    def new_id() -> str:
        nonlocal count
        count += 1
        return f"id-{count:04}"

    return new_id


class Gate:
    """A file that children wait for: `open` lets all of them go."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def open(self) -> None:
        self._file.close()


@contextmanager
def closed_gate(folder: Path) -> Iterator[Gate]:
    gate = Gate(folder / "gate")
    try:
        yield gate
    finally:
        gate.open()
