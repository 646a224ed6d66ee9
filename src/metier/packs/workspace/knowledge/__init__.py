"""Explains words of research, data, documents and code from the pack's own document, with the source."""

from metier.packs.workspace.knowledge._tools import build_tools

__all__ = ["build_tools"]
