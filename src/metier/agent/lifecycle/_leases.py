"""Renews the leases of running turns from a thread of its own: a busy event loop loses none to another process."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final

from metier.background import make_loop, try_step
from metier.clock import awake_time
from metier.store import PendingStore, Store, Turn

_RENEWALS_PER_LEASE: Final = 3
_MAX_STALL_S: Final = 60.0
_log = logging.getLogger(__name__)


class LeaseKeeper:
    """Renews all leases of this process together, over a connection of its own.

    The thread starts with the first turn and connects when a first renewal is due, or at once if it is told to. If the
    event loop does not answer for a minute, the turns are left to other processes.
    """

    def __init__(
        self,
        open_store: Callable[[], PendingStore],
        leases: Callable[[], Sequence[Turn]],
        lease_s: float,
        clock: Callable[[], float] = awake_time,
    ) -> None:
        self._open_store = open_store
        self._leases = leases
        self._every_s = lease_s / _RENEWALS_PER_LEASE
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clock = clock
        self._asked_at: float | None = None

    def start(self, *, connect: bool = False) -> None:
        """Start the thread, unless it runs; called on the event loop whose turns are kept."""
        if self._thread is None:
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, args=(connect,), name="metier-leases", daemon=True)
            self._thread.start()

    async def close(self) -> None:
        """Stop renewing."""
        self._stopping.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def _run(self, connect: bool) -> None:
        with asyncio.Runner(loop_factory=make_loop) as runner:
            store: Store | None = runner.run(self._connect()) if connect else None
            try:
                while not self._stopping.wait(self._every_s):
                    if not (leases := self._leases()) or self._is_stalled():
                        continue
                    store = store or runner.run(self._connect())
                    if store is not None:
                        runner.run(renew_together(store, leases))
            finally:
                if store is not None:
                    runner.run(store.close())

    async def _connect(self) -> Store | None:
        opened: list[Store] = []

        async def connect() -> None:
            opened.append(await self._open_store())

        await try_step(connect, "leases are not renewed")
        return opened[0] if opened else None

    def _is_stalled(self) -> bool:
        """Whether a question to the event loop has been open for too long; asks a new one if none is open.

        Time without a question does not count: a server that was idle for an hour has not stalled.
        """
        assert self._loop is not None
        if self._asked_at is not None and self._clock() - self._asked_at > _MAX_STALL_S:
            _log.error("the event loop does not answer; the leases of its turns are not renewed")
            return True
        if self._asked_at is None and not self._loop.is_closed():
            self._asked_at = self._clock()
            self._loop.call_soon_threadsafe(self._mark_answer)
        return False

    def _mark_answer(self) -> None:
        self._asked_at = None


async def renew_together(store: Store, leases: Sequence[Turn]) -> None:
    """Renew these leases in one statement; one that was taken over is left alone, and its next write says so."""
    fences = {lease.id: lease.fence for lease in leases}
    await try_step(lambda: store.turns.renew_many(fences), f"{len(leases)} leases were not renewed")
