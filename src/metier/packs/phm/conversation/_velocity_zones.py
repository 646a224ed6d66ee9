"""A velocity that words give (4.5 mm/s): its zone of ISO 20816 for the class that is said, else for every class."""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose, join_names
from metier.packs.phm._velocity_words import write_plainly
from metier.packs.phm.conversation._severity_reports import CLASS_LABELS
from metier.packs.phm.conversation._severity_words import read_class
from metier.packs.phm.conversation._velocity_values import SaidVelocity, list_velocities
from metier.packs.phm.signals._severity import MACHINE_CLASSES, find_zone

_OTHER_QUANTITY: Final = re.compile(
    r"\d\s*(?:g(?![a-z0-9])|m{1,2}/s\^?2|米(?:每|/)(?:二次方秒|秒平方)|(?:mm|um|μm|mils?|毫米|微米|丝)(?![a-z0-9/每]))",
    re.IGNORECASE,
)
_POWER: Final = re.compile(r"(?<![\d.])(\d{1,6}(?:\.\d{1,3})?)\s*(?:kw|千瓦)(?![a-z0-9])", re.IGNORECASE)
_RIGID: Final = re.compile(r"刚性|\brigid\b", re.IGNORECASE)
_FLEXIBLE: Final = re.compile(r"柔性|\b(?:flexible|soft)\b", re.IGNORECASE)
_WHICH_ZONE: Final = re.compile(r"哪一?个区|\bwhich zone\b", re.IGNORECASE)
_MAX_MM_S: Final = 1000.0
_MIN_MM_S: Final = 0.01  # less is what a sensor gives that is not connected
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
        "upper": (
            "{said} is at most {velocity} mm/s, and that is rated.",
            "{said} 最大为 {velocity} mm/s，按它评定。",
        ),
        "highest": (
            "Of the values {values}, the highest is rated: **{highest}**.",
            "消息里有几个数值：{values}。按最大的评定：**{highest}**。",
        ),
        "peak": (
            "{said} is a peak; zones are for the RMS, which is {velocity} mm/s for a sine (peak ÷ √2).",
            "{said} 是峰值；区域按有效值划分，正弦振动的有效值是 {velocity} mm/s（峰值 ÷ √2）。",
        ),
        "peak_to_peak": (
            "{said} is peak to peak; zones are for the RMS, which is {velocity} mm/s for a sine (peak to peak ÷ 2√2).",
            "{said} 是峰峰值；区域按有效值划分，正弦振动的有效值是 {velocity} mm/s（峰峰值 ÷ 2√2）。",
        ),
        "unclear": (
            "I cannot tell which number “{said}” is, so nothing is rated. "
            "Write it with a decimal point, such as 4.5 mm/s.",
            "“{said}”是多少，读法不止一种，所以没有评定。请用小数点写，例如 4.5 mm/s。",
        ),
        "negative": (
            "A velocity of vibration is never negative, so “{said}” is not rated. Give the RMS, such as 4.5 mm/s.",
            "振动速度的有效值不会是负数，所以没有评定“{said}”。请给出有效值，例如 4.5 mm/s。",
        ),
        "too_high": (
            "**{said} is no vibration of a machine.** Check the unit: severities are a few mm/s.",
            "**{said} 不是机器会有的振动。**请核对单位：振动烈度一般是几 mm/s。",
        ),
        "too_low": (
            "**{said} is less than any running machine has**, so it is not rated. "
            "Check the sensor, its cable and the unit.",
            "**{said} 比任何运行中的机器都小**，所以没有评定。请检查传感器、接线和单位。",
        ),
        "other": (
            "Zones are for a velocity (mm/s); g and m/s² are accelerations, mm and µm displacements. Give the "
            "velocity, or attach the record to have it computed.",
            "区域按速度（mm/s）划分；g 和 m/s² 是加速度，mm 和 µm 是位移。请给出振动速度，或上传振动数据来计算。",
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
    """Zones of the highest velocity that a message gives, or of the one known before, for the classes that are left."""
    found = list_velocities(message, language, takes_bare=known_mm_s is not None)
    if (doubt := _find_doubt(found, message, known_mm_s, language)) is not None:
        return {"velocity": None, "summary": doubt}
    classes = _find_classes(message)
    worst = max(found, key=lambda one: one.rms_mm_s, default=None)
    velocity = worst.rms_mm_s if worst is not None else known_mm_s or 0.0
    parts = [_tell_zones(velocity, classes, language), _say("basis", language)]
    tables: list[JsonValue] = [_build_table(velocity, classes, language)]
    if worst is not None:
        parts[:0] = _tell_reading(worst, found, language)
    if len(found) > 1:
        tables.insert(0, _build_values_table(found, classes, language))
    summary = "\n\n".join(parts)
    return {"velocity": velocity, "label": f"{velocity:.4g} mm/s", "summary": summary, "tables": tables}


def _find_doubt(found: list[SaidVelocity], message: str, known_mm_s: float | None, language: Language) -> str | None:
    """Question about what cannot be rated; None if every velocity is a number that a running machine can have."""
    if not found:
        is_other = _OTHER_QUANTITY.search(write_plainly(message)) is not None
        return _say("other" if is_other else "none", language) if is_other or known_mm_s is None else None
    for one in found:
        if one.is_negative:
            return _say("negative", language, said=one.said)
        if one.mm_s is None:
            return _say("unclear", language, said=one.said)
        if not one.rms_mm_s <= _MAX_MM_S:
            return _say("too_high", language, said=one.said)
    worst = max(found, key=lambda one: one.rms_mm_s)
    return _say("too_low", language, said=worst.said) if worst.rms_mm_s < _MIN_MM_S else None


def _tell_reading(worst: SaidVelocity, found: list[SaidVelocity], language: Language) -> Iterator[str]:
    """Sentences that say how the velocity was read: which of several values is rated, and its mm/s RMS."""
    shown = f"{worst.rms_mm_s:.4g}"
    if len(found) > 1:
        said = join_names([_name(one) for one in found], language)
        yield _say("highest", language, values=said, highest=_name(worst))
    if worst.measure != "rms":
        yield _say(worst.measure, language, said=worst.said, velocity=shown)
    elif worst.is_upper:
        yield _say("upper", language, said=worst.said, velocity=shown)
    elif not _is_said(worst.said, shown):
        yield _say("converted", language, said=worst.said, velocity=shown)


def _is_said(said: str, shown: str) -> bool:
    """Whether the words are the number in mm/s as it is shown, or have no unit."""
    number = said.partition("mm")[0].partition("毫米")[0].strip().lstrip("+")
    return number == shown or number.rstrip("0").rstrip(".") == shown


def _name(one: SaidVelocity) -> str:
    return f"{one.place} {one.said}".strip()


def _find_classes(message: str) -> tuple[str, ...]:
    """The class that is said, else those for the power and the foundation that are said."""
    said = read_class(_WHICH_ZONE.sub("", message)).value  # asks for the zone: there is no doubt about the class
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


def _build_values_table(found: list[SaidVelocity], classes: tuple[str, ...], language: Language) -> JsonObject:
    columns: list[JsonValue] = [
        {"key": "said", "title": choose(language, en="value", zh="数值"), "unit": ""},
        {"key": "velocity", "title": choose(language, en="RMS", zh="有效值"), "unit": "mm/s"},
        {"key": "zone", "title": choose(language, en="zone", zh="区域"), "unit": ""},
    ]
    rows: list[JsonValue] = [[_name(one), f"{one.rms_mm_s:.4g}", _list_zones(one.rms_mm_s, classes)] for one in found]
    return {"title": choose(language, en="Values of the message", zh="消息里的数值"), "columns": columns, "rows": rows}


def _list_zones(velocity: float, classes: tuple[str, ...]) -> str:
    return "/".join(sorted({find_zone(velocity, machine_class=one) for one in classes}))


def _label(name: str, language: Language) -> str:
    label = CLASS_LABELS[name]
    return choose(language, en=label.en, zh=label.zh)


def _say(code: str, language: Language, **values: object) -> str:
    return _TEXTS.render(code, language, **values)
