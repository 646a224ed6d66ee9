"""Telecom pack: radio network optimisation on a digital twin."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from metier.pack import PackAnswer, PackContext, PackFinding, PackQuestion
from metier.tools import Tool

if TYPE_CHECKING:
    from metier.packs.telecom._scenes import ScenarioCatalog

__all__ = ["answer", "bench_value", "check", "fallback_claim", "tools"]


def tools(context: PackContext) -> tuple[Tool, ...]:
    """Create the pack's tools. User scenarios are files in `scenarios/` of the pack's storage folder."""
    from metier.packs.telecom._action_tools import build_action_tools
    from metier.packs.telecom._library import read_knowledge, read_synonyms
    from metier.packs.telecom._live_scenarios import LiveScenarios
    from metier.packs.telecom._lookup_tools import build_lookup_tools
    from metier.packs.telecom._scenes import ScenarioCatalog
    from metier.packs.telecom._twin_tools import build_twin_tools
    from metier.packs.telecom.twin import Twin

    synonyms = read_synonyms()
    scenes = ScenarioCatalog(Twin([context.storage / "scenarios"], memory=context.storage / "optimised"), synonyms)
    scenarios = LiveScenarios(scenes, context.storage)
    return (
        *build_lookup_tools(read_knowledge(synonyms), scenes),
        *build_twin_tools(scenarios),
        *build_action_tools(scenarios),
    )


def check(file: Path) -> tuple[PackFinding, ...]:
    """Check a scenario file; errors come first."""
    from metier.packs.telecom.twin import lint_scenario

    issues = lint_scenario(file)
    return tuple(PackFinding(one.place, one.code, one.message, one.hint, one.severity) for one in issues)


def answer(question: PackQuestion) -> PackAnswer | None:
    """An order to apply some of the parameters belongs to the steps that apply them; nothing else is answered."""
    from metier.packs.telecom._scenes import list_place_names
    from metier.packs.telecom.changes import asks_for_trial, limits_change

    scenario = _open_catalog().known.get(str(question.facts.get("scenario", "")))
    names = () if scenario is None else list_place_names(scenario)
    is_order = asks_for_trial(question.text) or limits_change(question.text, scenario, names)
    return PackAnswer("", found=False, is_order=True, skill="parameter_delivery") if is_order else None


def fallback_claim(message: str, workspace: Path) -> str:
    """The skill of a message that only this pack knows.

    Applying parameters for an order of some of them, the custom simulation for a message that limits one, the whole
    analysis for a known place and its problem.
    """
    from metier.packs.telecom._simulation_requests import asks_for_simulation, limits_simulation
    from metier.packs.telecom.changes import asks_for_trial, limits_delivery

    del workspace
    if limits_delivery(message) or asks_for_trial(message):
        return "parameter_delivery"
    if asks_for_simulation(message) and limits_simulation(message):
        return "simulation_plan"
    return "network_optimization" if _open_catalog().speaks_of_network(message) else ""


@cache
def _open_catalog() -> "ScenarioCatalog":
    from metier.packs.telecom._library import read_synonyms
    from metier.packs.telecom._scenes import ScenarioCatalog
    from metier.packs.telecom.twin import Twin

    return ScenarioCatalog(Twin(), read_synonyms())


def bench_value(asked: dict[str, str]) -> float | None:
    """Expected value of a number in a bench case, computed by the twin itself."""
    from metier.packs.telecom._bench import compute_bench_value

    return compute_bench_value(asked)
