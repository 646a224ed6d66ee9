"""Commands for owners of a catalog: how well skills are found, which of them collide, and what to write."""

from metier.cli.advice._eval import eval_command

__all__ = ["eval_command"]
