"""Threads for work that would hold up the event loop; work that nobody waits for any more does not keep a server alive.

A thread cannot be stopped from outside: after Stop or a time limit a function of a tool goes on until it returns.
"""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from metier.background import leave_process

# More than asyncio's cores + 4: calls of tools wait here for other programs, and those that were stopped go on.
_MAX_THREADS: Final = 32
_PATIENCE_S: Final = 3.0
_log = logging.getLogger(__name__)


class WorkThreads(ThreadPoolExecutor):
    """Executor of an event loop that waits only so long for its threads when it is shut down."""

    def __init__(self, max_workers: int = _MAX_THREADS, *, patience_s: float = _PATIENCE_S) -> None:
        super().__init__(max_workers, thread_name_prefix="metier-work")
        self._patience_s = patience_s

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what runs, but not for ever, and drop what has not begun; without `wait`, drop it if asked to."""
        super().shutdown(wait=False, cancel_futures=cancel_futures or wait)
        if wait:
            until = time.monotonic() + self._patience_s
            for thread in tuple(self._threads):
                thread.join(max(0.0, until - time.monotonic()))

    def count_running(self) -> int:
        """How many threads still work after `shutdown`."""
        return sum(thread.is_alive() for thread in tuple(self._threads))


def end_process(threads: WorkThreads) -> None:
    """End this process at once if threads still work: the interpreter would wait for them.

    To be called when the store is closed: what such a call was about is recorded as unknown or stopped.
    """
    if not (left := threads.count_running()):
        return
    _log.warning("the server ends while %d calls that nobody waits for still run", left)
    leave_process(0)
