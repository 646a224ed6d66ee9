"""Text of a report in the user's language: conclusion, evidence, findings, method."""

from collections.abc import Mapping, Sequence
from typing import Final

from metier.language import Language, Sentences, choose
from metier.packs.phm.diagnosis import Diagnosis, Name, name_of
from metier.packs.phm.loaders import Record

_TEXTS: Final = Sentences(
    {
        "titles": ("Bearing diagnosis: {count} records", "轴承诊断：{count} 段数据"),
        "title": ("Bearing diagnosis: {name}", "轴承诊断：{name}"),
        "confident": (
            "**{fault} damage**, condition {condition}. The evidence is clear (confidence {confidence}).",
            "**{fault}损伤**，状态：{condition}。证据清楚（置信度 {confidence}）。",
        ),
        "weak": (
            "**Probably {fault} damage**, condition {condition}. The evidence is weak (confidence {confidence}): "
            "confirm with a second record.",
            "**可能是{fault}损伤**，状态：{condition}。证据偏弱（置信度 {confidence}）：请再测一次确认。",
        ),
        "open": (
            "**The bearing is {condition}, the type of damage is open.** No single fault frequency explains the "
            "record.",
            "**轴承状态：{condition}，损伤类型待定。** 没有单一故障频率能解释这段数据。",
        ),
        "normal": (
            "**No sign of bearing damage.** No fault frequency stands above what noise alone reaches.",
            "**没有轴承损伤的迹象。** 没有故障频率高出噪声本身能达到的水平。",
        ),
        "normal_in_part": (
            "**No sign of damage of what could be tested.** Damage of the {untested} cannot be told from multiples of "
            "the shaft speed at this bearing, so it is not excluded.",
            "**可检验的部位没有损伤迹象。** 该轴承{untested}的故障频率与轴频的整数倍无法区分，不能排除其损伤。",
        ),
        "undetermined": ("**No diagnosis possible.** See the findings.", "**无法诊断。** 原因见下。"),
        "no_unit": ("(unit not known)", "（单位未知）"),
        "machine": (
            "{seconds} s at {fs} Hz, channel {channel}, {rpm} rpm{given}, bearing {bearing}.{figures}",
            "时长 {seconds} 秒，采样率 {fs} Hz，通道 {channel}，转速 {rpm} rpm{given}，轴承 {bearing}。{figures}",
        ),
        "figures": (" RMS {rms}, kurtosis {kurtosis}.", "有效值 {rms}，峭度 {kurtosis}。"),
        "given": (" by its shaft lines (given: {rpm})", "（按轴频谱线；给定 {rpm}）"),
        "evidence": ("Evidence", "证据"),
        "findings": ("Findings", "发现"),
        "steps": ("Steps", "步骤"),
        "none": ("None.", "无。"),
        "columns": (
            "| fault | envelope | expected Hz | found Hz | order | score | alarm at | side bands | node |",
            "| 故障 | 包络谱 | 理论 Hz | 实测 Hz | 阶次 | 得分 | 报警值 | 边带 | 节点 |",
        ),
        "method": (
            "Score: mean of ln(line ÷ largest noise bin) over three harmonics; 0 is noise. A rolling element is "
            "tested at twice its spin frequency (2 × BSF). Alarm values come from noise and synthetic records. Shaft "
            "and mains lines are left out. The pre-whitened envelope decides, the others confirm or contradict it. "
            "The confidence says how far score and lead exceed their limits; it is no probability.",
            "得分：三个谐波上 ln(谱线 ÷ 噪声最大值) 的均值，0 为噪声。"
            "滚动体按自转频率的两倍（2 × BSF）检验。报警值来自噪声和合成数据。已排除轴频和工频谱线。"
            "以预白化包络谱为准，其余包络谱用于印证或质疑。置信度表示得分和领先超出限值的程度，不是概率。",
        ),
    }
)
_MAX_ROWS: Final = 8


