"""How long a person waits for `metier --help`, beside starting Python with nothing to do."""

import subprocess
import sys
from collections.abc import Iterator

from metier.bench._figures import Figure, median_ms


def measure_cli() -> Iterator[Figure]:
    """The command as a new process, imports and all."""
    helped = median_ms(lambda: _run("-m", "metier", "--help"), times=9)
    bare = median_ms(lambda: _run("-c", "import typer"), times=9)
    yield Figure("cli", "metier --help", helped, 300, 9, bare, "python -c 'import typer'")


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603 - our own interpreter
