"""Processes of the store's tests: each says `ready`, waits until its test lets all go, works, and says each result."""

import asyncio
import fcntl
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from metier.store import Store


def _wait(gate: Path) -> None:
    """Wait until nobody holds the gate closed."""
    with gate.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)


def append(url: str, conversation: str, count: int, gate: Path, says: Connection) -> None:
    """Append events, each acknowledged with its number only after it is stored."""

    async def work() -> None:
        async with Store.open(url, busy_timeout_s=30) as store:
            says.send("ready")
            _wait(gate)
            for index in range(count):
                event = await store.events.append(conversation, "text.delta", {"index": index})
                says.send(event.seq)

    asyncio.run(work())


def migrate(url: str, gate: Path, says: Connection) -> None:
    async def work() -> None:
        says.send("ready")
        _wait(gate)
        async with Store.open(url, busy_timeout_s=30) as store:
            says.send((await store.conversations.create("ann")).user)

    asyncio.run(work())


async def print_imports(url: str) -> None:
    """Say whether opening a store has imported Alembic."""
    async with Store.open(url):
        sys.stdout.write("alembic" if "alembic" in sys.modules else "nothing")


if __name__ == "__main__":
    asyncio.run(print_imports(sys.argv[1]))
