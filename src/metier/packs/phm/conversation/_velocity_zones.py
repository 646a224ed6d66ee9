"""A velocity that words give (4.5 mm/s): its zone of ISO 20816 for the class that is said, else for every class."""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose
from metier.packs.phm._velocity_words import VELOCITY
from metier.packs.phm.conversation._severity_reports import CLASS_LABELS
from metier.packs.phm.conversation._severity_words import read_class
from metier.packs.phm.signals._severity import MACHINE_CLASSES, find_zone

_TO_MM_S: Final = MappingProxyType({"mm": 1.0, "毫米": 1.0, "cm": 10.0, "厘米": 10.0})
_INCH_MM: Final = 25.4
# After a velocity, a number without a unit is another one: 那要是11.2呢.
_BARE: Final = re.compile(
    r"(?<![\d.A-Za-z])(?<!class )(\d{1,3}(?:\.\d{1,3})?)(?![\d.%/A-Za-z]|\s*(?:[a-z]|千瓦|[类组台号年月天转]))",
    re.IGNORECASE,
)
_POWER: Final = re.compile(r"(?<![\d.])(\d{1,6}(?:\.\d{1,3})?)\s*(?:kw|千瓦)(?![a-z0-9])", re.IGNORECASE)
_RIGID: Final = re.compile(r"刚性|\brigid\b", re.IGNORECASE)
_FLEXIBLE: Final = re.compile(r"柔性|\b(?:flexible|soft)\b", re.IGNORECASE)
_MAX_MM_S: Final = 1000.0
# Power in kW from which and up to which a class is for, and its support if the class is for one only.
_MEANT_FOR: Final = MappingProxyType(
    {
        "I": (0.0, 15.0, ""),
        "II": (15.0, 75.0, ""),
        "III": (75.0, 1e9, "rigid"),
        "IV": (75.0, 1e9, "flexible"),
        "group1-rigid": (300.0, 1e9, "rigid"),
        "group1-flexible": (300.0, 1e9, "flexible"),
        "group2-rigid": (15.0, 300.0, "rigid"),
        "group2-flexible": (15.0, 300.0, "flexible"),
    }
)
_TEXTS: Final = Sentences(
    {
        "one": (
            "**{velocity} mm/s RMS: zone {zone}** for {label}. {meaning}",
            "**{velocity} mm/s（有效值）：{zone} 区**，{label}。{meaning}",
        ),
        "several": (
            "**{velocity} mm/s RMS** is rated by the class of the machine: {zones}. Say the class, the power or the "
            "foundation (such as “class II”, “15 kW”, “rigid”) to narrow it down.",
            "**{velocity} mm/s（有效值）**属于哪个区，取决于机器类别：{zones}。"
            "说出类别、功率或基础（如「II类」「15kW」「刚性」）可以缩小范围。",
        ),
        "zone_count": ("zone {zone} for {count}", "{zone} 区 {count} 类"),
        "converted": ("{said} is {velocity} mm/s.", "{said} 即 {velocity} mm/s。"),
        "basis": (
            "Zones of ISO 10816-1 and ISO 20816-3, for the RMS from 10 to 1000 Hz on the bearing housings; a peak "
            "value is higher than the RMS.",
            "区域按 ISO 10816-1 和 ISO 20816-3，适用于轴承座上 10 至 1000 Hz 的有效值；峰值比有效值大。",
        ),
        "too_high": (
            "**{velocity} mm/s is no vibration of a machine.** Check the unit: severities are a few mm/s.",
            "**{velocity} mm/s 不是机器会有的振动。**请核对单位：振动烈度一般是几 mm/s。",
        ),
        "none": (
            "Give the velocity with its unit, such as 4.5 mm/s.",
            "请写出振动速度和单位，例如 4.5 mm/s。",
        ),
        "A": ("As a new machine.", "相当于新投产的机器。"),
        "B": ("Acceptable for unrestricted long-term operation.", "可以长期运行。"),
        "C": ("Not suited for continuous operation: plan a repair.", "不宜长期连续运行：安排检修。"),
        "D": ("Severe enough to damage the machine.", "振动足以造成损坏。"),
    }
)


