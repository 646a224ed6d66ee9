"""Run the checks of `make test` at the same time: the tests live, the others reported when they end.

Tests wait for processes, databases and a browser part of the time; type checking and the page's checks fill those gaps.
The exit code is 1 if any check failed; the last lines name each check with its result and duration.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

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


def run_check(check: Check, *, live: bool) -> Result:
    """Run one check; unless live, collect its output."""
    started = time.monotonic()
    to = None if live else subprocess.PIPE
    done = subprocess.run(  # noqa: S603 - the commands are those of the Makefile
        ["/bin/bash", "-c", check.command], stdout=to, stderr=subprocess.STDOUT, text=True, check=False
    )
    return Result(check.name, done.returncode, time.monotonic() - started, done.stdout or "")


def run_all(checks: list[Check]) -> list[Result]:
    """Run all checks at once, the first one live; the output of the others follows."""
    with ThreadPoolExecutor(len(checks)) as pool:
        others = [pool.submit(run_check, check, live=False) for check in checks[1:]]
        first = run_check(checks[0], live=True)
        return [*(one.result() for one in others), first]


def main(arguments: list[str]) -> int:
    """Run the checks named on the command line."""
    checks = [Check(*argument.split("=", 1)) for argument in arguments if "=" in argument]
    if not checks or len(checks) != len(arguments):
        print(USAGE, file=sys.stderr)
        return 2
    results = run_all(checks)
    for result in results:
        if result.output.strip():
            print(f"\n--- {result.name} ---\n{result.output.strip()}")
    print()
    for result in results:
        print(f"{'ok    ' if result.code == 0 else 'FAILED'} {result.name} ({result.duration_s:.0f} s)")
    return 1 if any(result.code for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
