"""Admission of scripts: how much memory and disk space each may use, so that all together stay within their limits."""

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from metier.clock import awake_time
from metier.errors import Unavailable
from metier.tools._calls import ToolError
from metier.tools.sandbox import MIB, FolderUsage, ResourceLimits, measure_folder, open_folder
from metier.workspaces import WorkspaceQuota

# The least that a script gets while others of the same workspace run; with less it waits for them.
_MIN_BYTES: Final = MIB
_MIN_FILES: Final = 32


class _Space(NamedTuple):
    """Disk space: bytes, and number of files and folders."""

    size_bytes: int
    files: int

    def plus(self, other: "_Space") -> "_Space":
        return _Space(self.size_bytes + other.size_bytes, self.files + other.files)

    def minus(self, other: "_Space") -> "_Space":
        return _Space(self.size_bytes - other.size_bytes, self.files - other.files)


_NONE: Final = _Space(0, 0)


class Admission:
    """Reserves memory and disk space for each script before it starts.

    What is reserved and what the workspace holds never add up to more than the quota, so several scripts of one
    conversation cannot fill it together. A script that does not fit waits for the others.
    """

    def __init__(self, quota: WorkspaceQuota, memory_bytes: int = 0) -> None:
        self._quota = quota
        self._memory_bytes = memory_bytes or default_memory_bytes()
        self._used_memory_bytes = 0
        self._reserved: dict[Path, _Space] = defaultdict(lambda: _NONE)
        self._lock = asyncio.Lock()
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def admit(self, workspace: Path, limits: ResourceLimits, timeout_s: float) -> AsyncIterator[ResourceLimits]:
        """Wait for room, and yield the limits to run with; the time it took counts against `timeout_s`.

        A workspace is known by its path, so all calls must name it alike.
        """
        memory_bytes = min(limits.memory_bytes, self._memory_bytes)
        started = awake_time()
        try:
            async with asyncio.timeout(timeout_s):
                space = await self._reserve(workspace, limits, memory_bytes)
        except TimeoutError as error:
            raise Unavailable("too many scripts are under way", hint="try again when one has ended") from error
        try:
            yield replace(
                limits,
                wall_s=max(0.001, timeout_s - (awake_time() - started)),
                memory_bytes=memory_bytes,
                disk_bytes=space.size_bytes,
                max_files=space.files,
                max_depth=min(limits.max_depth, self._quota.max_depth - 1),
            )
        finally:
            self._release(workspace, space, memory_bytes)

    async def _reserve(self, workspace: Path, limits: ResourceLimits, memory_bytes: int) -> _Space:
        while True:
            freed = self._freed
            async with self._lock:
                if self._used_memory_bytes + memory_bytes <= self._memory_bytes:
                    space = await self._find_space(workspace, limits)
                    if space is not None:
                        self._used_memory_bytes += memory_bytes
                        self._reserved[workspace] = self._reserved[workspace].plus(space)
                        return space
            await freed.wait()

    async def _find_space(self, workspace: Path, limits: ResourceLimits) -> _Space | None:
        """Return the space for one script; None if it must wait for others, an error if the workspace is full."""
        used = await asyncio.to_thread(_measure, workspace, self._quota)
        reserved = self._reserved.get(workspace, _NONE)
        free = _Space(self._quota.max_bytes - used.size_bytes, self._quota.max_files - used.files)
        left = free.minus(reserved)
        if reserved == _NONE:
            if min(free) <= 0:
                raise _build_full_error(used, self._quota)
            return _Space(min(limits.disk_bytes, left.size_bytes), min(limits.max_files, left.files))
        if left.size_bytes < _MIN_BYTES or left.files < _MIN_FILES:
            return None
        return _Space(
            min(limits.disk_bytes, max(left.size_bytes // 2, _MIN_BYTES)),
            min(limits.max_files, max(left.files // 2, _MIN_FILES)),
        )

    def _release(self, workspace: Path, space: _Space, memory_bytes: int) -> None:
        self._used_memory_bytes -= memory_bytes
        self._reserved[workspace] = self._reserved[workspace].minus(space)
        if self._reserved[workspace] == _NONE:
            del self._reserved[workspace]
        self._freed.set()
        self._freed = asyncio.Event()


def _measure(workspace: Path, quota: WorkspaceQuota) -> FolderUsage:
    try:
        folder = open_folder(str(workspace))
    except OSError:  # not there yet
        return FolderUsage()
    try:
        return measure_folder(folder, quota.max_files, quota.max_depth)
    finally:
        os.close(folder)


def _build_full_error(used: FolderUsage, quota: WorkspaceQuota) -> ToolError:
    return ToolError(
        f"the workspace holds {used.size_bytes} of {quota.max_bytes} bytes in {used.files} of {quota.max_files} files",
        code="workspace_full",
        hint="remove files, or ask the operator to raise METIER_WORKSPACE_MAX_BYTES or METIER_WORKSPACE_MAX_FILES",
    )


def default_memory_bytes() -> int:
    """Half of this machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
