"""Tables and charts of diagnoses and trends, as data for any front end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.packs.phm._severity import rank_urgency, rate_severity
from metier.packs.phm.diagnosis import (
    Diagnosis,
    FaultCursor,
    find_highest_hz,
    list_alarm_levels,
    list_cursors,
    name_fault,
    name_of,
)
from metier.packs.phm.trends import HealthTrend

_MAX_POINTS: Final = 360
_FIRST_BIN: Final = 3


@dataclass(frozen=True, slots=True)
class FleetMachine:
    """A machine of a fleet; `level` is its present level against the start, where it has a history."""

    title: str
    found: Diagnosis
    level: float | None = None

    @property
    def severity(self) -> float:
        return rate_severity(self.found.kurtosis or 0.0, self.level)

    @property
    def urgency(self) -> tuple[int, float, float]:
        """Sort key, worst first."""
        over = max((one.score - one.alarm for one in self.found.evidence), default=0.0)
        return rank_urgency(self.found.condition, self.severity, over)


def build_evidence_table(found: Diagnosis, language: Language) -> JsonObject:
    """Evidence line by line, the strongest first."""
    shaft = (found.rpm or 60) / 60
    columns: list[JsonValue] = [
        {"key": "fault", "title": choose(language, en="fault", zh="故障"), "unit": ""},
        {"key": "branch", "title": choose(language, en="envelope", zh="包络谱"), "unit": ""},
        {"key": "expected", "title": choose(language, en="expected", zh="理论频率"), "unit": "Hz"},
        {"key": "found", "title": choose(language, en="found", zh="实测频率"), "unit": "Hz"},
        {"key": "order", "title": choose(language, en="order", zh="阶次"), "unit": "×"},
        {"key": "score", "title": choose(language, en="score", zh="得分"), "unit": ""},
        {"key": "alarm", "title": choose(language, en="alarm at", zh="报警值"), "unit": ""},
        {"key": "side_bands", "title": choose(language, en="side bands", zh="边带数"), "unit": ""},
    ]
    rows: list[JsonValue] = [
        [
            name_of(one.fault, language),
            name_of(one.branch, language),
            round(one.expected_hz, 2),
            round(one.found_hz, 2),
            round(one.found_hz / shaft, 3),
            round(one.score, 2),
            round(one.alarm, 2),
            one.side_bands,
        ]
        for one in found.evidence
    ]
    return {"title": choose(language, en="Evidence", zh="证据"), "columns": columns, "rows": rows}


def build_envelope_chart(found: Diagnosis, language: Language) -> JsonObject | None:
    """Envelope spectrum of the branch that decided, in orders; each point is the largest of its bins.

    Cursors lie at the shaft and the fault frequencies with harmonics and side bands; the alarm level of each harmonic
    of the shown fault is a series of its own.
    """
    best, spectrum = found.shown, found.envelope
    if found.rpm is None or best is None or spectrum is None:
        return None
    shaft = found.rpm / 60
    inside = spectrum.amplitude[_FIRST_BIN : int(find_highest_hz(found) / spectrum.step_hz)]
    width = max(1, -(-len(inside) // _MAX_POINTS))
    count = len(inside) // width
    peaks = inside[: count * width].reshape(count, width).max(axis=1)
    middle = (_FIRST_BIN + (np.arange(count) + 0.5) * width) * spectrum.step_hz / shaft
    median = max(float(np.median(inside)), np.finfo(float).tiny)
    alarms = _place_alarms(found, middle * shaft, max(0.1 * best.expected_hz, 0.15 * shaft))
    rows: list[JsonValue] = [
        [round(float(o), 2), round(float(v) / median, 2), round(alarms[at] / median, 2) if at in alarms else None]
        for at, (o, v) in enumerate(zip(middle, peaks, strict=True))
    ]
    name = name_of(best.fault, language)
    unit = choose(language, en="× median", zh="× 中位数")
    line = f"{name_of(best.fault, language)} {best.found_hz / shaft:.2f} × = {best.found_hz:.1f} Hz"
    if best.fault == found.verdict:
        note = choose(language, en=f"Fault line of the verdict: {line}", zh=f"结论所依据的故障谱线：{line}")
    elif best.score >= best.alarm:
        note = choose(
            language, en=f"Strongest fault line, above its alarm: {line}", zh=f"最强的故障谱线（超过报警值）：{line}"
        )
    else:
        note = choose(
            language,
            en="No fault frequency of this bearing stands above its alarm.",
            zh="该轴承没有任何故障频率超过报警值。",
        )
    return {
        "kind": "line",
        "title": choose(language, en="Envelope spectrum over shaft order", zh="包络谱（按轴频阶次）"),
        "columns": [
            {"key": "order", "title": choose(language, en="order", zh="阶次"), "unit": "×"},
            {"key": "level", "title": choose(language, en="envelope line", zh="包络谱线"), "unit": unit},
            {
                "key": "alarm",
                "title": choose(language, en=f"alarm level, {name}", zh=f"{name}报警线"),
                "unit": unit,
            },
        ],
        "rows": rows,
        "x": "order",
        "y": ["level", "alarm"],
        "cursors": [_cursor_to_json(one, shaft) for one in list_cursors(found)],
        "note": note,
    }


def _place_alarms(found: Diagnosis, places_hz: NDArray[np.floating], half_hz: float) -> Mapping[int, float]:
    """Alarm level by point of the chart, around each harmonic of the shown fault."""
    return {
        int(at): one.amplitude
        for one in list_alarm_levels(found)
        for at in np.flatnonzero(np.abs(places_hz - one.at_hz) <= half_hz)
    }


def _cursor_to_json(cursor: FaultCursor, shaft_hz: float) -> JsonObject:
    at, sides = ([round(one / shaft_hz, 3) for one in hz] for hz in (cursor.harmonics_hz, cursor.sides_hz))
    return {"title": cursor.title, "at": at, **({"sides": sides} if sides else {})}


def build_trend_chart(trend: HealthTrend, failure: float, language: Language) -> JsonObject:
    """Level by record in multiples of the start, with the alarm limit and the failure level; beside it the index."""
    step = max(1, len(trend.values) // _MAX_POINTS)
    level = trend.values / trend.centre
    shown = sorted({*range(0, len(level), step), len(level) - 1})
    rows: list[JsonValue] = [[at, round(float(level[at]), 3), round(float(trend.index[at]), 3)] for at in shown]
    return {
        "kind": "line",
        "title": choose(language, en="Level by record, times the start", zh="逐条水平（初期的倍数）"),
        "columns": [
            {"key": "record", "title": choose(language, en="record", zh="记录"), "unit": ""},
            {"key": "level", "title": choose(language, en="level", zh="水平"), "unit": "×"},
            {"key": "index", "title": choose(language, en="health index", zh="健康指数"), "unit": ""},
        ],
        "rows": rows,
        "x": "record",
        "y": ["level"],
        "thresholds": [
            {"value": round(trend.limit / trend.centre, 3), "title": choose(language, en="alarm", zh="报警")},
            {"value": failure, "title": choose(language, en="failure level", zh="失效水平")},
        ],
    }


def build_fleet_table(machines: list[FleetMachine], language: Language) -> JsonObject:
    """Machines of a fleet, worst first."""
    columns: list[JsonValue] = [
        {"key": "machine", "title": choose(language, en="machine", zh="设备"), "unit": ""},
        {"key": "condition", "title": choose(language, en="condition", zh="状态"), "unit": ""},
        {
            "key": "severity",
            "title": choose(language, en="severity", zh="严重程度"),
            "unit": choose(language, en="× healthy", zh="倍"),
        },
        {"key": "fault", "title": choose(language, en="fault", zh="故障"), "unit": ""},
        {"key": "level", "title": choose(language, en="evidence", zh="证据"), "unit": ""},
        {"key": "confidence", "title": choose(language, en="confidence", zh="置信度"), "unit": "%"},
        {"key": "ratio", "title": choose(language, en="level to start", zh="水平与初期之比"), "unit": "×"},
        {"key": "kurtosis", "title": choose(language, en="kurtosis", zh="峭度"), "unit": ""},
        {"key": "rpm", "title": choose(language, en="speed", zh="转速"), "unit": "rpm"},
    ]
    listed: list[JsonValue] = [
        [
            one.title,
            name_of(found.condition, language),
            round(one.severity, 1) if found.rms else None,
            *name_fault(found.condition, found.verdict, found.level, language),
            round(100 * found.confidence) if found.rms else None,
            None if one.level is None else round(one.level, 1),
            None if found.kurtosis is None else round(found.kurtosis, 1),
            None if found.rpm is None else round(found.rpm),
        ]
        for one in machines
        for found in (one.found,)
    ]
    return {
        "title": choose(language, en="Fleet, worst first", zh="机群（最差在前）"),
        "columns": columns,
        "rows": listed,
    }
