"""Tools over the twin: root causes, simulation, comparison and maps. Every number is computed."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import Field

from metier.jsons import JsonObject, JsonValue
from metier.packs.telecom._charts import CHART_TYPES, colour_range, comparison_charts, heat_chart, table_of
from metier.packs.telecom._desk import Desk
from metier.packs.telecom._names import indicators_named, simulated_for
from metier.packs.telecom._reports import (
    causes_summary,
    changes_table,
    comparison_summary,
    improvement,
    simulated_summary,
)
from metier.packs.telecom._scene_tool import ScenarioId, SceneTool
from metier.packs.telecom._words import AFTER, BEFORE, LEVELS, said, spoken
from metier.packs.telecom.twin import Indicator, Level, State, Tuned
from metier.tools import Language, SideEffect, ToolContext, ToolResult, function_tool

READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WORST_SQUARES: Final = 100
_MOST_EVIDENCE: Final = 3
_SEARCH_TIMEOUT_S: Final = 180.0
_MAP_SIZE: Final = 40

LevelName = Annotated[Level, Field(description="cell 小区级，grid 栅格级")]
Names = Annotated[
    list[str], Field(min_length=1, max_length=9, description="指标名，例如 RSRP均值、MR覆盖率 · names of indicators")
]
Tongue = Annotated[Language, Field(description="摘要的语言 · language of the summary")]
ChartType = Annotated[
    Literal["grouped_bar_chart", "line_chart", "stacked_bar_chart", "scatter_plot", "heatmap", "table"],
    Field(description="图表类型 · kind of chart"),
]


def twin_tools(desk: Desk) -> tuple[SceneTool, ...]:
    """Create the tools over the computed scenarios."""

    def query_root_cause_analysis(
        digitaltwins_id: ScenarioId,
        level: LevelName,
        indicators: Names,
        language: Tongue = "zh",
    ) -> ToolResult:
        """查询场景的根因分析结果：指标表、根因和证据。Query a scenario's root causes with indicators and evidence."""
        return ToolResult(root_cause(desk, digitaltwins_id, level, indicators, language))

    def query_simulation_results(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        level: LevelName,
        indicators: Names,
        language: Tongue = "zh",
    ) -> ToolResult:
        """查询场景优化仿真后的指标和推荐参数。Query the indicators after the simulated optimisation."""
        return ToolResult(simulation(desk.watched(context, language), digitaltwins_id, level, indicators, language))

    def compare_simulation_data(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        indicators: Names,
        chart_type: ChartType = "grouped_bar_chart",
        language: Tongue = "zh",
    ) -> ToolResult:
        """对比优化前后的小区级指标，给出图表和计算得出的改善量。Compare cells before and after, with a chart."""
        return ToolResult(
            comparison(desk.watched(context, language), digitaltwins_id, indicators, chart_type, language)
        )

    def show_coverage_map(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        indicator: Annotated[str, Field(description="栅格指标 · a grid indicator")] = "RSRP",
        stage: Annotated[Literal["both", "before", "after"], Field(description="优化前、优化后或两者")] = "both",
        language: Tongue = "zh",
    ) -> ToolResult:
        """画某个栅格指标优化前后的热力图。Draw heat maps of a grid indicator before and after."""
        return ToolResult(maps(desk.watched(context, language), digitaltwins_id, indicator, stage, language))

    functions = (query_root_cause_analysis, query_simulation_results, compare_simulation_data, show_coverage_map)
    made = (function_tool(one, idempotent=True, effects=READS, timeout_s=_SEARCH_TIMEOUT_S) for one in functions)
    return tuple(SceneTool(one, desk.scenes) for one in made)


def root_cause(desk: Desk, name: str, level: Level, indicators: Sequence[str], language: Language) -> JsonObject:
    """Report the current state: a table of indicators, the root causes with evidence, and a summary."""
    found = indicators_named(level, "root_cause", indicators)
    state = desk.state(name)
    causes = desk.causes(name)
    tables: list[JsonValue] = [_indicator_table(state, level, found, language, simulated=False)]
    if level == "cell":
        tables += [
            table_of(one.evidence, spoken(language, f"根因：{one.title_zh}", f"Cause: {one.title_en}"), language)
            for one in causes[:_MOST_EVIDENCE]
        ]
    return {
        "digitaltwins_id": state.scenario.id,
        "level": level,
        "indicators": [one.name for one in found],
        "simulated": list(simulated_for(found)),
        "statistics": _statistics(state, level, found),
        "findings": [
            {
                "kind": one.kind,
                "severity": one.severity,
                "title": spoken(language, one.title_zh, one.title_en),
                "sentence": spoken(language, one.sentence_zh, one.sentence_en),
                "advice": spoken(language, one.advice_zh, one.advice_en),
                "cells": list(one.cells),
            }
            for one in causes
        ],
        "summary": causes_summary(state, level, found, causes, language),
        "tables": tables,
    }


