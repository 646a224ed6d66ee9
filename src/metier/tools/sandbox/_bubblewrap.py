"""Bubblewrap as a second layer of isolation, where it is installed and may create namespaces."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

# Own PID, network, IPC and UTS namespaces. The file system is shared: each run gets a root of its own in it.
_OPTIONS: Final = (
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--dev-bind",
    "/",
    "/",
    "--proc",
    "/proc",
)
# Needed by the supervisor to mount the root of a run; as root also to switch users and to see the files of a run. The
# run itself keeps none.
_MOUNT_CAPABILITIES: Final = ("CAP_SYS_ADMIN",)
_ROOT_CAPABILITIES: Final = (
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_KILL",
    "CAP_SETGID",
    "CAP_SETUID",
    "CAP_SYS_ADMIN",
    "CAP_SYS_PTRACE",
)
_TRIAL_TIMEOUT_S: Final = 10


def _find_binary() -> str | None:
    beside = Path(sys.executable).parent / "bwrap"
    return str(beside) if beside.is_file() else shutil.which("bwrap")


def build_prefix(binary: str, *, root: bool) -> tuple[str, ...]:
    """Return the command prefix for this binary."""
    kept = _ROOT_CAPABILITIES if root else _MOUNT_CAPABILITIES
    powers = ("--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name)))
    return (binary, *_OPTIONS, *powers, "--")


@cache
def bubblewrap_prefix(*, root: bool) -> tuple[str, ...] | None:
    """Return the command prefix; None if bubblewrap is missing or does not work here."""
    binary = _find_binary() if sys.platform == "linux" else None
    if binary is None:
        return None
    prefix = build_prefix(binary, root=root)
    try:
        trial = subprocess.run([*prefix, "/bin/true"], capture_output=True, timeout=_TRIAL_TIMEOUT_S, check=False)  # noqa: S603 - the program was found on the PATH of the server; no text of a user is in it
    except (OSError, subprocess.TimeoutExpired):
        return None
    return prefix if trial.returncode == 0 else None


def is_installed() -> bool:
    """Return whether bubblewrap is installed."""
    return _find_binary() is not None
