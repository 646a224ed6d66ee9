"""Root cause analysis: rules over the computed state, each with its evidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin._cause_words import COLUMNS, REMARKS, WORDS, Kind
from metier.packs.telecom.twin._measures import Measures, Pair, measure
from metier.packs.telecom.twin._state import State, Table, Value
from metier.packs.telecom.twin._thresholds import Threshold, limit, thresholds
from metier.packs.telecom.twin._traffic import Doubles

Severity = Literal["high", "medium"]
_KEYS: Final = ("小区id", "经度", "纬度")
_SEVERE_AREA: Final = 1.25


@dataclass(frozen=True, slots=True)
class Finding:
    """One root cause: affected cells (worst first), thresholds, evidence and texts."""

    kind: Kind
    severity: Severity
    cells: tuple[str, ...]
    thresholds: tuple[Threshold, ...]
    evidence: Table
    title_zh: str
    title_en: str
    sentence_zh: str
    sentence_en: str
    advice_zh: str
    advice_en: str


@dataclass(frozen=True, slots=True)
class _Case:
    """Result of a rule: rows of cells, worst first, and the columns that show it."""

    rows: Sequence[int]
    severe: bool
    limits: tuple[str, ...]
    columns: tuple[tuple[str, Sequence[Value]], ...]


def root_causes(state: State) -> tuple[Finding, ...]:
    """Find every root cause: first the scenario's own problem, then severe ones, then the rest."""
    seen = measure(state)
    found = []
    for kind, rule in _RULES:
        case = rule(state, seen)
        if case.rows:
            found.append(_finding(state, kind, case))
    main = state.scenario.problem
    return tuple(sorted(found, key=lambda finding: (finding.kind != main, finding.severity != "high")))


def _finding(state: State, kind: Kind, case: _Case) -> Finding:
    words, cells = WORDS[kind], [state.scenario.cells[row] for row in case.rows]
    ids = tuple(dict.fromkeys(cell.id for cell in cells))
    headers = (*_KEYS, *(name for name, _ in case.columns))
    rows = tuple(
        (cell.id, round(cell.longitude, 6), round(cell.latitude, 6), *(values[number] for _, values in case.columns))
        for number, cell in enumerate(cells)
    )
    worst = [(name, str(values[0])) for name, values in case.columns]
    facts = {"count": str(len(ids)), "worst": ids[0]} | {name: f"{limit(name):g}" for name in case.limits}
    in_zh = "，".join(f"{name}={value}{COLUMNS[name].unit}" for name, value in worst)
    in_en = ", ".join(
        f"{COLUMNS[name].english} {REMARKS.get(value, value)} {COLUMNS[name].unit}".strip() for name, value in worst
    )
    return Finding(
        kind,
        "high" if case.severe else "medium",
        ids,
        tuple(thresholds()[name] for name in case.limits),
        Table(headers, rows),
        words.title_zh,
        words.title_en,
        words.sentence_zh.format(values=in_zh, **facts),
        words.sentence_en.format(values=in_en, **facts),
        words.advice_zh,
        words.advice_en,
    )


def _pick(which: NDArray[np.bool_], badness: Doubles) -> list[int]:
    rows = np.flatnonzero(which)
    return [int(row) for row in rows[np.argsort(-badness[rows], kind="stable")]]


def _shown(values: Doubles, rows: Sequence[int], digits: int = 2) -> list[Value]:
    return [round(float(values[row]), digits or None) for row in rows]


def _weak(state: State, seen: Measures) -> _Case:
    rows = _pick(seen.weak_share > limit("weak_share"), seen.weak_share)
    coverage = state.cell_values["coverage"]
    return _Case(
        rows,
        any(coverage[row] < limit("mr_coverage") for row in rows),
        ("weak_rsrp", "weak_share", "mr_coverage"),
        (
            ("RSRP均值", _shown(state.cell_values["rsrp"], rows)),
            ("MR覆盖率", _shown(coverage, rows)),
            ("弱覆盖样本占比", _shown(seen.weak_share, rows)),
        ),
    )


def _overshoot(state: State, seen: Measures) -> _Case:
    rows = _pick(seen.area > limit("overshoot_area"), seen.area)
    return _Case(
        rows,
        any(seen.area[row] > _SEVERE_AREA * limit("overshoot_area") for row in rows),
        ("overshoot_rsrp", "overshoot_area"),
        (("服务面积比", _shown(seen.area, rows, 1)), ("SINR均值", _shown(state.cell_values["sinr"], rows))),
    )


def _overlap(state: State, seen: Measures) -> _Case:
    rows = _pick(seen.overlap_share > limit("overlap_share"), seen.overlap_share)
    return _Case(
        rows,
        any(seen.overlap_most[row] > limit("overlap_cells") for row in rows),
        ("overlap_many", "overlap_share", "overlap_cells"),
        (
            ("重叠栅格占比", _shown(seen.overlap_share, rows)),
            ("最大重叠覆盖度", _shown(seen.overlap_most, rows, 0)),
            ("SINR均值", _shown(state.cell_values["sinr"], rows)),
        ),
    )


