"""The pack's tools."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from metier.language import Language, Sentences
from metier.pack import PackContext
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.bearings import list_bearings, read_bearing
from metier.packs.phm.conversation._assets import (
    ASSET_LABELS,
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
from metier.packs.phm.conversation._severity_reports import CLASS_LABELS, describe_refusal, report_severity
from metier.packs.phm.conversation._severity_words import normalise_unit, read_class, read_unit
from metier.packs.phm.conversation._tables import build_envelope_chart, build_evidence_table
from metier.packs.phm.conversation._terms import explain_term
from metier.packs.phm.conversation._tool_titles import TITLES
from metier.packs.phm.conversation._trend_reports import report_fleet, report_gear, report_trend
from metier.packs.phm.conversation._unmeasured import describe_unmeasured
from metier.packs.phm.conversation._velocity_zones import report_velocity
from metier.packs.phm.conversation._words import MAX_RATE, MAX_RPM, read_words
from metier.packs.phm.diagnosis import make_finding, name_of
from metier.packs.phm.loaders import Record
from metier.packs.phm.reports import describe_verdict, write_report
from metier.packs.phm.samples import list_samples
from metier.packs.phm.signals._severity import MACHINE_CLASSES, UNITS
from metier.tools import FunctionTool, SideEffect, ToolContext, ToolResult, add_titles, function_tool, show_as

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
Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="用户的话 · the user's words",
        json_schema_extra=show_as("要找的数据", "Looked for"),
    ),
]
Asset = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description="数据名称 · name of the record",
        json_schema_extra=show_as("数据", "Record", labels=ASSET_LABELS),
    ),
]
Known = Annotated[
    str,
    Field(
        max_length=200,
        description="对话中已确定的数据 · settled before",
        json_schema_extra=show_as("已知数据", "Known record", hidden=True),
    ),
]
Rpm = Annotated[
    float,
    Field(
        gt=0,
        le=MAX_RPM,
        description="转速 · shaft speed in rpm",
        json_schema_extra=show_as("转速（rpm）", "Speed (rpm)"),
    ),
]
Rate = Annotated[
    float,
    Field(
        gt=0,
        le=MAX_RATE,
        description="采样率 · sampling rate in Hz",
        json_schema_extra=show_as("采样率（Hz）", "Sampling rate (Hz)"),
    ),
]
BearingName = Annotated[
    str,
    Field(
        min_length=2,
        max_length=80,
        description="型号，或 球数,球径,节径,接触角 · name, or balls,ball_d,pitch_d,contact_deg",
        json_schema_extra=show_as("轴承型号", "Bearing"),
    ),
]
Impossible = Annotated[
    tuple[Literal["rpm", "fs"], ...],
    Field(
        max_length=2,
        description="用户说了不可能的值，需要再问 · told with a value that cannot be: left empty to be asked for",
        json_schema_extra=show_as("不可能的值", "Impossible values", hidden=True),
    ),
]
Teeth = Annotated[
    int,
    Field(
        ge=3,
        le=2000,
        description="齿数 · teeth of the gear",
        json_schema_extra=show_as("齿数", "Teeth"),
    ),
]
SignalUnit = Annotated[
    Literal["g", "m/s2", "mm/s2", "m/s", "mm/s", "um", "mm"],
    Field(
        description="采样值的单位 · unit of the samples",
        json_schema_extra=show_as(
            "采样值的单位", "Unit of the samples", labels={"m/s2": "m/s²", "mm/s2": "mm/s²", "um": "µm"}
        ),
    ),
]
MachineClass = Annotated[
    Literal["I", "II", "III", "IV", "group1-rigid", "group1-flexible", "group2-rigid", "group2-flexible"],
    Field(
        description="机器类别 · machine class of ISO 10816-1 or group of ISO 20816-3",
        json_schema_extra=show_as(
            "机器类别", "Machine class", labels={name: label.to_json() for name, label in CLASS_LABELS.items()}
        ),
    ),
]
WithReport = Annotated[
    bool,
    Field(
        description="是否写带图的报告文件 · also write a report file with pictures",
        json_schema_extra=show_as("写报告文件", "Write a report file"),
    ),
]
KnownVelocity = Annotated[
    float | None,
    Field(
        description="已知的振动速度（mm/s） · velocity known before, in mm/s",
        json_schema_extra=show_as("已知的振动速度（mm/s）", "Known velocity (mm/s)"),
    ),
]
SummaryLanguage = Annotated[
    Language,
    Field(
        description="摘要的语言 · language of the summary",
        json_schema_extra=show_as("语言", "Language", hidden=True),
    ),
]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; nothing heavy is imported before one runs."""
    del context
    functions = (find_record, describe_record, describe_gear_record, follow_trend, analyse_gear, screen_fleet)
    every = [tell_failures(one) for one in (*functions, describe_severity_record, rate_vibration)]
    tools = [function_tool(one, idempotent=True, effects=READS, timeout_s=_TIMEOUT_S) for one in every]
    tools.append(function_tool(tell_failures(diagnose_bearing), idempotent=True, effects=_WRITES, timeout_s=_TIMEOUT_S))
    explains = function_tool(explain_phm_term, idempotent=True, effects=READS, retrieves="knowledge")
    rates = function_tool(rate_velocity, idempotent=True, effects=READS)
    return add_titles((*tools, rates, explains), TITLES)


