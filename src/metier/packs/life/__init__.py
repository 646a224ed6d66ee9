"""Life pack: bazi, zodiac, tarot, career and goals, computed first and explained sentence by sentence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from metier.bench import Figure
    from metier.pack import PackContext
    from metier.tools import Tool

__all__ = ["measure_charts", "tools"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools; nothing heavy is imported before one runs."""
    from metier.packs.life.conversation import build_tools

    return build_tools(context)


def measure_charts(data: "Path | None") -> "Iterator[Figure]":
    """Measure the figures of charts and readings."""
    from metier.packs.life._chart_figures import measure

    return measure(data)