def describe_verdict(found: Diagnosis, language: Language) -> str:
    """The conclusion in one or two sentences."""
    code: str = found.level if found.verdict not in ("normal", "unknown") else "open"
    if found.condition in ("normal", "undetermined"):
        code = found.condition
    faults = [one.values["fault"] for one in found.findings if one.code == "untestable"]
    untested = [one.text(language) for one in faults if isinstance(one, Name)]
    if code == "normal" and untested:
        code = "normal_in_part"
    return _TEXTS.render(
        code,
        language,
        fault=_begin(name_of(found.verdict, language), code),
        condition=name_of(found.condition, language),
        confidence=f"{found.confidence:.0%}",
        untested=choose(language, zh="、", en=", ").join(untested),
    )


def describe_report(names: Sequence[str], language: Language) -> str:
    """Title of a report: the name of the record, or how many there are."""
    if len(names) == 1:
        return _TEXTS.render("title", language, name=names[0])
    return _TEXTS.render("titles", language, count=len(names))


def build_markdown(
    record: Record, found: Diagnosis, language: Language, images: Mapping[str, str] | None = None
) -> str:
    """The report as Markdown; `images` are links to pictures by title."""
    lines = [f"# {describe_report([record.name], language)}", "", describe_verdict(found, language), ""]
    lines += [describe_machine(record, found, language), "", *build_sections(found, language)]
    for title, link in (images or {}).items():
        lines += ["", f"![{title}]({link})"]
    return "\n".join(lines) + "\n"


def build_sections(found: Diagnosis, language: Language) -> list[str]:
    """Findings and evidence as lines of Markdown."""
    lines = [f"## {_TEXTS.render('findings', language)}", ""]
    lines += [f"- {one.text(language)}" for one in found.findings] or [_TEXTS.render("none", language)]
    if found.evidence:
        lines += ["", f"## {_TEXTS.render('evidence', language)}", "", *_list_rows(found, language)]
        lines += ["", _TEXTS.render("method", language)]
    return lines


def describe_machine(record: Record, found: Diagnosis, language: Language) -> str:
    """What was measured: length, rate, channel, speed, bearing, level."""
    return _TEXTS.render(
        "machine",
        language,
        seconds=f"{record.seconds:.1f}" if record.seconds else "?",
        fs=f"{record.fs:g}" if record.fs else "?",
        channel=record.channel,
        rpm="?" if found.rpm is None else f"{round(found.rpm, 1):g}",
        given=_describe_given(record, found, language),
        figures=_describe_figures(record, found, language),
        bearing="?" if found.bearing is None else found.bearing.name,
    )


def _describe_figures(record: Record, found: Diagnosis, language: Language) -> str:
    """RMS and kurtosis; nothing if the record was not checked."""
    if found.rms is None or found.kurtosis is None:
        return ""
    unit = _TEXTS.render("no_unit", language) if record.unit == "?" else record.unit
    rms = f"{found.rms:.3g} {unit}".strip()
    return _TEXTS.render("figures", language, rms=rms, kurtosis=f"{found.kurtosis:.1f}")


def _describe_given(record: Record, found: Diagnosis, language: Language) -> str:
    """The given speed where the shaft lines show another one."""
    if record.rpm is None or found.rpm is None or abs(found.rpm - record.rpm) < 0.5:
        return ""
    return _TEXTS.render("given", language, rpm=f"{record.rpm:g}")


def _list_rows(found: Diagnosis, language: Language) -> list[str]:
    head = _TEXTS.render("columns", language)
    shaft = (found.rpm or 60) / 60
    rows = [
        f"| {name_of(one.fault, language)} | {name_of(one.branch, language)} | {one.expected_hz:.2f} "
        f"| {one.found_hz:.2f} | {one.found_hz / shaft:.3f} | {one.score:.2f} | {one.alarm:.2f} "
        f"| {one.side_bands} | {one.node} |"
        for one in found.evidence[:_MAX_ROWS]
    ]
    return [head, "|" + "---|" * 9, *rows]


def _begin(text: str, code: str) -> str:
    return text[:1].upper() + text[1:] if code == "confident" else text
