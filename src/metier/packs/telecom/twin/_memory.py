"""Gives memory that is free back to the operating system.

A state is computed with arrays of many megabytes. glibc keeps freed ones in its heaps for later: after all shipped
scenarios that was 90 MB of 225.
"""

import ctypes
from collections.abc import Callable
from functools import cache


def release_free_memory() -> None:
    """Return free heap pages; does nothing where the C library has no such call."""
    trim = _find_trim()
    if trim is not None:
        trim(0)


@cache
def _find_trim() -> Callable[[int], int] | None:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found
