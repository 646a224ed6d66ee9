"""Run the checks of `make test` at the same time: the tests live, the others reported when they end.

Tests wait for processes, databases and a browser part of the time; type checking and the page's checks fill those gaps.
The exit code is 1 if any check failed; the last lines name each check with its result and duration.
"""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Lock
from typing import NamedTuple

STOPPED = 130
PAUSE_S = 0.2
USAGE = "usage: run_checks.py NAME=COMMAND [NAME=COMMAND ...]; the first one prints while it runs"


class Check(NamedTuple):
    """A named shell command."""

    name: str
    command: str


class Result(NamedTuple):
    """Outcome of a check; output is empty if it was printed live."""

    name: str
    code: int
    duration_s: float
    output: str


class Processes:
    """Processes of the checks. Each leads a group, so that it can be stopped with all that it starts."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[str]] = []
        self._lock = Lock()
        self.is_stopped = False

    def start(self, command: str, *, live: bool) -> "subprocess.Popen[str] | None":
        """Start a shell command; its output goes to the terminal if live, else into a pipe. None after `stop`."""
        with self._lock:
            if self.is_stopped:
                return None
            process = subprocess.Popen(  # noqa: S603 - the commands are those of the Makefile
                ["/bin/bash", "-c", command],
                stdout=None if live else subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._started.append(process)
        return process

    def stop(self, *_: object) -> None:
        """End what still runs; nothing is started any more. A signal handler: the main thread starts nothing itself."""
        with self._lock:
            self.is_stopped = True
        for process in self._started:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)


def run_check(check: Check, processes: Processes, *, live: bool) -> Result:
    """Run one check; unless live, collect its output."""
    started = time.monotonic()
    process = processes.start(check.command, live=live)
    if process is None:
        return Result(check.name, STOPPED, 0, "")
    output, _ = process.communicate()
    return Result(check.name, process.returncode, time.monotonic() - started, output or "")


def run_all(checks: list[Check], processes: Processes) -> list[Result]:
    """Run all checks at once, the first one live; the output of the others follows.

    The main thread looks up now and then: a signal that the system hands to another thread would not wake it.
    """
    with ThreadPoolExecutor(len(checks)) as pool:
        running = [pool.submit(run_check, check, processes, live=check is checks[0]) for check in checks]
        while wait(running, timeout=PAUSE_S).not_done:
            pass
        first, *others = running
        return [*(one.result() for one in others), first.result()]


def main(arguments: list[str]) -> int:
    """Run the checks named on the command line; whoever stops this stops them."""
    checks = [Check(*argument.split("=", 1)) for argument in arguments if "=" in argument]
    if not checks or len(checks) != len(arguments):
        print(USAGE, file=sys.stderr)
        return 2
    processes = Processes()
    before = {number: signal.signal(number, processes.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        results = run_all(checks, processes)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if processes.is_stopped:
        print("\nstopped before the end")
        return STOPPED
    return report(results)


def report(results: list[Result]) -> int:
    """Print the output and the result of each check; return the exit code."""
    for result in results:
        if result.output.strip():
            print(f"\n--- {result.name} ---\n{result.output.strip()}")
    print()
    for result in results:
        print(f"{'ok    ' if result.code == 0 else 'FAILED'} {result.name} ({result.duration_s:.0f} s)")
    return 1 if any(result.code for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
