"""Benchmark of `metier --help`, beside starting Python with typer alone."""

import subprocess
import sys
from collections.abc import Iterator

from metier.bench._figures import Figure, median_ms


def measure_cli() -> Iterator[Figure]:
    """Measure the command as a new process, imports included."""
    helped = median_ms(lambda: _run("-m", "metier", "--help"), times=9)
    bare = median_ms(lambda: _run("-c", "import typer"), times=9)
    yield Figure("cli", "metier --help", helped, 300, 9, bare, "python -c 'import typer'")


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603 - our own interpreter
