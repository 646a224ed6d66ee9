"""Tools that plan or change something: custom simulations, applying parameters, and undo."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field

from metier.errors import UsageError
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, write_count
from metier.packs.telecom._change_requests import read_change_request as read_request
from metier.packs.telecom._charts import build_parameters_table
from metier.packs.telecom._labels import PARAMETER_LABELS, PROBLEM_LABELS, choose_text
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._previews import (
    ROWS,
    ChosenRow,
    ChosenRows,
    describe_in_force,
    describe_missing_simulation,
    preview_application,
    preview_undo,
    require_recommendation,
    select_changes,
)
from metier.packs.telecom._reports import summarise_simulation
from metier.packs.telecom._scene_tool import ScenarioId, ScenarioTool
from metier.packs.telecom._simulation_requests import DEFAULT_CHANGES, MAX_CHANGES
from metier.packs.telecom._tool_titles import add_titles
from metier.packs.telecom._twin_tools import READS
from metier.packs.telecom.twin import NetworkState, ParameterChange, compute_gains
from metier.tools import ALWAYS, FunctionTool, Preview, SideEffect, ToolContext, ToolResult, function_tool

_TIMEOUT_S: Final = 180.0
_WRITES: Final[frozenset[SideEffect]] = frozenset({"writes"})

Aim = Literal["weak_coverage", "overshoot", "interference", "load"]
ParameterKind = Literal["tilt", "azimuth", "power", "offset", "neighbour"]
CellNames = Annotated[list[str], Field(max_length=200, description="只处理这些小区，留空为全部 · only these cells")]
SummaryLanguage = Annotated[Language, Field(description="摘要的语言 · language of the summary")]


_PLAN_TITLE: Final = BilingualText("自定义仿真", "A simulation of your own")
_APPLY_TITLE: Final = BilingualText("下发参数", "Apply parameters")
_UNDO_TITLE: Final = BilingualText("撤销参数", "Undo parameters")
_CHECK_TITLE: Final = BilingualText("检查仿真结果", "Check the simulation")
_READ_TITLE: Final = BilingualText("确定下发或撤销", "Settle what to apply or undo")
# What a form begins with: everything may change. The arguments stay required, so the form is shown.
_FIRST_VALUES: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {"parameters": {"default": [*get_args(ParameterKind)]}, "tilt_range": {"default": [0, 20]}}
)


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
    titled = ((plan, _PLAN_TITLE), *_build_change_tools(scenarios))
    return tuple(ScenarioTool(add_titles(add_form_hints(one, title)), scenarios.catalog) for one, title in titled)


def _build_change_tools(scenarios: LiveScenarios) -> tuple[tuple[FunctionTool, BilingualText], ...]:
    """Tools that apply and undo parameters, and the one that tells whether there are any, with their titles."""

    def apply_parameters(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        cells: CellNames = [],  # noqa: B006 - pydantic copies a default
        rows: ChosenRows = None,
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """把推荐参数写入数字孪生，需要人工批准，可以撤销。Put the recommended parameters into force, with approval."""
        live = scenarios.with_progress(context, language)
        chosen = frozenset(cells)
        return ToolResult(apply_recommended(live, digitaltwins_id, chosen, rows, language, user=context.user))

    def preview_application_of(
        digitaltwins_id: ScenarioId,
        cells: CellNames = [],  # noqa: B006 - pydantic copies a default
        rows: ChosenRows = None,
        language: SummaryLanguage = "zh",
    ) -> Preview:
        del rows  # the approver chooses among all
        _check_cells(scenarios, digitaltwins_id, frozenset(cells))
        return preview_application(scenarios, digitaltwins_id, frozenset(cells), language)

    def preview_undo_of(digitaltwins_id: ScenarioId, language: SummaryLanguage = "zh") -> Preview:
        return preview_undo(scenarios, digitaltwins_id, language)

    def check_simulation(digitaltwins_id: ScenarioId, language: SummaryLanguage = "zh") -> ToolResult:
        """查询场景有没有可下发的仿真结果。Tell whether a scenario has simulated parameters that can be applied."""
        return ToolResult(report_simulated(scenarios, digitaltwins_id, language))

    def undo_parameters(
        digitaltwins_id: ScenarioId,
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """撤销最近一次写入数字孪生的参数，需要人工批准。Take the last applied parameters back, with approval."""
        return ToolResult(undo_last(scenarios, digitaltwins_id, language))

    def read_change_request(
        digitaltwins_id: ScenarioId,
        message: Annotated[str, Field(max_length=4000)],
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """读出要下发、要撤销还是只是询问，以及点名的小区。Read what is wanted: apply, undo or only know."""
        found = read_request(message, language)
        _check_cells(scenarios, digitaltwins_id, frozenset(found.cells))
        return ToolResult({"digitaltwins_id": digitaltwins_id, **found.to_json()})

    put = function_tool(
        apply_parameters, approval=ALWAYS, effects=_WRITES, timeout_s=_TIMEOUT_S, preview=preview_application_of
    )
    back = function_tool(undo_parameters, effects=_WRITES, undoes="apply_parameters", preview=preview_undo_of)
    check = function_tool(check_simulation, idempotent=True, effects=READS)
    read = function_tool(read_change_request, idempotent=True, effects=READS)
    return (put, _APPLY_TITLE), (back, _UNDO_TITLE), (check, _CHECK_TITLE), (read, _READ_TITLE)


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
        "effect": _compute_effect(run.before, after),
        "summary": "\n\n".join(
            filter(None, (describe_in_force(scenarios.applied_steps(name), user, language), summary))
        ),
        "tables": [build_parameters_table(changes, title, language)] if changes else [],
    }


def report_simulated(scenarios: LiveScenarios, name: str, language: Language) -> JsonObject:
    """Whether the scenario as it is now was simulated, and how many changes that recommends."""
    found, scenario = scenarios.find_recommendation(name), scenarios.get_scenario(name)
    if found is None:
        why = describe_missing_simulation(scenarios, name).text(language)
        summary = choose_text(language, f"{why}没有改动任何参数。", f"{why.rstrip('.')}; nothing was changed.")
    else:
        count = len(found.changes)
        summary = choose_text(
            language, f"已有仿真结果，推荐 {count} 处调整。", f"Simulated: {write_count(count, 'changes')} recommended."
        )
    return {
        "digitaltwins_id": scenario.id,
        "simulated": found is not None,
        "applied": bool(scenarios.applied_changes(name)),
        "changes": 0 if found is None else len(found.changes),
        "summary": "" if found is not None else summary,
        "message": summary,
        "status": _describe_status(
            len(scenarios.applied_changes(name)), 0 if found is None else len(found.changes), language
        ),
    }


def _describe_status(in_force: int, recommended: int, language: Language) -> str:
    applied = choose_text(
        language,
        f"现在有 {in_force} 处下发的参数在用；说「撤销参数」可以撤销最近一次下发。"
        if in_force
        else "现在没有下发的参数在用。",
        f"In force: {write_count(in_force, 'applied parameters')}; “undo the parameters” takes the last ones back."
        if in_force
        else "No applied parameters are in force.",
    )
    offered = choose_text(
        language,
        f"仿真推荐了 {recommended} 处改动，还没有下发；说「下发参数」会先列出全部改动请你批准，下发后可以撤销。",
        f"The simulation recommends {write_count(recommended, 'changes')}, not applied yet; “apply the parameters” "
        "lists all for approval first, and that can be undone.",
    )
    return f"{applied}{choose_text(language, '', ' ')}{offered}" if recommended else applied


def apply_recommended(
    scenarios: LiveScenarios,
    name: str,
    cells: frozenset[str],
    rows: Sequence[ChosenRow] | None,
    language: Language,
    *,
    user: str = "",
) -> JsonObject:
    """Apply the changes of the last simulation, or those of them that were chosen, and report the resulting network."""
    _check_cells(scenarios, name, cells)
    found = require_recommendation(scenarios, name, language)
    fit = [one for one in found.changes if not cells or one.cell in cells]
    changes = select_changes(fit, rows)
    if not changes:
        raise UsageError("there is nothing to apply", hint="the simulation recommends no change for these cells")
    before = scenarios.compute_state(name)
    scenarios.apply(name, changes, user)
    out, scenario = len(found.changes) - len(changes), before.scenario
    left_zh, left_en = (
        (f"（推荐 {len(found.changes)} 处，{out} 处未下发）", f" of {len(found.changes)}") if out else ("", "")
    )
    title = choose_text(language, "已下发的参数", "parameters in force")
    return {
        "digitaltwins_id": scenario.id,
        "applied": len(changes),
        "left_out": out,
        "effect": _compute_effect(before, scenarios.compute_state(name)),
        "summary": choose_text(
            language,
            f"已把 {len(changes)} 处参数写入数字孪生「{scenario.title_zh}」{left_zh}；说「撤销参数」可以撤销。",
            f"{len(changes)}{left_en} parameters were applied to the digital twin “{scenario.title_en}”; say 'undo the "
            "parameters' to take them back.",
        ),
        "tables": [build_parameters_table(changes, title, language)],
    }


def _check_cells(scenarios: LiveScenarios, name: str, cells: frozenset[str]) -> None:
    scenario = scenarios.get_scenario(name)
    unknown = cells - {cell.id for cell in scenario.cells}
    if unknown:
        known = ", ".join(cell.id for cell in scenario.cells[:6])
        raise UsageError(f"no such cells: {', '.join(sorted(unknown))[:200]}", hint=f"cells of the scenario: {known} …")


def undo_last(scenarios: LiveScenarios, name: str, language: Language) -> JsonObject:
    """Undo the last applied step."""
    changes, scenario = scenarios.undo(name), scenarios.get_scenario(name)
    left = len(scenarios.applied_changes(name))
    rest_zh, rest_en = (
        (f"仍有 {left} 处在用", f"still in force: {left}") if left else ("没有参数在用", "none is in force now")
    )
    return {
        "digitaltwins_id": scenario.id,
        "undone": len(changes),
        "left": left,
        "summary": choose_text(
            language,
            f"已撤销「{scenario.title_zh}」的 {len(changes)} 处参数，{rest_zh}。",
            f"{len(changes)} parameters of “{scenario.title_en}” were taken back; {rest_en}.",
        ),
    }


def add_form_hints(tool: FunctionTool, title: BilingualText) -> FunctionTool:
    """Add form hints to the tool's schema: titles, labels, units and sections in both languages."""
    schema: dict[str, Any] = json.loads(json.dumps(tool.spec.parameters, default=dict))
    schema["x-ui"] = {"title": title.to_json()}
    for name, hints in _form_hints().items():
        if name in schema["properties"]:
            schema["properties"][name] = {**schema["properties"][name], **_FIRST_VALUES.get(name, {}), "x-ui": hints}
    return replace(tool, spec=replace(tool.spec, parameters=schema))


