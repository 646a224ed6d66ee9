"""The telecom pack: radio network optimisation on a digital twin."""

from metier.pack import PackContext
from metier.tools import Tool

__all__ = ["bench_value", "tools"]


def tools(context: PackContext) -> tuple[Tool, ...]:
    """The pack's tools. Scenarios of one's own are files in `scenarios/` of the pack's storage folder."""
    from metier.packs.telecom._action_tools import action_tools
    from metier.packs.telecom._desk import Desk
    from metier.packs.telecom._library import read_knowledge, read_synonyms
    from metier.packs.telecom._lookup_tools import lookup_tools
    from metier.packs.telecom._scenes import Scenes
    from metier.packs.telecom._twin_tools import twin_tools
    from metier.packs.telecom.twin import Twin

    synonyms = read_synonyms()
    scenes = Scenes(Twin([context.storage / "scenarios"]), synonyms)
    desk = Desk(scenes, context.storage)
    return (*lookup_tools(read_knowledge(synonyms), scenes), *twin_tools(desk), *action_tools(desk))


def bench_value(asked: dict[str, str]) -> float | None:
    """What a number of a bench case should be, asked of the twin itself."""
    from metier.packs.telecom._bench import value

    return value(asked)
