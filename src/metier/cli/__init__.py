"""Command line: one module per command group; heavy imports wait until a command runs."""

from metier.cli._main import main, run

__all__ = ["main", "run"]
