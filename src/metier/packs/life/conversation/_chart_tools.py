"""Tools that compute and read charts."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText
from metier.pack import PackContext
from metier.tools import FunctionTool, SideEffect, add_titles, function_tool

_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "collect_birth": BilingualText("收集出生信息", "Collect birth data"),
        "compute_bazi": BilingualText("排八字", "Compute the bazi chart"),
        "read_bazi_chart": BilingualText("解读八字", "Read the bazi chart"),
        "compute_zodiac": BilingualText("排星盘", "Compute the natal chart"),
        "read_natal_chart": BilingualText("解读星盘", "Read the natal chart"),
    }
)


def build_chart_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools that compute and read charts."""
    from metier.packs.life.conversation._bazi_tools import compute_bazi, read_bazi_chart
    from metier.packs.life.conversation._birth_tools import collect_birth
    from metier.packs.life.conversation._zodiac_tools import compute_zodiac, read_natal_chart

    del context
    functions = (compute_bazi, read_bazi_chart, compute_zodiac, read_natal_chart)
    tools = [function_tool(one, idempotent=True, effects=_WRITES) for one in functions]
    tools.append(function_tool(collect_birth, idempotent=True, effects=_READS))
    return add_titles(tools, _TITLES)
