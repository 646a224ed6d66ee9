"""Trend, gear and fleet answers of a conversation."""

from pathlib import Path
from typing import Final

import numpy as np

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import Language, Sentences, choose
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.conversation._assets import describe_asset, list_files, load_asset
from metier.packs.phm.conversation._tables import build_fleet_table, build_trend_chart
from metier.packs.phm.diagnosis import name_of, refuse_unreadable
from metier.packs.phm.gears import analyse_gear, describe_gear
from metier.packs.phm.loaders import Record, read_record
from metier.packs.phm.samples import list_samples, make_trend
from metier.packs.phm.trends import estimate_remaining_life, follow_health
from metier.tools import ToolError

_TEXTS: Final = Sentences(
    {
        "trend_alarm": (
            "**Degradation since record {alarm} of {count}.** The level is {ratio} times that at the start. {life}",
            "**从第 {alarm} 条记录起开始劣化（共 {count} 条）。** 数值是初期的 {ratio} 倍。{life}",
        ),
        "trend_none": (
            "**No lasting alarm in {count} records.** A remaining life is not given before degradation is seen.",
            "**{count} 条记录中没有持续报警。** 未见劣化之前不给出剩余寿命。",
        ),
        "life": (
            "Remaining life about {records} records (80 % interval {low} to {high}) until the failure level, "
            "{failure} × the start.",
            "剩余寿命约 {records} 条记录（80 % 区间 {low} 至 {high}），失效水平按初期的 {failure} 倍计。",
        ),
        "no_growth": ("It does not grow steadily: no remaining life is given.", "没有稳定增长：不给出剩余寿命。"),
        "source_sample": (
            "Sample data (simulated), not one of your machines: attach a file with one value per record for yours.",
            "示例数据（仿真），不是你的设备：要看自己的趋势，请附上每条记录一个值的文件。",
        ),
        "source_file": ("File {name}.", "文件 {name}。"),
        "gear_sample": (
            "Sample data (simulated), not one of your gears: attach a record of yours.",
            "示例数据（仿真），不是你的齿轮：要诊断自己的，请附上数据文件。",
        ),
        "fleet": (
            "**{bad} of {count} machines need attention.** First: {first}.",
            "**{count} 台设备中有 {bad} 台需要关注。** 最紧急：{first}。",
        ),
        "fleet_good": ("**No alarm in {count} machines.**", "**{count} 台设备均无报警。**"),
        "fleet_open": (" {open} could not be judged.", " {open} 台无法判断。"),
    }
)
_FAILURE: Final = 8.0
_RANK: Final = ("faulty", "suspect", "undetermined", "normal")


def report_trend(asset: str, workspace: Path, language: Language) -> JsonObject:
    """Health index, first lasting alarm and remaining life of a trend file, or of the sample trend."""
    path = next((one for one in list_files(workspace) if one.name == asset), None)
    values = make_trend() if path is None else read_record(path).samples
    if len(values) > 20_000:
        raise ToolError("this is a waveform, not a trend", code="invalid_input", hint="one value per record")
    trend = follow_health(values)
    sources = {"name": asset} if path is not None else {}
    source = _TEXTS.render("source_file" if path is not None else "source_sample", language, **sources)
    result: dict[str, object] = {"records": len(values), "first_alarm": trend.first_alarm}
    if trend.first_alarm is None:
        text = _TEXTS.render("trend_none", language, count=len(values))
    else:
        left = estimate_remaining_life(trend, _FAILURE * trend.centre)
        life = _TEXTS.render("no_growth", language)
        if left.records is not None:
            numbers = {"records": f"{left.records:.0f}", "low": f"{left.low:.0f}", "high": f"{left.high:.0f}"}
            life = _TEXTS.render("life", language, **numbers, failure=f"{_FAILURE:g}")
        ratio = float(np.median(values[-5:]) / trend.centre)
        given = {"alarm": trend.first_alarm, "count": len(values), "ratio": f"{ratio:.1f}"}
        text = _TEXTS.render("trend_alarm", language, **given, life=life)
        result |= {"remaining_life": left.records, "low": left.low, "high": left.high}
    return {**result, "summary": f"{text} {source}", "charts": [build_trend_chart(trend, language)]}  # type: ignore[dict-item]


def report_gear(record: Record, language: Language, *, is_sample: bool) -> JsonObject:
    """Gear figures of a record: synchronous average, FM0, FM4, M6A."""
    found = analyse_gear(record)
    source = (
        _TEXTS.render("gear_sample", language)
        if is_sample
        else _TEXTS.render("source_file", language, name=record.name)
    )
    told = {key: value for key, value in found.to_json().items() if key != "dag"}
    return {**told, "summary": f"{describe_gear(found, language)}\n\n{source}"}


def report_fleet(workspace: Path, language: Language) -> JsonObject:
    """Every record of the conversation's folder, or the shipped samples if there is none; worst first."""
    assets = [one.name for one in list_files(workspace)] or list(list_samples())
    results = []
    for asset in assets:
        try:
            found = diagnose_record(load_asset(asset, workspace, rpm=None, fs=None, bearing=None))
        except MetierError as error:  # one file must not stop the others
            found = refuse_unreadable(error.message)
        results.append((describe_asset(asset, workspace, language), found))
    results.sort(key=lambda one: (_RANK.index(one[1].condition), -one[1].confidence))
    bad = [one for one in results if one[1].alarm]
    joined = ""
    if bad:
        title, found = bad[0]
        joined = choose(
            language,
            en=f"{title}, {name_of(found.verdict, language)}",
            zh=f"{title}，{name_of(found.verdict, language)}",
        )
    text = _TEXTS.render("fleet" if bad else "fleet_good", language, bad=len(bad), count=len(results), first=joined)
    if is_open := [one for _, one in results if one.condition == "undetermined"]:
        text += _TEXTS.render("fleet_open", language, open=len(is_open))
    order = [title for title, _ in results]
    return {
        "machines": len(results),
        "alarms": len(bad),
        "order": order,
        "summary": text,
        "tables": [build_fleet_table(results, language)],
    }
