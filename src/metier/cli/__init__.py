"""Command line: one module per command group; heavy imports wait until a command runs."""

import sys
import threading
from collections.abc import Sequence

from metier.compiled import keep_compiled

__all__ = ["main", "run"]

_NATIVE_THREAD = "metier-embedder"  # may be loading an encoder that the command did not wait for


def run(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 invalid, 6 unavailable, 130 interrupted.
    """
    from metier.cli._main import run as run_command

    return run_command(argv)


def main() -> None:
    """Entry point of the `metier` command."""
    keep_compiled()  # before anything is compiled that it could give; not for who calls `run` in a process of their own
    code = run()
    if any(thread.name == _NATIVE_THREAD for thread in threading.enumerate()):
        from metier.background import leave_process

        leave_process(code)
    sys.exit(code)
