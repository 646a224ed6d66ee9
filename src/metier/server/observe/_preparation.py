"""Preparation at start-up: what the first message would otherwise wait for is loaded in the background."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from metier.background import resume_collection, step_aside, try_step
from metier.compiled import save_compiled
from metier.patterns import compile_remaining

_RETRY_S: Final = 5.0
_SETTLE_S: Final = 0.5  # who waited for the server, and a first message, go first


@dataclass(slots=True)
class Preparation:
    """Runs `prepare` once in the background, again after a failure; `status` is `ok` when it is done.

    `load_rest` runs `settle_s` after that, once: what no answer waits for, or only the first for a moment.
    """

    prepare: Callable[[], Awaitable[None]]
    load_rest: Callable[[], Awaitable[None]] | None = None
    retry_s: float = _RETRY_S
    settle_s: float = _SETTLE_S
    status: str = "the routing index and the tokenizer are being loaded"

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Prepare while the context is open."""
        task = asyncio.create_task(self._prepare_until_done())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _prepare_until_done(self) -> None:
        while why := await try_step(self.prepare, "the first message cannot be prepared"):
            self.status = why
            resume_collection()
            await asyncio.sleep(self.retry_s)
        resume_collection()
        self.status = "ok"
        await asyncio.sleep(self.settle_s)
        with step_aside():
            if self.load_rest is not None:
                await try_step(self.load_rest, "the tools of the packs could not be loaded")
            await try_step(partial(asyncio.to_thread, compile_remaining), "the patterns could not be compiled")
        await try_step(partial(asyncio.to_thread, save_compiled), "compiled code could not be kept")
