"""Findings of a diagnosis: what the data or the given facts have wrong with them, and what reflection saw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from metier.json_values import JsonObject
from metier.language import Language, Note, NoteValue, Sentences
from metier.packs.phm.diagnosis._names import Name

Severity = Literal["note", "warning", "error"]

_SENTENCES: Final = Sentences(
    {
        "unreadable": ("The file gives no record: {reason}.", "文件中读不出数据：{reason}。"),
        "step_failed": (
            "The step {node} ({step}) failed: {reason}.",
            "步骤 {node}（{step}）失败：{reason}。",
        ),
        "cut_off": (
            "The file is cut off: it announces more samples than it has. What is there was analysed.",
            "文件不完整：实际采样数少于文件头所写。已分析现有部分。",
        ),
        "out_of_range": (
            "Samples reach {level}, which no sensor gives: check the format and the scale.",
            "采样值达到 {level}，传感器不可能给出：请核对文件格式和比例系数。",
        ),
        "not_finite": (
            "Samples that hold no number: {count} ({share}); interpolated between their neighbours.",
            "有 {count} 个采样不是数值（{share}），已在相邻采样之间插值。",
        ),
        "mostly_not_finite": (
            "{share} of the samples are not numbers: nothing can be said about this record.",
            "{share} 的采样不是数值：这段数据无法判断。",
        ),
        "constant": (
            "The channel is constant: the sensor or its cable gives no signal.",
            "通道数值恒定：传感器或线缆没有信号。",
        ),
        "clipped": (
            "{count} samples lie at the end of the range ({level}): the record is clipped, amplitudes are too low.",
            "有 {count} 个采样达到量程上限（{level}）：信号削波，幅值偏低。",
        ),
        "too_short": (
            "The record has {revolutions} revolutions; at least {needed} are needed for a diagnosis.",
            "这段数据只有 {revolutions} 转；诊断至少需要 {needed} 转。",
        ),
        "short": (
            "The record has only {revolutions} revolutions: a fault type is given as weak at most.",
            "这段数据只有 {revolutions} 转：故障类型最多只能给出弱结论。",
        ),
        "long_record": (
            "The record has {seconds} s; the {used} s in its middle were analysed.",
            "这段数据长 {seconds} 秒；分析了中间的 {used} 秒。",
        ),
        "not_vibration": (
            "The channel looks like a {kind} signal, not like vibration: choose another channel.",
            "该通道看起来是{kind}信号，不是振动：请换一个通道。",
        ),
        "low_rate": (
            "A sampling rate of {fs} Hz is too low for the harmonics of this bearing at this speed.",
            "采样率 {fs} Hz 太低，容纳不下该轴承在此转速下的谐波。",
        ),
        "unchecked": (
            "The quality of the record (clipping, gaps, length, impulses) was not checked: it cannot be called normal.",
            "没有检查数据质量（削波、缺失、长度、冲击），因此不能判定为正常。",
        ),
        "missing_rate": ("The sampling rate is not known.", "采样率未知。"),
        "missing_speed": (
            "The shaft speed is not known: no fault frequency can be tested.",
            "转速未知：无法检验故障频率。",
        ),
        "trial_bearing": (
            "**Bearing {bearing} is on trial, on record for this machine is {own}.** A verdict for the machine needs "
            "the bearing that is installed.",
            "**按试用型号 {bearing} 计算，这台设备登记的轴承是 {own}。** 给设备下结论，要用实际安装的型号。",
        ),
        "missing_bearing": (
            "The bearing is not known: lines can be seen, but not named.",
            "轴承型号未知：能看到谱线，但无法命名。",
        ),
        "missing_teeth": ("The number of teeth is not known.", "齿数未知。"),
        "low_mesh_rate": (
            "A sampling rate of {fs} Hz is too low for two harmonics of the mesh frequency ({mesh} Hz).",
            "采样率 {fs} Hz 太低，容纳不下啮合频率（{mesh} Hz）的两个谐波。",
        ),
        "no_mesh_line": (
            "There is no mesh line near {mesh} Hz ({teeth} teeth): check the number of teeth and the speed.",
            "{mesh} Hz 附近没有啮合谱线（{teeth} 齿）：请核对齿数和转速。",
        ),
        "mesh_speed": (
            "The mesh line shows {found} rpm instead of the given {given} rpm ({change}); the average uses it.",
            "啮合谱线显示转速为 {found} rpm，给定 {given} rpm（{change}）；同步平均采用前者。",
        ),
        "speed_wrong": (
            "The given speed of {given} rpm does not fit the record: its shaft lines show {found} rpm ({change}). "
            "The diagnosis uses {found} rpm.",
            "给定转速 {given} rpm 与数据不符：轴频谱线显示 {found} rpm（{change}）。诊断采用 {found} rpm。",
        ),
        "speed_refined": (
            "Speed: given {given} rpm, found {found} rpm by the shaft lines ({change}). Load and slip explain such a "
            "difference; the fault frequencies are computed with {found} rpm.",
            "转速：给定 {given} rpm，轴频谱线实测 {found} rpm（{change}）。负载和转差即可造成这样的差别；"
            "故障频率按 {found} rpm 计算。",
        ),
        "speed_kept": (
            "The shaft lines are strongest at {found} rpm ({change}), but only by {gain}; a speed is corrected from "
            "{needed} on. The given {given} rpm are kept.",
            "轴频谱线在 {found} rpm（{change}）处最强，但只强 {gain}；强出 {needed} 才校正转速。"
            "仍采用给定转速 {given} rpm。",
        ),
        "speed_mains": (
            "The lines at {found} rpm ({change}) are also those of the mains (50 or 60 Hz): they prove no other speed. "
            "The given {given} rpm are kept.",
            "{found} rpm（{change}）处的谱线也是电源（50 或 60 Hz）的谱线，不能证明是另一转速；"
            "仍采用给定转速 {given} rpm。",
        ),
        "speed_unproved": (
            "Shaft lines are too few or too weak in this record to check the given speed of {given} rpm.",
            "数据中的轴频谱线太少或太弱，无法核对给定转速 {given} rpm。",
        ),
        "speed_unresolved": (
            "The record is too short to check the given speed of {given} rpm.",
            "数据太短，无法核对给定转速 {given} rpm。",
        ),
        "speed_doubt": (
            "Only every second multiple of the given {given} rpm shows a shaft line: the shaft seems to turn at twice "
            "this speed. The type of damage stays open until the speed is checked.",
            "给定转速 {given} rpm 的轴频只有偶数倍出现谱线：实际转速可能是它的两倍。核对转速之前，损伤类型待定。",
        ),
        "speed_double": (
            "Shaft lines stand at half multiples of the given {given} rpm: the shaft seems to turn at half this speed. "
            "The type of damage stays open until the speed is checked.",
            "给定转速 {given} rpm 的半倍频处有轴频谱线：实际转速可能只有一半。核对转速之前，损伤类型待定。",
        ),
        "branches_disagree": (
            "The branches disagree: {first} shows {first_fault}, {second} shows {second_fault}. The type stays open.",
            "各分支结论不一致：{first}显示{first_fault}，{second}显示{second_fault}。故障类型待定。",
        ),
        "branch_kept": (
            "Only {kept} finds damage ({fault}); {silent} finds nothing. The result of {kept} is kept.",
            "{kept}发现{fault}；{silent}没有发现。保留{kept}的结果。",
        ),
        "cage_or_ball": (
            "Lines at the cage frequency come from a damaged cage, but also from a damaged rolling element.",
            "保持架频率的谱线可能来自保持架损伤，也可能来自滚动体损伤。",
        ),
        "unexplained_line": (
            "A strong line at {hz} Hz ({order} × shaft) with harmonics belongs to no fault of {bearing}: "
            "check which bearing is installed, the speed and the sampling rate.",
            "{hz} Hz（{order} 倍轴频）处有一条带谐波的强谱线，"
            "不属于 {bearing} 的任何故障频率：请核对实际安装的轴承型号、转速和采样率。",
        ),
        "untestable": (
            "Damage of the {fault} cannot be told from a multiple of the shaft speed at this bearing.",
            "对该轴承，{fault}的频率与轴频的整数倍无法区分。",
        ),
        "impulsive": (
            "The record is impulsive (kurtosis {kurtosis}, healthy below {limit}), but no fault frequency explains it.",
            "信号冲击性强（峭度 {kurtosis}，健康时低于 {limit}），但没有故障频率能解释。",
        ),
        "also_shared": (
            "Also seen: {fault} on {branch}, score {score} (alarm at {alarm}). It is not the verdict: the lines that "
            "lift it, {hz} Hz, are harmonics or side bands of the {verdict} damage.",
            "另见{fault}：{branch}上得分 {score}（报警值 {alarm}）。不作为结论：抬高得分的谱线 {hz} Hz "
            "是{verdict}损伤的谐波或边带。",
        ),
        "also_cage": (
            "Also seen: {fault} on {branch}, score {score} (alarm at {alarm}). It is not the verdict: the cage "
            "modulates the impacts of a damaged race or rolling element as well, here those of the {verdict}.",
            "另见{fault}：{branch}上得分 {score}（报警值 {alarm}）。不作为结论：滚道或滚动体损伤的冲击"
            "（这里是{verdict}）本身就受保持架调制。",
        ),
        "also_weaker": (
            "Also seen: {fault} on {branch}, score {score} (alarm at {alarm}). It is not the verdict: {verdict} leads "
            "there by {ahead}. A second damage is not ruled out.",
            "另见{fault}：{branch}上得分 {score}（报警值 {alarm}）。不作为结论：{verdict}在那里领先 {ahead}。"
            "不排除还有第二处损伤。",
        ),
        "also_elsewhere": (
            "Also seen: {fault} on {branch}, score {score} (alarm at {alarm}). It is not the verdict: {deciding} "
            "decides and shows {verdict}. A second damage is not ruled out.",
            "另见{fault}：{branch}上得分 {score}（报警值 {alarm}）。不作为结论：以{deciding}为准，它显示{verdict}。"
            "不排除还有第二处损伤。",
        ),
        "also_line": (
            "Also seen: a line at {hz} Hz ({order} × shaft) with harmonics on {branch}, score {score} (limit {limit}), "
            "that belongs to no fault of {bearing}. The evidence of the {fault} there ({best}) outweighs it.",
            "另见：{branch}上 {hz} Hz（{order} 倍轴频）处有带谐波的谱线，得分 {score}（限值 {limit}），"
            "不属于 {bearing} 的任何故障频率。那里{fault}的证据（{best}）更强。",
        ),
        "also_line_part": (
            "Also seen: lines at {hz} Hz ({order} × shaft) and its multiples on {branch}, score {score} "
            "(limit {limit}). They are no other damage: {number} × {hz} Hz is a harmonic of the {fault} line.",
            "另见：{branch}上 {hz} Hz（{order} 倍轴频）及其倍频处有谱线，得分 {score}（限值 {limit}）。"
            "不是另一处损伤：{number} × {hz} Hz 就是{fault}谱线的谐波。",
        ),
        "also_line_clear": (
            "Also seen: a line at {hz} Hz ({order} × shaft) with harmonics on {branch}, score {score} (limit {limit}), "
            "that belongs to no fault of {bearing}. The envelope that decides is clear without it.",
            "另见：{branch}上 {hz} Hz（{order} 倍轴频）处有带谐波的谱线，得分 {score}（限值 {limit}），"
            "不属于 {bearing} 的任何故障频率。作为依据的包络谱没有它也很清楚。",
        ),
        "lead_small": (
            "{fault} stands above its alarm on {branch} (score {score}, alarm at {alarm}), but leads {second} by only "
            "{lead}; a fault is named from a lead of {needed}.",
            "{branch}上{fault}超过报警值（得分 {score}，报警值 {alarm}），但只比{second}高 {lead}；"
            "领先 {needed} 以上才定类型。",
        ),
        "band_alone": (
            "{fault} stands above its alarm on {branch} only (score {score}, alarm at {alarm}); the envelopes that "
            "decide do not confirm it, so it is not named.",
            "只有{branch}上{fault}超过报警值（得分 {score}，报警值 {alarm}）；作为依据的包络谱没有印证，因此不定类型。",
        ),
        "baseline_unlike": (
            "The baseline record was sampled at {baseline} Hz, this record at {fs} Hz: they cannot be compared, "
            "the usual limits hold.",
            "基线数据的采样率为 {baseline} Hz，本数据为 {fs} Hz：无法比较，仍使用通常的报警值。",
        ),
        "baseline_unusable": (
            "The baseline record was not used: {reason}",
            "没有使用基线数据：{reason}",
        ),
        "level_risen": (
            "The RMS is {ratio} times that of the baseline record.",
            "有效值是基线数据的 {ratio} 倍。",
        ),
    }
)
_ERRORS: Final = frozenset(
    {
        "unreadable",
        "mostly_not_finite",
        "constant",
        "out_of_range",
        "too_short",
        "not_vibration",
        "low_rate",
        "missing_rate",
        "missing_speed",
        "missing_bearing",
        "missing_teeth",
        "low_mesh_rate",
        "no_mesh_line",
    }
)
_NOTES: Final = frozenset(
    {
        "long_record",
        "branch_kept",
        "untestable",
        "speed_refined",
        "speed_kept",
        "speed_mains",
        "speed_unproved",
        "speed_unresolved",
        "cage_or_ball",
        "also_shared",
        "also_cage",
        "also_weaker",
        "also_elsewhere",
        "also_line",
        "also_line_part",
        "also_line_clear",
        "lead_small",
        "band_alone",
    }
)


@dataclass(frozen=True, slots=True)
class Finding(Note):
    """A finding in both languages, with its severity."""

    sentences: ClassVar[Sentences] = _SENTENCES

    @property
    def severity(self) -> Severity:
        if self.code in _ERRORS:
            return "error"
        return "note" if self.code in _NOTES else "warning"

    def to_json(self) -> JsonObject:
        sentences = {"en": self.text("en"), "zh": self.text("zh")}
        return {"code": self.code, "severity": self.severity, "text": sentences}


@dataclass(frozen=True, slots=True)
class StepText(Note):
    """Title of a step, or why it failed, in the language of the sentence."""

    def text(self, language: Language = "en") -> str:
        return str(self.values.get(language, self.code))


def make_finding(code: str, values: Mapping[str, NoteValue] | None = None, /, **more: NoteValue) -> Finding:
    """Build a finding from its code and values."""
    return Finding(code, {**(values or {}), **more})


def describe_finding(finding: Finding) -> JsonObject:
    """Code and values as the notes of a node keep them; `read_finding` reads them."""
    values = {name: value.code if isinstance(value, Note) else str(value) for name, value in finding.values.items()}
    return {"code": finding.code, "values": values}


def read_finding(told: JsonObject) -> Finding:
    """Finding from the notes of a node."""
    values = told.get("values")
    listed = values.items() if isinstance(values, Mapping) else ()
    known = {name: Name(str(value)) if value in Name.sentences else str(value) for name, value in listed}
    return make_finding(str(told.get("code")), known)
