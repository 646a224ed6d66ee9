"""Summaries of computed results in both languages; they only state numbers."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, write_count
from metier.packs.telecom._charts import describe_points
from metier.packs.telecom._figures import format_difference, format_value, subtract_rounded
from metier.packs.telecom._labels import (
    LEVEL_LABELS,
    PARAMETER_LABELS,
    bare_heading,
    cell_text,
    choose_text,
    column_title,
    column_unit,
    indicator_heading,
    tell_absent,
    title_table,
)
from metier.packs.telecom.twin import (
    Indicator,
    Level,
    NetworkState,
    ParameterChange,
    Problem,
    RootCause,
    TuningResult,
    find_root_causes,
)

_SIMULATED: Final = BilingualText(
    "所有数值由数字孪生计算和仿真得出，不是现网测量。",
    "All figures are computed and simulated on the digital twin, not measured in the network.",
)
_SHIPPED: Final = BilingualText(
    "参数方案是随场景提供的搜索结果，优化前后的数值按当前模型重新计算。",
    "The parameters are the search result that came with the scenario; the figures before and after were computed now.",
)
_CELL_MEANS: Final = BilingualText("各小区等权平均", "mean over the cells, each counted once")
_GRID_MEANS: Final = BilingualText("各栅格等权平均", "mean over the grid points, each counted once")
_MEANS_NOTE: Final = BilingualText(
    "小区平均每个小区计一次，栅格平均按面积，用户加权按忙时用户，三种口径的数值不同。",
    "A mean over cells counts every cell once, one over grid points counts area, one weighted by users counts "
    "the users of the busy hour; so the three differ.",
)

_KEY_COLUMNS: Final = 3  # id, longitude and latitude stand before the evidence
_MAX_NAMED: Final = 6


def summarise_causes(
    state: NetworkState,
    level: Level,
    found: Sequence[Indicator],
    causes: Sequence[RootCause],
    language: Language,
    *,
    problem: str = "",
) -> str:
    """Means of the indicators; for cells also every cause with its advice, then every symptom, then the rest."""
    told = _summarise_means(state, level, found, language)
    if level == "grid":
        return told
    if not causes:
        return f"{told}\n\n{choose_text(language, '没有发现超过门限的问题。', 'Nothing is beyond its limits.')}"
    roots = [one for one in causes if one.role == "cause"]
    symptoms = [one for one in causes if one.role == "symptom"]
    main = next((one for one in causes if one.kind == (problem or state.scenario.problem)), None)
    others = [one for one in causes if one.role == "other"]
    parts = [] if main is not None else tell_absent(problem, state.scenario.problem, language)
    if roots:
        parts += [choose_text(language, f"**根因**（共 {len(roots)} 项）", f"**Causes** ({len(roots)})"), ""]
        parts += [f"{at}. {_describe_cause(one, main, language)}" for at, one in enumerate(roots, 1)]
    unexplained = _count_unexplained(roots, main)
    if main is not None and unexplained is not None:
        parts += ["", _describe_unexplained(main, *unexplained, language)]
    if symptoms:
        led_zh, led_en = ("，由上述原因引起", ", what the causes lead to") if roots else ("", "")
        if unexplained and unexplained[0]:
            led_zh, led_en = "，部分由上述原因引起", ", what the causes lead to in part"
        title = choose_text(
            language,
            f"**现象**（共 {len(symptoms)} 项{led_zh}）",
            f"**Symptoms** ({len(symptoms)}{led_en})",
        )
        parts += ["", title, "", *(f"- {_describe_cause(one, None, language)}" for one in symptoms)]
    if others:
        title = choose_text(
            language,
            f"**其他发现**（共 {len(others)} 项，属于别的问题）",
            f"**Other findings** ({len(others)}, of other problems)",
        )
        parts += ["", title, "", *(f"- {_describe_cause(one, None, language)}" for one in others)]
    return "\n".join([*parts, "", told, "", _SIMULATED.text(language)]).strip()


def _count_unexplained(roots: Sequence[RootCause], main: RootCause | None) -> tuple[int, int] | None:
    """Of the cells with the problem, how many have none of its causes and how many have several; None without both."""
    others = [frozenset(one.cells) for one in roots if main is not None and one.kind != main.kind]
    if main is None or not others:
        return None
    counts = [sum(cell in cells for cells in others) for cell in main.cells]
    return counts.count(0), sum(count > 1 for count in counts)


def _describe_unexplained(main: RootCause, none: int, several: int, language: Language) -> str:
    whole, (other_zh, other_en) = len(main.cells), ("其他", "another") if main.role == "cause" else ("上述", "a")
    both_zh, both_en = (f"（其中 {several} 个不止一项）", f" ({several} of them several)") if several else ("", "")
    rest_zh, rest_en = "没有剩余", "none is left over"
    if none:
        rest_zh, rest_en = f"{none} 个一项也没有", f"{none} have none"
        is_demand = main.role == "cause"  # the problem is a cause itself: nothing else needs to be wrong
        rest_zh += "，是业务量本身大" if is_demand else "，原因未查明，需要现场核查"
        rest_en += ", so the demand itself is high" if is_demand else ", so their cause is open and needs a survey"
    return choose_text(
        language,
        f"合计：{whole} 个{main.title_zh}小区中，{whole - none} 个有{other_zh}根因{both_zh}，{rest_zh}。",
        f"In all: of the {whole} cells with {main.title_en.lower()}, {whole - none} have {other_en} cause listed "
        f"here{both_en}; {rest_en}.",
    )


def summarise_original(
    original: NetworkState,
    causes_without: Sequence[RootCause],
    found: Sequence[Indicator],
    causes: Sequence[RootCause],
    language: Language,
    *,
    problem: str = "",
) -> str:
    """Figures of the network without the parameters in force: means, and how many cells have the problem."""
    kind = problem or original.scenario.problem
    without, now = (next((one for one in some if one.kind == kind), None) for some in (causes_without, causes))
    named = without or now
    cells_zh, cells_en = "", ""
    if named is not None:
        first, second = (len(one.cells) if one else 0 for one in (without, now))
        cells_zh = f"{named.title_zh}小区 {first} 个（现在 {second} 个）。"
        cells_en = f" Cells with {named.title_en.lower()}: {first} (now {second})."
    means = _summarise_means(original, "cell", found, language)
    return choose_text(language, f"不含这些参数时，{means}{cells_zh}", f"Without them: {means}{cells_en}")


def _summarise_means(state: NetworkState, level: Level, found: Sequence[Indicator], language: Language) -> str:
    values = state.cell_values if level == "cell" else state.grid_values
    found_means = [float(np.nanmean(values[one.field])) for one in found]
    means = [
        f"{bare_heading(one, language)} {format_value(mean, one.unit, _mean_digits(one))}"
        for one, mean in zip(found, found_means, strict=True)
    ]
    count = len(state.scenario.cells) if level == "cell" else state.scenario.area.points
    title = LEVEL_LABELS[level].text(language)
    how = (_CELL_MEANS if level == "cell" else _GRID_MEANS).text(language)
    return choose_text(
        language,
        f"**{title}**（{count} 个，{how}）：{'，'.join(means)}。",
        f"**{title}** ({count}, {how}): {', '.join(means)}.",
    )


def _mean_digits(indicator: Indicator) -> int:
    """A mean of counts has a decimal."""
    return max(1, indicator.digits)


def _describe_cause(cause: RootCause, main: RootCause | None, language: Language) -> str:
    """One finding: title, sentence with the count of cells, its share in the main problem, advice."""
    explains_zh, explains_en = "", ""
    if main is not None and cause.explains and cause.kind != main.kind:
        whole = len(main.cells)
        explains_zh = f"{whole} 个{main.title_zh}小区中有 {cause.explains} 个如此。"
        explains_en = f"This holds for {cause.explains} of the {whole} cells with {main.title_en.lower()}. "
    return choose_text(
        language,
        f"**{cause.title_zh}**：{cause.sentence_zh}{explains_zh}{cause.advice_zh}",
        f"**{cause.title_en}**: {cause.sentence_en} {explains_en}{cause.advice_en}",
    )


def summarise_simulation(run: TuningResult, language: Language, *, plan: BilingualText, aim: Problem) -> str:
    """What was changed, whether the aim is reached, and what the whole network gains; `plan` is the heading."""
    if not run.changes:
        none = choose_text(language, "没有找到能改善的参数调整。", "no change of parameters helps.")
        return choose_text(language, f"**{plan.zh}**：{none}", f"**{plan.en}**: {none}")
    kinds = _count_kinds(run.changes, language)
    heads = [choose_text(language, zh, en) for zh, en in (("全网指标", "Whole network"), *_BEFORE_AFTER)]
    lines = ["| " + " | ".join(heads) + " |", "|---|---:|---:|---:|"]
    for one in run.gains:
        before, after = (format_value(value, one.unit, one.digits) for value in (one.before, one.after))
        moved = subtract_rounded(one.before, one.after, one.digits)
        change = format_difference(moved, one.unit, one.digits, language)
        lines.append(f"| {choose_text(language, one.name_zh, one.name_en)} | {before} | {after} | {change} |")
    head = choose_text(
        language,
        f"**{plan.zh}**：调整 {len(run.changes)} 处（{kinds}）。",
        f"**{plan.en}**: {write_count(len(run.changes), 'changes')} ({kinds}). ",
    )
    notes = [*([_SHIPPED.text(language)] if run.shipped else []), _MEANS_NOTE.text(language)]
    told = choose_text(language, "", " ").join((*notes, describe_points(aim, language)))
    return "\n".join([head + judge_aim(run, aim, language), "", *lines, "", told, "", _SIMULATED.text(language)])


def judge_aim(run: TuningResult, aim: Problem, language: Language) -> str:
    """Whether the changes reach their aim: how many cells have the problem before and after."""
    named = [
        next((one for one in find_root_causes(state, aim) if one.kind == aim), None)
        for state in (run.before, run.after)
    ]
    finding = named[0] or named[1]
    if finding is None:
        return choose_text(
            language,
            "调整前后都没有超过门限的小区。",
            "No cell is beyond the limits of this problem, neither before nor after.",
        )
    first, second = (len(one.cells) if one else 0 for one in named)
    zh, en = (
        f"{finding.title_zh}小区 {first} → {second} 个",
        f"cells with {finding.title_en.lower()} {first} → {second}",
    )
    if not second:
        return choose_text(language, f"**目标达到**：{zh}。", f"**The aim is reached**: {en}.")
    if second < first:
        return choose_text(language, f"**目标部分达到**：{zh}。", f"**The aim is reached in part**: {en}.")
    return choose_text(
        language,
        f"**目标没有达到**：{zh}，没有减少；可以放宽可调的参数、范围或数量再仿真。",
        f"**The aim is missed**: {en}, so no fewer; allow other parameters, a wider range or more changes.",
    )


_BEFORE_AFTER: Final = (("优化前", "Before"), ("优化后", "After"), ("变化", "Change"))


def summarise_comparison(run: TuningResult, found: Sequence[Indicator], language: Language) -> str:
    """Mean of each indicator over the same cells, before and after."""
    lines = []
    for one in found:
        made = compute_improvement(run, one)
        before, after = (float(str(made[key])) for key in ("before", "after"))
        digits = _mean_digits(one)
        moved = subtract_rounded(before, after, digits)
        verdict = _judge_change(moved, one).text(language)
        counts = choose_text(
            language,
            f"{made['cells_better']} 个小区变好，{made['cells_worse']} 个变差",
            f"{write_count(int(str(made['cells_better'])), 'cells')} better, {made['cells_worse']} worse",
        )
        told = format_difference(moved, one.unit, digits, language)
        span = f"{format_value(before, one.unit, digits)} → {format_value(after, one.unit, digits)}"
        head = bare_heading(one, language)
        zh, en = f"- {head}：{span}（{told}，{verdict}；{counts}）", f"- {head}: {span} ({told}, {verdict}; {counts})"
        lines.append(choose_text(language, zh, en))
    how = _CELL_MEANS.text(language)
    title = choose_text(
        language, f"**优化前后对比**（{how}，同一批小区）", f"**Before and after** ({how}; the same cells)"
    )
    return "\n".join([title, "", *lines])


def find_worse_cells(run: TuningResult, indicator: Indicator) -> list[tuple[str, float, float]]:
    """Cells whose figure of an indicator is worse afterwards, with both values as shown; the worst change first."""
    first, second = (state.cell_values[indicator.field].round(indicator.digits) for state in (run.before, run.after))
    sign = -1 if indicator.better == "lower" else 1
    moves = sign * (second - first)
    ids = [cell.id for cell in run.before.scenario.cells]
    worse = sorted((at for at, moved in enumerate(moves) if moved < 0), key=lambda at: float(moves[at]))
    return [(ids[at], float(first[at]), float(second[at])) for at in worse]


def summarise_side_effects(
    run: TuningResult, found: Sequence[Indicator], troubles: Sequence[RootCause], language: Language
) -> str:
    """What the changes make worse: cells with a trouble they did not have, and cells whose figures fell, by id."""
    fresh = [
        _list_cells(choose_text(language, one.title_zh, one.title_en), list_evidence(one, language, 2), language)
        for one in troubles
    ]
    falls = []
    for one in found:
        told = {
            id: format_difference(subtract_rounded(before, after, one.digits), one.unit, one.digits, language)
            for id, before, after in find_worse_cells(run, one)
        }
        falls += [_list_cells(bare_heading(one, language), told, language)] if told else []
    titles = (
        choose_text(language, "**副作用：优化后新出现的问题**", "**Side effects: troubles that are new afterwards**"),
        choose_text(language, "**指标变差的小区**（变差最多的在前）", "**Cells that got worse** (most first)"),
    )
    parts = ["\n".join([title, "", *lines]) for title, lines in zip(titles, (fresh, falls), strict=True) if lines]
    return "\n\n".join(parts)


def build_side_effect_tables(
    run: TuningResult, found: Sequence[Indicator], troubles: Sequence[RootCause], language: Language
) -> list[JsonValue]:
    """Every cell that the changes make worse: new troubles with their evidence, and figures before and after."""
    cell = {"key": "cell", "title": choose_text(language, "小区id", "cell")}
    fresh: list[JsonValue] = [
        {"cell": id, "trouble": choose_text(language, one.title_zh, one.title_en), "evidence": told}
        for one in troubles
        for id, told in list_evidence(one, language).items()
    ]
    falls: list[JsonValue] = [
        {
            "cell": id,
            "indicator": indicator_heading(one, language),
            "before": before,
            "after": after,
            "change": subtract_rounded(before, after, one.digits),
        }
        for one in found
        for id, before, after in find_worse_cells(run, one)
    ]
    heads = (("trouble", "新问题", "new trouble"), ("evidence", "证据", "evidence"))
    numbers = (("before", "优化前", "before"), ("after", "优化后", "after"), ("change", "变化", "change"))
    named: list[JsonValue] = [{"key": key, "title": choose_text(language, zh, en)} for key, zh, en in heads]
    shown: list[JsonValue] = [
        {"key": key, "title": choose_text(language, zh, en), "type": "number"} for key, zh, en in numbers
    ]
    indicator = {"key": "indicator", "title": choose_text(language, "指标", "indicator")}
    tables: list[JsonValue] = []
    if fresh:
        title = choose_text(language, "优化后新出现的问题", "troubles that are new afterwards")
        tables.append(title_table({"title": title, "columns": [cell, *named], "rows": fresh}))
    if falls:
        title = choose_text(language, "指标变差的小区", "cells that got worse")
        tables.append(title_table({"title": title, "columns": [cell, indicator, *shown], "rows": falls}))
    return tables


def list_evidence(finding: RootCause, language: Language, most: int | None = None) -> dict[str, str]:
    """The first measures that show a finding, by cell; of several rows of a cell the worst."""
    heads = finding.evidence.headers[_KEY_COLUMNS:][:most]
    comma = choose_text(language, "，", ", ")
    told: dict[str, str] = {}
    for row in finding.evidence.rows:
        values = zip(heads, row[_KEY_COLUMNS:], strict=False)
        measures = (
            f"{column_title(head, language)} {cell_text(value, language)} {column_unit(head)}".strip()
            for head, value in values
        )
        told.setdefault(str(row[0]), comma.join(measures))
    return told


def _list_cells(title: str, told: Mapping[str, str], language: Language) -> str:
    """A line with how many cells there are, and the first of them with what is told of each."""
    count = choose_text(language, f"{len(told)} 个小区", write_count(len(told), "cells"))
    named = [choose_text(language, f"{id}（{one}）", f"{id} ({one})") for id, one in told.items()]
    shown = choose_text(language, "、", ", ").join(named[:_MAX_NAMED])
    rest = choose_text(language, "，其余见表", "; the rest is in the table") if len(told) > _MAX_NAMED else ""
    return choose_text(language, f"- {title}：{count}，{shown}{rest}", f"- {title}: {count}, {shown}{rest}")


def _judge_change(moved: float, indicator: Indicator) -> BilingualText:
    if not moved or indicator.better == "neither":
        return BilingualText("持平", "unchanged") if not moved else BilingualText("有变化", "changed")
    is_better = (moved > 0) == (indicator.better == "higher")
    return BilingualText("改善", "better") if is_better else BilingualText("变差", "worse")


def compute_improvement(run: TuningResult, indicator: Indicator) -> JsonObject:
    """Change of an indicator over the cells that have a value both before and after."""
    first, second = (np.asarray(state.cell_values[indicator.field], np.float64) for state in (run.before, run.after))
    both = np.isfinite(first) & np.isfinite(second)
    before, after = (float(values[both].mean()) if both.any() else 0.0 for values in (first, second))
    sign = -1 if indicator.better == "lower" else 1
    # A cell counts as moved if the figures in its row differ.
    moves = sign * (second[both].round(indicator.digits) - first[both].round(indicator.digits))
    return {
        "indicator": indicator.name,
        "unit": indicator.unit,
        "before": round(before, 3),
        "after": round(after, 3),
        "change": round(round(after, 3) - round(before, 3), 3),
        "better": sign * (after - before) > 0,
        "cells": int(both.sum()),
        "cells_better": int((moves > 0).sum()),
        "cells_worse": int((moves < 0).sum()),
    }


def _count_kinds(changes: Sequence[ParameterChange], language: Language) -> str:
    counted = {kind: sum(one.parameter == kind for one in changes) for kind in PARAMETER_LABELS}
    # Without the unit of the parameter, which would make a number of places look like its value.
    names = {kind: PARAMETER_LABELS[kind].text(language).partition("(")[0].strip() for kind in counted}
    return choose_text(language, "，", ", ").join(
        choose_text(language, f"{names[kind]} {count} 处", f"{names[kind]}: {count}")
        for kind, count in counted.items()
        if count
    )
