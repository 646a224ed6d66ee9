"""Tools over the twin: root causes, simulation, comparison and maps. Every number is computed."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final, Literal

import numpy as np
from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language
from metier.packs.telecom._charts import (
    CHART_TYPES,
    build_changes_table,
    build_comparison_charts,
    build_heat_chart,
    build_table,
    find_colour_range,
)
from metier.packs.telecom._figures import difference_unit, subtract_rounded
from metier.packs.telecom._labels import (
    AFTER,
    BEFORE,
    LEVEL_LABELS,
    NETWORK,
    choose_text,
    indicator_heading,
    title_table,
)
from metier.packs.telecom._live_scenarios import LiveScenarios
from metier.packs.telecom._maps import build_map
from metier.packs.telecom._remaining import build_remaining_table, find_remaining, summarise_remaining
from metier.packs.telecom._reports import (
    build_side_effect_tables,
    compute_improvement,
    summarise_causes,
    summarise_comparison,
    summarise_original,
    summarise_side_effects,
    summarise_simulation,
)
from metier.packs.telecom._scene_tool import ScenarioId, ScenarioTool
from metier.packs.telecom._tool_titles import add_titles
from metier.packs.telecom.delivery import describe_in_force
from metier.packs.telecom.twin import (
    INDICATORS,
    Indicator,
    Level,
    NetworkState,
    RootCause,
    TuningResult,
    find_indicators,
    find_new_troubles,
)
from metier.tools import SideEffect, ToolContext, ToolResult, function_tool

READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_MAX_GRID_ROWS: Final = 100
_SEARCH_TIMEOUT_S: Final = 180.0
_MAP_SIZE: Final = 40
# The sentence that stands before every simulation, with the answer that the message has given.
_SIMULATION_ASKED: Final = BilingualText(
    "根因分析完成。是否需要对该场景进行优化仿真？你的话里已经要求仿真，现在进行。",
    "Root cause analysis is done. Shall I simulate an optimisation of this scenario? You asked for it, so it runs now.",
)

_SIMULATION: Final = BilingualText("优化仿真", "Simulation")

LevelName = Annotated[Level, Field(description="小区级（cell）或栅格级（grid） · by cell or by grid point")]
IndicatorNames = Annotated[
    list[str], Field(min_length=1, max_length=9, description="指标名，例如 RSRP均值、MR覆盖率 · names of indicators")
]
AskedProblem = Annotated[str, Field(max_length=40, description="对话中的问题 · the problem asked about")]
SummaryLanguage = Annotated[Language, Field(description="摘要的语言 · language of the summary")]
ChartType = Annotated[
    Literal["grouped_bar_chart", "line_chart", "stacked_bar_chart", "scatter_plot", "heatmap", "table"],
    Field(description="图表类型 · kind of chart"),
]


def build_twin_tools(scenarios: LiveScenarios) -> tuple[ScenarioTool, ...]:
    """Create the tools over the computed scenarios."""

    def query_root_cause_analysis(
        *,
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        level: LevelName,
        indicators: IndicatorNames,
        language: SummaryLanguage = "zh",
        known_problem: AskedProblem = "",
        simulation_asked: Annotated[bool, Field(description="用户已经要求仿真 · the user asked for it")] = False,
    ) -> ToolResult:
        """查询场景的根因分析结果：指标表、根因和证据。Query a scenario's root causes with indicators and evidence."""
        told = report_root_causes(
            scenarios, digitaltwins_id, level, indicators, language, problem=known_problem, user=context.user
        )
        if simulation_asked:
            told = {**told, "summary": f"{told['summary']}\n\n{_SIMULATION_ASKED.text(language)}"}
        return ToolResult(told)

    def query_simulation_results(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        level: LevelName,
        indicators: IndicatorNames,
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """查询场景优化仿真后的指标和推荐参数。Query the indicators after the simulated optimisation."""
        live = scenarios.with_progress(context, language)
        return ToolResult(report_simulation(live, digitaltwins_id, level, indicators, language))

    def compare_simulation_data(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        indicators: IndicatorNames,
        chart_type: ChartType = "grouped_bar_chart",
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """对比优化前后的小区级指标，给出图表和计算得出的改善量。Compare cells before and after, with a chart."""
        live = scenarios.with_progress(context, language)
        return ToolResult(report_comparison(live, digitaltwins_id, indicators, chart_type, language))

    def show_coverage_map(
        context: ToolContext,
        digitaltwins_id: ScenarioId,
        indicator: Annotated[str, Field(description="栅格指标 · a grid indicator")] = "RSRP",
        stage: Annotated[Literal["both", "before", "after"], Field(description="优化前、优化后或两者")] = "both",
        language: SummaryLanguage = "zh",
    ) -> ToolResult:
        """画某个栅格指标优化前后的地图和热力图，含站点、扇区和门限。Draw a map of a grid indicator before and after."""
        live = scenarios.with_progress(context, language)
        return ToolResult(report_maps(live, digitaltwins_id, indicator, stage, language))

    functions = (query_root_cause_analysis, query_simulation_results, compare_simulation_data, show_coverage_map)
    made = (function_tool(one, idempotent=True, effects=READS, timeout_s=_SEARCH_TIMEOUT_S) for one in functions)
    return tuple(ScenarioTool(add_titles(one), scenarios.catalog) for one in made)


def report_root_causes(
    scenarios: LiveScenarios,
    name: str,
    level: Level,
    indicators: Sequence[str],
    language: Language,
    *,
    problem: str = "",
    user: str = "",
) -> JsonObject:
    """Report the current state: a table of indicators, the root causes with evidence, and a summary.

    The causes are those of `problem` if one is asked about, else of the scenario's own. Parameters in force are told
    first, with the figures of the network without them.
    """
    found = find_indicators(level, indicators, ["root_cause"])
    state = scenarios.compute_state(name)
    causes = scenarios.find_causes(name, problem)
    tables: list[JsonValue] = [_indicator_table(state, level, found, language, simulated=False)]
    if level == "cell":
        tables += [build_table(one.evidence, _evidence_title(one, language), language) for one in causes]
    summary = summarise_causes(state, level, found, causes, language, problem=problem)
    steps = scenarios.applied_steps(name)
    if steps and level == "cell":
        in_force = describe_in_force(steps, user, language)
        without = summarise_original(
            *scenarios.compute_original(name, problem), found, causes, language, problem=problem
        )
        summary = f"{in_force}{choose_text(language, '', ' ')}{without}\n\n{summary}"
    return {
        "digitaltwins_id": state.scenario.id,
        "level": level,
        "in_force": sum(len(one.changes) for one in steps),
        "indicators": [one.name for one in found],
        "simulated": list(_find_simulated_names(found)),
        "statistics": _compute_statistics(state, level, found),
        "findings": [
            {
                "kind": one.kind,
                "role": one.role,
                "count": len(one.cells),
                "explains": one.explains,
                "severity": one.severity,
                "title": choose_text(language, one.title_zh, one.title_en),
                "sentence": choose_text(language, one.sentence_zh, one.sentence_en),
                "advice": choose_text(language, one.advice_zh, one.advice_en),
                "cells": list(one.cells),
            }
            for one in causes
        ],
        "summary": summary,
        "closing": choose_text(
            language,
            f"「{state.scenario.title_zh}」分析完成，没有仿真，结果见上文。",
            f"“{state.scenario.title_en}” is analysed and was not simulated; the findings stand above.",
        ),
        "tables": tables,
    }


def report_simulation(
    scenarios: LiveScenarios, name: str, level: Level, indicators: Sequence[str], language: Language
) -> JsonObject:
    """Report the state after optimisation: a table of indicators, the changes, and a summary."""
    found = find_indicators(level, indicators, ["simulation"])
    run = scenarios.optimise(name)
    tables: list[JsonValue] = [_indicator_table(run.after, level, found, language, simulated=True)]
    if run.changes:
        tables.append(build_changes_table(run, language))
    return {
        "digitaltwins_id": run.after.scenario.id,
        "level": level,
        "indicators": [one.name for one in found],
        "statistics": _compute_statistics(run.after, level, found),
        "changes": len(run.changes),
        "gains": gains_json(run, language),
        "summary": summarise_simulation(run, language, plan=_SIMULATION, aim=run.before.scenario.problem),
        "tables": tables,
    }


def report_comparison(
    scenarios: LiveScenarios, name: str, indicators: Sequence[str], chart_type: str, language: Language
) -> JsonObject:
    """Compare the same cells before and after: charts and the computed improvement."""
    found = find_indicators("cell", indicators, ["root_cause"])
    run = scenarios.optimise(name)
    kind = CHART_TYPES[chart_type]
    charts: list[JsonValue] = [*build_comparison_charts(run, found, kind, language)]
    troubles = find_new_troubles(run.before, run.after)
    side_effects = summarise_side_effects(run, found, troubles, language)
    remaining = find_remaining(run)
    left = summarise_remaining(run, remaining, language)
    return {
        "digitaltwins_id": run.after.scenario.id,
        "chart_type": chart_type,
        "indicators": [one.name for one in found],
        "improvement": [compute_improvement(run, one) for one in found],
        "gains": gains_json(run, language),
        "summary": "\n\n".join(filter(None, (summarise_comparison(run, found, language), left, side_effects))),
        "new_troubles": [{"kind": one.kind, "cells": list(one.cells)} for one in troubles],
        "tables": [
            *build_remaining_table(run, remaining, language),
            *build_side_effect_tables(run, found, troubles, language),
        ],
        "parameters": choose_text(
            language,
            "推荐参数见「推荐参数」表；需要写入数字孪生时说「下发参数」。" if run.changes else "",
            "The recommended parameters are in the table of that name; say 'apply the parameters' to put them in force."
            if run.changes
            else "",
        ),
        "charts": charts,
    }


def report_maps(scenarios: LiveScenarios, name: str, indicator: str, stage: str, language: Language) -> JsonObject:
    """Heat maps of the same grid points on one colour scale."""
    (found,) = find_indicators("grid", [indicator], ["root_cause"])
    wanted = ("before", "after") if stage == "both" else (stage,)
    pictures = [
        (scenarios.compute_state(name) if one == "before" else scenarios.optimise(name).after).build_heatmap(
            found.name, _MAP_SIZE
        )
        for one in wanted
    ]
    colours = find_colour_range(pictures)
    charts: list[JsonValue] = [
        build_heat_chart(picture, found, (BEFORE if one == "before" else AFTER).text(language), language, colours)
        for one, picture in zip(wanted, pictures, strict=True)
    ]
    state = scenarios.compute_state(name)
    run = scenarios.optimise(name) if "after" in wanted else None
    heading = indicator_heading(found, language)
    named = choose_text(language, "、", ", ").join(
        (BEFORE if one == "before" else AFTER).text(language) for one in wanted
    )
    return {
        "digitaltwins_id": state.scenario.id,
        "indicator": found.name,
        "summary": choose_text(language, f"{heading} 地图：{named}", f"Maps of {heading}: {named}"),
        "map": build_map(state, run.after if run else None, found, run.changes if run else (), language),
        "charts": charts,
    }


def gains_json(run: TuningResult, language: Language) -> list[JsonValue]:
    """Gains of the whole network."""
    return [
        {
            "name": choose_text(language, one.name_zh, one.name_en),
            "unit": one.unit,
            "before": round(one.before, one.digits) if one.digits else round(one.before),
            "after": round(one.after, one.digits) if one.digits else round(one.after),
            "change": subtract_rounded(one.before, one.after, one.digits),
            "change_unit": difference_unit(one.unit, language),
        }
        for one in run.gains
    ]


def _indicator_table(
    state: NetworkState, level: Level, found: Sequence[Indicator], language: Language, *, simulated: bool
) -> JsonObject:
    names = [one.name for one in found]
    limit = None if level == "cell" else _MAX_GRID_ROWS
    rows = (state.build_cell_table if level == "cell" else state.build_grid_table)(names, worst_first=True, limit=limit)
    what = choose_text(language, "仿真结果" if simulated else "指标", "simulation" if simulated else "indicators")
    count = state.scenario.area.points
    worst = (
        ""
        if limit is None or limit >= count
        else choose_text(language, f"（最差 {limit} 个，共 {count} 个）", f" (worst {limit} of {count})")
    )
    table = build_table(rows, f"{LEVEL_LABELS[level].text(language)} · {what}{worst}", language)
    return _add_networks(table, state, language) if level == "cell" else table


def _add_networks(table: JsonObject, state: NetworkState, language: Language) -> JsonObject:
    """The table of cells with the network of each as its last column, if there is more than one network."""
    carriers = {one.name: "4G" if one.rat == "LTE" else "5G" for one in state.scenario.carriers}
    networks = {one.id: carriers[one.carrier] for one in state.scenario.cells}
    columns, rows = table["columns"], table["rows"]
    if len(set(networks.values())) < 2 or not isinstance(columns, list) or not isinstance(rows, list):
        return table
    added = [[*row, networks[str(row[0])]] for row in rows if isinstance(row, list)]
    title: JsonObject = {"key": "network", "title": NETWORK.text(language), "unit": ""}
    return title_table({**table, "columns": [*columns, title], "rows": added})


_ROLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "cause": BilingualText("根因", "Cause"),
        "symptom": BilingualText("现象", "Symptom"),
        "other": BilingualText("其他发现", "Other finding"),
    }
)


def _evidence_title(cause: RootCause, language: Language) -> str:
    """Title of an evidence table; a cell may have several rows, so both are counted."""
    kind = _ROLES[cause.role].text(language)
    return choose_text(
        language,
        f"{kind}：{cause.title_zh}（{len(cause.cells)} 个小区）",
        f"{kind}: {cause.title_en} ({len(cause.cells)} {'cell' if len(cause.cells) == 1 else 'cells'})",
    )


def _compute_statistics(state: NetworkState, level: Level, found: Sequence[Indicator]) -> JsonObject:
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


def _find_simulated_names(found: Sequence[Indicator]) -> tuple[str, ...]:
    """Simulation names of the same indicators; the rates if the simulation has none of them."""
    legal = INDICATORS["cell", "simulation"]
    fields = {one.field for one in found}
    same = tuple(one.name for one in legal if one.field in fields)
    return same or tuple(one.name for one in legal if one.field in ("dl_rate", "ul_rate"))
