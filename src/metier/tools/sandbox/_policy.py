"""Decide whether a run may start, and with which isolation."""

from dataclasses import dataclass

from metier.errors import SandboxMissing
from metier.tools.sandbox._probe import SandboxReport, Tier
from metier.tools.sandbox._protocol import Job
from metier.tools.sandbox._sandbox import CLEAN_ENVIRONMENT, Sandbox, SandboxPolicy


@dataclass(frozen=True, slots=True)
class Isolation:
    """Isolation of one run."""

    tier: Tier
    confined: bool = True
    limited: bool = True


def choose_isolation(policy: SandboxPolicy, report: SandboxReport, *, trusted: bool) -> Isolation:
    """Return the isolation of a run, or raise `SandboxMissing`. Untrusted code never runs without the sandbox.

    `off` disables it for trusted scripts; `best_effort` runs trusted scripts with resource limits only where there is
    no sandbox.
    """
    if not report.can_run:
        raise SandboxMissing("scripts and commands run on Linux only", hint="use Linux, a container or WSL")
    if policy == "off" and trusted:
        return Isolation(0, confined=False, limited=False)
    if report.tier:
        return Isolation(report.tier)
    if policy != "required" and trusted:
        return Isolation(0, confined=False)
    broken = next((found.message for found in report.findings if not found.holds), "nothing holds")
    raise SandboxMissing(f"there is no sandbox on this machine: {broken}", hint=report.hint or "see `metier doctor`")


def build_job(sandbox: Sandbox, walls: Isolation, report: SandboxReport, uid: int | None) -> Job:
    """Build the part of a job that scripts and commands share."""
    limits = sandbox.limits
    folder = str(sandbox.folder.resolve())
    return Job(
        folder=folder,
        readable=tuple(str(path.resolve()) for path in sandbox.readable),
        writable=(folder, *(str(path.resolve()) for path in sandbox.writable)),
        confined=walls.confined,
        limited=walls.limited,
        abi=report.landlock_abi,
        uid=uid if walls.confined and report.drops_uid else None,
        cpu_s=limits.cpu_s,
        memory_bytes=limits.memory_bytes,
        file_bytes=limits.file_bytes,
        processes=limits.processes,
        open_files=limits.open_files,
        environment={**CLEAN_ENVIRONMENT, "HOME": folder},
    )