def _form_hints() -> dict[str, JsonObject]:
    aims: dict[str, JsonValue] = {name: {"zh": words.zh, "en": words.en} for name, words in PROBLEM_LABELS.items()}
    kinds: dict[str, JsonValue] = {name: {"zh": words.zh, "en": words.en} for name, words in PARAMETER_LABELS.items()}
    return {
        "digitaltwins_id": {"title": {"zh": "场景", "en": "Scenario"}, "section": "what", "order": 1},
        "problem": {"title": {"zh": "优化目标", "en": "Aim"}, "labels": aims, "section": "what", "order": 2},
        "parameters": {
            "title": {"zh": "允许调整的参数", "en": "Parameters that may change"},
            "labels": kinds,
            "widget": "multiselect",
            "section": "how",
            "order": 3,
        },
        "tilt_range": {
            "title": {"zh": "电子下倾角范围", "en": "Range of the electrical tilt"},
            "unit": "°",
            "min": 0,
            "max": 20,
            "widget": "range",
            "section": "how",
            "order": 4,
        },
        "max_changes": {"title": {"zh": "最多调整几处", "en": "Changes at most"}, "section": "how", "order": 5},
        "cells": {"title": {"zh": "限定小区", "en": "Only these cells"}, "section": "how", "order": 6},
        "start_date": {"title": {"zh": "计划日期", "en": "Planned for"}, "section": "when", "order": 7},
        "note": {
            "title": {"zh": "备注", "en": "Note"},
            "placeholder": {"zh": "给执行人的说明", "en": "for whoever carries it out"},
            "section": "when",
            "order": 8,
        },
        "language": {
            "title": {"zh": "摘要语言", "en": "Language of the summary"},
            "labels": {"zh": {"zh": "中文", "en": "Chinese"}, "en": {"zh": "英文", "en": "English"}},
            "section": "when",
            "order": 9,
            "hidden": True,
        },
        ROWS: {"title": {"zh": "选择的改动", "en": "Chosen changes"}, "hidden": True},
    }


def _check_tilt_range(given: Sequence[float]) -> tuple[float, float]:
    low, high = sorted(given)
    if low < 0 or high > 20:
        raise UsageError(f"tilt_range cannot be {low:g} to {high:g}", hint="0 to 20 degrees")
    return low, high


def _compute_effect(before: NetworkState, after: NetworkState) -> dict[str, dict[str, float]]:
    """Four numbers of the whole network, before and after."""
    import numpy as np

    fields = (("rsrp", "RSRP"), ("sinr", "SINR"), ("dl_rate", "下行速率"))
    told = {
        name: {
            "before": round(float(np.nanmean(before.grid_values[field])), 2),
            "after": round(float(np.nanmean(after.grid_values[field])), 2),
        }
        for field, name in fields
    }
    weak = [round(float(np.mean(one.grid_values["rsrp"] < -110.0)) * 100, 2) for one in (before, after)]
    return {**told, "弱覆盖栅格(%)": {"before": weak[0], "after": weak[1]}}
