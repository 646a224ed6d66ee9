"""Watches folders for changes with `watchfiles`."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

_log = logging.getLogger(__name__)
_POLL_MS = 100


@asynccontextmanager
async def watch_folders(
    folders: list[Path], touched: Callable[[], None], lost: Callable[[], None]
) -> AsyncIterator[None]:
    """Call `touched` after every batch of changes, and `lost` if watching fails.

    A folder may be missing, appear later, or be replaced; this is checked ten times a second.
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
    except (OSError, RuntimeError) as error:  # such as no inotify watches left: scanning at every call still works
        _log.warning("skill folders cannot be watched: %s", error)
        lost()
    finally:
        ready.set()


async def _watch_until_moved(
    folders: list[Path], touched: Callable[[], None], stop: asyncio.Event, ready: asyncio.Event
) -> None:
    from watchfiles import awatch

    started = False
    where = _stat_folders(folders)
    changes = awatch(*where, stop_event=stop, debounce=50, step=10, rust_timeout=_POLL_MS, yield_on_timeout=True)
    async with aclosing(changes):
        async for batch in changes:
            if batch or not started:
                started = True  # from now on no change is missed
                touched()
                ready.set()
            # A folder that was moved away and back has the same inode, but its return is not reported.
            if _stat_folders(folders) != where or not _path_strings(where).isdisjoint(path for _, path in batch):
                return


def _stat_folders(folders: list[Path]) -> dict[Path, tuple[int, int]]:
    """The existing folders with device and inode, which identify a folder that replaced another."""
    found: dict[Path, tuple[int, int]] = {}
    for folder in folders:
        try:
            seen = os.stat(folder)  # noqa: PTH116 - follow links: a root may be one
        except OSError:
            continue
        found[folder] = (seen.st_dev, seen.st_ino)
    return found


def _path_strings(folders: Iterable[Path]) -> set[str]:
    return {name for folder in folders for name in (str(folder), str(folder.absolute()))}
