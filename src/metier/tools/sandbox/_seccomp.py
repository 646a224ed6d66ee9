"""Seccomp filter: which system calls a confined process may make, as a BPF program."""

import ctypes
import errno
import platform
import struct
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from metier.tools.sandbox import _kernel as kernel
from metier.tools.sandbox._syscalls import AUDIT_ARCH, MACHINES, NEWEST_NUMBER, Machine, get_number

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_ABOVE, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x25, 0x35, 0x45
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000
_X32_BIT: Final = 0x40000000
_NUMBER_AT, _MACHINE_AT = 0, 4
_FILTER_MODE: Final = 2
_PACKED: Final = struct.Struct("HBBI")

_NEW_NAMESPACES: Final = 0x7E020000
_SETUID_SETGID: Final = 0o6000
_CREATES: Final = 0o20000100  # O_CREAT, O_TMPFILE
_AF_UNIX, _STREAM, _SEQPACKET = 1, 1, 5
_TERMINAL_IOCTLS: Final = (0x5412, 0x541C, 0x541D)  # TIOCSTI injects input, TIOCLINUX and TIOCCONS take a terminal over
# FS_IOC_RESVSP, RESVSP64 and ZERO_RANGE allocate disk space as fallocate does; SETFLAGS and FSSETXATTR change how a
# file system allocates.
_ALLOCATION_IOCTLS: Final = (0x40305828, 0x4030582A, 0x40305839, 0x40086602, 0x401C5820)
_SIGNAL_FCNTLS: Final = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: send any signal to any process of the user
_WATCH_FCNTLS: Final = (1024, 1026)  # F_SETLEASE, F_NOTIFY: tell when others open or change files
_SET_DUMPABLE: Final = 4  # would hide the open files of a run from its supervisor
_SHARED_ANONYMOUS, _MAP_FLAGS = 0x21, 0x2F


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_REFUSED: Final = _split_names("""
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd
    mount umount2 move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick mount_setattr statmount listmount
    pivot_root chroot unshare setns name_to_handle_at open_by_handle_at fanotify_init fanotify_mark
    inotify_init inotify_init1 inotify_add_watch inotify_rm_watch cachestat sendmsg sendmmsg
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key
    kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff acct quotactl quotactl_fd
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm modify_ldt syslog vhangup
    personality nfsservctl uselib _sysctl lookup_dcookie socket connect bind listen accept accept4
    shmget shmat shmctl semget semctl semop semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
    memfd_create memfd_secret move_pages migrate_pages file_setattr sysinfo statfs fstatfs ustat
""")
# Landlock has no rule for these, and an owner may always do them. `shutil.copy` needs them to succeed, so they return
# 0 and do nothing. `sync` would write out the files of everybody and tell by its duration how much there is.
_IGNORED: Final = _split_names("""
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat sync syncfs
""")
# `fallocate` takes gigabytes in microseconds, with FALLOC_FL_KEEP_SIZE beyond any file size limit. The C library's
# `posix_fallocate` would write the bytes, but asks `fstatfs` first, which tells how full the disk of all is.
_UNSUPPORTED: Final = _split_names("""
    setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat fallocate
""")
# The first argument is a process id; 0 means the caller.
_SELF_ONLY: Final = _split_names("""
    prlimit64 sched_setaffinity sched_setattr sched_setparam sched_setscheduler getpgid getsid
""")
# A negative clock is the processor time of a process, any process of the host.
_CLOCKS: Final = _split_names("clock_gettime clock_getres clock_nanosleep")
_NEGATIVE: Final = 0x80000000
_SIGNALS: Final = _split_names("kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal")


class Instruction(NamedTuple):
    """BPF instruction."""

    code: int
    if_true: int
    if_false: int
    value: int


Block = tuple[Instruction, ...]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> Instruction:
    return Instruction(code, if_true, if_false, value)


def _return_errno(error: int) -> Instruction:
    return _step(_RETURN, _ERRNO | error)


def _load_argument(index: int) -> Instruction:
    """Load the low half of an argument: all filtered calls take 32-bit values there."""
    return _step(_LOAD, 16 + 8 * index)


_PASS = _step(_RETURN, _ALLOW)
_DENY = _return_errno(errno.EPERM)


def _require_zero(*indexes: int) -> Block:
    checks = [(_load_argument(index), _step(_IF_EQUAL, 0, 1, 0), _DENY) for index in indexes]
    return (*(step for check in checks for step in check), _PASS)


_REFUSE_NEGATIVE: Final[Block] = (_load_argument(0), _step(_IF_ANY_BIT, _NEGATIVE, 0, 1), _DENY, _PASS)