def report_velocity(message: str, known_mm_s: float | None, language: Language) -> JsonObject:
    """Zones of the velocity that a message gives, or of the one known before, for the classes that the words leave."""
    found = VELOCITY.search(message)
    bare = _BARE.search(message) if found is None and known_mm_s is not None else None
    velocity = float(bare[1]) if bare is not None else _read_velocity(found) if found is not None else known_mm_s
    if velocity is None:
        return {"velocity": None, "summary": _say("none", language)}
    shown = f"{velocity:.4g}"
    if velocity > _MAX_MM_S:
        return {"velocity": None, "summary": _say("too_high", language, velocity=shown)}
    classes = _find_classes(message)
    parts = [_tell_zones(velocity, classes, language), _say("basis", language)]
    if found is not None and shown != found[1]:
        parts.insert(0, _say("converted", language, said=found[0], velocity=shown))
    return {
        "velocity": velocity,
        "label": f"{shown} mm/s",
        "summary": "\n\n".join(parts),
        "tables": [_build_table(velocity, classes, language)],
    }


def _read_velocity(found: re.Match[str]) -> float:
    unit = found[2].lower()
    if unit.startswith("i"):
        return round(float(found[1]) * _INCH_MM, 4)
    name = next(one for one in sorted(_TO_MM_S, key=len, reverse=True) if unit.startswith(one))
    return round(float(found[1]) * _TO_MM_S[name], 4)


def _find_classes(message: str) -> tuple[str, ...]:
    """The class that is said, else those for the power and the foundation that are said."""
    said = read_class(message).value
    if said in MACHINE_CLASSES:
        return (str(said),)
    power = _POWER.search(message)
    support = "rigid" if _RIGID.search(message) else "flexible" if _FLEXIBLE.search(message) else ""
    return tuple(_keep_classes(float(power[1]) if power else None, support)) or tuple(MACHINE_CLASSES)


def _keep_classes(power: float | None, support: str) -> Iterator[str]:
    for name, (low, high, only) in _MEANT_FOR.items():
        if (power is None or low <= power <= high) and (not support or not only or only == support):
            yield name


def _tell_zones(velocity: float, classes: tuple[str, ...], language: Language) -> str:
    zones = [find_zone(velocity, machine_class=one) for one in classes]
    shown = f"{velocity:.4g}"
    if len(classes) == 1:
        label, meaning = _label(classes[0], language), _say(zones[0], language)
        return _say("one", language, velocity=shown, zone=zones[0], label=label, meaning=meaning)
    counted = [_say("zone_count", language, zone=one, count=zones.count(one)) for one in sorted(set(zones))]
    return _say("several", language, velocity=shown, zones=choose(language, en=", ", zh="、").join(counted))


def _build_table(velocity: float, classes: tuple[str, ...], language: Language) -> JsonObject:
    columns: list[JsonValue] = [
        {"key": "class", "title": choose(language, en="machine class", zh="机器类别"), "unit": ""},
        {"key": "zone", "title": choose(language, en="zone", zh="区域"), "unit": ""},
        {"key": "meaning", "title": choose(language, en="meaning", zh="含义"), "unit": ""},
        *({"key": one, "title": one, "unit": "mm/s"} for one in ("A/B", "B/C", "C/D")),
    ]
    zones = {one: find_zone(velocity, machine_class=one) for one in classes}
    rows: list[JsonValue] = [
        [_label(one, language), zone, _say(zone, language), *MACHINE_CLASSES[one]] for one, zone in zones.items()
    ]
    title = choose(language, en=f"Zones of {velocity:.4g} mm/s", zh=f"{velocity:.4g} mm/s 所在的区域")
    return {"title": title, "columns": columns, "rows": rows}


def _label(name: str, language: Language) -> str:
    label = CLASS_LABELS[name]
    return choose(language, en=label.en, zh=label.zh)


def _say(code: str, language: Language, **values: object) -> str:
    return _TEXTS.render(code, language, **values)
