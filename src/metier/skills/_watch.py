"""Tell when something below a folder changes."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

_log = logging.getLogger(__name__)
_LOOK_MS = 100


@asynccontextmanager
async def watch_folders(
    folders: list[Path], touched: Callable[[], None], lost: Callable[[], None]
) -> AsyncIterator[None]:
    """Call `touched` after every batch of changes, and `lost` if the operating system stops telling.

    A folder may be missing, appear, or be replaced by another one: that is looked for ten times a second.
    """
    stop = asyncio.Event()
    ready = asyncio.Event()
    task = asyncio.create_task(_watch(folders, touched, lost, stop, ready))
    await ready.wait()
    try:
        yield
    finally:
        stop.set()
        await task


async def _watch(
    folders: list[Path],
    touched: Callable[[], None],
    lost: Callable[[], None],
    stop: asyncio.Event,
    ready: asyncio.Event,
) -> None:
    try:
        while not stop.is_set():
            await _watch_until_moved(folders, touched, stop, ready)
    except (OSError, RuntimeError) as error:  # no more inotify watches, say: looking at every call still works
        _log.warning("skill folders cannot be watched: %s", error)
        lost()
    finally:
        ready.set()


async def _watch_until_moved(
    folders: list[Path], touched: Callable[[], None], stop: asyncio.Event, ready: asyncio.Event
) -> None:
    from watchfiles import awatch

    started = False
    where = _places(folders)
    changes = awatch(*where, stop_event=stop, debounce=50, step=10, rust_timeout=_LOOK_MS, yield_on_timeout=True)
    async with aclosing(changes):
        async for batch in changes:
            if batch or not started:
                started = True  # only now is it certain that nothing more will be missed
                touched()
                ready.set()
            # A folder that was moved away and back is the same one, but its return was not told.
            if _places(folders) != where or not _names(where).isdisjoint(path for _, path in batch):
                return


def _places(folders: list[Path]) -> dict[Path, tuple[int, int]]:
    """The folders that exist now, each with what tells it from another of the same name."""
    found: dict[Path, tuple[int, int]] = {}
    for folder in folders:
        try:
            seen = os.stat(folder)  # noqa: PTH116 - a root may be a link; what matters is where it leads
        except OSError:
            continue
        found[folder] = (seen.st_dev, seen.st_ino)
    return found


def _names(folders: Iterable[Path]) -> set[str]:
    return {name for folder in folders for name in (str(folder), str(folder.absolute()))}