def _refuse_values(index: int, values: tuple[int, ...]) -> Block:
    return (
        _load_argument(index),
        *(step for value in values for step in (_step(_IF_EQUAL, value, 0, 1), _DENY)),
        _PASS,
    )


def _refuse_setuid(flags_at: int | None, mode_at: int) -> Block:
    """Deny creating setuid or setgid files; the mode is ignored if the call creates no file."""
    checks = (_load_argument(mode_at), _step(_IF_ANY_BIT, _SETUID_SETGID, 0, 1), _DENY, _PASS)
    if flags_at is None:
        return checks
    return (_load_argument(flags_at), _step(_IF_ANY_BIT, _CREATES, 1, 0), _PASS, *checks)


_SOCKETPAIR: Final[Block] = (
    # A datagram pair could still send to any named socket; a stream pair is connected only to itself.
    _load_argument(0),
    _step(_IF_EQUAL, _AF_UNIX, 1, 0),
    _DENY,
    _load_argument(1),
    _step(_AND, 0xF),
    _step(_IF_EQUAL, _STREAM, 2, 0),
    _step(_IF_EQUAL, _SEQPACKET, 1, 0),
    _DENY,
    _PASS,
)

_MMAP: Final[Block] = (
    # Pages of a shared anonymous mapping stay allocated while one page of it is mapped: no limit on memory sees them.
    _load_argument(3),
    _step(_AND, _MAP_FLAGS),
    _step(_IF_EQUAL, _SHARED_ANONYMOUS, 0, 1),
    _DENY,
    _PASS,
)


def _iter_rules(signals: bool, truncate: bool) -> Iterator[tuple[str, Block]]:
    refused = [*_REFUSED, *([] if signals else _SIGNALS), *([] if truncate else ["truncate"])]
    yield from ((name, (_DENY,)) for name in refused)
    yield from ((name, (_return_errno(0),)) for name in _IGNORED)
    yield from ((name, (_return_errno(errno.EOPNOTSUPP),)) for name in _UNSUPPORTED)
    yield from ((name, _require_zero(0)) for name in _SELF_ONLY)
    yield from ((name, _REFUSE_NEGATIVE) for name in _CLOCKS)
    yield "setpriority", _require_zero(0, 1)
    yield "getpriority", _require_zero(0, 1)
    yield "ioprio_set", _require_zero(1)
    yield "ioctl", _refuse_values(1, (*_TERMINAL_IOCTLS, *_ALLOCATION_IOCTLS))
    yield "fcntl", _refuse_values(1, (*_SIGNAL_FCNTLS, *_WATCH_FCNTLS))
    yield "prctl", _refuse_values(0, (_SET_DUMPABLE,))
    yield "mmap", _MMAP
    yield "socketpair", _SOCKETPAIR
    yield "open", _refuse_setuid(1, 2)
    yield "openat", _refuse_setuid(2, 3)
    yield "creat", _refuse_setuid(None, 1)
    yield "mknod", _refuse_setuid(None, 1)
    yield "mknodat", _refuse_setuid(None, 2)
    yield "openat2", (_return_errno(errno.ENOSYS),)
    yield "clone", (_load_argument(0), _step(_IF_ANY_BIT, _NEW_NAMESPACES, 0, 1), _DENY, _PASS)
    # As with openat2, the flags are in memory, which a filter cannot read; on ENOSYS the C library uses clone.
    yield "clone3", (_return_errno(errno.ENOSYS),)


def build_program(machine: Machine, *, signals: bool, truncate: bool) -> Block:
    """Build the filter. `signals` and `truncate` say whether another mechanism already restricts these."""
    steps = [
        _step(_LOAD, _MACHINE_AT),
        _step(_IF_EQUAL, AUDIT_ARCH[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_IF_AT_LEAST, _X32_BIT, 0, 1),
        _DENY,
        _step(_IF_ABOVE, NEWEST_NUMBER, 0, 1),
        _return_errno(errno.ENOSYS),
    ]
    for name, block in _iter_rules(signals, truncate):
        found = get_number(name, machine)
        if found is not None:
            steps += [_step(_IF_EQUAL, found, 0, len(block)), *block]
    return (*steps, _PASS)


def this_machine() -> Machine | None:
    """Return the architecture if the filter supports it, else None."""
    return next((machine for machine in MACHINES if machine == platform.machine()), None)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


@cache
def pack_program(machine: Machine, *, signals: bool, truncate: bool) -> bytes:
    """Return the program in kernel format; cached, so that the zygote builds it once before it forks."""
    return b"".join(_PACKED.pack(*step) for step in build_program(machine, signals=signals, truncate=truncate))


def install(steps: bytes) -> None:
    """Install the filter on this process and its children, permanently."""
    whole = _Program(len(steps) // _PACKED.size, steps)
    kernel.prctl(kernel.PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(whole))
