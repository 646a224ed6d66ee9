"""Access and limits of a run, and the decision whether it may start and with which isolation."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from metier.errors import SandboxMissing
from metier.tools.sandbox._probe import SandboxReport, Tier
from metier.tools.sandbox._protocol import Job
from metier.tools.sandbox._shared_paths import CLEAN_ENVIRONMENT

MIB: Final = 1024 * 1024

SandboxPolicy = Literal["required", "best_effort", "off"]


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Resource limits of one run.

    `memory_bytes` limits the memory of all processes together, `address_bytes` the address space of each (0: as much
    as the memory; libraries that reserve far more than they use need more). `file_bytes` limits any one file,
    `disk_bytes`, `max_files` and `max_depth` the folder that the run works in. `processes` counts threads too. As root
    it covers the run alone; otherwise the user's other processes are added.
    """

    wall_s: float = 30.0
    cpu_s: int = 30
    memory_bytes: int = 512 * MIB
    address_bytes: int = 0
    file_bytes: int = 32 * MIB
    disk_bytes: int = 64 * MIB
    max_files: int = 2_000
    max_depth: int = 32
    processes: int = 32
    open_files: int = 256


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Access of one run: the folder it works and writes in, and other paths it may read or write. No network."""

    folder: Path
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    network: Literal[False] = False


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
        address_bytes=limits.address_bytes or limits.memory_bytes,
        file_bytes=min(limits.file_bytes, limits.disk_bytes),
        disk_bytes=limits.disk_bytes,
        max_files=limits.max_files,
        max_depth=limits.max_depth,
        processes=limits.processes,
        open_files=limits.open_files,
        environment={**CLEAN_ENVIRONMENT, "HOME": folder},
    )
