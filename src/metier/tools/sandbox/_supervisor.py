"""Supervisor process, one per run, outside the sandbox: start the run, wait, kill every process it left."""

import contextlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NoReturn

from metier.tools.sandbox import _kernel as kernel
from metier.tools.sandbox import _landlock as landlock
from metier.tools.sandbox._confine import MAX_FD, READY_FD, RESULT_FD, Pipes, confine, move_fd_high
from metier.tools.sandbox._path_access import grant, revoke
from metier.tools.sandbox._private_root import RootPlan, can_mount
from metier.tools.sandbox._protocol import STARTED, ExceededLimit, Job, SharedPaths, unpack
from metier.tools.sandbox._runner import run_script
from metier.tools.sandbox._watch import RunWatch

_PAUSE_S: Final = 0.001
_SWEEP_TIMEOUT_S: Final = 5.0
_NOT_FOUND, _NOT_RUNNABLE, _REFUSED = 127, 126, 125


def supervise(control: int, pipes: Pipes, common: SharedPaths, shared: RootPlan) -> None:
    """Run the one job that arrives over `control`; if the other end closes, stop at once."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    control = move_fd_high(control)
    pipes = Pipes(*(move_fd_high(pipe) for pipe in pipes))
    with os.fdopen(control, "rb", closefd=False) as source:
        job = unpack(source)
    if job is None:
        return
    os.write(control, STARTED)
    os.write(control, json.dumps(_run(job, common, shared, control, pipes)).encode() + b"\n")


def _run(job: Job, common: SharedPaths, shared: RootPlan, control: int, pipes: Pipes) -> Mapping[str, object]:
    heard, ready = os.pipe()
    try:
        fenced = _prepare(job)
        holder = _hide_other_processes() if job.confined else None
        watch = RunWatch(job, sees_files=_sees_files(job), ignored=holder) if job.limited else None
        leader = os.fork()
    except OSError as error:
        return {"refused": str(error)}
    if leader == 0:
        os.close(heard)
        _run_leader(job, common, shared, pipes, move_fd_high(ready))
    os.close(ready)
    for pipe in pipes:
        os.close(pipe)
    exceeded = _wait(leader, control, watch)
    status = _sweep(leader, holder, fenced=fenced)
    if watch is not None and exceeded is None:
        exceeded = watch.find_folder_excess()
    if job.uid is not None and job.give_back:
        with contextlib.suppress(OSError):  # the result is valid even if the folder cannot be restored
            for folder in job.writable:
                revoke(folder)
    refused = os.read(heard, 4096).decode(errors="replace")
    code = None if status is None else os.waitstatus_to_exitcode(status)
    return {"refused": refused, "code": code, "exceeded": exceeded}


def _prepare(job: Job) -> bool:
    """Become subreaper, lend the folders, restrict our signals; return whether `kill(-1)` is now safe."""
    if sys.platform != "linux":
        return False
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    if job.uid is not None:
        for folder in job.writable:
            grant(folder, job.uid)
    if not job.confined:
        return False
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.restrict_signals(job.abi) and _cannot_signal(os.getppid())


def _cannot_signal(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return isinstance(error, PermissionError)
    return False


def _hide_other_processes() -> int | None:
    """Give the processes started from now on ids of their own: they cannot tell which other processes exist.

    Return the process that holds these ids and ends all of them with itself; None where the kernel does not allow it.
    """
    if not can_mount():
        return None
    try:
        kernel.unshare(kernel.CLONE_NEWPID)
    except OSError:
        return None
    supervisor = os.pidfd_open(os.getpid())
    holder = os.fork()
    if holder == 0:
        _hold_process_ids(supervisor)
    os.close(supervisor)
    return holder


def _hold_process_ids(supervisor: int) -> NoReturn:
    """Be the first process of the run's own ids, to which its orphans go, until the supervisor ends or kills it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.closerange(0, supervisor)
    os.closerange(supervisor + 1, MAX_FD)
    poll = select.poll()
    poll.register(supervisor, select.POLLIN)
    poll.poll()
    os._exit(0)


def _run_leader(job: Job, common: SharedPaths, shared: RootPlan, pipes: Pipes, ready: int) -> NoReturn:
    try:
        confine(job, common, shared, pipes, ready)
    except (OSError, ValueError) as error:
        for place in (READY_FD, ready):  # which one is open depends on the step that failed
            with contextlib.suppress(OSError):
                os.write(place, str(error).encode()[:4096] or b"refused")
        os._exit(_REFUSED)
    if job.argv is None:
        run_script(job, RESULT_FD)
    _execute(job.argv, job.environment)


def _execute(arguments: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvpe(arguments[0], list(arguments), dict(environment))  # noqa: S606 - the command to run
    except OSError as error:
        os.write(2, f"cannot run {arguments[0]!r}: {error.strerror}\n".encode())
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_RUNNABLE)


def _sees_files(job: Job) -> bool:
    """Return whether this process may see the open files of the run: its own user's, or with CAP_SYS_PTRACE."""
    return job.uid is None or kernel.has_capability(kernel.CAP_SYS_PTRACE)


def _wait(leader: int, control: int, watch: RunWatch | None) -> ExceededLimit | None:
    """Wait until the leader ends, the server closes the socket or the run exceeds a limit, which is returned."""
    watched = os.pidfd_open(leader)
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    poll.register(control, select.POLLIN | select.POLLHUP)
    try:
        while not poll.poll(None if watch is None else watch.interval_s * 1000):
            exceeded = watch.find_excess() if watch is not None else None
            if exceeded is not None:
                return exceeded
        return None
    finally:
        os.close(watched)


def _sweep(leader: int, holder: int | None, *, fenced: bool) -> int | None:
    """Kill and reap every descendant, however often it forks; return the leader's status.

    `killpg` misses processes that called `setsid`. With the holder of their ids the kernel kills them all. Else, as
    subreaper, every orphan becomes our child: with restricted signals `kill(-1)` kills all at once and no fork escapes;
    otherwise children are killed until there are none.
    """
    status = None
    until = time.monotonic() + _SWEEP_TIMEOUT_S
    while time.monotonic() < until:
        try:
            pid, found = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid == leader:
            status = found
        elif pid == 0:
            _kill_all(holder, fenced=fenced)
            time.sleep(_PAUSE_S)
    return status


def _kill_all(holder: int | None, *, fenced: bool) -> None:
    for pid in (holder,) if holder else (-1,) if fenced else _iter_children():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _iter_children() -> Iterator[int]:
    own = os.getpid()
    yield from map(int, Path(f"/proc/{own}/task/{own}/children").read_text("ascii").split())
