"""A part of a record: cut out as it was asked for, and told."""

from dataclasses import replace
from typing import Final, Literal

from metier.language import Language, Sentences, join_names
from metier.packs.phm.loaders import Record
from metier.packs.phm.requests import RecordPart, list_left_out, list_part_words
from metier.tools import ToolError

_TEXTS: Final = Sentences(
    {
        "window": ("only {start} to {end} s of {seconds} s", "只用 {start} 至 {end} 秒（全长 {seconds} 秒）"),
        "channel": ("channel {channel}", "通道 {channel}"),
        "band": ("band {low} to {high} Hz", "频带 {low} 至 {high} Hz"),
        "outside": (
            "The record has {seconds} s, so {asked} is not in it. Nothing was computed.",
            "这份数据只有 {seconds} 秒，没有{asked}这一段，所以没有计算。",
        ),
        "asked": ("{start} to {end} s", "{start} 至 {end} 秒"),
        "no_channel": (
            "This record has no channel {channel!r}; its channels: {channels}. Nothing was computed.",
            "这份数据没有通道「{channel}」，有：{channels}。没有计算。",
        ),
        "left_out": ("**Not done as asked:** “{parts}”. {what}", "**没有照做：**「{parts}」。{what}"),
        "next_part": ("”, “", "」「"),
        "what": (
            "What was computed is told below; a time range, a channel, a speed or a bearing can be changed.",
            "以下是实际计算的内容；可以改的是时间段、通道、转速和轴承。",
        ),
        "whole_only": (
            "All of what is there was used; a part of it can be told for a diagnosis or a severity of one record.",
            "用的是全部数据；只取一部分，可以在诊断一台设备或评定烈度时说。",
        ),
        "band_of_severity": (
            "**Not done as asked:** the band {low} to {high} Hz. The zones of ISO 20816 are for 10 to 1000 Hz.",
            "**没有照做：**频带 {low} 至 {high} Hz。ISO 20816 的区域按 10 至 1000 Hz 划分。",
        ),
        "band_of_gear": (
            "**Not done as asked:** the band {low} to {high} Hz. The synchronous average uses all harmonics of the "
            "mesh.",
            "**没有照做：**频带 {low} 至 {high} Hz。同步平均用到啮合频率的全部谐波。",
        ),
        "band_of_diagnosis": (
            "**Not done as asked:** the band {low} to {high} Hz. The diagnosis tests the pre-whitened and the "
            "full-band "
            "envelope; for the values in a band say “RMS from {low} to {high} Hz”.",
            "**没有照做：**频带 {low} 至 {high} Hz。诊断在预白化包络谱和全频带包络谱上检验；要频带内的数值，"
            "可以说「{low} 到 {high} Hz 的 RMS」。",
        ),
    }
)


def choose_channel(channels: tuple[str, ...], wanted: str, language: Language) -> str:
    """The channel that words name: by its name, its number at the end or in the order, or by a part of its name."""
    lower = wanted.lower()
    named = {one.lower(): one for one in channels}
    if lower in named:
        return named[lower]
    if lower.isdigit():
        numbered = [one for one in channels if one.lower().rstrip("0123456789") != one.lower()]
        same = [one for one in numbered if one[len(one.rstrip("0123456789")) :].lstrip("0") == lower]
        if same:
            return same[0]
        if 0 < int(lower) <= len(channels):
            return channels[int(lower) - 1]
    elif found := [one for one in channels if one.lower().endswith(lower) or (len(lower) > 1 and lower in one.lower())]:
        return found[0]
    told = {"channel": wanted, "channels": join_names(list(channels), language)}
    raise ToolError(_TEXTS.render("no_channel", language, **told), code="not_found")


def cut_record(record: Record, part: RecordPart, language: Language) -> Record:
    """The samples of a record within the window of a part; a window in seconds waits until the rate is known."""
    if not part.has_window or (part.span == "seconds" and not record.fs):
        return record
    first, last = _find_samples(record, part)
    if first < 0 or last > len(record.samples) or last - first < 2:
        raise ToolError(_describe_outside(record, first, last, language), code="not_found")
    return replace(record, samples=record.samples[first:last], length=0)


def describe_part(record: Record, part: RecordPart, language: Language) -> str:
    """What of a record, whole as it is in the file, is used; empty for all of it."""
    told = []
    if part.has_window and record.fs:
        first, last = _find_samples(record, part)
        values = (first / record.fs, last / record.fs, len(record.samples) / record.fs)
        start, end, seconds = (f"{round(one, 3):g}" for one in values)
        told.append(_TEXTS.render("window", language, start=start, end=end, seconds=seconds))
    if part.channel:
        told.append(_TEXTS.render("channel", language, channel=choose_channel(record.channels, part.channel, language)))
    if part.has_band:
        low, high = _get_edges(part, record.fs)
        told.append(_TEXTS.render("band", language, low=low, high=high))
    return join_names(told, language) if told else ""


def join_used(left_out: str, whole: Record, part: RecordPart, language: Language) -> str:
    """What was not kept and which part of the record was used instead of all of it; empty for nothing of both."""
    used = describe_part(whole, replace(part, low_hz=None, high_hz=None), language)
    return "\n\n".join(filter(None, (left_out, f"**{used}**" if used else "")))


def describe_band_left_out(
    part: RecordPart, fs: float | None, work: Literal["diagnosis", "severity", "gear"], language: Language
) -> str:
    """That this work does not keep to the band that was asked for; empty if none was."""
    low, high = _get_edges(part, fs)
    return _TEXTS.render(f"band_of_{work}", language, low=low, high=high) if part.has_band else ""


def describe_left_out(message: str, language: Language, *, takes_part: bool = True) -> str:
    """That restrictions in a message were not kept; empty without any. What takes no part of a record keeps none."""
    parts = [*([] if takes_part else list_part_words(message)), *list_left_out(message)]
    what = "what" if takes_part else "whole_only"
    joined = _TEXTS.render("next_part", language).join(parts)
    return _TEXTS.render("left_out", language, parts=joined, what=_TEXTS.render(what, language)) if parts else ""


def _find_samples(record: Record, part: RecordPart) -> tuple[int, int]:
    count = len(record.samples)
    factor = {"seconds": record.fs or 1.0, "samples": 1.0, "share": float(count)}[part.span]
    first = round((part.start or 0.0) * factor)
    last = count if part.end is None else round(part.end * factor)
    return (count + first, last) if first < 0 else (first, last)


def _get_edges(part: RecordPart, fs: float | None) -> tuple[str, str]:
    half = fs / 2 if fs else 0.0
    return f"{part.low_hz or 0:g}", f"{part.high_hz or half:g}"


def _describe_outside(record: Record, first: int, last: int, language: Language) -> str:
    fs = record.fs or 1.0
    asked = _TEXTS.render("asked", language, start=f"{first / fs:g}", end=f"{last / fs:g}")
    return _TEXTS.render("outside", language, seconds=f"{len(record.samples) / fs:g}", asked=asked)
