"""Progress reports of a tool: accepted from any thread, emitted a few times a second, never blocking the tool."""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from metier.agent.turn._journal import Journal
from metier.json_values import clean_text
from metier.store import EventDraft
from metier.tools import ToolCall

REPORT_INTERVAL_S: Final = 0.25
_MAX_CHARS: Final = 200


class ProgressReporter:
    """Reports the progress of one call. Between two emits only the latest report is kept.

    A tool's thread may outlive its time limit: reports after `close` are ignored.
    """

    def __init__(
        self, emit: Callable[[EventDraft], Awaitable[None]], call: ToolCall, interval_s: float = REPORT_INTERVAL_S
    ) -> None:
        self._emit = emit
        self._call = call
        self._every_s = interval_s
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        self._latest: EventDraft | None = None

    def __call__(self, share: float, text: str) -> None:
        """Report the completed share, from 0 to 1, and the current activity."""
        draft = EventDraft(
            "tool.progress",
            {
                "call": self._call.id,
                "tool": self._call.name,
                "share": _clamp(share),
                "text": clean_text(str(text))[:_MAX_CHARS],
            },
        )
        with self._lock:
            if self._is_closed:
                return
            wakes, self._latest = self._latest is None, draft
            if wakes:  # under the lock: after close() the loop may be gone
                self._loop.call_soon_threadsafe(self._ensure_task)

    async def close(self) -> EventDraft | None:
        """Accept no further reports; return the last one if it was not emitted yet."""
        with self._lock:
            self._is_closed = True
        self._closing.set()
        if self._task is not None:
            await self._task  # let a running emit finish
        return self._take_latest()

    def _ensure_task(self) -> None:
        if self._task is None and not self._closing.is_set():
            self._task = asyncio.create_task(self._emit_pending())

    async def _emit_pending(self) -> None:
        while not self._closing.is_set() and (draft := self._take_latest()) is not None:
            await self._emit(draft)
            await self._wait_interval()
        if not self._closing.is_set():
            self._task = None

    async def _wait_interval(self) -> None:
        try:
            async with asyncio.timeout(self._every_s):
                await self._closing.wait()
        except TimeoutError:
            return

    def _take_latest(self) -> EventDraft | None:
        with self._lock:
            draft, self._latest = self._latest, None
        return draft


@asynccontextmanager
async def report_progress(journal: Journal, call: ToolCall) -> AsyncIterator[ProgressReporter]:
    """Progress reporter for one call; its last report is queued so that it is stored right before the result."""
    progress = ProgressReporter(journal.emit, call)
    try:
        yield progress
    finally:
        last = await progress.close()
        if last is not None:
            journal.queue(last)


def _clamp(share: float) -> float:
    return round(min(1.0, max(0.0, float(share))), 4) if math.isfinite(share) else 0.0
