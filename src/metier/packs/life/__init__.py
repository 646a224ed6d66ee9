"""Life pack: bazi, zodiac, tarot, career and goals, computed first and explained sentence by sentence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.pack import PackContext
    from metier.tools import Tool

__all__ = ["tools"]


def tools(context: "PackContext") -> "tuple[Tool, ...]":
    """Create the pack's tools; nothing heavy is imported before one runs."""
    from metier.packs.life.conversation import build_tools

    return build_tools(context)
