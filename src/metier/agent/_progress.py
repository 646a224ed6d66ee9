"""How far a tool is: said from any thread, told a few times a second, and never waited for."""

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
    """What one call says of itself. Between two tellings only the newest word is kept.

    A tool's thread outlives a time limit: what it says after the call has its answer is not heard.
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
        """Say how much is done, from 0 to 1, and what is being done."""
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
            if wakes:  # inside: once deaf, the loop may be gone
                self._loop.call_soon_threadsafe(self._wake)

    async def close(self) -> EventDraft | None:
        """Hear nothing more; the last word, if it was not told yet."""
        with self._guard:
            self._deaf = True
        self._over.set()
        if self._task is not None:
            await self._task  # a telling that has begun is not broken off
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
    """A reporter for one call; its last word is stored with the result, right before it."""
    progress = Progress(journal.emit, call)
    try:
        yield progress
    finally:
        last = await progress.close()
        if last is not None:
            journal.later(last)


def _bounded(share: float) -> float:
    return round(min(1.0, max(0.0, float(share))), 4) if math.isfinite(share) else 0.0
