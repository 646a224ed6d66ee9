"""Run one command in the sandbox, from a new worker process."""

import asyncio
import os
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import SandboxMissing
from metier.tools.sandbox._bubblewrap import bubblewrap_prefix
from metier.tools.sandbox._folder_usage import open_folder, walk_tree
from metier.tools.sandbox._path_access import COMMAND_UIDS
from metier.tools.sandbox._policy import Sandbox, SandboxPolicy, build_job, choose_isolation
from metier.tools.sandbox._probe import Tier, probe
from metier.tools.sandbox._protocol import ExceededLimit
from metier.tools.sandbox._worker import Worker, WorkerLost
from metier.workspaces import delete_tree

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_KILLED: Final = -9
_MAX_DEPTH: Final = 64


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Result of a command. `exit_code` is negative for a signal; `truncated` if output was cut at 64 KiB.

    `exceeded` is the limit for which the command was stopped; then its new files are deleted.
    """

    exit_code: int
    stdout: bytes
    stderr: bytes
    truncated: bool
    timed_out: bool
    elapsed_ms: float
    tier: Tier
    exceeded: ExceededLimit | None = None


async def run_command(
    command: Sequence[str] | str,
    *,
    sandbox: Sandbox,
    stdin: bytes = b"",
    env: Mapping[str, str] = _NOTHING,
    policy: SandboxPolicy = "required",
    trusted: bool = False,
) -> CommandResult:
    """Run a list of arguments, or a text for `sh`, in `sandbox.folder`; raise `SandboxMissing` if not allowed.

    The environment is PATH, LANG and HOME (the folder), plus `env`. Cancelling kills the command and every process it
    started. As root, the folder and its content are owned by the sandbox user of the folder afterwards.
    """
    report = probe()
    walls = choose_isolation(policy, report, trusted=trusted)
    uid = COMMAND_UIDS[zlib.crc32(str(sandbox.folder.resolve()).encode()) % len(COMMAND_UIDS)]
    shared = build_job(sandbox, walls, report, uid)
    job = shared._replace(
        argv=["/bin/sh", "-c", command] if isinstance(command, str) else list(command),
        stdin=stdin.decode("latin-1"),
        environment={**shared.environment, **env},
    )
    known = await asyncio.to_thread(_list_inodes, sandbox.folder) if walls.limited else frozenset()
    started = time.perf_counter()
    prefix = bubblewrap_prefix(root=report.drops_uid) if walls.tier == 2 else None
    worker = await Worker.start(prefix or ())
    try:
        ended = await worker.run(job, sandbox.limits.wall_s)
    except WorkerLost as error:
        raise SandboxMissing(f"the sandbox could not be started: {error}", hint="see `metier doctor`") from error
    finally:
        await worker.stop()
    if ended.refused:
        raise SandboxMissing(f"the sandbox could not be set up: {ended.refused}", hint="see `metier doctor`")
    if ended.exceeded is not None and ended.exceeded.kind != "memory":
        await asyncio.to_thread(_delete_new, sandbox.folder, known, job.uid)
    return CommandResult(
        exit_code=_KILLED if ended.code is None else ended.code,
        stdout=ended.stdout.data,
        stderr=ended.stderr.data,
        truncated=ended.stdout.cut or ended.stderr.cut,
        timed_out=ended.timed_out,
        elapsed_ms=(time.perf_counter() - started) * 1000,
        tier=walls.tier,
        exceeded=ended.exceeded,
    )


def _list_inodes(folder: Path) -> frozenset[int]:
    try:
        root = open_folder(str(folder))
    except OSError:  # the worker says what is wrong
        return frozenset()
    try:
        return frozenset(entry.found.st_ino for entry in walk_tree(root, _MAX_DEPTH))
    finally:
        os.close(root)


def _delete_new(folder: Path, known: frozenset[int], uid: int | None) -> None:
    """Delete what was not there before the command; if it had a user of its own, only what belongs to that user."""
    for path in _list_new(folder, known, uid):
        delete_tree(path)
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _list_new(folder: Path, known: frozenset[int], uid: int | None) -> list[Path]:
    root = open_folder(str(folder))
    found: list[Path] = []
    trail: list[str] = []
    inside = 0  # depth of the new folder whose content is being listed
    try:
        for entry in walk_tree(root, _MAX_DEPTH):
            trail[entry.depth - 1 :] = [entry.name]
            if inside and entry.depth > inside:
                continue
            is_new = entry.found.st_ino not in known and uid in (None, entry.found.st_uid)
            inside = entry.depth if is_new else 0
            if is_new:
                found.append(folder.joinpath(*trail))
    finally:
        os.close(root)
    return found
