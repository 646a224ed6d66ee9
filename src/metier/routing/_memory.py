"""Memory that the allocator keeps after a model was read."""

import ctypes
import ctypes.util


def give_back() -> None:
    """Return freed memory to the system where the C library can (glibc): 70 to 120 MB once the encoders are loaded."""
    name = ctypes.util.find_library("c")
    trim = getattr(ctypes.CDLL(name), "malloc_trim", None) if name else None
    if trim is not None:
        trim(0)