def simulation(desk: Desk, name: str, level: Level, indicators: Sequence[str], language: Language) -> JsonObject:
    """Report the state after optimisation: a table of indicators, the changes, and a summary."""
    found = indicators_named(level, "simulation", indicators)
    run = desk.optimised(name)
    tables: list[JsonValue] = [_indicator_table(run.after, level, found, language, simulated=True)]
    if run.changes:
        tables.append(changes_table(run, language))
    return {
        "digitaltwins_id": run.after.scenario.id,
        "level": level,
        "indicators": [one.name for one in found],
        "statistics": _statistics(run.after, level, found),
        "changes": len(run.changes),
        "gains": gains_json(run, language),
        "summary": simulated_summary(run, level, language),
        "tables": tables,
    }


def comparison(desk: Desk, name: str, indicators: Sequence[str], chart_type: str, language: Language) -> JsonObject:
    """Compare the same cells before and after: charts and the computed improvement."""
    found = indicators_named("cell", "root_cause", indicators)
    run = desk.optimised(name)
    kind = CHART_TYPES[chart_type]
    charts: list[JsonValue] = [*comparison_charts(run, found, kind, language)]
    return {
        "digitaltwins_id": run.after.scenario.id,
        "chart_type": chart_type,
        "indicators": [one.name for one in found],
        "improvement": [improvement(run, one) for one in found],
        "gains": gains_json(run, language),
        "summary": comparison_summary(run, found, language),
        "parameters": spoken(
            language,
            "推荐参数见上表；需要写入数字孪生时说「下发参数」。" if run.changes else "",
            "The recommended parameters are in the table above; say 'apply the parameters' to put them in force."
            if run.changes
            else "",
        ),
        "charts": charts,
    }


def maps(desk: Desk, name: str, indicator: str, stage: str, language: Language) -> JsonObject:
    """Heat maps of the same grid points on one colour scale."""
    (found,) = indicators_named("grid", "root_cause", [indicator])
    wanted = ("before", "after") if stage == "both" else (stage,)
    pictures = [
        (desk.state(name) if one == "before" else desk.optimised(name).after).heatmap(found.name, _MAP_SIZE)
        for one in wanted
    ]
    colours = colour_range(pictures)
    charts: list[JsonValue] = [
        heat_chart(picture, found, said(BEFORE if one == "before" else AFTER, language), language, colours)
        for one, picture in zip(wanted, pictures, strict=True)
    ]
    state = desk.state(name)
    return {
        "digitaltwins_id": state.scenario.id,
        "indicator": found.name,
        "summary": spoken(
            language, f"{found.name} 热力图：{'、'.join(wanted)}", f"{found.alias} maps: {', '.join(wanted)}"
        ),
        "charts": charts,
    }


def gains_json(run: Tuned, language: Language) -> list[JsonValue]:
    """Gains of the whole network."""
    return [
        {
            "name": spoken(language, one.name_zh, one.name_en),
            "unit": one.unit,
            "before": round(one.before, 3),
            "after": round(one.after, 3),
            "change": round(one.after - one.before, 3),
        }
        for one in run.gains
    ]


def _indicator_table(
    state: State, level: Level, found: Sequence[Indicator], language: Language, *, simulated: bool
) -> JsonObject:
    names = [one.name for one in found]
    limit = None if level == "cell" else _WORST_SQUARES
    rows = (state.cells if level == "cell" else state.grids)(names, worst_first=True, limit=limit)
    what = spoken(language, "仿真结果" if simulated else "指标", "simulation" if simulated else "indicators")
    worst = "" if limit is None else spoken(language, f"（最差 {limit} 个）", f" (worst {limit})")
    return table_of(rows, f"{said(LEVELS[level], language)} · {what}{worst}", language)


def _statistics(state: State, level: Level, found: Sequence[Indicator]) -> JsonObject:
    """Mean, minimum, maximum and count of each indicator over all cells or grid points."""
    values = state.cell_values if level == "cell" else state.grid_values
    told: dict[str, JsonValue] = {}
    for one in found:
        column = np.asarray(values[one.field], dtype=np.float64)
        told[one.name] = {
            "mean": round(float(np.nanmean(column)), 2),
            "min": round(float(np.nanmin(column)), 2),
            "max": round(float(np.nanmax(column)), 2),
            "count": int(np.isfinite(column).sum()),
        }
    return told
