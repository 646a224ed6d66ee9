"""Tell when something below a folder changes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

_log = logging.getLogger(__name__)


@asynccontextmanager
async def watch_folders(folders: list[Path], touched: Callable[[], None]) -> AsyncIterator[None]:
    """Call `touched` after every batch of changes. A folder that does not exist yet is watched through its parent."""
    stop = asyncio.Event()
    ready = asyncio.Event()
    task = asyncio.create_task(_watch({_existing(folder) for folder in folders}, touched, stop, ready))
    await ready.wait()
    try:
        yield
    finally:
        stop.set()
        await task


async def _watch(folders: set[Path], touched: Callable[[], None], stop: asyncio.Event, ready: asyncio.Event) -> None:
    from watchfiles import awatch

    # A yield after the first timeout proves that the watcher is in place before anybody relies on it.
    changes = awatch(*folders, stop_event=stop, debounce=50, step=10, rust_timeout=100, yield_on_timeout=True)
    async for batch in changes:
        ready.set()
        if batch:
            _log.debug("skill files changed: %d", len(batch))
            touched()
    ready.set()


def _existing(folder: Path) -> Path:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder
