"""Tools that plan or change something: custom simulations, applying parameters, and undo."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Final, Literal

from pydantic import Field

from metier.errors import UsageError
from metier.json_values import JsonObject
from metier.language import BilingualText, Language
from metier.packs.telecom._charts import build_parameters_table
from metier.packs.telecom._form_hints import add_form_hints
from metier.packs.telecom._labels import PROBLEM_LABELS, choose_text
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._reports import summarise_simulation
from metier.packs.telecom._scene_tool import ScenarioId, ScenarioTool
from metier.packs.telecom._simulation_requests import DEFAULT_CHANGES, MAX_CHANGES
from metier.packs.telecom._tool_titles import add_titles
from metier.packs.telecom._twin_tools import READS
from metier.packs.telecom.delivery import (
    CellNames,
    SummaryLanguage,
    build_delivery_tools,
    compute_effect,
    describe_in_force,
)
from metier.packs.telecom.twin import ParameterChange, compute_gains
from metier.tools import ToolContext, ToolResult, function_tool

_TIMEOUT_S: Final = 180.0

Aim = Literal["weak_coverage", "overshoot", "interference", "load"]
ParameterKind = Literal["tilt", "azimuth", "power", "offset", "neighbour"]


_PLAN_TITLE: Final = BilingualText("自定义仿真", "A simulation of your own")


def build_action_tools(scenarios: LiveScenarios) -> tuple[ScenarioTool, ...]:
    """Create the tools that plan, apply and undo changes."""

    def plan_simulation(
        *,
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        problem: Aim,
        parameters: Annotated[list[ParameterKind], Field(min_length=1, max_length=5)],
        tilt_range: Annotated[list[float], Field(min_length=2, max_length=2)],
        start_date: date,
        max_changes: Annotated[int, Field(ge=1, le=MAX_CHANGES)] = DEFAULT_CHANGES,
        cells: CellNames = [],  # noqa: B006 - pydantic copies a default
        note: Annotated[str, Field(max_length=2000)] = "",
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """按自选的目标、参数种类、范围和数量做一次仿真。Simulate with an aim and bounds of one's own."""
        wish = _ChangeFilter(problem, tuple(parameters), _check_tilt_range(tilt_range), max_changes, frozenset(cells))
        live = scenarios.with_progress(context, language)
        told = report_plan(live, digitaltwins_id, wish, start_date, language, user=context.user)
        return ToolResult({**told, "note": note})

    plan = function_tool(plan_simulation, idempotent=True, effects=READS, timeout_s=_TIMEOUT_S)
    titled = ((plan, _PLAN_TITLE), *build_delivery_tools(scenarios))
    return tuple(ScenarioTool(add_titles(add_form_hints(one, title)), scenarios.catalog) for one, title in titled)


class _ChangeFilter:
    """Filter for the changes a user allows."""

    def __init__(
        self, aim: Aim, kinds: Sequence[str], tilt: tuple[float, float], max_changes: int, cells: frozenset[str]
    ) -> None:
        self.aim: Aim = aim
        self._kinds = kinds
        self._tilt = tilt
        self._most = max_changes
        self._cells = cells

    def select(self, changes: Sequence[ParameterChange]) -> tuple[ParameterChange, ...]:
        """Select the allowed changes with the highest gain, in their original order.

        What serves the aim comes before new neighbours: their gain is counted in other points.
        """
        fit = [one for one in changes if self._is_allowed(one)]
        best = sorted(fit, key=lambda one: (one.parameter == "neighbour", -one.gain))[: self._most]
        return tuple(one for one in fit if one in best)

    def _is_allowed(self, change: ParameterChange) -> bool:
        if change.parameter not in self._kinds or (self._cells and change.cell not in self._cells):
            return False
        low, high = self._tilt
        return change.parameter != "tilt" or low <= float(change.after) <= high


def report_plan(
    scenarios: LiveScenarios, name: str, wish: _ChangeFilter, start: date, language: Language, *, user: str = ""
) -> JsonObject:
    """Simulate the allowed changes and report their computed effect."""
    found = scenarios.optimise(name, wish.aim)
    changes = wish.select(found.changes)
    after = scenarios.simulate(name, changes)
    run = replace(found, after=after, changes=changes, gains=compute_gains(found.before, after))
    problem = PROBLEM_LABELS[wish.aim]
    plan = BilingualText(
        f"仿真计划（{start.isoformat()} 起，目标：{problem.zh}）",
        f"Simulation plan (from {start.isoformat()}, aim: {problem.en})",
    )
    summary = summarise_simulation(run, language, plan=plan, aim=wish.aim)
    title = choose_text(language, "计划的参数", "planned parameters")
    return {
        "digitaltwins_id": run.before.scenario.id,
        "problem": wish.aim,
        "start_date": start.isoformat(),
        "changes": len(changes),
        "effect": compute_effect(run.before, after),
        "summary": "\n\n".join(
            filter(None, (describe_in_force(scenarios.applied_steps(name), user, language), summary))
        ),
        "tables": [build_parameters_table(changes, title, language)] if changes else [],
    }


def _check_tilt_range(given: Sequence[float]) -> tuple[float, float]:
    low, high = sorted(given)
    if low < 0 or high > 20:
        raise UsageError(f"tilt_range cannot be {low:g} to {high:g}", hint="0 to 20 degrees")
    return low, high
