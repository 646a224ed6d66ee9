"""Steps of background tasks: one that fails is logged, and the task goes on; memory while and after much is loaded."""

import asyncio
import ctypes
import gc
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from metier.errors import MetierError

__all__ = ["pause_collection", "repeat", "resume_collection", "step_aside", "trim_heap", "try_step"]

_SHORT_TURN_S: Final = 0.0005
_log = logging.getLogger(__name__)


async def repeat(step: Callable[[], Awaitable[object]], *, every_s: float, what: str) -> NoReturn:
    """Wait and run the step, until the task is cancelled; `what` says in the log what failed."""
    while True:
        await asyncio.sleep(every_s)
        await try_step(step, what)


async def try_step(step: Callable[[], Awaitable[object]], what: str) -> str:
    """Run the step once; return why it failed, or an empty text.

    Nobody waits for a background task: without this an unforeseen error would end it, and nobody would know.
    """
    try:
        await step()
    except (OSError, MetierError) as error:
        _log.warning("%s: %s", what, error)
        return str(error) or type(error).__name__
    except Exception as error:  # noqa: BLE001 - the edge of a background task
        _log.warning("%s", what, exc_info=True)
        return f"{type(error).__name__}: {str(error)[:200]}"
    return ""


def trim_heap() -> None:
    """Return freed memory to the system (glibc only): 70 to 120 MB after the encoders are loaded."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@contextmanager
def step_aside() -> Iterator[None]:
    """Let threads take turns ten times as often, while one of them loads what nobody waits for.

    A thread that runs Python keeps the others waiting for 5 ms, each time that one of a request has something to do.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SHORT_TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def pause_collection() -> None:
    """Turn the garbage collector off while a command loads what it needs.

    Nothing that is loaded at start is garbage, but looking for it takes a tenth of the processor time of a start.
    """
    gc.disable()


def resume_collection() -> None:
    """Turn the garbage collector on again, if it is off; what was loaded at the first start is not looked at again."""
    if gc.isenabled():
        return
    if not gc.get_freeze_count():
        gc.freeze()
    gc.enable()
