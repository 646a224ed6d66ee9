"""The telecom pack: radio network optimisation on a digital twin."""

from pathlib import Path

from metier.pack import PackContext, PackFinding
from metier.tools import Tool

__all__ = ["bench_value", "check", "tools"]


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
    scenes = Scenes(Twin([context.storage / "scenarios"], memory=context.storage / "optimised"), synonyms)
    desk = Desk(scenes, context.storage)
    return (*lookup_tools(read_knowledge(synonyms), scenes), *twin_tools(desk), *action_tools(desk))


def check(file: Path) -> tuple[PackFinding, ...]:
    """What is wrong with a scenario file, errors first."""
    from metier.packs.telecom.twin import lint_scenario

    issues = lint_scenario(file)
    return tuple(PackFinding(one.place, one.code, one.message, one.hint, one.severity) for one in issues)


def bench_value(asked: dict[str, str]) -> float | None:
    """What a number of a bench case should be, asked of the twin itself."""
    from metier.packs.telecom._bench import value

    return value(asked)
