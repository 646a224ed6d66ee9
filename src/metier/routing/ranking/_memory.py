"""Settings of the C allocator (glibc) that lower resident memory."""

import ctypes
from typing import Final

_M_ARENA_MAX: Final = -8


def trim_heap() -> None:
    """Return freed memory to the system (glibc only): 70 to 120 MB after the encoders are loaded."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def limit_heaps() -> None:
    """Limit the process to two malloc arenas (glibc only).

    With one arena per thread, memory freed by Chroma's threads is not reused: 45 MB after writing a thousand skills.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, 2)
