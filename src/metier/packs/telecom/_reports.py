"""Summaries of computed results in both languages; they only state numbers."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.telecom._charts import pair_values
from metier.packs.telecom._labels import (
    LEVEL_LABELS,
    PARAMETER_LABELS,
    choose_text,
    format_signed,
    indicator_heading,
)
from metier.packs.telecom.twin import Indicator, Level, NetworkState, ParameterChange, RootCause, TuningResult

_MAX_CAUSES: Final = 4


def summarise_causes(
    state: NetworkState, level: Level, found: Sequence[Indicator], causes: Sequence[RootCause], language: Language
) -> str:
    """Means of the indicators, and the root causes with their advice."""
    values = state.cell_values if level == "cell" else state.grid_values
    means = [
        f"{indicator_heading(one, language)} {np.nanmean(values[one.field]):.2f}{f' {one.unit}' if one.unit else ''}"
        for one in found
    ]
    count = len(state.scenario.cells) if level == "cell" else state.scenario.area.points
    title = LEVEL_LABELS[level].text(language)
    told = choose_text(
        language,
        f"**{title}**（{count} 个）均值：{'，'.join(means)}。",
        f"**{title}** ({count}), means: {', '.join(means)}.",
    )
    if level == "grid":
        return told
    if not causes:
        return f"{told}\n\n{choose_text(language, '没有发现超过门限的问题。', 'Nothing is beyond its limits.')}"
    lines = [
        choose_text(
            language,
            f"- **{one.title_zh}**：{one.sentence_zh}{one.advice_zh}",
            f"- **{one.title_en}**: {one.sentence_en} {one.advice_en}",
        )
        for one in causes[:_MAX_CAUSES]
    ]
    return "\n".join([told, "", *lines])


def summarise_simulation(run: TuningResult, level: Level, language: Language) -> str:
    """What the search changed and what the whole network gains."""
    if not run.changes:
        return choose_text(
            language, "**优化仿真**：没有找到能改善的参数调整。", "**Simulation**: no change of parameters helps."
        )
    gains = [
        f"{choose_text(language, one.name_zh, one.name_en)} {one.before:.2f} → {one.after:.2f} {one.unit}".strip()
        for one in run.gains
    ]
    kinds = _count_kinds(run.changes, language)
    return choose_text(
        language,
        f"**优化仿真**：调整 {len(run.changes)} 处（{kinds}）。全网：{'；'.join(gains)}。",
        f"**Simulation**: {len(run.changes)} changes ({kinds}). The whole network: {'; '.join(gains)}.",
    )


def summarise_comparison(run: TuningResult, found: Sequence[Indicator], language: Language) -> str:
    """Mean of each indicator over the same cells, before and after."""
    lines = []
    for one in found:
        made = compute_improvement(run, one)
        before, after, change = (float(str(made[key])) for key in ("before", "after", "change"))
        verdict = (
            choose_text(language, "改善", "better") if made["better"] else choose_text(language, "未改善", "not better")
        )
        counts = choose_text(
            language,
            f"{made['cells_better']} 个小区变好，{made['cells_worse']} 个变差",
            f"{made['cells_better']} cells better, {made['cells_worse']} worse",
        )
        moved = format_signed(change, one.unit)
        lines.append(f"- {indicator_heading(one, language)}: {before:.2f} → {after:.2f} ({moved}, {verdict}; {counts})")
    title = choose_text(
        language, "**优化前后对比**（小区均值，同一批小区）", "**Before and after** (mean of the same cells)"
    )
    return "\n".join([title, "", *lines])


def compute_improvement(run: TuningResult, indicator: Indicator) -> JsonObject:
    """Change of an indicator over the cells that have a value both before and after."""
    both = [
        (before, after) for _, before, after in pair_values(run, indicator) if before is not None and after is not None
    ]
    before, after = (float(np.mean([one[side] for one in both])) if both else 0.0 for side in (0, 1))
    sign = -1 if indicator.better == "lower" else 1
    moves = [sign * (one[1] - one[0]) for one in both]
    return {
        "indicator": indicator.name,
        "unit": indicator.unit,
        "before": round(before, 3),
        "after": round(after, 3),
        "change": round(after - before, 3),
        "better": sign * (after - before) > 0,
        "cells": len(both),
        "cells_better": sum(move > 0 for move in moves),
        "cells_worse": sum(move < 0 for move in moves),
    }


def build_changes_table(run: TuningResult, language: Language) -> JsonObject:
    """Table of the recommended parameters."""
    return build_parameters_table(run.changes, choose_text(language, "推荐参数", "recommended parameters"), language)


def build_parameters_table(changes: Sequence[ParameterChange], title: str, language: Language) -> JsonObject:
    """Table of parameter changes, with labels in the user's language."""
    rows: list[JsonValue] = [
        {
            "cell": one.cell,
            "parameter": PARAMETER_LABELS[one.parameter].text(language),
            "before": one.before,
            "after": one.after,
            "gain": round(one.gain, 3),
        }
        for one in changes
    ]
    heads = (
        ("cell", "小区id", "cell"),
        ("parameter", "参数", "parameter"),
        ("before", "原值", "was"),
        ("after", "新值", "will be"),
        ("gain", "目标增益", "gain"),
    )
    columns: list[JsonValue] = [{"key": key, "title": choose_text(language, zh, en)} for key, zh, en in heads]
    return {"title": title, "columns": columns, "rows": rows}


def _count_kinds(changes: Sequence[ParameterChange], language: Language) -> str:
    counted = {kind: sum(one.parameter == kind for one in changes) for kind in PARAMETER_LABELS}
    return choose_text(language, "，", ", ").join(
        f"{PARAMETER_LABELS[kind].text(language)} {count}" for kind, count in counted.items() if count
    )
