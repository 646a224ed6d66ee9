"""Office pack: reads and edits documents, sheets and slides by plans that are shown before they are written."""

from typing import TYPE_CHECKING

from metier.workspaces import has_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from starlette.routing import BaseRoute
    from typer import Typer

    from metier.bench import Figure
    from metier.json_values import JsonObject
    from metier.pack import ClaimedSkill, PackContext
    from metier.tools import Tool

__all__ = ["app", "claim", "fallback_claim", "figures", "routes", "tools", "view_document"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools. Documents are written in the conversation's folder."""
    from metier.packs.office.conversation import build_tools
    from metier.packs.office.terms import build_term_tool

    return (*build_tools(context), build_term_tool())


def figures(data: "Path | None") -> "Iterator[Figure]":
    """Measure recall and precision of the analyses; the corpus is read from the data folder."""
    from metier.packs.office.figures import measure

    return measure(data)


def claim(message: str, workspace: "Path") -> "str | ClaimedSkill":
    """The skill for a message that says what it wants of a file that it names, or that is all orders for a document."""
    if not has_files(workspace):
        return ""
    from metier.packs.office.conversation import find_ordered, find_patterned, find_wished

    if (patterned := find_patterned(message, workspace)) is not None:
        return patterned
    if (wished := find_wished(message, workspace, is_sure=True)) is not None:
        return wished
    return "document_edit" if find_ordered(message, workspace) else ""


def fallback_claim(message: str, workspace: "Path") -> "str | ClaimedSkill":
    """The skill for a message that wants something of a document here, or the editing skill if it speaks of changes.

    Without a document the editing skill takes what says all of something new: it asks where to write it.
    """
    from metier.packs.office.conversation import find_wished, speaks_of_document, tells_new

    if not has_files(workspace):
        return "document_edit" if tells_new(message) else ""
    if (wished := find_wished(message, workspace, is_sure=False)) is not None:
        return wished
    return "document_edit" if speaks_of_document(message, workspace) else ""


def view_document(file: "Path", form: str) -> "JsonObject | bytes | None":
    """A document for the page's preview as blocks, or as PDF; None if this is no document of the pack."""
    from metier.packs.office.views import render_exact, view_file

    return render_exact(file).content if form == "pdf" else view_file(file)


def routes() -> "Sequence[BaseRoute]":
    """HTTP routes of the pack: plans for other tools, and the plan bench."""
    from metier.packs.office._routes import build_routes

    return build_routes()


def __getattr__(name: str) -> "Typer":
    """The command line is built when it is used: a pack costs nothing before."""
    if name == "app":
        from metier.packs.office._cli import app

        return app
    raise AttributeError(name)
