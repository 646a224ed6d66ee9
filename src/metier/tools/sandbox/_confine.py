"""Confine a new process step by step. The order of the steps matters, and none can be undone."""

import contextlib
import fcntl
import os
import resource
import signal
import sys
from os import environ  # written here, never read
from typing import Final, NamedTuple

from metier.tools.sandbox import _kernel as kernel
from metier.tools.sandbox import _landlock as landlock
from metier.tools.sandbox import _seccomp as seccomp
from metier.tools.sandbox._path_access import make_reachable
from metier.tools.sandbox._private_root import RootPlan, can_mount, enter_private_root, plan_root
from metier.tools.sandbox._protocol import Job, SharedPaths

RESULT_FD: Final = 3
READY_FD: Final = 4
_RULES_FD, _FIRST_UNUSED = 5, 6
_FIRST_HIGH_FD: Final = 100
_MAX_PROCESSORS: Final = 4
MAX_FD: Final = 1 << 20
_NICE: Final = 5  # after the supervisor, which has to end it, and the server: thirty busy processes left them no turn


class Pipes(NamedTuple):
    """Write ends of the pipes of a run."""

    result: int
    stdout: int
    stderr: int


def move_fd_high(descriptor: int) -> int:
    """Move a file descriptor to a high number, so that it does not clash with fixed ones."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_HIGH_FD)
    os.close(descriptor)
    return moved


def confine(job: Job, common: SharedPaths, shared: RootPlan, pipes: Pipes, ready: int) -> None:
    """Confine this process as the job says. `ready` is closed as the last step."""
    os.setsid()
    tasks = _count_tasks(os.getuid()) if job.limited and job.uid is None else 0
    if job.confined:
        _hide_other_paths(job, common, shared)
    rules = _build_ruleset(job, common) if job.confined else None
    _connect_streams(job, pipes, ready, rules)
    os.chdir(job.folder)
    os.umask(0o022)
    if job.limited:
        _set_limits(job, tasks)
    if job.uid is not None:
        _drop_user(job.uid)
    _reset_environment(job)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if rules is not None:
        kernel.drop_capabilities()
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict(_RULES_FD)
        seccomp.install(build_syscall_filter(job.abi, own_user=job.uid is not None))
    os.close(READY_FD)


def _hide_other_paths(job: Job, common: SharedPaths, shared: RootPlan) -> None:
    """Give the run a root of its own, or, where that may not be, a way through folders that are closed to its user."""
    own = plan_root((*job.readable, *job.writable))
    plan = RootPlan((*shared.paths, *own.paths), (*shared.links, *own.links))
    if not (can_mount() and enter_private_root(plan)) and job.uid is not None:
        make_reachable((*common.readable, *common.writable, *job.readable, *job.writable))


def _build_ruleset(job: Job, common: SharedPaths) -> int:
    readable, writable = (*common.readable, *job.readable), (*common.writable, *job.writable)
    return move_fd_high(landlock.build_ruleset(readable, writable, job.abi))


def _connect_streams(job: Job, pipes: Pipes, ready: int, rules: int | None) -> None:
    """Set up the standard streams and the result pipe, and close all other file descriptors."""
    stdin = _open_stdin(job)
    for number, descriptor in enumerate((stdin, pipes.stdout, pipes.stderr)):
        os.dup2(descriptor, number)
    os.dup2(pipes.result, RESULT_FD, inheritable=False)
    os.dup2(ready, READY_FD, inheritable=False)
    if rules is not None:
        os.dup2(rules, _RULES_FD, inheritable=False)
    os.closerange(_FIRST_UNUSED if rules is not None else _RULES_FD, MAX_FD)


def _open_stdin(job: Job) -> int:
    if not job.stdin:
        return move_fd_high(os.open(os.devnull, os.O_RDONLY))
    kept = os.memfd_create("stdin")
    with os.fdopen(os.dup(kept), "wb") as writer:
        writer.write(job.stdin.encode("latin-1"))
    os.lseek(kept, 0, os.SEEK_SET)
    return move_fd_high(kept)


def _set_limits(job: Job, tasks: int) -> None:
    wanted = (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, job.address_bytes or job.memory_bytes),
        (resource.RLIMIT_FSIZE, job.file_bytes),
        (resource.RLIMIT_NOFILE, job.open_files),
        (resource.RLIMIT_NPROC, tasks + job.processes),
    )
    for kind, most in wanted:
        hard = resource.getrlimit(kind)[1]
        ceiling = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (ceiling, ceiling))
    # One second apart: the soft limit sends SIGXCPU, which shows the cause; the hard limit sends SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (job.cpu_s, job.cpu_s + 1))
    os.nice(_NICE)
    _limit_processors()


def _limit_processors() -> None:
    """Limit the visible CPUs: libraries start a thread per CPU, which could exceed the process limit."""
    seen = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(seen) > _MAX_PROCESSORS:
        first = int.from_bytes(os.urandom(2)) % len(seen)
        os.sched_setaffinity(0, (seen * 2)[first : first + _MAX_PROCESSORS])


def _count_tasks(uid: int) -> int:
    """Count the tasks of a user: RLIMIT_NPROC counts all of them, not only those of the run."""
    count = 0
    for entry in os.scandir("/proc") if sys.platform == "linux" else ():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == uid:
                count += sum(1 for _ in os.scandir(f"/proc/{entry.name}/task"))
    return count


def _drop_user(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _reset_environment(job: Job) -> None:
    environ.clear()
    environ.update(job.environment)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL if number != signal.SIGINT else signal.default_int_handler)


def build_syscall_filter(abi: int, *, own_user: bool) -> bytes:
    """Build the system-call filter.

    It also blocks signals and truncate if neither Landlock nor a separate user restricts them.
    """
    machine = seccomp.this_machine()
    if machine is None:
        raise OSError(f"no system-call filter for {os.uname().machine}")
    signals = own_user or abi >= landlock.SCOPES_SINCE
    return seccomp.pack_program(machine, signals=signals, truncate=abi >= landlock.TRUNCATE_SINCE)
