"""The pack's tools."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.language import Language, Sentences
from metier.pack import PackContext
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.bearings import list_bearings, read_bearing
from metier.packs.phm.conversation._arguments import (
    Asset,
    BearingName,
    Before,
    Impossible,
    IsKnown,
    Known,
    MachineClass,
    PartCode,
    Rate,
    Rpm,
    SignalUnit,
    SummaryLanguage,
    Teeth,
    WithReport,
    Words,
)
from metier.packs.phm.conversation._assets import (
    GEAR_SAMPLE,
    describe_asset,
    detect_language,
    find_machine_of_gear,
    find_own_bearing,
    find_teeth,
    list_options,
    load_asset,
    load_gear,
    match_asset,
    match_file,
    name_report,
    tell_others,
)
from metier.packs.phm.conversation._failures import tell_failures
from metier.packs.phm.conversation._severity_reports import describe_refusal, report_severity
from metier.packs.phm.conversation._severity_words import normalise_unit, read_class, read_unit
from metier.packs.phm.conversation._tables import build_envelope_chart, build_evidence_table
from metier.packs.phm.conversation._terms import explain_term
from metier.packs.phm.conversation._tool_titles import TITLES
from metier.packs.phm.conversation._trend_reports import report_fleet, report_gear, report_trend
from metier.packs.phm.conversation._unmeasured import describe_unmeasured
from metier.packs.phm.conversation._value_tools import (
    compute_fault_frequencies,
    find_bearing_of_question,
    measure_record,
    rate_velocity,
)
from metier.packs.phm.conversation._words import read_words, settle_bearing
from metier.packs.phm.diagnosis import make_finding, name_of
from metier.packs.phm.loaders import Record
from metier.packs.phm.reports import describe_verdict, write_report
from metier.packs.phm.requests import RecordPart, join_parts, read_part, wants_whole
from metier.packs.phm.samples import list_samples
from metier.packs.phm.signals._severity import MACHINE_CLASSES, UNITS
from metier.packs.phm.values import (
    cut_record,
    describe_band_left_out,
    describe_change,
    describe_left_out,
    describe_part,
    join_used,
)
from metier.tools import FunctionTool, SideEffect, ToolContext, ToolResult, add_titles, function_tool

if TYPE_CHECKING:
    from metier.json_values import JsonValue

READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TIMEOUT_S: Final = 120.0
_OFFERED_BEARINGS: Final = ("6203", "6205")
_TEXTS: Final = Sentences(
    {
        "record": (
            "Record: {title}, channel {channel}, {seconds} s, {fs} Hz, given speed {rpm}, bearing {bearing}.",
            "数据：{title}，通道 {channel}，{seconds} 秒，采样率 {fs} Hz，给定转速 {rpm}，轴承 {bearing}。",
        ),
        "unknown": ("not known", "未知"),
        "next": (
            "To test another bearing or speed, say “bearing diagnosis with bearing {bearing}” "
            "or “bearing diagnosis at 1750 rpm”.",
            "换轴承或转速再试，可以说「轴承换成{bearing}」或「按转速1750转诊断轴承」。",
        ),
        "next_report": (
            " For a file with pictures, say “write the diagnosis report”.",
            "需要带图的文件，可以说「写诊断报告」。",
        ),
        "score": (
            "Score: how far the lines of a fault stand above noise, as the mean of ln(line ÷ largest noise line) over "
            "three harmonics. 0 is noise, below 0 is less than noise; only from the alarm on does it count.",
            "得分：故障谱线高出噪声的程度，即三个谐波上 ln(谱线 ÷ 噪声最大值) 的均值。"
            "0 相当于噪声，负值低于噪声；达到报警值才算数。",
        ),
        "report": ("Report with pictures: {name}", "带图的报告：{name}"),
    }
)


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; nothing heavy is imported before one runs."""
    del context
    functions = (find_record, describe_record, describe_gear_record, follow_trend, analyse_gear, screen_fleet)
    values = (measure_record, find_bearing_of_question, compute_fault_frequencies)
    every = [tell_failures(one) for one in (*functions, describe_severity_record, rate_vibration, *values)]
    tools = [function_tool(one, idempotent=True, effects=READS, timeout_s=_TIMEOUT_S) for one in every]
    tools.append(function_tool(tell_failures(diagnose_bearing), idempotent=True, effects=_WRITES, timeout_s=_TIMEOUT_S))
    explains = function_tool(explain_phm_term, idempotent=True, effects=READS, retrieves="knowledge")
    rates = function_tool(rate_velocity, idempotent=True, effects=READS)
    return add_titles((*tools, rates, explains), TITLES)


