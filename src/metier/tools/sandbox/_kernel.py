"""Linux calls that Python does not offer. Each raises OSError, as Python's own do."""

import contextlib
import ctypes
import os
import platform
from types import MappingProxyType
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_SECCOMP: Final = 22
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38

PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

CAP_SYS_PTRACE: Final = 19
CAP_SYS_ADMIN: Final = 21

CLONE_NEWNS: Final = 0x00020000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWPID: Final = 0x20000000
MS_NOSUID: Final = 0x2
MS_NODEV: Final = 0x4
MS_BIND: Final = 0x1000
MS_REC: Final = 0x4000
MS_PRIVATE: Final = 0x40000

_MNT_DETACH: Final = 2
_PIVOT_AND_UMOUNT: Final = MappingProxyType({"x86_64": (155, 166), "aarch64": (41, 39)})
_CAPABILITY_VERSION: Final = 0x20080522

_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def _check_result(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """Make a system call by number; arguments are integers or ctypes values."""
    prepared = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return _check_result(int(_LIBC.syscall(ctypes.c_long(number), *prepared)), f"system call {number}")


def prctl(option: int, value: int, pointer: object = 0) -> None:
    """Change a property of this process."""
    third = ctypes.c_ulong(pointer) if isinstance(pointer, int) else pointer
    zero = ctypes.c_ulong(0)
    _check_result(int(_LIBC.prctl(ctypes.c_int(option), ctypes.c_ulong(value), third, zero, zero)), f"prctl {option}")


def has_capability(number: int) -> bool:
    """Return whether this process has the capability now; false where /proc does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:  # noqa: PTH123 - the child that calls it needs no pathlib
            lines = [line for line in file if line.startswith("CapEff:")]
    except OSError:
        return False
    return bool(lines) and bool(int(lines[0].split()[1], 16) >> number & 1)


def unshare(flags: int) -> None:
    """Move this process to new namespaces."""
    _check_result(int(_LIBC.unshare(ctypes.c_int(flags))), "unshare")


def set_host_name(name: str) -> None:
    """Name the host, for the processes of this UTS namespace."""
    _check_result(int(_LIBC.sethostname(name.encode(), len(name))), "sethostname")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system, or change the flags of a mount."""
    texts = [text.encode() or None for text in (source, target, kind)]
    result = _LIBC.mount(*texts, ctypes.c_ulong(flags), options.encode() or None)
    _check_result(int(result), f"mount {target}")


def change_root(folder: str) -> None:
    """Make a mounted folder the root of this mount namespace, and detach the old one."""
    pivot, umount = _PIVOT_AND_UMOUNT[platform.machine()]
    os.chdir(folder)
    syscall(pivot, ctypes.c_char_p(b"."), ctypes.c_char_p(b"."))
    syscall(umount, ctypes.c_char_p(b"."), _MNT_DETACH)
    os.chdir("/")


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def drop_capabilities() -> None:
    """Give up all capabilities of this process, those kept for programs it runs included."""
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    with contextlib.suppress(OSError):  # older than Linux 4.3: there are none
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    _check_result(int(_LIBC.capset(ctypes.byref(header), (ctypes.c_uint32 * 6)())), "capset")
