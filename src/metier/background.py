"""Event loops; steps of background tasks, none of which ends its task; memory while and after much is loaded."""

import asyncio
import atexit
import ctypes
import gc
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, TypeVar

from metier.clock import AWAKE
from metier.errors import MetierError

__all__ = [
    "leave_process",
    "make_loop",
    "pause_collection",
    "repeat",
    "resume_collection",
    "run_async",
    "step_aside",
    "trim_heap",
    "try_step",
]

_T = TypeVar("_T")
_SHORT_TURN_S: Final = 0.0005
_log = logging.getLogger(__name__)


class _AwakeLoop(asyncio.SelectorEventLoop):
    def time(self) -> float:
        return AWAKE.read()


def make_loop() -> asyncio.AbstractEventLoop:
    """Make an event loop whose limits leave out the time in which the process did not run.

    All that waits on it is measured so, also what is not ours: connections, drivers of databases, clients of models.
    """
    AWAKE.start()
    return _AwakeLoop()


def run_async(main: Coroutine[object, object, _T]) -> _T:
    """Like `asyncio.run`, on a loop of `make_loop`: for all that runs longer than a moment."""
    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(main)


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


def leave_process(code: int) -> None:
    """End this process at once, while threads still work: the interpreter would wait for them or pull native code
    away under them, which ends in an abort."""
    atexit._run_exitfuncs()  # what others registered, without the wait for threads
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


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
