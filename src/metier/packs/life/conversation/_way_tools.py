"""Tools of tarot, career, goals and terms."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText
from metier.pack import PackContext
from metier.packs.life.conversation._fields import add_titles
from metier.packs.life.conversation._tarot_tools import draw_cards, explain_life_term, prepare_draw
from metier.tools import FunctionTool, SideEffect, function_tool

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "prepare_draw": BilingualText("洗牌", "Shuffle"),
        "draw_cards": BilingualText("抽牌", "Draw the cards"),
        "explain_life_term": BilingualText("解释名词", "Explain a term"),
    }
)


def build_way_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools of tarot, career, goals and terms."""
    del context
    tools = (
        function_tool(prepare_draw, effects=_READS),
        function_tool(draw_cards, idempotent=True, effects=_WRITES),
        function_tool(explain_life_term, idempotent=True, effects=_READS, retrieves="knowledge"),
    )
    return tuple(add_titles(tool, _TITLES) for tool in tools)
