"""Regular expressions of our own, compiled when they are first used."""

from metier.patterns._later import compile_later, compile_remaining

__all__ = ["compile_later", "compile_remaining"]
