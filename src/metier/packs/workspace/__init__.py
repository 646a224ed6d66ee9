"""Workspace pack: research, documents, data, web pages, code and new skills, each under the tools its skill allows."""

from typing import TYPE_CHECKING

from metier.workspaces import has_files

if TYPE_CHECKING:
    from pathlib import Path

    from metier.pack import PackAnswer, PackContext, PackQuestion
    from metier.tools import Tool

__all__ = ["answer", "claim", "fallback_claim", "tools"]


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


def answer(question: "PackQuestion") -> "PackAnswer | None":
    """What the file under analysis says to a question about it; None for other messages and other skills."""
    from metier.packs.workspace.data import answer_from_file

    return answer_from_file(question) if question.skill == "data-analysis" else None


def claim(message: str, workspace: "Path") -> str:
    """The analysis for a message that asks, to its last word, for a table of the conversation in another format."""
    if not has_files(workspace):
        return ""
    from metier.packs.workspace.data import orders_conversion

    return "data-analysis" if orders_conversion(message, workspace) else ""


def fallback_claim(message: str, workspace: "Path") -> str:
    """The analysis for a message that wants the data looked at that were attached."""
    if not has_files(workspace):
        return ""
    from metier.packs.workspace.data import speaks_of_data

    return "data-analysis" if speaks_of_data(message, workspace) else ""
