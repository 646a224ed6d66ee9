"""Bubblewrap as a second layer of isolation, where it is installed and may create namespaces."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

# Own PID, network, IPC and UTS namespaces. The file system is shared: Landlock restricts it per run.
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
# Needed by the supervisor to switch users and to make paths reachable; the run itself keeps none.
_CAPABILITIES: Final = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_KILL", "CAP_SETGID", "CAP_SETUID", "CAP_SYS_ADMIN")
_TRIAL_TIMEOUT_S: Final = 10


def _find_binary() -> str | None:
    beside = Path(sys.executable).parent / "bwrap"
    return str(beside) if beside.is_file() else shutil.which("bwrap")


@cache
def bubblewrap_prefix(*, root: bool) -> tuple[str, ...] | None:
    """Return the command prefix; None if bubblewrap is missing or does not work here."""
    binary = _find_binary() if sys.platform == "linux" else None
    if binary is None:
        return None
    powers = ("--cap-drop", "ALL", *(word for name in _CAPABILITIES for word in ("--cap-add", name))) if root else ()
    prefix = (binary, *_OPTIONS, *powers, "--")
    try:
        trial = subprocess.run([*prefix, "/bin/true"], capture_output=True, timeout=_TRIAL_TIMEOUT_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return prefix if trial.returncode == 0 else None


def is_installed() -> bool:
    """Return whether bubblewrap is installed."""
    return _find_binary() is not None
