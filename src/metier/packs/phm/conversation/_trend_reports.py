"""Trend, gear and fleet answers of a conversation."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.conversation._assets import describe_asset, find_own_bearing, list_files, load_asset
from metier.packs.phm.conversation._tables import FleetMachine, build_fleet_table, build_trend_chart
from metier.packs.phm.diagnosis import name_of, refuse_unreadable
from metier.packs.phm.gears import analyse_gear, describe_gear
from metier.packs.phm.loaders import Record, read_record
from metier.packs.phm.samples import list_samples, make_history, make_trend
from metier.packs.phm.trends import RemainingLife, estimate_remaining_life, follow_health

_TEXTS: Final = Sentences(
    {
        "trend_alarm": (
            "**Degradation since record {alarm} of {count}.** The level (median of the last five records) is {ratio} "
            "times that at the start. {life}",
            "**从第 {alarm} 条记录起开始劣化（共 {count} 条）。** 数值（最后五条的中位数）是初期的 {ratio} 倍。{life}",
        ),
        "trend_none": (
            "**No lasting alarm in {count} records.** A remaining life is not given before degradation is seen.",
            "**{count} 条记录中没有持续报警。** 未见劣化之前不给出剩余寿命。",
        ),
        "life": (
            "Remaining life about {records} records (80 % interval {low} to {high}) until the failure level, "
            "{failure} × the start, if it goes on growing as since the alarm. The data tell no time: with one record a "
            "day these are days.",
            "剩余寿命约 {records} 条记录（80 % 区间 {low} 至 {high}），失效水平按初期的 {failure} 倍计，"
            "前提是继续按报警以来的速度增长。数据没有给出时间：若每天一条，就是天数。",
        ),
        "no_growth": ("It does not grow steadily: no remaining life is given.", "没有稳定增长：不给出剩余寿命。"),
        "too_few_records": (
            "There are too few records since then: no remaining life is given yet.",
            "此后的记录太少：暂不给出剩余寿命。",
        ),
        "failed": (
            "The failure level, {failure} × the start, has been reached: no life is left by this measure.",
            "已达到失效水平（初期的 {failure} 倍）：按此标准已无剩余寿命。",
        ),
        "sample_trend": ("Sample trend (simulated, not one of your machines): ", "示例趋势（仿真，不是你的设备）："),
        "sample_gear": ("Sample gearbox (simulated, not one of your machines): ", "示例齿轮箱（仿真，不是你的设备）："),
        "source_sample": (
            "For a trend of yours attach a file with one value per record.",
            "要看自己的趋势，请附上每条记录一个值的文件。",
        ),
        "source_history": (
            "Sample history of {title} (simulated RMS by record; the last one is the record that is diagnosed): "
            "attach a file with one value per record for your machine.",
            "{title}的示例历史（仿真的逐条有效值，最后一条就是所诊断的数据）：要看自己的设备，"
            "请附上每条记录一个值的文件。",
        ),
        "no_history": (
            "**There is no trend of {title}: there is a single record.** A trend needs one value per record, "
            "such as the RMS of every day: attach a file with them.",
            "**{title}没有趋势数据：只有一条记录。** 趋势需要每条记录一个值（例如每天的有效值）：请附上这样的文件。",
        ),
        "source_file": ("File {name}.", "文件 {name}。"),
        "gear_sample": (
            "To diagnose a gear of yours attach its record.",
            "要诊断自己的齿轮，请附上数据文件。",
        ),
        "fleet": (
            "**{bad} of {count} machines need attention.** First: {first}.",
            "**{count} 台设备中有 {bad} 台需要关注。** 最紧急：{first}。",
        ),
        "fleet_good": ("**No alarm in {count} machines.**", "**{count} 台设备均无报警。**"),
        "first": ("{title} ({fault}, {times} × healthy)", "{title}（{fault}，健康值的 {times} 倍）"),
        "severity": (
            " Sorted by condition, then by severity: the level against its own start, or the kurtosis against 3 "
            "(healthy), whichever is higher. The confidence is that of the verdict and does not count.",
            "先按状态、再按严重程度排序：水平与自身初期之比，或峭度与健康值 3 之比，取较大者。"
            "置信度只说明结论有多可靠，不参与排序。",
        ),
        "fleet_sample": (
            " The levels come from simulated sample histories.",
            "水平来自仿真的示例历史。",
        ),
        "fleet_trial": (
            " **{title} is computed with bearing {bearing}, on trial in this conversation; {own} is on record.**",
            " **{title}按本次对话里试用的轴承 {bearing} 计算，登记的是 {own}。**",
        ),
        "fleet_next": (
            "To look at the most urgent one, say “diagnose the bearing of {title}”.",
            "要细看最紧急的一台，可以说「诊断{title}的轴承」。",
        ),
        "fleet_next_good": (
            "For one machine in detail, say “diagnose the bearing of” and its name.",
            "要细看某一台，可以说「诊断」加设备名和「的轴承」。",
        ),
        "fleet_open": (" {open} could not be judged.", "{open} 台无法判断。"),
    }
)
_FAILURE: Final = 8.0
_MAX_RECORDS: Final = 20_000  # more values are a waveform


def report_trend(asset: str, workspace: Path, language: Language) -> JsonObject:
    """Health index, first lasting alarm and remaining life of a trend file or of a machine's history.

    Without a machine it is the sample trend; a machine with a single record has none, and is not replaced by another.
    """
    path = next((one for one in list_files(workspace) if one.name == asset), None)
    title = describe_asset(asset, workspace, language)
    values = _read_history(asset, path)
    if values is None:
        told = _TEXTS.render("no_history", language, title=title)
        return {"records": 1, "first_alarm": None, "summary": told, "next": ""}
    trend = follow_health(values)
    code = "source_file" if path is not None else "source_history" if asset in list_samples() else "source_sample"
    source = _TEXTS.render(code, language, name=asset, title=title)
    result: dict[str, object] = {"records": len(values), "first_alarm": trend.first_alarm}
    if trend.first_alarm is None:
        text = _TEXTS.render("trend_none", language, count=len(values))
    else:
        left = estimate_remaining_life(trend, _FAILURE * trend.centre)
        life = _describe_life(left, language)
        given = {"alarm": trend.first_alarm, "count": len(values), "ratio": f"{trend.ratio:.1f}"}
        text = _TEXTS.render("trend_alarm", language, **given, life=life)
        result |= {"remaining_life": left.records, "low": left.low, "high": left.high}
    if code == "source_sample":
        text = _TEXTS.render("sample_trend", language) + text
    return {**result, "summary": text, "next": source, "charts": [build_trend_chart(trend, _FAILURE, language)]}  # type: ignore[dict-item]  # a chart is JSON


def _read_history(asset: str, path: Path | None) -> NDArray[np.float64] | None:
    """One value per record, of a file or of a sample machine; None where there is a single record."""
    if path is not None:
        values = read_record(path).samples
        return values if len(values) <= _MAX_RECORDS else None
    sample = list_samples().get(asset)
    if sample is None:
        return make_trend()
    return None if sample.recipe is None else make_history(asset)


def _describe_life(left: RemainingLife, language: Language) -> str:
    if left.reason == "failed" or left.records is None:
        return _TEXTS.render(left.reason or "no_growth", language, failure=f"{_FAILURE:g}")
    numbers = {"records": f"{left.records:.0f}", "low": f"{left.low:.0f}", "high": f"{left.high:.0f}"}
    return _TEXTS.render("life", language, **numbers, failure=f"{_FAILURE:g}")


def report_gear(record: Record, language: Language, *, is_sample: bool) -> JsonObject:
    """Gear figures of a record: synchronous average, FM0, FM4, M6A."""
    found = analyse_gear(record)
    source = (
        _TEXTS.render("gear_sample", language)
        if is_sample
        else _TEXTS.render("source_file", language, name=record.name)
    )
    told = {key: value for key, value in found.to_json().items() if key != "dag"}
    lead = _TEXTS.render("sample_gear", language) if is_sample else ""
    return {**told, "summary": lead + describe_gear(found, language), "next": source}


def _measure_level(sample_id: str) -> float | None:
    """Present level of a sample against the start of its history; None without a history."""
    if list_samples()[sample_id].recipe is None:
        return None
    return follow_health(make_history(sample_id)).ratio


def report_fleet(workspace: Path, language: Language) -> JsonObject:
    """Every record of the conversation's folder, or the shipped samples if there is none; worst first."""
    files = [one.name for one in list_files(workspace)]
    samples = () if files else tuple(list_samples())
    results, trials = [], []
    for asset in files or samples:
        try:
            record = load_asset(asset, workspace, rpm=None, fs=None, bearing=None)
            found = diagnose_record(record)
            if (own := find_own_bearing(asset)) is not None and own != record.bearing:
                title = describe_asset(asset, workspace, language)
                trials.append(_TEXTS.render("fleet_trial", language, title=title, bearing=record.bearing, own=own))
        except MetierError as error:  # one file must not stop the others
            found = refuse_unreadable(error.message)
        level = _measure_level(asset) if asset in samples else None
        results.append(FleetMachine(describe_asset(asset, workspace, language), found, level))
    results.sort(key=lambda one: one.urgency)
    bad = [one for one in results if one.found.alarm]
    joined = ""
    if bad:
        worst = bad[0]
        named = {
            "title": worst.title,
            "fault": name_of(worst.found.verdict, language),
            "times": f"{worst.severity:.1f}",
        }
        joined = _TEXTS.render("first", language, **named)
    text = _TEXTS.render("fleet" if bad else "fleet_good", language, bad=len(bad), count=len(results), first=joined)
    if is_open := [one for one in results if one.found.condition == "undetermined"]:
        text += _TEXTS.render("fleet_open", language, open=len(is_open))
    text += _TEXTS.render("severity", language)
    if any(one.level is not None for one in results):
        text += _TEXTS.render("fleet_sample", language)
    text += "".join(trials)
    order = [one.title for one in results]
    following = _TEXTS.render("fleet_next" if bad else "fleet_next_good", language, title=order[0] if order else "")
    return {
        "machines": len(results),
        "alarms": len(bad),
        "order": order,
        "summary": text,
        "next": following,
        "tables": [build_fleet_table(results, language)],
    }
