"""What the allocator keeps, and how to have it keep less."""

import ctypes
from typing import Final

_M_ARENA_MAX: Final = -8


def give_back() -> None:
    """Return freed memory to the system where the C library can (glibc): 70 to 120 MB once the encoders are loaded."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def few_heaps() -> None:
    """Two heaps for all threads of the process (glibc), not one for each: what Chroma's threads free could otherwise
    not be used by anybody else, 45 MB after a thousand skills were written."""
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, 2)
