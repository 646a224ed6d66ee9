"""Workspace pack: research, documents, data, web pages, code and new skills, each under the tools its skill allows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.pack import PackContext
    from metier.tools import Tool

__all__ = ["tools"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools. Files are written in the conversation's folder."""
    from metier.packs.workspace import code, creator, data, documents, knowledge, research, web

    return (
        *research.build_tools(context),
        *documents.build_tools(context),
        *data.build_tools(context),
        *web.build_tools(context),
        *code.build_tools(context),
        *creator.build_tools(context),
        *knowledge.build_tools(context),
    )