def find_record(
    context: ToolContext, description: Words, known: Known = "", language: SummaryLanguage | None = None
) -> ToolResult:
    """按用户的话找到要分析的数据。Find the record that a message means."""
    language = language or detect_language([description])
    match = match_asset(description, context.workspace, known)
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
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """读取数据的通道、采样率、转速和轴承；缺少的留空。Read channel, rate, speed and bearing; null where not known."""
    record = load_asset(asset, context.workspace, rpm=rpm, fs=fs, bearing=bearing)
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
            "summary": _tell_record(record, title, language),
        }
    )


def _tell_record(record: Record, title: str, language: Language) -> str:
    """What is known of a record: channel, length, rate, the speed and bearing that were given."""
    unknown = _TEXTS.render("unknown", language)
    seconds = f"{record.seconds:.1f}" if record.seconds else unknown
    fs, rpm = f"{record.fs:g}" if record.fs else unknown, f"{record.rpm:g} rpm" if record.rpm else unknown
    told = {"channel": record.channel, "bearing": record.bearing or unknown}
    return _TEXTS.render("record", language, title=title, seconds=seconds, fs=fs, rpm=rpm, **told)


def diagnose_bearing(
    context: ToolContext,
    asset: Asset,
    *,
    rpm: Rpm,
    fs: Rate,
    bearing: BearingName,
    report: WithReport = False,
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """诊断轴承：故障类型、证据、发现，需要时写报告。Diagnose the bearing: fault, evidence, findings, a report."""
    read_bearing(bearing)
    record = load_asset(asset, context.workspace, rpm=rpm, fs=fs, bearing=bearing)
    found = diagnose_record(record, picture=language if report else None)
    if (own := find_own_bearing(asset)) is not None and own != bearing:
        trial = make_finding("trial_bearing", bearing=bearing, own=own)
        found = replace(found, findings=(trial, *found.findings))
    findings = "\n".join(f"- {one.text(language)}" for one in found.findings)
    chart = build_envelope_chart(found, language)
    path = context.workspace / name_report(asset) if report else None
    written = write_report(path, [(record, found)], language).name if path else ""
    texts = [describe_verdict(found, language), findings, _TEXTS.render("score", language) if found.evidence else ""]
    summary = "\n\n".join(filter(None, (*texts, _TEXTS.render("report", language, name=written) if written else "")))
    return ToolResult(
        {
            **{key: value for key, value in found.to_json().items() if key != "dag"},
            "asset": asset,
            "condition_title": name_of(found.condition, language),
            "summary": summary,
            "record": _tell_record(record, describe_asset(asset, context.workspace, language), language),
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
    context: ToolContext, description: Words, known: Known = "", language: SummaryLanguage | None = None
) -> ToolResult:
    """找到齿轮数据，读取采样率、转速和齿数。Find the gear's record with its rate, speed and teeth."""
    language, given = language or detect_language([description]), read_words(description)
    asset = match_file(description, context.workspace, known)
    record = load_gear(asset, context.workspace)
    return ToolResult(
        {
            "asset": asset,
            "unknown_machine": (asset == GEAR_SAMPLE and find_machine_of_gear(description)) or None,
            "rpm": None if "rpm" in given.impossible else given.rpm or record.rpm,
            "fs": None if "fs" in given.impossible else given.fs or record.fs,
            "teeth": find_teeth(description) or record.teeth,
            "language": language,
        }
    )


def analyse_gear(
    context: ToolContext, asset: Asset, *, rpm: Rpm, fs: Rate, teeth: Teeth, language: SummaryLanguage = "zh"
) -> ToolResult:
    """分析齿轮：同步平均、FM0、FM4。Analyse a gear: synchronous average, FM0, FM4."""
    record = load_gear(asset, context.workspace, rpm=rpm, fs=fs, teeth=teeth)
    return ToolResult({"asset": asset, **report_gear(record, language, is_sample=asset == GEAR_SAMPLE)})


def describe_severity_record(
    context: ToolContext, asset: Asset, description: Words, language: SummaryLanguage | None = None
) -> ToolResult:
    """读取烈度所需的采样率、单位和机器类别；缺少的留空。Read rate, unit and class for a severity; null if unknown."""
    record, language = load_asset(asset, context.workspace), language or detect_language([description])
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
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """按 ISO 20816 评定振动烈度：A 到 D 区。Rate the severity of vibration by ISO 20816: zones A to D."""
    record = load_asset(asset, context.workspace, fs=fs, unit=unit, machine_class=machine_class)
    title, is_sample = describe_asset(asset, context.workspace, language), asset in list_samples()
    return ToolResult({"asset": asset, **report_severity(record, title, machine_class, language, is_sample=is_sample)})


def rate_velocity(
    description: Words, known: KnownVelocity = None, language: SummaryLanguage | None = None
) -> ToolResult:
    """按机器类别查一个振动速度所在的区域。Look up the zone of a velocity of vibration by the class of the machine."""
    return ToolResult(report_velocity(description, known, language or detect_language([description])))


def screen_fleet(context: ToolContext, language: SummaryLanguage = "zh") -> ToolResult:
    """筛查全部设备，最差的在前。Screen all machines, worst first."""
    return ToolResult(report_fleet(context.workspace, language))


def explain_phm_term(query: Words) -> ToolResult:
    """用领域资料解释术语，注明出处。Explain a term from the documents, with its source."""
    return ToolResult(explain_term(query))