def _pollution(state: State, seen: Measures) -> _Case:
    rows = _pick(seen.polluted_share > limit("pilot_share"), seen.polluted_share)
    return _Case(
        rows,
        any(seen.polluted_share[row] > 2 * limit("pilot_share") for row in rows),
        ("pilot_rsrp", "pilot_sinr", "pilot_share"),
        (
            ("导频污染栅格占比", _shown(seen.polluted_share, rows)),
            ("SINR均值", _shown(state.cell_values["sinr"], rows)),
        ),
    )


def _interference(state: State, seen: Measures) -> _Case:
    sinr = state.cell_values["sinr"]
    rows = _pick(np.asarray(sinr < limit("sinr_fair")), -sinr)
    return _Case(
        rows,
        any(sinr[row] < limit("sinr_poor") for row in rows) or len(rows) > 0.3 * sinr.size,
        ("sinr_fair", "sinr_poor"),
        (("SINR均值", _shown(sinr, rows)), ("重叠栅格占比", _shown(seen.overlap_share, rows))),
    )


def _load(state: State, seen: Measures) -> _Case:
    down, up = state.cell_values["dl_prb"], state.cell_values["ul_prb"]
    rows = _pick((down > limit("prb_busy")) | (up > limit("prb_busy")), np.maximum(down, up - 10))
    return _Case(
        rows,
        any(down[row] > limit("prb_high") for row in rows),
        ("prb_light", "prb_busy", "prb_high"),
        (
            ("下行PRB利用率", _shown(down, rows)),
            ("上行PRB利用率", _shown(up, rows)),
            ("用户数", _shown(state.cell_values["users"], rows, 1)),
        ),
    )


def _neighbours(state: State, seen: Measures) -> _Case:
    pairs, cells = seen.missing, state.scenario.cells
    return _Case(
        [pair.one for pair in pairs],
        any(pair.value > 5 * limit("neighbour_share") for pair in pairs),
        ("neighbour_share",),
        (
            ("目标小区id", [cells[pair.other].id for pair in pairs]),
            ("切换占比", [round(pair.value, 2) for pair in pairs]),
            ("切换成功率", _shown(state.cell_values["handover"], [pair.one for pair in pairs])),
        ),
    )


def _below(field: str, column: str, name: str, gap: float) -> "_Rule":
    """Rule for a counter below its limit; severe if below by more than `gap`."""

    def rule(state: State, seen: Measures) -> _Case:
        values = state.cell_values[field]
        rows = _pick(np.asarray(values < limit(name)), -values)
        severe = any(values[row] < limit(name) - gap for row in rows)
        return _Case(rows, severe, (name,), ((column, _shown(values, rows)),))

    return rule


def _tilt(state: State, seen: Measures) -> _Case:
    weak = (seen.weak_share > limit("weak_share")) & (seen.landing < limit("tilt_near"))
    far = (seen.area > limit("overshoot_area")) | (seen.overlap_share > limit("overlap_share"))
    far &= seen.landing > limit("tilt_far")
    rows = _pick(weak | far, np.abs(np.log(np.minimum(seen.landing, 1e6) / 100)))
    cells = [state.scenario.cells[row] for row in rows]
    return _Case(
        rows,
        False,
        ("tilt_near", "tilt_far"),
        (
            ("总下倾角", [cell.mechanical_tilt_deg + cell.electrical_tilt_deg for cell in cells]),
            ("波束落地比", _shown(np.minimum(seen.landing, 9999.0), rows, 0)),
            ("怀疑", ["下倾角过大" if weak[row] else "下倾角过小" for row in rows]),
        ),
    )


def _azimuth(state: State, seen: Measures) -> _Case:
    crowded = seen.overlap_share > limit("overlap_share")
    pairs: Sequence[Pair] = [pair for pair in seen.facing if crowded[pair.one] or crowded[pair.other]]
    cells = state.scenario.cells
    return _Case(
        [pair.one for pair in pairs],
        False,
        ("azimuth_facing",),
        (
            ("方位角", [cells[pair.one].azimuth_deg for pair in pairs]),
            ("对打小区id", [cells[pair.other].id for pair in pairs]),
            ("偏角", [round(pair.value, 1) for pair in pairs]),
        ),
    )


def _power(state: State, seen: Measures) -> _Case:
    gap = limit("power_gap")
    low = (seen.weak_share > limit("weak_share")) & (seen.power_gap <= -gap)
    high = (seen.area > limit("overshoot_area")) & (seen.power_gap >= gap)
    rows = _pick(low | high, np.abs(seen.power_gap))
    return _Case(
        rows,
        False,
        ("power_gap",),
        (
            ("发射功率", [state.scenario.cells[row].power_dbm for row in rows]),
            ("与中位数之差", _shown(seen.power_gap, rows, 1)),
            ("怀疑", ["功率偏低" if low[row] else "功率偏高" for row in rows]),
        ),
    )


_Rule = Callable[[State, Measures], _Case]
_RULES: Final[tuple[tuple[Kind, _Rule], ...]] = (
    ("weak_coverage", _weak),
    ("overshoot", _overshoot),
    ("overlap", _overlap),
    ("pilot_pollution", _pollution),
    ("interference", _interference),
    ("load", _load),
    ("missing_neighbour", _neighbours),
    ("access", _below("access", "RRC连接成功率", "rrc_success", 5.0)),
    ("handover", _below("handover", "切换成功率", "handover_success", 5.0)),
    ("tilt", _tilt),
    ("azimuth", _azimuth),
    ("power", _power),
)
