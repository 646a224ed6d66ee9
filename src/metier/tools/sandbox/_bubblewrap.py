"""Bubblewrap, where it is installed and may make namespaces: a second wall around the first."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

# Processes, network, IPC and host name of its own. The file system stays as it is: Landlock says per run what is seen.
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
# What the supervisor needs to change the user of a run and to open closed ways; the run itself keeps none.
_CAPABILITIES: Final = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_KILL", "CAP_SETGID", "CAP_SETUID", "CAP_SYS_ADMIN")
_TRIAL_S: Final = 10


def _binary() -> str | None:
    beside = Path(sys.executable).parent / "bwrap"
    return str(beside) if beside.is_file() else shutil.which("bwrap")


@cache
def bubblewrap_prefix(*, root: bool) -> tuple[str, ...] | None:
    """The words to put before a command, or None when there is no bubblewrap or it may not do its work here."""
    binary = _binary() if sys.platform == "linux" else None
    if binary is None:
        return None
    powers = ("--cap-drop", "ALL", *(word for name in _CAPABILITIES for word in ("--cap-add", name))) if root else ()
    prefix = (binary, *_OPTIONS, *powers, "--")
    try:
        trial = subprocess.run([*prefix, "/bin/true"], capture_output=True, timeout=_TRIAL_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return prefix if trial.returncode == 0 else None


def is_installed() -> bool:
    """Whether there is a bubblewrap at all."""
    return _binary() is not None
