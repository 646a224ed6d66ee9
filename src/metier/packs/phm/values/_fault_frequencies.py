"""Fault frequencies of a bearing in words: in Hz and orders, with formula, geometry and what the record shows there."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose
from metier.packs.phm._diagnose_file import diagnose_record
from metier.packs.phm.bearings import Fault, RollingBearing, list_bearings
from metier.packs.phm.diagnosis import FaultEvidence, name_of
from metier.packs.phm.loaders import Record

_NAMES: Final = ("BPFO", "BPFI", "BSF", "FTF")
_FAULTS: Final[Mapping[str, Fault]] = MappingProxyType({"BPFO": "outer", "BPFI": "inner", "BSF": "ball", "FTF": "cage"})
_WORDS: Final = MappingProxyType(
    {
        "BPFO": r"BPFO|外圈|outer",
        "BPFI": r"BPFI|内圈|inner",
        "BSF": r"BSF|滚动体|滚珠|ball\s+spin|rolling",
        "FTF": r"FTF|保持架|cage|train",
    }
)
_TEXTS: Final = Sentences(
    {
        "hz": ("**{name} = {hz} Hz** ({order} × shaft)", "**{name} = {hz} Hz**（{order} 倍轴频）"),
        "order": ("**{name} = {order} × shaft**", "**{name} = {order} 倍轴频**"),
        "speed": ("At {rpm} rpm the shaft turns at {hz} Hz{source}.", "转速 {rpm} rpm，轴频 {hz} Hz{source}。"),
        "of_record": (" (speed of the record {title})", "（{title}数据的转速）"),
        "no_speed": (
            "Say the speed (such as “1797 rpm”) for the frequencies in Hz.",
            "说出转速（例如「1797 rpm」）就给出以 Hz 为单位的频率。",
        ),
        "formula_BPFO": ("BPFO = n/2 · (1 − d/D · cos α) · f", "BPFO = n/2 · (1 − d/D · cos α) · f"),
        "formula_BPFI": ("BPFI = n/2 · (1 + d/D · cos α) · f", "BPFI = n/2 · (1 + d/D · cos α) · f"),
        "formula_BSF": ("BSF = D/2d · (1 − (d/D · cos α)²) · f", "BSF = D/2d · (1 − (d/D · cos α)²) · f"),
        "formula_FTF": ("FTF = 1/2 · (1 − d/D · cos α) · f", "FTF = 1/2 · (1 − d/D · cos α) · f"),
        "formula": (
            "Formula (fixed outer ring, f: shaft): {formulas}; n = {balls}, d = {ball_d}, D = {pitch_d}, α = {angle}°.",
            "公式（外圈固定，f 为轴频）：{formulas}；n = {balls}，d = {ball_d}，D = {pitch_d}，α = {angle}°。",
        ),
        "table": (
            "Geometry of {bearing}: the program's table ({source}). Makers differ a little; slip shifts the lines by "
            "1 to 2 %.",
            "{bearing} 的尺寸出自本程序的轴承表（{source}）。不同厂家略有差别；打滑会使谱线偏离 1% 至 2%。",
        ),
        "told": (
            "Geometry as you gave it. Slip shifts the lines by 1 to 2 %.",
            "尺寸按你给的计算。打滑会使谱线偏离 1% 至 2%。",
        ),
        "ball": (
            "A damaged rolling element shows at 2 × BSF = {value}.",
            "滚动体损伤出现在 2 × BSF = {value}。",
        ),
        "found": (
            "In the record {title} (channel {channel}): {lines}.",
            "{title}的数据中（通道 {channel}）：{lines}。",
        ),
        "verdict": (" The diagnosis: {verdict}.", "诊断结论：{verdict}。"),
        "line": (
            "{fault} expected at {expected} Hz, line at {found} Hz on {branch}, score {score} (alarm {alarm}: {above})",
            "{fault}理论 {expected} Hz，{branch}上谱线在 {found} Hz，得分 {score}（报警值 {alarm}，{above}）",
        ),
        "above": ("above it", "超过"),
        "below": ("not reached, no damage seen there", "未达到，没有损伤迹象"),
        "and": ("; ", "；"),
        "tested": (
            " The speed used is {rpm} rpm, from its shaft lines.",
            "实测转速 {rpm} rpm（按轴频谱线）。",
        ),
    }
)


def report_frequencies(
    bearing: RollingBearing,
    rpm: float | None,
    message: str,
    *,
    record: Record | None,
    title: str,
    language: Language,
    is_own_speed: bool,
) -> JsonObject:
    """The frequencies that a message names, else all four, with their formula and where the geometry comes from."""
    orders = {"BPFO": bearing.bpfo, "BPFI": bearing.bpfi, "BSF": bearing.bsf, "FTF": bearing.ftf}
    wanted = list_wanted(message)
    shaft = rpm / 60 if rpm else None
    said = [_describe(name, orders[name], shaft, language) for name in wanted]
    parts = [choose(language, en=", ", zh="，").join(said) + choose(language, en=".", zh="。")]
    if "BSF" in wanted:
        value = f"{2 * bearing.bsf * shaft:.2f} Hz" if shaft else f"{2 * bearing.bsf:.3f} ×"
        parts.append(_TEXTS.render("ball", language, value=value))
    if record is not None and record.bearing and (seen := _describe_found(record, wanted, title, language)):
        parts.append(seen)
    source = _TEXTS.render("of_record", language, title=title) if is_own_speed else ""
    if rpm and shaft:
        parts.append(_TEXTS.render("speed", language, rpm=f"{rpm:g}", hz=f"{shaft:.3f}", source=source))
    else:
        parts.append(_TEXTS.render("no_speed", language))
    parts.append(_describe_geometry(bearing, wanted, language))
    return {
        "summary": "\n\n".join(parts),
        "bearing": bearing.name if bearing.name in list_bearings() else bearing.geometry,
        "rpm": rpm,
        "orders": {name: round(order, 4) for name, order in orders.items()},
        "hz": {name: round(order * shaft, 3) for name, order in orders.items()} if shaft else None,
        "tables": [_build_table(orders, shaft, language)],
    }


def list_wanted(message: str) -> list[str]:
    """Names of the frequencies that a message speaks of; all four if of none."""
    found = [name for name in _NAMES if re.search(_WORDS[name], message, re.IGNORECASE)]
    return found or list(_NAMES)


def _describe(name: str, order: float, shaft: float | None, language: Language) -> str:
    if shaft is None:
        return _TEXTS.render("order", language, name=name, order=f"{order:.4f}")
    return _TEXTS.render("hz", language, name=name, hz=f"{order * shaft:.2f}", order=f"{order:.4f}")


def _describe_geometry(bearing: RollingBearing, wanted: list[str], language: Language) -> str:
    formulas = ", ".join(_TEXTS.render(f"formula_{name}", language) for name in wanted)
    sizes = {"balls": bearing.balls, "ball_d": f"{bearing.ball_d:g}", "pitch_d": f"{bearing.pitch_d:g}"}
    formula = _TEXTS.render("formula", language, formulas=formulas, angle=f"{bearing.contact_deg:g}", **sizes)
    if bearing.name in list_bearings():
        return f"{formula} {_TEXTS.render('table', language, bearing=bearing.name, source=bearing.source)}"
    return f"{formula} {_TEXTS.render('told', language)}"


def _describe_found(record: Record, wanted: list[str], title: str, language: Language) -> str:
    """What a diagnosis of the record finds at these frequencies; empty if it could not be made."""
    if not record.fs or not record.rpm:
        return ""
    found = diagnose_record(record)
    best = {name: _choose_evidence(_FAULTS[name], found.evidence) for name in wanted}
    lines = [_describe_line(one, language) for one in best.values() if one is not None]
    if not lines:
        return ""
    joined = _TEXTS.render("and", language).join(lines)
    told = _TEXTS.render("found", language, title=title, channel=record.channel, lines=joined)
    told += _TEXTS.render("verdict", language, verdict=name_of(found.verdict, language))
    is_other = found.rpm is not None and abs(found.rpm - record.rpm) > 1
    return told + (_TEXTS.render("tested", language, rpm=f"{found.rpm:.1f}") if is_other else "")


def _choose_evidence(fault: Fault, evidence: tuple[FaultEvidence, ...]) -> FaultEvidence | None:
    return next((one for one in evidence if one.fault == fault), None)


def _describe_line(one: FaultEvidence, language: Language) -> str:
    told = {"expected": f"{one.expected_hz:.2f}", "found": f"{one.found_hz:.2f}", "score": f"{one.score:.2f}"}
    above = _TEXTS.render("above" if one.score >= one.alarm else "below", language)
    names = {"fault": name_of(one.fault, language), "branch": name_of(one.branch, language)}
    return _TEXTS.render("line", language, alarm=f"{one.alarm:.2f}", above=above, **names, **told)


def _build_table(orders: dict[str, float], shaft: float | None, language: Language) -> JsonObject:
    columns: list[JsonValue] = [
        {"key": "name", "title": choose(language, en="frequency", zh="频率"), "unit": ""},
        {"key": "order", "title": choose(language, en="order", zh="阶次"), "unit": "×"},
        {"key": "hz", "title": choose(language, en="frequency", zh="频率"), "unit": "Hz"},
    ]
    rows: list[JsonValue] = [
        [name, round(order, 4), round(order * shaft, 2) if shaft else None] for name, order in orders.items()
    ]
    return {"title": choose(language, en="Fault frequencies", zh="故障频率"), "columns": columns, "rows": rows}
