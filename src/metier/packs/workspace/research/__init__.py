"""Research: sub-questions, passages quoted word for word with their place, figures that differ, and what is missing."""

from typing import TYPE_CHECKING

from metier.packs.workspace.research._questions import name_measure
from metier.packs.workspace.research._tools import build_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from metier.bench import Figure

__all__ = ["build_tools", "figures", "name_measure"]


def figures(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of research: time over 1,000 indexed documents, and what passes unverified."""
    from metier.packs.workspace.research._figures import measure

    return measure(data)
