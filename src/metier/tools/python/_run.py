"""Run Python code in the sandbox and read what it left: output, tables, pictures, error."""

import json
import math
import os
import secrets
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from metier.tools.sandbox import MIB, CommandResult, ResourceLimits, Sandbox, run_command
from metier.workspaces import WorkspaceQuota

_INSIDE: Final = Path(__file__).with_name("_inside.py")
_FONT: Final = "NotoSansSC-subset.ttf"
_RESERVED_BYTES: Final = 2048 * MIB  # address space that numpy, pyarrow and matplotlib reserve beside what they use
_MAX_DOCUMENT_BYTES: Final = 32 * MIB
_OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# One thread a library: each thread more reserves memory, and counts as a process.
_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "ARROW_IO_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "MPLBACKEND": "Agg",
        "PYTHONIOENCODING": "utf-8",
    }
)


@dataclass(frozen=True, slots=True)
class PythonLimits:
    """Limits of one run: memory, seconds, and those of the workspace."""

    memory_bytes: int = 512 * MIB
    max_s: float = 120.0
    quota: WorkspaceQuota = field(default_factory=WorkspaceQuota)


@dataclass(frozen=True, slots=True)
class PythonOutcome:
    """What a run gave. `document` is None if the code was stopped before it could write one."""

    ended: CommandResult
    document: Mapping[str, Any] | None


async def run_code(code: str, *, workspace: Path, timeout_s: float, limits: PythonLimits) -> PythonOutcome:
    """Run the code in the workspace; raises `SandboxMissing` if there is no sandbox."""
    quota = limits.quota
    result = f".run_python-{secrets.token_hex(8)}.json"
    request = {"code": code, "result": result, "font": str(files("metier.exports") / "fonts" / _FONT)}
    sandbox = Sandbox(
        workspace,
        limits=ResourceLimits(
            wall_s=timeout_s,
            cpu_s=math.ceil(timeout_s),
            memory_bytes=limits.memory_bytes,
            address_bytes=limits.memory_bytes + _RESERVED_BYTES,
            file_bytes=quota.max_bytes,
            disk_bytes=quota.max_bytes,
            max_files=quota.max_files,
            max_depth=quota.max_depth,
        ),
    )
    ended = await run_command(
        [sys.executable, "-I", "-B", "-X", "utf8", str(_INSIDE)],
        sandbox=sandbox,
        stdin=json.dumps(request).encode(),
        env={**_ENVIRONMENT, "MPLCONFIGDIR": str(workspace / ".cache" / "matplotlib")},
    )
    return PythonOutcome(ended, _read_document(workspace / result))


def _read_document(path: Path) -> Mapping[str, Any] | None:
    """Read and remove the document. The code may have written anything, so it is data and nothing more."""
    try:
        with os.fdopen(os.open(path, _OPEN_FLAGS), "rb") as file:
            is_plain = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            text = file.read(_MAX_DOCUMENT_BYTES + 1) if is_plain else b""
        found = json.loads(text) if len(text) <= _MAX_DOCUMENT_BYTES else None
    except (OSError, ValueError, RecursionError):
        found = None
    with suppress(OSError):
        path.unlink()
    return found if isinstance(found, Mapping) else None
