"""Paths and environment variables that every sandboxed run sees."""

import sys
import sysconfig
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

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
        # This package, wherever it is installed: scripts of a pack use the pack's own modules.
        Path(__file__).parents[2],
    )
    there = sorted({path.resolve() for path in wanted if path.exists()})
    return tuple(str(path) for path in there if not any(path.is_relative_to(other) for other in there if other != path))


@cache
def list_linked_names() -> tuple[str, ...]:
    """Return names under which programs look for shared paths, and which may be symbolic links: `/bin`, `python`."""
    paths = sysconfig.get_paths()
    return tuple(
        dict.fromkeys((*_SYSTEM[:6], sys.executable, sys.prefix, sys.base_prefix, paths["purelib"], paths["stdlib"]))
    )
