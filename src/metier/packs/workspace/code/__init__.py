"""Tools for code: look at a project, search it, run its tests, patch it, write it back."""

from metier.packs.workspace.code._tools import build_tools

__all__ = ["build_tools"]
