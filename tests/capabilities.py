"""What root may do on this machine: in a container it lacks powers that it has elsewhere."""

import ctypes
import struct
from pathlib import Path
from typing import Final

SYS_ADMIN: Final = 21  # mount, namespaces
_NOT_FILTERED: Final = "0"
_VERSION: Final = 0x20080522  # of the structures that capset takes


def _read_status() -> dict[str, str]:
    try:
        lines = Path("/proc/self/status").read_text("ascii", errors="replace").splitlines()
    except OSError:
        return {}
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def has_capability(number: int) -> bool:
    """Return whether this process has the capability; false outside Linux."""
    return bool(int(_read_status().get("CapEff", "0"), 16) >> number & 1)


def is_filtered() -> bool:
    """Return whether something around this process, a container perhaps, filters its system calls."""
    return _read_status().get("Seccomp", _NOT_FILTERED) != _NOT_FILTERED


def drop_all() -> None:
    """Give up all capabilities of this thread, and so those of root."""
    header, none = struct.pack("=Ii", _VERSION, 0), bytes(24)
    if ctypes.CDLL(None, use_errno=True).capset(header, none):
        raise OSError(ctypes.get_errno(), "capset")
