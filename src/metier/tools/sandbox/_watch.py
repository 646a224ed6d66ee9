"""Limits that the kernel does not enforce for a whole run, measured while it runs: its folder, and its processes.

/proc tells the memory of processes, and the files that have no name any more but still take space.
"""

import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from metier.tools.sandbox._folder_usage import FolderUsage, measure_folder, open_folder
from metier.tools.sandbox._protocol import ExceededLimit, Job

_INTERVAL_S: Final = 0.02
_MAX_SHARE: Final = 5  # measuring takes at most a fifth of the time
_KIB: Final = 1024
_RESIDENT: Final = (b"RssAnon:", b"VmSwap:")
_PROPORTIONAL: Final = (b"Pss_Anon:", b"SwapPss:")
_DELETED: Final = b" (deleted)"


class DeletedFiles(NamedTuple):
    """Bytes of files without a name, and the processes whose open files cannot be seen."""

    size_bytes: int = 0
    hidden: frozenset[int] = frozenset()


class RunWatch:
    """Measures one run from its supervisor. `sees_files` says whether the supervisor may see the run's open files.

    `ignored` is a process of the supervisor's own beside the run.
    """

    def __init__(self, job: Job, *, sees_files: bool, ignored: int | None = None) -> None:
        self._job = job
        self._sees_files = sees_files
        self._ignored = ignored
        self._folder = open_folder(job.folder)
        self._limit = FolderUsage(job.disk_bytes, job.max_files, job.max_depth)
        self._raise_to(measure_folder(self._folder, job.max_files, job.max_depth))
        self._hidden: frozenset[int] = frozenset()
        self.interval_s = _INTERVAL_S

    def _raise_to(self, used: FolderUsage) -> None:
        """A folder that is over a limit before the run may not grow, but the run can delete files."""
        self._limit = FolderUsage(*map(max, self._limit, used))

    def find_excess(self) -> ExceededLimit | None:
        """Return the limit that the run exceeds now, None if it is within all of them."""
        started = time.monotonic()
        found = self._check_memory_and_files()
        self.interval_s = max(_INTERVAL_S, (time.monotonic() - started) * _MAX_SHARE)
        return found

    def _check_memory_and_files(self) -> ExceededLimit | None:
        processes = [pid for pid in list_descendants(os.getpid()) if pid != self._ignored]
        memory_bytes = measure_memory(processes, self._job.memory_bytes)
        if memory_bytes > self._job.memory_bytes:
            return ExceededLimit("memory", memory_bytes, self._job.memory_bytes)
        deleted = self._measure_deleted(processes)
        hidden, self._hidden = self._hidden & deleted.hidden, deleted.hidden
        if hidden:  # twice in a row, so not just starting or ending
            return ExceededLimit("hidden", len(hidden), 0)
        return self.find_folder_excess(deleted.size_bytes)

    def _measure_deleted(self, processes: list[int]) -> DeletedFiles:
        if not self._sees_files:
            return DeletedFiles()
        return measure_deleted_files(processes, self._job.folder, self._job.file_bytes)

    def find_folder_excess(self, deleted_bytes: int = 0) -> ExceededLimit | None:
        """Return the limit that the folder exceeds."""
        used = measure_folder(self._folder, self._limit.files, self._limit.depth)
        if used.depth > self._limit.depth:
            return ExceededLimit("depth", used.depth, self._limit.depth)
        if used.files > self._limit.files:
            return ExceededLimit("files", used.files, self._limit.files)
        if used.size_bytes + deleted_bytes > self._limit.size_bytes:
            return ExceededLimit("disk", used.size_bytes + deleted_bytes, self._limit.size_bytes)
        return None


def list_descendants(root: int) -> list[int]:
    """Return the process ids of all descendants. Orphans are among them: their new parent is one of these too."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        children = list(_iter_children(waiting.pop()))
        found += children
        waiting += children
    return found


def _iter_children(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - names only
            with suppress(OSError):
                yield from map(int, _read(f"/proc/{pid}/task/{task}/children").split())


def _read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123 - cheaper, many times a second
        return file.read()


def measure_memory(pids: Iterable[int], limit_bytes: int) -> int:
    """Return the memory of these processes together; pages that several of them share count once if need be.

    Resident memory counts a page of a forked process twice. Only if that sum is over the limit, the kernel is asked for
    proportional shares, which takes longer and may not be allowed.
    """
    listed = list(pids)
    total = sum(_sum_lines(f"/proc/{pid}/status", _RESIDENT) or 0 for pid in listed)
    if total <= limit_bytes:
        return total
    shares = [_sum_lines(f"/proc/{pid}/smaps_rollup", _PROPORTIONAL) for pid in listed]
    known = [share for share in shares if share is not None]
    return sum(known) if known and len(known) == len(shares) else total


def _sum_lines(path: str, names: tuple[bytes, ...]) -> int | None:
    """Return the sum of these lines in bytes; None if the file cannot be read or has none of them."""
    try:
        lines = _read(path).splitlines()
    except PermissionError:
        return None
    except OSError:  # the process has ended
        return 0
    values = [int(line.split()[1]) * _KIB for line in lines if line.startswith(names)]
    return sum(values) if values or not lines else None


def measure_deleted_files(pids: Iterable[int], folder: str, file_bytes: int) -> DeletedFiles:
    """Measure files that were deleted while they are open or mapped, so that no folder shows them.

    A mapped file whose descriptor is closed has no size that can be asked; it counts as the largest possible one.
    """
    device = os.stat(folder).st_dev  # noqa: PTH116 - a text
    opened: dict[int, int] = {}
    mapped: set[int] = set()
    hidden: set[int] = set()
    for pid in pids:
        try:
            opened |= _find_open(pid, device)
            mapped |= _find_mapped(pid, folder)
        except PermissionError:
            hidden |= {pid} if _has_memory(pid) else set()
        except OSError:  # the process has ended
            continue
    return DeletedFiles(sum(opened.values()) + file_bytes * len(mapped - opened.keys()), frozenset(hidden))


def _find_open(pid: int, device: int) -> dict[int, int]:
    found = {}
    for number in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - names only
        with suppress(FileNotFoundError):
            seen = os.stat(f"/proc/{pid}/fd/{number}")  # noqa: PTH116 - cheaper, many times a second
            if stat.S_ISREG(seen.st_mode) and not seen.st_nlink and seen.st_dev == device:
                found[seen.st_ino] = seen.st_size
    return found


def _find_mapped(pid: int, folder: str) -> set[int]:
    inside = os.fsencode(folder) + b"/"
    lines = (line.split(maxsplit=5) for line in _read(f"/proc/{pid}/maps").splitlines() if line.endswith(_DELETED))
    return {int(parts[4]) for parts in lines if len(parts) == 6 and parts[5].startswith(inside)}


def _has_memory(pid: int) -> bool:
    """Return whether the process runs: one that is ending has no memory, and belongs to root for a moment."""
    try:
        return b"\nVmRSS:" in _read(f"/proc/{pid}/status")
    except OSError:
        return False
