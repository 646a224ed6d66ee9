"""Limits of native libraries: threads of NumPy's matrix products, heaps of the C allocator (glibc)."""

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_M_ARENA_MAX: Final = -8
_MAX_THREADS: Final = 4
_RESERVED: Final[ContextVar[int]] = ContextVar("metier_reserved_processors", default=0)

_T = TypeVar("_T")
_R = TypeVar("_R")


def limit_heaps() -> None:
    """Limit the process to two malloc arenas (glibc only).

    With one arena per thread, memory freed by Chroma's threads is not reused: 45 MB after writing a thousand skills.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, 2)


@cache
def count_processors() -> int:
    """Processors that this process may run on."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


@contextmanager
def reserve_processors(count: int) -> Iterator[None]:
    """Leave so many processors to threads that are at work already; holds for this thread."""
    before = _RESERVED.set(count)
    try:
        yield
    finally:
        _RESERVED.reset(before)


def count_free_processors() -> int:
    """Processors that this process may run on, without those that are reserved; at least one."""
    return max(count_processors() - _RESERVED.get(), 1)


def map_parallel(work: Callable[[_T], _R], items: Sequence[_T]) -> list[_R]:
    """Results of work that leaves the interpreter free, on as many processors as are free, at most four."""
    threads = min(len(items), count_free_processors(), _MAX_THREADS)
    if threads < 2:
        return [work(item) for item in items]
    # Threads of NumPy are limited here once: limits that overlap would restore each other's.
    with one_thread(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


@cache
def _controller() -> "ThreadpoolController | None":
    if find_spec("threadpoolctl") is None:
        return None
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Limit NumPy to one thread inside the block; does nothing without threadpoolctl.

    On a busy machine two threads that wait for each other are far slower than one.
    """
    controller = _controller()
    limit: AbstractContextManager[object] = nullcontext() if controller is None else controller.limit(limits=1)
    return limit
