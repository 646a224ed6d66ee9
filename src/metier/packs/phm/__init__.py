"""PHM pack: diagnosis of rotating machines from vibration records, trends and remaining life."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from typer import Typer

    from metier.bench import Figure
    from metier.pack import PackContext
    from metier.tools import Tool

__all__ = ["app", "claim", "fallback_claim", "figures", "tools"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools. Reports are written into the conversation's folder."""
    from metier.packs.phm.conversation import build_tools

    return build_tools(context)


def claim(message: str, workspace: "Path") -> str:
    """The diagnosis for a message that gives nothing but the speed of the shaft, such as 转速是1480."""
    from metier.packs.phm._everyday import gives_only_speed

    del workspace
    return "bearing_diagnosis" if gives_only_speed(message) else ""


def fallback_claim(message: str, workspace: "Path") -> str:
    """The skill for a message that asks in everyday words how a named machine does."""
    from metier.packs.phm._everyday import find_everyday_skill

    return find_everyday_skill(message, workspace)


def figures(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of the pack; public records are read from the data folder."""
    from metier.packs.phm._figures import measure

    return measure(data)


def __getattr__(name: str) -> "Typer":
    """The command line is built when it is used: a pack costs nothing before."""
    if name == "app":
        from metier.packs.phm._cli import app

        return app
    raise AttributeError(name)
