"""Names of faults, branches, conditions, levels and signal kinds in both languages."""

from typing import ClassVar

from metier.language import Language, Note, Sentences


class Name(Note):
    """Name that a sentence renders in its own language."""

    sentences: ClassVar[Sentences] = Sentences(
        {
            "outer": ("outer race", "外圈"),
            "inner": ("inner race", "内圈"),
            "ball": ("rolling element", "滚动体"),
            "cage": ("cage", "保持架"),
            "normal": ("normal", "正常"),
            "unknown": ("type open", "类型待定"),
            "suspect": ("suspect", "可疑"),
            "faulty": ("faulty", "有故障"),
            "undetermined": ("undetermined", "无法判断"),
            "confident": ("clear evidence", "证据清楚"),
            "weak": ("weak evidence", "证据偏弱"),
            "prewhitened": ("the pre-whitened envelope", "预白化包络谱"),
            "full_band": ("the full-band envelope", "全频带包络谱"),
            "kurtogram_band": ("the kurtogram band envelope", "谱峭度频带包络谱"),
            "tacho": ("tacho pulse", "转速脉冲"),
            "speed": ("speed", "转速"),
            "torque": ("torque", "扭矩"),
            "temperature": ("temperature", "温度"),
            "vibration": ("vibration", "振动"),
        }
    )


def name_of(code: str, language: Language) -> str:
    """Name of a code in this language."""
    return Name(code).text(language)


def name_fault(condition: str, verdict: str, level: str, language: Language) -> tuple[str | None, str | None]:
    """Fault and how clear its evidence is, for a table; none of a machine without an alarm: "normal" is no fault."""
    if condition not in ("faulty", "suspect"):
        return None, None
    return name_of(verdict, language), name_of(level, language)
