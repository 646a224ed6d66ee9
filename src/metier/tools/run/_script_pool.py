"""Pool for scripts: a warm worker process that forks once per call, so that calls are isolated."""

import asyncio
import math
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from metier.errors import SandboxMissing, Unavailable, UsageError
from metier.json_values import JsonObject
from metier.settings import Settings
from metier.tools.run._admission import Admission
from metier.tools.sandbox import (
    SCRIPT_UIDS,
    Isolation,
    ResourceLimits,
    Sandbox,
    SandboxPolicy,
    SandboxReport,
    Worker,
    WorkerLost,
    WorkerResult,
    bubblewrap_prefix,
    build_job,
    choose_isolation,
    probe,
)
from metier.workspaces import WorkspaceQuota, delete_tree

_MAX_ATTEMPTS: Final = 2
_BUBBLEWRAP_TIER: Final = 2


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """Call of a script: the source just read, the function, and the folders it may access.

    `folder` is the empty folder it works in, `workspace` the one whose quota it counts against.
    """

    script: Path
    source: str
    function: str
    arguments: JsonObject
    skill_folder: Path
    folder: Path
    timeout_s: float
    trusted: bool = False
    workspace: Path | None = None


class ScriptPool:
    """Owns the worker. Use as `async with`; the worker starts with the first call, or with `warm`.

    A worker that dies is replaced at the next call; a call that had not started is retried once. `quota` limits the
    files of each workspace, `memory_bytes` the memory of all scripts together: calls wait until there is room.
    """

    def __init__(
        self,
        *,
        policy: SandboxPolicy = "required",
        limits: ResourceLimits | None = None,
        uids: range = SCRIPT_UIDS,
        report: SandboxReport | None = None,
        quota: WorkspaceQuota | None = None,
        memory_bytes: int = 0,
    ) -> None:
        self._policy = policy
        self._limits = limits or ResourceLimits()
        self._report = report or probe()
        self._uids = deque(uids)
        self._uids.rotate(-os.getpid())  # two servers on one machine start at different uids
        self._admission = Admission(quota or WorkspaceQuota(), memory_bytes)
        self._workers: dict[bool, asyncio.Task[Worker]] = {}  # by whether bubblewrap is around them
        self._open = False

    @classmethod
    def from_settings(cls, settings: Settings) -> "ScriptPool":
        """Build the pool with the operator's policy and limits."""
        quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
        return cls(policy=settings.sandbox, quota=quota, memory_bytes=settings.scripts_memory_max_bytes)

    async def __aenter__(self) -> Self:
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        started, self._workers = list(self._workers.values()), {}
        for task in started:
            with suppress(OSError):
                await (await task).stop()

    @property
    def worker_pid(self) -> int | None:
        """Process id of the running worker; None if there is none."""
        alive = [one for wrapped in self._workers if (one := self._find_started(wrapped)) and one.is_alive]
        return alive[0].pid if alive else None

    async def warm(self) -> None:
        """Start the worker now, so that the first call does not wait for it."""
        await self._ensure_worker(wrapped=self._report.tier == _BUBBLEWRAP_TIER)

    async def call(self, call: ScriptCall) -> WorkerResult:
        """Run a call to its end; raise `SandboxMissing` if it must not run, `Unavailable` if it cannot.

        A workspace without room for more files is the `ToolError` `workspace_full`. The folder of a call that
        exceeded a limit is deleted.
        """
        walls = choose_isolation(self._policy, self._report, trusted=call.trusted)
        limits = replace(self._limits, wall_s=call.timeout_s, cpu_s=math.ceil(call.timeout_s) + 1)
        if not walls.limited:
            return await self._run(call, walls, limits)
        async with self._admission.admit(call.workspace or call.folder, limits, call.timeout_s) as granted:
            ended = await self._run(call, walls, granted)
            if ended.exceeded is not None:  # before others may use the space
                await asyncio.to_thread(delete_tree, call.folder)
            return ended

    async def _run(self, call: ScriptCall, walls: Isolation, limits: ResourceLimits) -> WorkerResult:
        sandbox = Sandbox(call.folder, readable=(call.skill_folder,), limits=limits)
        with self._reserve_uid() as uid:
            job = build_job(sandbox, walls, self._report, uid)._replace(
                give_back=True,
                script=str(call.script),
                function=call.function,
                source=call.source,
                arguments=call.arguments,
            )
            for _ in range(_MAX_ATTEMPTS):
                worker = await self._ensure_worker(wrapped=walls.tier == _BUBBLEWRAP_TIER)
                try:
                    return await worker.run(job, limits.wall_s)
                except WorkerLost:
                    await self._replace(worker)
        raise SandboxMissing("the worker for scripts cannot be started", hint="see `metier doctor`")

    @contextmanager
    def _reserve_uid(self) -> Iterator[int]:
        """Reserve the uid that has been unused for longest; no other call gets it meanwhile."""
        if not self._uids:
            raise Unavailable("too many scripts are under way", hint="try again when one has ended")
        uid = self._uids.popleft()
        try:
            yield uid
        finally:
            self._uids.append(uid)

    def _find_started(self, wrapped: bool) -> Worker | None:
        """The worker of this kind, if its start has succeeded."""
        task = self._workers.get(wrapped)
        return task.result() if task is not None and task.done() and task.exception() is None else None

    async def _ensure_worker(self, *, wrapped: bool) -> Worker:
        """Return the shared worker, starting it if needed; cancelling one call does not stop it.

        Scripts that run without a sandbox have a worker of their own: bubblewrap around it would confine them.
        """
        if not self._open:
            raise UsageError("the script pool is closed", hint="use it inside `async with ScriptPool() as pool:`")
        worker, task = self._find_started(wrapped), self._workers.get(wrapped)
        if task is None or (task.done() and (worker is None or not worker.is_alive)):
            prefix = bubblewrap_prefix(root=self._report.drops_uid) if wrapped else None
            task = self._workers[wrapped] = asyncio.create_task(Worker.start(prefix or ()))
            if worker is not None:
                await worker.stop()  # its process is gone, its socket is still open
        return await asyncio.shield(task)

    async def _replace(self, broken: Worker) -> None:
        for wrapped in list(self._workers):
            if self._find_started(wrapped) is broken:
                del self._workers[wrapped]
                await broken.stop()
