"""Run one command in the sandbox, from a new worker process."""

import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.errors import SandboxMissing
from metier.tools.sandbox._bubblewrap import bubblewrap_prefix
from metier.tools.sandbox._path_access import COMMAND_UIDS
from metier.tools.sandbox._policy import Sandbox, SandboxPolicy, build_job, choose_isolation
from metier.tools.sandbox._probe import Tier, probe
from metier.tools.sandbox._worker import Worker, WorkerLost

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_KILLED: Final = -9


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Result of a command. `exit_code` is negative for a signal; `truncated` if output was cut at 64 KiB."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    truncated: bool
    timed_out: bool
    elapsed_ms: float
    tier: Tier


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
    return CommandResult(
        exit_code=_KILLED if ended.code is None else ended.code,
        stdout=ended.stdout.data,
        stderr=ended.stderr.data,
        truncated=ended.stdout.cut or ended.stderr.cut,
        timed_out=ended.timed_out,
        elapsed_ms=(time.perf_counter() - started) * 1000,
        tier=walls.tier,
    )
