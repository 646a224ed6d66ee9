"""Research: sub-questions, passages quoted word for word with their place, figures that differ, and what is missing."""

from metier.packs.workspace.research._tools import build_tools

__all__ = ["build_tools"]
