"""A lane: one server after the other on one database, with a ledger of effects beside it."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.faults._child import ServerOptions, make_settings
from benchmarks.faults._client import Client, SeenEvent, Transcript
from benchmarks.faults._databases import read_store
from benchmarks.faults._invariants import check_conversation
from benchmarks.faults._script import Ledger, write_skills
from benchmarks.faults._servers import ServerProcess, start_server

_POLL_S = 0.1
_MAX_ANSWERS = 6
_MAX_HELLOS = 5
_SETTLE_LIMIT_S = 300.0  # the machine may be starved: how long it took is a figure, a turn that never ends is a failure


@dataclass(slots=True)
class Settled:
    """How a conversation came to rest after a fault."""

    settle_s: float = 0.0
    asked_outcome: bool = False
    is_finished: bool = False
    problems: list[str] = field(default_factory=list)


class Lane:
    """One database with its folder; its server is started, killed and started again."""

    def __init__(self, folder: Path, database_url: str, seed: int, **settings: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_skills(folder / "skills")
        self.folder = folder
        self.options = ServerOptions(folder, database_url, settings)
        self.ledger = Ledger(folder / "ledger.txt")
        self.random = random.Random(seed)  # noqa: S311 - faults that can be repeated
        self.server: ServerProcess | None = None
        self.conversations: list[str] = []

    @property
    def running(self) -> ServerProcess:
        assert self.server is not None
        return self.server

    @property
    def name(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def lease_s(self) -> float:
        return make_settings(self.options).lease_s

    async def start(self) -> ServerProcess:
        self.server = await start_server(self.options)
        return self.server

    def new_key(self) -> str:
        return f"key-{self.random.getrandbits(64):016x}"

    async def settle(self, conversation: str, seen: list[SeenEvent], *, limit_s: float = _SETTLE_LIMIT_S) -> Settled:
        """Wait until no turn runs, answer what is asked, and check every promise."""
        settled = Settled()
        async with Client.open(self.running.address) as client:
            if not await self._wait_until_idle(client, conversation, limit_s):
                states = [turn["state"] for turn in await client.turns(conversation)]
                settled.problems.append(f"P2: no end {limit_s:g} s after the start: {states}")
            settled.settle_s = time.monotonic() - self.running.started_at
            rest = await client.read_stored(conversation, after=seen[-1].seq if seen else 0)
            readers: list[list[SeenEvent]] = [[*seen, *rest.events]]
            for _ in range(_MAX_ANSWERS):
                pauses = await client.open_pauses(conversation)
                if not pauses:
                    break
                settled.asked_outcome |= pauses[0]["purpose"] == "outcome"
                told = await client.answer(pauses[0]["pause"], _answer_for(pauses[0]))
                readers.append(told.events)
                await self._wait_until_idle(client, conversation, limit_s)
            settled.is_finished = not await client.open_pauses(conversation)
            settled.problems += await self._say_hello(client, conversation, limit_s)
            readers.append((await client.read_stored(conversation)).events)
        check = partial(check_conversation, conversation=conversation, ledger=self.ledger, seen=readers)
        settled.problems += await read_store(self.options.database_url, check)
        return settled

    async def _say_hello(self, client: Client, conversation: str, limit_s: float) -> list[str]:
        """What keeps the conversation from taking a message, again while the database of a starved machine does."""
        hello, state = Transcript(), ""
        for _ in range(_MAX_HELLOS):
            hello = await client.chat("hello", conversation=conversation)
            await self._wait_until_idle(client, conversation, limit_s)  # the stream may have ended before its turn
            state = (await client.turns(conversation))[0]["state"]
            if hello.turn and state == "done":
                return []
            if not (hello.is_starved or hello.is_cut_off):
                break
        why = hello.error or hello.closed or hello.events[-1:]
        return [f"P2: the conversation takes no message: {state} {why}"]

    async def _wait_until_idle(self, client: Client, conversation: str, limit_s: float) -> bool:
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            states = [turn["state"] for turn in await client.turns(conversation)]
            if not {"running", "interrupted"} & set(states[:1]):
                return True
            await asyncio.sleep(_POLL_S)
        return False


def _answer_for(pause: dict[str, Any]) -> object:
    """The call in flight was done; a call that waits is approved."""
    return "done" if pause["purpose"] == "outcome" else {"decision": "approve"}


def join_seen(*transcripts: Transcript) -> list[SeenEvent]:
    """Events of several streams of one reader, each beginning after the one before."""
    return [event for one in transcripts for event in one.events]