def find_record(
    context: ToolContext,
    description: Words,
    known: Known = "",
    known_part: PartCode = "",
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """按用户的话找到要分析的数据。Find the record that a message means."""
    language = language or detect_language([description])
    match = match_asset(description, context.workspace, known)
    part, _ = read_part(description)
    if match.source == "step" and not wants_whole(description):
        part = join_parts(RecordPart.parse(known_part), part)
    title = describe_asset(match.asset, context.workspace, language) if match.asset else ""
    return ToolResult(
        {
            "asset": match.asset or None,
            "unclear": not match.asset and not match.unknown,
            "unknown_machine": match.unknown or None,
            "not_measured": describe_unmeasured(description, language) or None,
            "title": title,
            "source": match.source,
            "options": list_options(context.workspace, language),
            "rpm": match.told.rpm,
            "fs": match.told.fs,
            "bearing": match.told.bearing,
            "unknown_bearing": match.told.unknown_bearing or None,
            "impossible": list(match.told.impossible),
            "also": tell_others(match, title, context.workspace, language),
            "report": match.report,
            "part": part.code,
            "is_known": match.source == "step",
            "left_out": describe_left_out(description, language),
            "left_out_of_all": describe_left_out(description, language, takes_part=False),
            "language": language,
        }
    )


def describe_record(
    context: ToolContext,
    asset: Asset,
    *,
    rpm: Rpm | None = None,
    fs: Rate | None = None,
    bearing: BearingName | None = None,
    impossible: Impossible = (),
    part: PartCode = "",
    known_part: PartCode = "",
    is_known: IsKnown = False,
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """读取数据的通道、采样率、转速和轴承；缺少的留空。Read channel, rate, speed and bearing; null where not known."""
    before = load_asset(asset, context.workspace)
    bearing = settle_bearing(bearing)
    used = replace(RecordPart.parse(part), low_hz=None, high_hz=None)
    record = load_asset(
        asset, context.workspace, rpm=rpm, fs=fs, bearing=bearing, channel=used.channel, language=language
    )
    cut_record(record, used, language)
    is_other = is_known and (before.rpm, before.bearing, known_part) != (record.rpm, record.bearing, used.code)
    title = describe_asset(asset, context.workspace, language)
    options: list[JsonValue] = [{"value": name, "label": name} for name in list_bearings()]
    return ToolResult(
        {
            "asset": asset,
            "title": title,
            "rpm": None if "rpm" in impossible else record.rpm,
            "rpm_label": f"{record.rpm:g} rpm" if record.rpm else "",
            "fs": None if "fs" in impossible else record.fs,
            "bearing": record.bearing,
            "bearing_options": options,
            "channels": list(record.channels),
            "part": used.code,
            "part_label": describe_part(record, used, language),
            "before": [f"{before.rpm or ''}", before.bearing or "", known_part] if is_other else None,
            "summary": _tell_record(record, title, language, used),
        }
    )


def _tell_record(record: Record, title: str, language: Language, part: RecordPart) -> str:
    """What is known of a record: channel, length, rate, the speed and bearing that were given, the part in use."""
    unknown = _TEXTS.render("unknown", language)
    seconds = f"{record.seconds:.1f}" if record.seconds else unknown
    fs, rpm = f"{record.fs:g}" if record.fs else unknown, f"{record.rpm:g} rpm" if record.rpm else unknown
    told = {"channel": record.channel, "bearing": record.bearing or unknown}
    known = _TEXTS.render("record", language, title=title, seconds=seconds, fs=fs, rpm=rpm, **told)
    used = join_used("", record, replace(part, channel=""), language)
    return f"{known} {used}" if used else known


def diagnose_bearing(
    context: ToolContext,
    asset: Asset,
    *,
    rpm: Rpm,
    fs: Rate,
    bearing: BearingName,
    report: WithReport = False,
    part: PartCode = "",
    before: Before | None = None,
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """诊断轴承：故障类型、证据、发现，需要时写报告。Diagnose the bearing: fault, evidence, findings, a report."""
    read_bearing(bearing)
    used = RecordPart.parse(part)
    whole = load_asset(
        asset, context.workspace, rpm=rpm, fs=fs, bearing=bearing, channel=used.channel, language=language
    )
    record = cut_record(whole, used, language)
    found = diagnose_record(record, picture=language if report else None)
    change = (
        describe_change(whole, replace(used, low_hz=None, high_hz=None).code, found, before, language)
        if before is not None
        else ""
    )
    if (own := find_own_bearing(asset)) is not None and own != bearing:
        trial = make_finding("trial_bearing", bearing=bearing, own=own)
        found = replace(found, findings=(trial, *found.findings))
    findings = "\n".join(f"- {one.text(language)}" for one in found.findings)
    chart = build_envelope_chart(found, language)
    path = context.workspace / name_report(asset) if report else None
    written = write_report(path, [(record, found)], language).name if path else ""
    left_out = describe_band_left_out(used, fs, "diagnosis", language)
    texts = [
        left_out,
        change,
        describe_verdict(found, language),
        findings,
        _TEXTS.render("score", language) if found.evidence else "",
    ]
    summary = "\n\n".join(filter(None, (*texts, _TEXTS.render("report", language, name=written) if written else "")))
    return ToolResult(
        {
            **{key: value for key, value in found.to_json().items() if key != "dag"},
            "asset": asset,
            "condition_title": name_of(found.condition, language),
            "summary": summary,
            "record": _tell_record(whole, describe_asset(asset, context.workspace, language), language, used),
            "next": _offer_next(bearing, language, is_written=bool(written)),
            "tables": [build_evidence_table(found, language)] if found.evidence else [],
            "charts": [chart] if chart else [],
            "report": written or None,
        }
    )


def _offer_next(bearing: str, language: Language, *, is_written: bool) -> str:
    """What may be said next: another bearing than the tested one, and the report unless it was just written."""
    other = next(name for name in _OFFERED_BEARINGS if name != bearing)
    told = _TEXTS.render("next", language, bearing=other)
    return told if is_written else told + _TEXTS.render("next_report", language)


def follow_trend(context: ToolContext, asset: Asset = "trend", language: SummaryLanguage = "zh") -> ToolResult:
    """跟踪趋势：健康指数、首次持续报警和剩余寿命。Follow a trend: health index, first lasting alarm, remaining life."""
    return ToolResult(report_trend(asset, context.workspace, language))


def describe_gear_record(
    context: ToolContext,
    description: Words,
    known: Known = "",
    known_part: PartCode = "",
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """找到齿轮数据，读取采样率、转速和齿数。Find the gear's record with its rate, speed and teeth."""
    language, given = language or detect_language([description]), read_words(description)
    asset = match_file(description, context.workspace, known)
    record, (part, _) = load_gear(asset, context.workspace), read_part(description)
    if asset == known and not wants_whole(description):
        part = join_parts(RecordPart.parse(known_part), part)
    return ToolResult(
        {
            "asset": asset,
            "unknown_machine": (asset == GEAR_SAMPLE and find_machine_of_gear(description)) or None,
            "rpm": None if "rpm" in given.impossible else given.rpm or record.rpm,
            "fs": None if "fs" in given.impossible else given.fs or record.fs,
            "teeth": find_teeth(description) or record.teeth,
            "part": part.code,
            "left_out": describe_left_out(description, language),
            "language": language,
        }
    )


def analyse_gear(
    context: ToolContext,
    asset: Asset,
    *,
    rpm: Rpm,
    fs: Rate,
    teeth: Teeth,
    part: PartCode = "",
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """分析齿轮：同步平均、FM0、FM4。Analyse a gear: synchronous average, FM0, FM4."""
    used = RecordPart.parse(part)
    whole = load_gear(asset, context.workspace, rpm=rpm, fs=fs, teeth=teeth, channel=used.channel, language=language)
    record, left_out = cut_record(whole, used, language), describe_band_left_out(used, fs, "gear", language)
    told = report_gear(record, language, is_sample=asset == GEAR_SAMPLE)
    return ToolResult({"asset": asset, **told, "used": join_used(left_out, whole, used, language)})


def describe_severity_record(
    context: ToolContext,
    asset: Asset,
    description: Words,
    part: PartCode = "",
    language: SummaryLanguage | None = None,
) -> ToolResult:
    """读取烈度所需的采样率、单位和机器类别；缺少的留空。Read rate, unit and class for a severity; null if unknown."""
    language, used = language or detect_language([description]), RecordPart.parse(part)
    record = load_asset(asset, context.workspace, channel=used.channel, language=language)
    refusal = describe_refusal(record, title := describe_asset(asset, context.workspace, language), language)
    said_unit, said_class = read_unit(description), read_class(description)
    unit = said_unit.value if said_unit.is_named else normalise_unit(record.unit)
    known = said_class.value if said_class.is_named else record.machine_class
    return ToolResult(
        {
            "asset": asset,
            "title": title,
            "is_vibration": not refusal,
            "summary": refusal,
            "fs": read_words(description).fs or record.fs,
            "unit": unit if unit in UNITS else None,
            "machine_class": known if known in MACHINE_CLASSES else None,
        }
    )


def rate_vibration(
    context: ToolContext,
    asset: Asset,
    *,
    fs: Rate,
    unit: SignalUnit,
    machine_class: MachineClass,
    part: PartCode = "",
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """按 ISO 20816 评定振动烈度：A 到 D 区。Rate the severity of vibration by ISO 20816: zones A to D."""
    used = RecordPart.parse(part)
    whole = load_asset(
        asset,
        context.workspace,
        fs=fs,
        unit=unit,
        machine_class=machine_class,
        channel=used.channel,
        language=language,
    )
    record, left_out = cut_record(whole, used, language), describe_band_left_out(used, fs, "severity", language)
    title, is_sample = describe_asset(asset, context.workspace, language), asset in list_samples()
    told = report_severity(record, title, machine_class, language, is_sample=is_sample)
    return ToolResult({"asset": asset, **told, "used": join_used(left_out, whole, used, language)})


def screen_fleet(context: ToolContext, language: SummaryLanguage = "zh") -> ToolResult:
    """筛查全部设备，最差的在前。Screen all machines, worst first."""
    return ToolResult(report_fleet(context.workspace, language))


def explain_phm_term(query: Words) -> ToolResult:
    """用领域资料解释术语，注明出处。Explain a term from the documents, with its source."""
    return ToolResult(explain_term(query))
