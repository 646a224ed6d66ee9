"""Limits of native libraries: threads of NumPy's matrix products, heaps of the C allocator (glibc)."""

import ctypes
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_M_ARENA_MAX: Final = -8


def limit_heaps() -> None:
    """Limit the process to two malloc arenas (glibc only).

    With one arena per thread, memory freed by Chroma's threads is not reused: 45 MB after writing a thousand skills.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, 2)


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
