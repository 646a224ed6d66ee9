"""Data analysis: profile, groups, trends and pivots of tables, reports that can be computed again, new files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from metier.bench import Figure
    from metier.pack import PackContext
    from metier.tools import Tool

__all__ = ["build_tools", "figures"]


def build_tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the data tools."""
    from metier.packs.workspace.data._tools import build_tools as build

    return build(context)


def figures(data: "Path | None" = None) -> "Iterator[Figure]":
    """Measure a report on a large file and the memory of a million rows; no data folder is needed."""
    from metier.packs.workspace.data._figures import measure

    del data
    return measure()
