"""Progress reports of a tool: accepted from any thread, emitted a few times a second, never blocking the tool."""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from metier.agent._journal import Journal
from metier.agent._messages import storable
from metier.store import EventDraft
from metier.tools import ToolCall

EVERY_S: Final = 0.25
_MOST_CHARS: Final = 200


class Progress:
    """Reports the progress of one call. Between two emits only the latest report is kept.

    A tool's thread may outlive its time limit: reports after `close` are ignored.
    """

    def __init__(self, emit: Callable[[EventDraft], Awaitable[None]], call: ToolCall, every_s: float = EVERY_S) -> None:
        self._emit = emit
        self._call = call
        self._every_s = every_s
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._guard = threading.Lock()
        self._deaf = False
        self._newest: EventDraft | None = None

    def __call__(self, share: float, text: str) -> None:
        """Report the completed share, from 0 to 1, and the current activity."""
        draft = EventDraft(
            "tool.progress",
            {
                "call": self._call.id,
                "tool": self._call.name,
                "share": _bounded(share),
                "text": storable(str(text))[:_MOST_CHARS],
            },
        )
        with self._guard:
            if self._deaf:
                return
            wakes, self._newest = self._newest is None, draft
            if wakes:  # under the lock: after close() the loop may be gone
                self._loop.call_soon_threadsafe(self._wake)

    async def close(self) -> EventDraft | None:
        """Accept no further reports; return the last one if it was not emitted yet."""
        with self._guard:
            self._deaf = True
        self._over.set()
        if self._task is not None:
            await self._task  # let a running emit finish
        return self._taken()

    def _wake(self) -> None:
        if self._task is None and not self._over.is_set():
            self._task = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        while not self._over.is_set() and (draft := self._taken()) is not None:
            await self._emit(draft)
            await self._rest()
        if not self._over.is_set():
            self._task = None

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self._every_s):
                await self._over.wait()
        except TimeoutError:
            return

    def _taken(self) -> EventDraft | None:
        with self._guard:
            draft, self._newest = self._newest, None
        return draft


@asynccontextmanager
async def reporting(journal: Journal, call: ToolCall) -> AsyncIterator[Progress]:
    """Progress reporter for one call; its last report is queued so that it is stored right before the result."""
    progress = Progress(journal.emit, call)
    try:
        yield progress
    finally:
        last = await progress.close()
        if last is not None:
            journal.later(last)


def _bounded(share: float) -> float:
    return round(min(1.0, max(0.0, float(share))), 4) if math.isfinite(share) else 0.0
