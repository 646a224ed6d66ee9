"""Many turns at once: on one server, and on several that share a PostgreSQL database."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.faults._client import Client, Transcript
from benchmarks.faults._databases import read_store
from benchmarks.faults._invariants import check_conversation
from benchmarks.faults._lane import Lane
from metier.store import Store

_POLL_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What became of turns that ran at once."""

    turns: int
    finished: int
    taken_over: int
    double_effects: int
    elapsed_s: float
    first_event_p50_s: float
    problems: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


async def run_turns(
    lanes: Sequence[Lane], count: int, message: str, *, at_once: int | None = None, freeze_s: float = 0.0
) -> LoadResult:
    """Run turns at once, spread over the servers of these lanes, which share a database and a ledger.

    With `freeze_s` the first server is stopped for that long once some of its turns have an effect.
    """
    started = time.monotonic()
    slots = asyncio.Semaphore(at_once or count)
    waits: list[float] = []

    async def run_one(number: int, client: Client) -> Transcript:
        async with slots:
            begun = time.monotonic()
            key = lanes[0].new_key()
            seen = await client.chat(f"{message} {key}", key=key)
            waits.append(time.monotonic() - begun)
            return seen

    clients = [Client.open(lane.running.address, timeout_s=3000) for lane in lanes]
    opened = [await one.__aenter__() for one in clients]
    try:
        running = [asyncio.create_task(run_one(number, opened[number % len(opened)])) for number in range(count)]
        if freeze_s:
            await _freeze(lanes[0], count // 10, freeze_s)
        seen = await asyncio.gather(*running)
    finally:
        for one in clients:
            await one.__aexit__(None, None, None)
    elapsed_s = time.monotonic() - started
    return await _judge(lanes[0], seen, elapsed_s, sorted(waits)[len(waits) // 2])


async def _freeze(lane: Lane, effects: int, freeze_s: float) -> None:
    while len(lane.ledger.read()) < effects:  # noqa: ASYNC110 - another process
        await asyncio.sleep(_POLL_S)
    lane.running.send_signal(signal.SIGSTOP)
    await asyncio.sleep(freeze_s)
    lane.running.send_signal(signal.SIGCONT)


async def _judge(lane: Lane, seen: Sequence[Transcript], elapsed_s: float, wait_s: float) -> LoadResult:
    async def check(store: Store) -> tuple[list[str], int]:
        problems: list[str] = []
        taken_over = 0
        for one in seen:
            if not one.conversation:
                continue
            problems += await check_conversation(store, one.conversation, lane.ledger, [one.events])
            events = await store.events.read(one.conversation, limit=500)
            taken_over += any(event.data.get("code") == "interrupted" for event in events if event.kind == "error")
        return problems, taken_over

    problems, taken_over = await read_store(lane.options.database_url, check)
    effects = Counter(one for one in lane.ledger.read() if one[0] == "send")
    failed = Counter(str(one.error or one.events[-1:]) for one in seen if not one.find("turn.done"))
    return LoadResult(
        turns=len(seen),
        finished=sum(bool(one.find("turn.done")) for one in seen),
        taken_over=taken_over,
        double_effects=sum(count - 1 for count in effects.values()),
        elapsed_s=elapsed_s,
        first_event_p50_s=wait_s,
        problems=tuple(problems[:10]),
        failures=tuple(f"{count} × {what[:300]}" for what, count in failed.most_common(3)),
    )
