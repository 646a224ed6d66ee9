"""Processes of a browser: found by a mark in its command line, measured and ended. Needs Linux's /proc."""

import os
import signal
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_PROC: Final = Path("/proc")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


class ProcessId(NamedTuple):
    """A process: its number, and when it started, because numbers are used again."""

    pid: int
    started: int


def list_tree(marker: str) -> list[ProcessId]:
    """Process whose command line holds the marker, and all its descendants; empty where there is no /proc."""
    children: dict[int, list[ProcessId]] = defaultdict(list)
    roots: list[ProcessId] = []
    for pid in _list_pids():
        with suppress(OSError, ValueError, IndexError):
            parent, started = _read_stat(pid)
            children[parent].append(ProcessId(pid, started))
            if marker.encode() in (_PROC / str(pid) / "cmdline").read_bytes().split(b"\0"):
                roots.append(ProcessId(pid, started))
    found: list[ProcessId] = []
    while roots:
        one = roots.pop()
        if one not in found:
            found.append(one)
            roots.extend(children[one.pid])
    return found


def measure_memory(processes: Iterable[ProcessId]) -> int:
    """Bytes that these processes use, without what they share with others."""
    total = 0
    for pid, _ in processes:
        with suppress(OSError, ValueError):
            _, resident, shared, *_ = map(int, (_PROC / str(pid) / "statm").read_text("ascii").split())
            total += max(0, resident - shared) * _PAGE_BYTES
    return total


def end_processes(processes: Iterable[ProcessId]) -> None:
    """End these processes; those that are gone are left alone."""
    for pid, started in processes:
        with suppress(OSError, ValueError, IndexError):
            if _read_stat(pid)[1] == started:
                os.kill(pid, signal.SIGKILL)


def _read_stat(pid: int) -> tuple[int, int]:
    """Parent and start time of a process."""
    fields = (_PROC / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return int(fields[1]), int(fields[19])


def _list_pids() -> list[int]:
    try:
        return [int(one.name) for one in _PROC.iterdir() if one.name.isdigit()]
    except OSError:
        return []
