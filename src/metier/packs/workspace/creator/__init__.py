"""Tools for new skills: draft one from a form, check it against the catalog, install it after approval, remove it."""

from metier.packs.workspace.creator._tools import build_tools

__all__ = ["build_tools"]
