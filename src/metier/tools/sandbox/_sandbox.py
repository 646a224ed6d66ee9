"""Sandbox settings: accessible paths and resource limits."""

import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal

MIB: Final = 1024 * 1024

SandboxPolicy = Literal["required", "best_effort", "off"]

# What programs need to start; no accounts, passwords, certificates or host names.
_SYSTEM: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/alternatives",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
)
WRITABLE_DEVICES: Final = ("/dev/null", "/dev/full")
CLEAN_ENVIRONMENT: Mapping[str, str] = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Resource limits of one run. Memory is address space per process, `file_bytes` the size of any one file.

    `processes` counts threads too. As root it covers the run alone; otherwise the user's other processes are added.
    """

    wall_s: float = 30.0
    cpu_s: int = 30
    memory_bytes: int = 512 * MIB
    file_bytes: int = 32 * MIB
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


@cache
def list_shared_paths() -> tuple[str, ...]:
    """Return what every run may read: system programs and libraries, and those of the interpreter.

    Not the interpreter's whole prefix: a virtual environment may lie in a project's own folder.
    """
    paths = sysconfig.get_paths()
    base = Path(sys.base_prefix)
    wanted = (
        *map(Path, _SYSTEM),
        *(Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *(base / name for name in ("lib", "bin")),
        Path(sys.executable).parent,
        Path(sys.prefix) / "pyvenv.cfg",
    )
    there = sorted({path.resolve() for path in wanted if path.exists()})
    return tuple(str(path) for path in there if not any(path.is_relative_to(other) for other in there if other != path))
