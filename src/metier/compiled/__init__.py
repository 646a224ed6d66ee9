"""Compiled code that is kept between starts: methods of dataclasses and regular expressions."""

from metier.compiled._keep import compile_constant, keep_compiled, save_compiled

__all__ = ["compile_constant", "keep_compiled", "save_compiled"]
