"""Landlock: restrict the files and processes that this process can access. Needs no root, cannot be undone."""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterable
from typing import Final

from metier.tools.sandbox import _kernel as kernel

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all architectures
_ASK_VERSION, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_BASE: Final = (1 << 13) - 1
_FILE_RIGHTS: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ_RIGHTS: Final = _EXECUTE | _READ_FILE | _READ_DIR
# No symbolic links, pipes, sockets or devices: the server opens these files later and must not be redirected.
_WRITE_RIGHTS: Final = (
    _READ_RIGHTS | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
)
_TCP: Final = 0b11
_SCOPE_SIGNAL: Final = 0b10
_SCOPES: Final = 0b11

TRUNCATE_SINCE, _REFER_SINCE, _TCP_SINCE, _IOCTL_SINCE, SCOPES_SINCE = 3, 2, 4, 5, 6


class _Attributes(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneathAttributes(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def abi() -> int:
    """Return the Landlock ABI version of the kernel; 0 if there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return kernel.syscall(_CREATE, 0, 0, _ASK_VERSION)
    except OSError:
        return 0


def _supported_rights(version: int) -> int:
    since = ((_REFER, _REFER_SINCE), (_TRUNCATE, TRUNCATE_SINCE), (_IOCTL_DEV, _IOCTL_SINCE))
    return _BASE | sum(right for right, first in since if version >= first)


def _create_ruleset(files: int, net: int, scoped: int, version: int) -> int:
    size = 8 if version < _TCP_SINCE else 16 if version < SCOPES_SINCE else 24
    return kernel.syscall(_CREATE, ctypes.byref(_Attributes(files, net, scoped)), size, 0)


def build_ruleset(readable: Iterable[str], writable: Iterable[str], version: int) -> int:
    """Create a ruleset that allows these paths and return its file descriptor; missing paths are skipped."""
    known = _supported_rights(version)
    net = _TCP if version >= _TCP_SINCE else 0
    rules = _create_ruleset(known, net, _SCOPES if version >= SCOPES_SINCE else 0, version)
    for paths, rights in ((readable, _READ_RIGHTS), (writable, _WRITE_RIGHTS)):
        for path in paths:
            _allow(rules, path, rights & known)
    return rules


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return
        raise
    try:
        allowed = rights if stat.S_ISDIR(os.fstat(place).st_mode) else rights & _FILE_RIGHTS
        kernel.syscall(_ADD, rules, _PATH_BENEATH, ctypes.byref(_PathBeneathAttributes(allowed, place)), 0)
    finally:
        os.close(place)


def restrict(rules: int) -> None:
    """Apply the ruleset to this process and its children, permanently. Needs no_new_privs."""
    kernel.syscall(_RESTRICT, rules, 0)
    os.close(rules)


def restrict_signals(version: int) -> bool:
    """Restrict signals of this process to its descendants; return False if the kernel cannot."""
    if version < SCOPES_SINCE:
        return False
    restrict(_create_ruleset(0, 0, _SCOPE_SIGNAL, version))
    return True
