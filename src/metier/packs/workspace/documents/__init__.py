"""New pptx, docx, pdf and xlsx files from an outline, a document, a research report or an analysis."""

from metier.packs.workspace.documents._tools import build_tools

__all__ = ["build_tools"]
