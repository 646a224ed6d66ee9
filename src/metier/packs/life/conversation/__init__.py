"""Tools of a conversation: those that compute charts, and those of tarot, career, goals and terms."""

from metier.pack import PackContext
from metier.packs.life.conversation._chart_tools import build_chart_tools
from metier.packs.life.conversation._way_tools import build_way_tools
from metier.tools import FunctionTool

__all__ = ["build_tools"]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create all tools of the pack."""
    return (*build_way_tools(context), *build_chart_tools(context))
