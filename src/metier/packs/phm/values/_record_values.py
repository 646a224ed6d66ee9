"""Values of a record that a question names: RMS, kurtosis, crest factor and others, with channel and unit."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose
from metier.packs.phm.diagnosis import count_clipped
from metier.packs.phm.loaders import Record
from metier.packs.phm.requests import Quantity, RecordPart
from metier.packs.phm.values._indicators import judge_indicator
from metier.packs.phm.values._parts import cut_record, describe_part
from metier.tools import ToolError

_ALL: Final[tuple[Quantity, ...]] = ("rms", "peak", "peak_to_peak", "crest_factor", "kurtosis", "mean")
_NO_UNIT: Final = frozenset({"kurtosis", "crest_factor", "skewness"})
_TEXTS: Final = Sentences(
    {
        "rms": ("RMS", "有效值（RMS）"),
        "kurtosis": ("Kurtosis", "峭度"),
        "crest_factor": ("Crest factor", "峰值因子"),
        "peak": ("Peak", "峰值"),
        "peak_to_peak": ("Peak to peak", "峰峰值"),
        "mean": ("Mean (DC)", "均值（直流分量）"),
        "std": ("Standard deviation", "标准差"),
        "skewness": ("Skewness", "偏度"),
        "rate": ("Sampling rate", "采样率"),
        "seconds": ("Length", "时长"),
        "channels": ("Channels", "通道"),
        "value": ("**{name}: {value}**", "**{name}：{value}**"),
        "of": ("{title}, channel {channel}{part}.", "{title}，通道 {channel}{part}。"),
        "part": (", {part}", "，{part}"),
        "without_mean": (
            "The mean of {mean} {unit} (DC) is taken off first; with it the RMS is {raw} {unit}.",
            "已先去掉均值 {mean} {unit}（直流分量）；不去掉时有效值为 {raw} {unit}。",
        ),
        "no_unit": (
            "The file does not tell the unit of its samples: values are as in the file.",
            "文件没有写采样值的单位：数值按文件原样。",
        ),
        "not_finite": ("{count} samples are no numbers and are left out.", "{count} 个采样值不是数，已略去。"),
        "clipped": (
            "{count} samples lie at the end of the range ({level}): the record is clipped, so amplitudes, crest factor "
            "and kurtosis are too low.",
            "有 {count} 个采样值顶到量程（{level}）：数据削波，幅值、峰值因子和峭度都偏低。",
        ),
        "no_rate": (
            "The sampling rate is not known, so a band or seconds cannot be cut out. Say it, such as “sampling rate "
            "12000 Hz”.",
            "采样率未知，不能按秒或频带取数据。请说出采样率，例如「采样率 12000 Hz」。",
        ),
        "no_band": (
            "The band {low} to {high} Hz does not fit a record sampled at {fs} Hz.",
            "频带 {low} 至 {high} Hz 与采样率 {fs} Hz 不符。",
        ),
    }
)


def report_values(
    record: Record, quantities: Sequence[Quantity], part: RecordPart, title: str, language: Language
) -> JsonObject:
    """The values, each with its unit, then where they come from and what they say."""
    wanted = tuple(quantities) or _ALL
    if part and (part.has_band or part.span == "seconds") and (part.has_window or part.has_band) and not record.fs:
        raise ToolError(_TEXTS.render("no_rate", language), code="missing_rate")
    cut = cut_record(record, part, language)
    whole = cut.samples[np.isfinite(cut.samples)]
    samples = _filter(whole, part, record.fs, language) if part.has_band else whole
    values = compute_values(samples)
    unit = record.unit if record.unit not in ("", "?") else ""
    rows: list[JsonValue] = []
    said = []
    for name in wanted:
        told = _describe_value(name, values, cut, unit)
        said.append(_TEXTS.render("value", language, name=_TEXTS.render(name, language), value=told))
        rows.append([_TEXTS.render(name, language), told])
    used = describe_part(record, part, language)
    where = _TEXTS.render(
        "of",
        language,
        title=title,
        channel=record.channel,
        part=_TEXTS.render("part", language, part=used) if used else "",
    )
    notes = _list_notes(wanted, values, unit, len(cut.samples) - len(whole), language)
    if (clipped := count_clipped(whole)) and set(wanted) - {"rate", "seconds", "channels", "mean"}:
        notes.append(_TEXTS.render("clipped", language, count=clipped, level=f"{np.abs(whole).max():.3g}"))
    notes += [judge_indicator(name, values[name], language) for name in ("kurtosis", "crest_factor") if name in wanted]
    summary = "\n\n".join(
        [choose(language, en=", ", zh="，").join(said) + choose(language, en=".", zh="。"), where, *notes]
    )
    columns: list[JsonValue] = [
        {"key": "quantity", "title": choose(language, en="quantity", zh="指标"), "unit": ""},
        {"key": "value", "title": choose(language, en="value", zh="数值"), "unit": ""},
    ]
    tables: list[JsonValue] = []
    if len(rows) > 2:
        tables = [{"title": title, "columns": columns, "rows": rows}]
    return {"summary": summary, "tables": tables, "values": {name: round(values[name], 6) for name in values}}


def compute_values(samples: np.ndarray) -> dict[str, float]:
    """Values of samples; those of vibration are taken about the mean, which is no vibration."""
    mean = float(samples.mean())
    moving = samples - mean
    variance = float((moving**2).mean())
    rms, peak = variance**0.5, float(np.abs(moving).max())
    tiny = float(np.finfo(float).tiny)
    return {
        "rms": rms,
        "std": rms,
        "mean": mean,
        "raw_rms": float((samples**2).mean()) ** 0.5,
        "peak": peak,
        "peak_to_peak": float(np.ptp(samples)),
        "crest_factor": peak / max(rms, tiny),
        "kurtosis": float((moving**4).mean()) / max(variance**2, tiny),
        "skewness": float((moving**3).mean()) / max(rms**3, tiny),
    }


def _describe_value(name: Quantity, values: dict[str, float], record: Record, unit: str) -> str:
    if name == "rate":
        return f"{record.fs:g} Hz" if record.fs else "?"
    if name == "seconds":
        return f"{len(record.samples) / record.fs:.4g} s" if record.fs else "?"
    if name == "channels":
        return f"{len(record.channels)} ({', '.join(record.channels)})"
    value = f"{values[name]:.4g}"
    return value if name in _NO_UNIT or not unit else f"{value} {unit}"


def _list_notes(
    wanted: Sequence[Quantity], values: dict[str, float], unit: str, dropped: int, language: Language
) -> list[str]:
    notes = []
    has_mean = abs(values["mean"]) > 0.05 * values["rms"]
    if has_mean and {"rms", "std", "peak", "crest_factor"} & set(wanted):
        mean, raw = f"{values['mean']:.4g}", f"{values['raw_rms']:.4g}"
        notes.append(_TEXTS.render("without_mean", language, mean=mean, raw=raw, unit=unit).replace("  ", " "))
    if not unit and set(wanted) - _NO_UNIT - {"rate", "seconds", "channels"}:
        notes.append(_TEXTS.render("no_unit", language))
    if dropped:
        notes.append(_TEXTS.render("not_finite", language, count=dropped))
    return notes


def _filter(samples: np.ndarray, part: RecordPart, fs: float | None, language: Language) -> np.ndarray:
    from metier.packs.phm.signals._filters import compute_filtered

    rate = fs or 0.0
    low, high = part.low_hz or 0.0, part.high_hz or rate / 2
    if not 0 <= low < high <= rate / 2 or (low <= 0 and high >= rate / 2):
        told = {"low": f"{low:g}", "high": f"{high:g}", "fs": f"{rate:g}"}
        raise ToolError(_TEXTS.render("no_band", language, **told), code="invalid")
    if low <= 0:
        return compute_filtered(samples, fs=rate, filter_type="low", cutoff=high)
    if high >= rate / 2:
        return compute_filtered(samples, fs=rate, filter_type="high", cutoff=low)
    return compute_filtered(samples, fs=rate, filter_type="band", cutoff=(low, high))
