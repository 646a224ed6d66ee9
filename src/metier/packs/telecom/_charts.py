"""Tables and charts of the twin's numbers, as data for any front end."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor
from types import MappingProxyType
from typing import Final, Literal

import numpy as np

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.telecom._figures import difference_unit, format_value, subtract_rounded
from metier.packs.telecom._labels import (
    AFTER,
    BEFORE,
    CELL,
    CHANGE,
    LATITUDE,
    LONGITUDE,
    PARAMETER_LABELS,
    cell_text,
    choose_text,
    column_title,
    column_unit,
    gain_unit,
    indicator_heading,
    title_table,
)
from metier.packs.telecom.twin import (
    COMFORTABLE_LOAD,
    GOAL_WEIGHTS,
    Heatmap,
    Indicator,
    ParameterChange,
    Problem,
    TuningResult,
    TwinTable,
    load_thresholds,
)

ChartKind = Literal["grouped_bar", "line", "stacked_bar", "scatter", "heatmap", "table"]
CHART_TYPES: Final[Mapping[str, ChartKind]] = MappingProxyType(
    {
        "grouped_bar_chart": "grouped_bar",
        "line_chart": "line",
        "stacked_bar_chart": "stacked_bar",
        "scatter_plot": "scatter",
        "heatmap": "heatmap",
        "table": "table",
    }
)
# More bars are unreadable; the cells that change most are shown.
_MAX_BARS: Final = 24
# Units whose values lie far from 0, where an axis from 0 would hide every difference.
_FITTED_UNITS: Final = frozenset({"dBm", "dB", "%"})
# Field of the state, limit of the diagnosis, and what the line is called.
_THRESHOLD_LINES: Final = (
    ("rsrp", "weak_rsrp", "弱覆盖门限", "weak below"),
    ("level", "weak_rsrp", "弱覆盖门限", "weak below"),
    ("coverage", "mr_coverage", "严重弱覆盖门限", "severe below"),
    ("sinr", "sinr_fair", "干扰门限", "interference below"),
    ("access", "rrc_success", "接入异常门限", "abnormal below"),
    ("handover", "handover_success", "切换异常门限", "abnormal below"),
    ("dl_prb", "prb_busy", "高负荷门限", "overload above"),
    ("dl_prb", "prb_high", "高负荷必须处理", "overload, act above"),
    ("ul_prb", "prb_busy", "高负荷门限", "overload above"),
)


def build_table(table: TwinTable, title: str, language: Language) -> JsonObject:
    """Convert a table; titles are in the user's language, keys are the twin's own names."""
    columns: list[JsonValue] = [
        {"key": head, "title": column_title(head, language), "unit": column_unit(head)} for head in table.headers
    ]
    rows: list[JsonValue] = [[cell_text(value, language) for value in row] for row in table.rows]
    return title_table({"title": title, "columns": columns, "rows": rows})


def build_comparison_charts(
    run: TuningResult, found: Sequence[Indicator], kind: ChartKind, language: Language
) -> Iterator[JsonObject]:
    """Charts of the same cells before and after: one per indicator, or one for all if units do not matter."""
    if kind == "heatmap":
        yield _build_change_map(run, found, language)
    elif kind == "table":
        yield _build_comparison_table(run, found, language)
    else:
        for one in found:
            yield _build_comparison(run, one, kind, language)


def find_colour_range(pictures: Sequence[Heatmap]) -> list[JsonValue] | None:
    """Common value range of several heat maps, so that their colours are comparable; None if all values are equal."""
    values = np.concatenate([picture.values.round(1).ravel() for picture in pictures])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return [low, high] if low < high else None


def build_heat_chart(
    picture: Heatmap, indicator: Indicator, stage: str, language: Language, colours: list[JsonValue] | None = None
) -> JsonObject:
    """Convert a heat map to a chart: grid squares by longitude and latitude, south first."""
    west, south, east, north = picture.bounds
    height, width = picture.values.shape
    longitudes = [round(west + (east - west) * (at + 0.5) / width, 5) for at in range(width)]
    latitudes = [round(south + (north - south) * (at + 0.5) / height, 5) for at in range(height)]
    values = picture.values.round(1).tolist()
    rows: list[JsonValue] = [
        [longitude, latitudes[at], value]
        for at, line in enumerate(values)
        for longitude, value in zip(longitudes, line, strict=True)
    ]
    return {
        "kind": "heatmap",
        "title": f"{indicator_heading(indicator, language)} · {stage}",
        "columns": [
            {"key": "longitude", "title": LONGITUDE.text(language), "unit": "°"},
            {"key": "latitude", "title": LATITUDE.text(language), "unit": "°"},
            {"key": "value", "title": indicator_heading(indicator, language), "unit": indicator.unit},
        ],
        "rows": rows,
        "x": "longitude",
        "group": "latitude",
        "y": ["value"],
        **({} if colours is None else {"range": colours}),
    }


def pair_values(run: TuningResult, indicator: Indicator) -> list[tuple[str, float | None, float | None]]:
    """Each cell with its value before and after as shown, in scenario order."""
    before = run.before.build_cell_table([indicator.name]).rows
    after = {row[0]: row[-1] for row in run.after.build_cell_table([indicator.name]).rows}
    return [(str(row[0]), _to_number(row[-1]), _to_number(after.get(row[0]))) for row in before]


def _build_comparison(run: TuningResult, indicator: Indicator, kind: ChartKind, language: Language) -> JsonObject:
    whole = [one for one in pair_values(run, indicator) if one[1] is not None and one[2] is not None]
    shown = whole if kind == "scatter" else sorted(whole, key=_absolute_change)[-_MAX_BARS:]
    # The worst cell comes first.
    shown = sorted(shown, key=lambda one: one[1] or 0.0, reverse=indicator.better == "lower")
    rows: list[JsonValue] = [
        {"cell": cell, "before": before, "after": after, "change": _difference(before, after, indicator.digits)}
        for cell, before, after in shown
    ]
    axes: dict[str, JsonValue] = {"x": "cell", "y": ["before", "after"]}
    if kind == "scatter":
        axes = {"x": "before", "y": ["after"]}
    name = indicator_heading(indicator, language)
    note = choose_text(
        language,
        f"共 {len(whole)} 个小区，显示变化最大的 {len(shown)} 个",
        f"{len(shown)} of {len(whole)} cells shown, those that change most",
    )
    lines = find_threshold_lines(indicator, language)
    scale = find_value_range([value for one in shown for value in one[1:] if value is not None], indicator, lines)
    return {
        "kind": kind,
        "title": choose_text(language, f"{name} 优化前后对比", f"{name} before and after"),
        "columns": _comparison_columns(indicator.unit, language),
        "rows": rows,
        **axes,
        **({} if scale is None or kind == "stacked_bar" else {"range": scale}),
        **({"thresholds": lines} if lines else {}),
        **({"note": note} if len(shown) < len(whole) else {}),
    }


def find_threshold_lines(indicator: Indicator, language: Language) -> list[JsonValue]:
    """Limits of the diagnosis that apply to an indicator, as lines of a chart."""
    known = load_thresholds()
    return [
        {"value": found.value, "title": f"{choose_text(language, zh, en)} {format_value(found.value, found.unit, 0)}"}
        for field, found, zh, en in ((field, known[name], zh, en) for field, name, zh, en in _THRESHOLD_LINES)
        if field == indicator.field
    ]


def find_value_range(
    values: Sequence[float], indicator: Indicator, lines: Sequence[JsonValue]
) -> list[JsonValue] | None:
    """Axis of a chart: from 0 for what is counted; for levels, ratios and rates of success around the values.

    Bars grow from the bottom of the axis, so the worst cell has the shortest bar and not the longest.
    """
    limits = [float(str(line["value"])) for line in lines if isinstance(line, Mapping)]
    every = [*values, *limits]
    if not every or indicator.unit not in _FITTED_UNITS or indicator.better != "higher":
        return None
    step = 5.0
    low, high = floor(min(every) / step) * step, ceil(max(every) / step) * step
    if low == min(every):
        low -= step
    return [low, min(high, 100.0) if indicator.unit == "%" else high]


def _build_change_map(run: TuningResult, found: Sequence[Indicator], language: Language) -> JsonObject:
    rows: list[JsonValue] = [
        {"cell": cell, "indicator": indicator_heading(one, language), "change": _difference(before, after, one.digits)}
        for one in found
        for cell, before, after in pair_values(run, one)
    ]
    return {
        "kind": "heatmap",
        "title": choose_text(language, "各小区指标变化", "change by cell and indicator"),
        "columns": [
            {"key": "cell", "title": CELL.text(language)},
            {"key": "indicator", "title": choose_text(language, "指标", "indicator")},
            {"key": "change", "title": CHANGE.text(language), "type": "number"},
        ],
        "rows": rows,
        "x": "cell",
        "group": "indicator",
        "y": ["change"],
    }


def _build_comparison_table(run: TuningResult, found: Sequence[Indicator], language: Language) -> JsonObject:
    rows: list[JsonValue] = [
        {
            "cell": cell,
            "indicator": indicator_heading(one, language),
            "before": before,
            "after": after,
            "change": _difference(before, after, one.digits),
        }
        for one in found
        for cell, before, after in pair_values(run, one)
    ]
    indicator = {"key": "indicator", "title": choose_text(language, "指标", "indicator")}
    columns = _comparison_columns("", language)
    title = choose_text(language, "优化前后对比", "before and after")
    told: JsonObject = {"kind": "table", "title": title, "columns": [columns[0], indicator, *columns[1:]], "rows": rows}
    return title_table(told)


def _comparison_columns(unit: str, language: Language) -> list[JsonValue]:
    named = (("before", BEFORE, unit), ("after", AFTER, unit), ("change", CHANGE, difference_unit(unit, language)))
    numbers: list[JsonValue] = [
        {"key": key, "title": words.text(language), "type": "number", "unit": own} for key, words, own in named
    ]
    return [{"key": "cell", "title": CELL.text(language)}, *numbers]


def _absolute_change(one: tuple[str, float | None, float | None]) -> float:
    return abs((one[2] or 0.0) - (one[1] or 0.0))


def _difference(before: float | None, after: float | None, digits: int) -> float | None:
    return None if before is None or after is None else subtract_rounded(before, after, digits)


def _to_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


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
            "gain": round(one.gain, 2),
            "unit": gain_unit(one).text(language),
        }
        for one in changes
    ]
    heads = (
        ("cell", "小区id", "cell"),
        ("parameter", "参数", "parameter"),
        ("before", "原值", "was"),
        ("after", "新值", "will be"),
        ("gain", "增益", "gain"),
        ("unit", "增益单位", "unit of the gain"),
    )
    columns: list[JsonValue] = [{"key": key, "title": choose_text(language, zh, en)} for key, zh, en in heads]
    return title_table({"title": title, "columns": columns, "rows": rows})


def describe_points(aim: Problem, language: Language) -> str:
    """What a point of the gain is, for this aim, and below how many a change is not recommended."""
    weights, limits, busy = GOAL_WEIGHTS[aim], load_thresholds(), f"{100 * COMFORTABLE_LOAD:g} %"
    zh = [f"平均SINR每 1 dB 计 {weights.quality:g} 分"]
    en = [f"each dB of the mean SINR counts {weights.quality:g}"]
    if weights.overshoot:
        zh.append(f"越区服务的占比每 1 个百分点扣 {weights.overshoot:g} 分")
        en.append(f"each percent served from too far away takes {weights.overshoot:g}")
    if weights.crowding:
        zh.append(f"各小区负荷超过 {busy} 部分的平方和每 1 扣 {weights.crowding:g} 分")
        en.append(f"each unit of squared load above {busy}, over the cells, takes {weights.crowding:g}")
    weak, turn, setting = (f"{limits[name].value:g}" for name in ("weak_rsrp", "azimuth_gain", "setting_gain"))
    return choose_text(
        language,
        f"增益以目标分计：RSRP不低于 {weak} dBm 的占比（面积和用户各半）每 1 个百分点约计 1 分，{'，'.join(zh)}；"
        f"方位角要上站调整，增益低于 {turn} 分不推荐，可远程调整的参数低于 {setting} 分不推荐。"
        "增配邻区的增益是该小区切换成功率的百分点。",
        f"The gain is in points of the goal: each percent of ground and users (half each) above {weak} dBm counts "
        f"about 1, {', '.join(en)}. Turning an antenna takes a site visit and is not recommended below {turn} points, "
        f"a remote setting not below {setting}. The gain of a new neighbour is in points of its handover success.",
    )
