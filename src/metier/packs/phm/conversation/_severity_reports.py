"""Severity of vibration by ISO 20816 in a conversation: unit and machine class are told or asked for, never guessed."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences, choose
from metier.packs.phm.diagnosis import load_registry
from metier.packs.phm.loaders import Record
from metier.packs.phm.signals._severity import MACHINE_CLASSES, compute_velocity_rms, find_zone
from metier.tools import ToolError

CLASS_LABELS: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "I": BilingualText("I 类：小型机器，15 kW 以下（ISO 10816-1）", "Class I: small, up to 15 kW (ISO 10816-1)"),
        "II": BilingualText("II 类：中型机器，15–75 kW（ISO 10816-1）", "Class II: medium, 15 to 75 kW (ISO 10816-1)"),
        "III": BilingualText(
            "III 类：大型机器，刚性基础（ISO 10816-1）", "Class III: large, rigid foundation (ISO 10816-1)"
        ),
        "IV": BilingualText(
            "IV 类：大型机器，柔性基础（ISO 10816-1）", "Class IV: large, soft foundation (ISO 10816-1)"
        ),
        "group1-rigid": BilingualText(
            "1 组刚性：300 kW 以上，刚性支承（ISO 20816-3）", "Group 1 rigid: above 300 kW, rigid support (ISO 20816-3)"
        ),
        "group1-flexible": BilingualText(
            "1 组柔性：300 kW 以上，柔性支承（ISO 20816-3）",
            "Group 1 flexible: above 300 kW, flexible support (ISO 20816-3)",
        ),
        "group2-rigid": BilingualText(
            "2 组刚性：15–300 kW，刚性支承（ISO 20816-3）", "Group 2 rigid: 15 to 300 kW, rigid support (ISO 20816-3)"
        ),
        "group2-flexible": BilingualText(
            "2 组柔性：15–300 kW，柔性支承（ISO 20816-3）",
            "Group 2 flexible: 15 to 300 kW, flexible support (ISO 20816-3)",
        ),
    }
)
_TEXTS: Final = Sentences(
    {
        "zone": (
            "**{title}: zone {zone}.** {meaning} Velocity RMS {velocity} mm/s (10 to 1000 Hz); {label}; "
            "limits A/B {first}, B/C {second}, C/D {third} mm/s.",
            "**{title}：{zone} 区。** {meaning}振动速度有效值 {velocity} mm/s（10 至 1000 Hz）；{label}；"
            "区域边界 A/B {first}、B/C {second}、C/D {third} mm/s。",
        ),
        "A": ("As a new machine.", "相当于新投产的机器。"),
        "B": ("Acceptable for unrestricted long-term operation.", "可以长期运行。"),
        "C": ("Not suited for continuous operation: plan a repair.", "不宜长期连续运行：安排检修。"),
        "D": ("Severe enough to damage the machine.", "振动足以造成损坏。"),
        "basis": (
            "Computed from samples in {unit}. The zones hold for vibration measured on the bearing housings; a "
            "severity names no cause: for that say “diagnose the bearing of” and the machine.",
            "按单位 {unit} 计算。区域适用于轴承座上测得的振动；烈度不说明原因："
            "要找原因，可以说「诊断」加设备名和「的轴承」。",
        ),
        "sample": (" The record is sample data (simulated).", "数据是示例（仿真）。"),
        "not_vibration": (
            "**No severity of {title}: its channel is a {kind} signal.** ISO 20816 needs vibration.",
            "**{title}无法评定烈度：通道是{kind}信号。** ISO 20816 需要振动数据。",
        ),
        "refused": ("**No severity of {title}:** {reason}.", "**{title}无法评定烈度：**{reason}。"),
        "force": ("force", "力"),
        "other": ("different", "其他"),
    }
)


def describe_refusal(record: Record, title: str, language: Language) -> str:
    """Why a record has no severity, whatever its unit; empty for vibration."""
    is_force = "force" in (record.kind, record.channel.lower())
    if record.kind == "vibration" and not is_force:
        return ""
    kind = _TEXTS.render("force" if is_force else "other", language)
    return _TEXTS.render("not_vibration", language, title=title[:1].upper() + title[1:], kind=kind)


def report_severity(
    record: Record, title: str, machine_class: str, language: Language, *, is_sample: bool
) -> JsonObject:
    """Zone of a record whose rate, unit and class are known, with its limits; refused with the reason otherwise."""
    if refusal := describe_refusal(record, title, language):
        return {"zone": None, "summary": refusal}
    if machine_class not in MACHINE_CLASSES:
        raise ToolError(f"{machine_class!r} is no machine class", hint=", ".join(MACHINE_CLASSES))
    try:
        found = float(compute_velocity_rms(record.samples, fs=record.fs or 0.0, unit=record.unit))
    except ValueError as error:
        told = str(error)
        reason = choose(language, en=told, zh=load_registry().translate_reason(told, "zh"))
        return {"zone": None, "summary": _TEXTS.render("refused", language, title=title, reason=reason)}
    zone = find_zone(found, machine_class=machine_class)
    label = CLASS_LABELS[machine_class]
    first, second, third = (f"{one:g}" for one in MACHINE_CLASSES[machine_class])
    verdict = _TEXTS.render(
        "zone",
        language,
        title=title[:1].upper() + title[1:],
        zone=zone,
        meaning=_TEXTS.render(zone, language),
        velocity=f"{found:.2f}",
        label=choose(language, en=label.en, zh=label.zh),
        first=first,
        second=second,
        third=third,
    )
    basis = _TEXTS.render("basis", language, unit=record.unit)
    basis += _TEXTS.render("sample", language) if is_sample else ""
    return {
        "zone": zone,
        "velocity_mm_s": round(found, 3),
        "machine_class": machine_class,
        "unit": record.unit,
        "limits_mm_s": list(MACHINE_CLASSES[machine_class]),
        "summary": f"{verdict}\n\n{basis}",
    }
