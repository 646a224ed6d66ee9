"""What the store's tests share: a clock that stands still, and real child processes."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from metier.store import Store

CHILD = Path(__file__).with_name("child.py")


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


class Child:
    """A child process of `child.py`, one line at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def line(self) -> str:
        assert self.process.stdout is not None
        raw = await asyncio.wait_for(self.process.stdout.readline(), timeout=180)
        assert raw, "the child died before it said what was awaited"
        return raw.decode().strip()

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")

    async def end(self) -> int:
        return await asyncio.wait_for(self.process.wait(), timeout=180)


@asynccontextmanager
async def child(*arguments: str) -> AsyncIterator[Child]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, str(CHILD), *arguments, stdin=pipe, stdout=pipe)
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
