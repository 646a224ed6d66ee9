"""Leases are renewed while the event loop answers, and left to other processes while it does not."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import cast

from metier.agent.lifecycle._leases import LeaseKeeper
from metier.store import PendingStore, Store, Turn

MAX_WAIT_S = 30.0
TURN = cast("Turn", SimpleNamespace(id="t1", fence=1))


class Recorder:
    """A clock set by hand and a store that counts renewals."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.looks = 0
        self.renewals = 0
        self.leases: list[Turn] = []

    def clock(self) -> float:
        self.looks += 1
        return self.now_s

    async def renew_many(self, fences: Mapping[str, int]) -> int:
        self.renewals += 1
        return len(fences)

    async def close(self) -> None:
        """Nothing is open."""

    def open(self) -> PendingStore:
        async def connect() -> Store:
            return cast("Store", SimpleNamespace(turns=self, close=self.close))

        return PendingStore(connect)


@asynccontextmanager
async def keep(recorder: Recorder) -> AsyncIterator[LeaseKeeper]:
    keeper = LeaseKeeper(recorder.open, lambda: recorder.leases, lease_s=0.015, clock=recorder.clock)
    keeper.start()
    try:
        yield keeper
    finally:
        await keeper.close()


async def wait_for(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(MAX_WAIT_S):
        while not holds():  # noqa: ASYNC110 - the thread that is watched signals nothing
            await asyncio.sleep(0.005)


def block_until(holds: Callable[[], bool]) -> None:
    """Hold the event loop, as a long computation does."""
    until = time.monotonic() + MAX_WAIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.005)


async def test_an_idle_hour_is_no_stall() -> None:
    recorder = Recorder()
    async with keep(recorder):
        recorder.leases = [TURN]
        await wait_for(lambda: recorder.renewals > 0)
        recorder.leases = []
        await asyncio.sleep(0)
        recorder.now_s += 3600
        recorder.leases, before = [TURN], recorder.renewals
        await wait_for(lambda: recorder.renewals > before + 3)


async def test_a_stalled_event_loop_renews_nothing_until_it_answers() -> None:
    recorder = Recorder()
    async with keep(recorder):
        recorder.leases = [TURN]
        await wait_for(lambda: recorder.renewals > 0)
        looks = recorder.looks
        block_until(lambda: recorder.looks > looks + 3)  # a question is open now
        recorder.now_s += 61
        looks = recorder.looks
        block_until(lambda: recorder.looks > looks + 3)
        renewed, looks = recorder.renewals, recorder.looks
        block_until(lambda: recorder.looks > looks + 5)
        assert recorder.renewals == renewed
        await wait_for(lambda: recorder.renewals > renewed)
