"""Run as a process of its own by the tests: says `ready`, waits for a line, works, one line per result."""

import asyncio
import sys

from metier.store import Store


def say(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def append(url: str, conversation: str, count: str) -> None:
    """Append events, each acknowledged with its number only after it is stored."""
    async with Store.open(url, busy_timeout_s=30) as store:
        say("ready")
        sys.stdin.readline()
        for index in range(int(count)):
            event = await store.events.append(conversation, "text.delta", {"index": index})
            say(event.seq)


async def migrate(url: str) -> None:
    say("ready")
    sys.stdin.readline()
    async with Store.open(url, busy_timeout_s=30) as store:
        say((await store.conversations.create("ann")).user)


async def imports(url: str) -> None:
    async with Store.open(url):
        say("alembic" if "alembic" in sys.modules else "nothing")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    match command:
        case "append":
            asyncio.run(append(*arguments))
        case "migrate":
            asyncio.run(migrate(*arguments))
        case "imports":
            asyncio.run(imports(*arguments))
