"""Root cause analysis: rules over the computed state, each with its evidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from metier.packs.telecom.twin.diagnosis._cause_labels import (
    CAUSE_TEXTS,
    EVIDENCE_COLUMNS,
    LEADS_TO,
    REMARKS,
    SETTINGS,
    SYMPTOMS,
    CauseKind,
    CauseRole,
)
from metier.packs.telecom.twin.diagnosis._measures import CellMeasures, CellPair, measure
from metier.packs.telecom.twin.diagnosis._thresholds import Threshold, get_threshold, load_thresholds
from metier.packs.telecom.twin.radio import Doubles, NetworkState, TableValue, TwinTable

Severity = Literal["high", "medium"]
_KEY_COLUMNS: Final = ("小区id", "经度", "纬度")
_REMARK: Final = "怀疑"
_SEVERE_AREA: Final = 1.25
_MAX_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class RootCause:
    """One finding: affected cells (worst first), thresholds, evidence and texts.

    `explains` counts its cells among those with the scenario's own problem.
    """

    kind: CauseKind
    role: CauseRole
    severity: Severity
    cells: tuple[str, ...]
    explains: int
    thresholds: tuple[Threshold, ...]
    evidence: TwinTable
    title_zh: str
    title_en: str
    sentence_zh: str
    sentence_en: str
    advice_zh: str
    advice_en: str


@dataclass(frozen=True, slots=True)
class _RuleResult:
    """Result of a rule: rows of cells, worst first, and the columns that show it."""

    rows: Sequence[int]
    severe: bool
    limits: tuple[str, ...]
    columns: tuple[tuple[str, Sequence[TableValue]], ...]


def find_root_causes(state: NetworkState, problem: str = "") -> tuple[RootCause, ...]:
    """Find all causes and symptoms: causes first.

    The problem is the scenario's own unless another `problem` is asked about. Only what leads to it is its cause,
    settings by the way they are wrong; causes are ranked by what they explain of it, settings that can be put right
    before the rest. The problem itself is the first of the symptoms if it is one; what belongs to other problems stands
    last as `other`.
    """
    seen = measure(state)
    cases = {kind: case for kind, rule in _RULES if (case := rule(state, seen)).rows}
    asked = problem if problem in LEADS_TO else state.scenario.problem
    main = next((case for kind, case in cases.items() if kind == asked), None)
    troubled = frozenset(main.rows) if main else frozenset[int]()
    parts = [(kind, part) for kind, case in cases.items() for part in _split_by_remark(case)]
    found = [_judge_role(_build_cause(state, kind, part, troubled), part, asked) for kind, part in parts]
    return tuple(sorted(found, key=lambda finding: _rank_finding(finding, asked)))


def _split_by_remark(case: _RuleResult) -> list[_RuleResult]:
    """A finding about settings as one for each way they are wrong; others as they are."""
    remarks = next((values for name, values in case.columns if name == _REMARK), None)
    if remarks is None:
        return [case]
    places = {one: [at for at, value in enumerate(remarks) if value == one] for one in dict.fromkeys(remarks)}
    return [
        replace(
            case,
            rows=[case.rows[at] for at in kept],
            columns=tuple((name, [values[at] for at in kept]) for name, values in case.columns),
        )
        for kept in places.values()
    ]


def _judge_role(finding: RootCause, case: _RuleResult, asked: str) -> RootCause:
    """The finding with its role in the problem that was asked about."""
    if finding.kind == asked:
        return replace(finding, role="cause" if asked == "load" else "symptom")
    remarks = {str(values[0]) for name, values in case.columns if name == _REMARK}
    if LEADS_TO[asked] & (remarks or {finding.kind}):
        return replace(finding, role="cause")
    is_consequence = finding.kind in SYMPTOMS and finding.kind != "weak_coverage"  # a problem of its own
    if finding.kind == "low_sinr":
        is_consequence = asked == "weak_coverage"
    return replace(finding, role="symptom" if is_consequence else "other")


def _rank_finding(finding: RootCause, problem: str) -> tuple[bool, bool, bool, bool, bool, int, int]:
    is_symptom = finding.role == "symptom"
    return (
        finding.role == "other",
        is_symptom,
        is_symptom and finding.kind != problem,
        not finding.explains,
        finding.kind not in SETTINGS,
        -finding.explains,
        -len(finding.cells),
    )


def _build_cause(state: NetworkState, kind: CauseKind, case: _RuleResult, troubled: frozenset[int]) -> RootCause:
    words, cells = CAUSE_TEXTS[kind], [state.scenario.cells[row] for row in case.rows]
    ids = tuple(dict.fromkeys(cell.id for cell in cells))
    headers = (*_KEY_COLUMNS, *(name for name, _ in case.columns))
    rows = tuple(
        (cell.id, round(cell.longitude, 6), round(cell.latitude, 6), *(values[number] for _, values in case.columns))
        for number, cell in enumerate(cells)
    )
    remarks = {str(values[number]) for name, values in case.columns if name == _REMARK for number in range(len(cells))}
    remark = remarks.pop() if len(remarks) == 1 else ""
    # What all rows have in common is the title, so the sentence does not repeat it.
    worst = [(name, str(values[0])) for name, values in case.columns if not (remark and name == _REMARK)]
    facts = {"count": str(len(ids)), "worst": ids[0]} | {name: f"{get_threshold(name):g}" for name in case.limits}
    in_zh = "，".join(f"{name} {value} {EVIDENCE_COLUMNS[name].unit}".strip() for name, value in worst)
    in_en = ", ".join(
        f"{EVIDENCE_COLUMNS[name].english} {REMARKS.get(value, value)} {EVIDENCE_COLUMNS[name].unit}".strip()
        for name, value in worst
    )
    return RootCause(
        kind,
        "symptom" if kind in SYMPTOMS or kind == state.scenario.problem != "load" else "cause",
        "high" if case.severe else "medium",
        ids,
        len(troubled & set(case.rows)),
        tuple(load_thresholds()[name] for name in case.limits),
        TwinTable(headers, rows),
        remark or words.title_zh,
        REMARKS[remark].capitalize() if remark else words.title_en,
        words.sentence_zh.format(values=in_zh, **facts),
        words.sentence_en.format(values=in_en, **facts),
        words.advice_zh,
        words.advice_en,
    )


def _sort_worst_first(which: NDArray[np.bool_], badness: Doubles) -> list[int]:
    rows = np.flatnonzero(which)
    return [int(row) for row in rows[np.argsort(-badness[rows], kind="stable")]]


def _round_values(values: Doubles, rows: Sequence[int], digits: int = 1, *, limit: str = "") -> list[TableValue]:
    """Values of rows for people; one that lies beyond a limit is not rounded onto it: 97.96 is no 98.0 below 98."""
    bound = get_threshold(limit) if limit else None
    return [_round_beside(float(values[row]), digits, bound) for row in rows]


def _round_beside(value: float, digits: int, bound: float | None) -> float:
    rounded = round(value, digits or None)
    while rounded == bound and value != bound and digits < _MAX_DIGITS:
        digits += 1
        rounded = round(value, digits)
    return rounded


def _find_weak_coverage(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    rows = _sort_worst_first(seen.weak_share > get_threshold("weak_share"), seen.weak_share)
    coverage = state.cell_values["coverage"]
    return _RuleResult(
        rows,
        any(coverage[row] < get_threshold("mr_coverage") for row in rows),
        ("weak_rsrp", "weak_share", "mr_coverage"),
        (
            ("RSRP均值", _round_values(state.cell_values["rsrp"], rows)),
            ("MR覆盖率", _round_values(coverage, rows)),
            ("弱覆盖样本占比", _round_values(seen.weak_share, rows, limit="weak_share")),
        ),
    )


def _find_overshoot(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    rows = _sort_worst_first(seen.area > get_threshold("overshoot_area"), seen.area)
    return _RuleResult(
        rows,
        any(seen.area[row] > _SEVERE_AREA * get_threshold("overshoot_area") for row in rows),
        ("overshoot_rsrp", "overshoot_area"),
        (
            ("服务面积比", _round_values(seen.area, rows, 0, limit="overshoot_area")),
            ("SINR均值", _round_values(state.cell_values["sinr"], rows)),
        ),
    )


def _find_overlap(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    rows = _sort_worst_first(seen.overlap_share > get_threshold("overlap_share"), seen.overlap_share)
    return _RuleResult(
        rows,
        any(seen.overlap_most[row] > get_threshold("overlap_cells") for row in rows),
        ("overlap_many", "overlap_share", "overlap_cells"),
        (
            ("重叠栅格占比", _round_values(seen.overlap_share, rows, limit="overlap_share")),
            ("最大重叠覆盖度", _round_values(seen.overlap_most, rows, 0)),
            ("SINR均值", _round_values(state.cell_values["sinr"], rows)),
        ),
    )


def _find_pilot_pollution(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    rows = _sort_worst_first(seen.polluted_share > get_threshold("pilot_share"), seen.polluted_share)
    return _RuleResult(
        rows,
        any(seen.polluted_share[row] > 2 * get_threshold("pilot_share") for row in rows),
        ("pilot_rsrp", "pilot_sinr", "pilot_share"),
        (
            ("导频污染栅格占比", _round_values(seen.polluted_share, rows, limit="pilot_share")),
            ("SINR均值", _round_values(state.cell_values["sinr"], rows)),
        ),
    )


def _find_interference(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    """Low SINR where the signal is sufficient."""
    sinr, is_weak = state.cell_values["sinr"], seen.weak_share > get_threshold("weak_share")
    rows = _sort_worst_first(np.asarray(sinr < get_threshold("sinr_fair")) & ~is_weak, -sinr)
    return _RuleResult(
        rows,
        any(sinr[row] < get_threshold("sinr_poor") for row in rows) or len(rows) > 0.3 * sinr.size,
        ("sinr_fair", "sinr_poor"),
        (
            ("SINR均值", _round_values(sinr, rows, limit="sinr_fair")),
            ("重叠栅格占比", _round_values(seen.overlap_share, rows)),
        ),
    )


def _find_low_sinr(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    """Low SINR where the signal itself is weak."""
    sinr, is_weak = state.cell_values["sinr"], seen.weak_share > get_threshold("weak_share")
    rows = _sort_worst_first(np.asarray(sinr < get_threshold("sinr_fair")) & is_weak, -sinr)
    return _RuleResult(
        rows,
        any(sinr[row] < get_threshold("sinr_poor") for row in rows),
        ("sinr_fair", "sinr_poor", "weak_share"),
        (
            ("SINR均值", _round_values(sinr, rows, limit="sinr_fair")),
            ("RSRP均值", _round_values(state.cell_values["rsrp"], rows)),
            ("弱覆盖样本占比", _round_values(seen.weak_share, rows)),
        ),
    )


def _find_overload(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    down, up = state.cell_values["dl_prb"], state.cell_values["ul_prb"]
    rows = _sort_worst_first(
        (down > get_threshold("prb_busy")) | (up > get_threshold("prb_busy")), np.maximum(down, up - 10)
    )
    return _RuleResult(
        rows,
        any(down[row] > get_threshold("prb_high") for row in rows),
        ("prb_light", "prb_busy", "prb_high"),
        (
            ("下行PRB利用率", _round_values(down, rows, limit="prb_busy")),
            ("上行PRB利用率", _round_values(up, rows, limit="prb_busy")),
            ("用户数", _round_values(state.cell_values["users"], rows, 0)),
        ),
    )


def _find_missing_neighbours(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    pairs, cells = seen.missing, state.scenario.cells
    return _RuleResult(
        [pair.one for pair in pairs],
        any(pair.value > 5 * get_threshold("neighbour_share") for pair in pairs),
        ("neighbour_share",),
        (
            ("目标小区id", [cells[pair.other].id for pair in pairs]),
            ("切换占比", [round(pair.value, 1) for pair in pairs]),
            ("切换成功率", _round_values(state.cell_values["handover"], [pair.one for pair in pairs])),
        ),
    )


def _make_counter_rule(field: str, column: str, name: str, gap: float) -> "_Rule":
    """Rule for a counter below its limit; severe if below by more than `gap`."""

    def rule(state: NetworkState, seen: CellMeasures) -> _RuleResult:
        values = state.cell_values[field]
        rows = _sort_worst_first(np.asarray(values < get_threshold(name)), -values)
        severe = any(values[row] < get_threshold(name) - gap for row in rows)
        return _RuleResult(rows, severe, (name,), ((column, _round_values(values, rows, limit=name)),))

    return rule


def _find_suspicious_tilt(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    weak = (seen.weak_share > get_threshold("weak_share")) & (seen.landing < get_threshold("tilt_near"))
    far = (seen.area > get_threshold("overshoot_area")) | (seen.overlap_share > get_threshold("overlap_share"))
    far &= seen.landing > get_threshold("tilt_far")
    rows = _sort_worst_first(weak | far, np.abs(np.log(np.minimum(seen.landing, 1e6) / 100)))
    cells = [state.scenario.cells[row] for row in rows]
    return _RuleResult(
        rows,
        False,
        ("tilt_near", "tilt_far"),
        (
            ("总下倾角", [cell.mechanical_tilt_deg + cell.electrical_tilt_deg for cell in cells]),
            ("波束落地比", _round_values(np.minimum(seen.landing, 9999.0), rows, 0)),
            (_REMARK, ["下倾角过大" if weak[row] else "下倾角过小" for row in rows]),
        ),
    )


def _find_suspicious_azimuth(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    crowded = seen.overlap_share > get_threshold("overlap_share")
    pairs: Sequence[CellPair] = [pair for pair in seen.facing if crowded[pair.one] or crowded[pair.other]]
    cells = state.scenario.cells
    return _RuleResult(
        [pair.one for pair in pairs],
        False,
        ("azimuth_facing",),
        (
            ("方位角", [cells[pair.one].azimuth_deg for pair in pairs]),
            ("对打小区id", [cells[pair.other].id for pair in pairs]),
            ("偏角", [round(pair.value, 1) for pair in pairs]),
        ),
    )


def _find_suspicious_power(state: NetworkState, seen: CellMeasures) -> _RuleResult:
    gap = get_threshold("power_gap")
    low = (seen.weak_share > get_threshold("weak_share")) & (seen.power_gap <= -gap)
    high = (seen.area > get_threshold("overshoot_area")) & (seen.power_gap >= gap)
    rows = _sort_worst_first(low | high, np.abs(seen.power_gap))
    return _RuleResult(
        rows,
        False,
        ("power_gap",),
        (
            ("发射功率", [state.scenario.cells[row].power_dbm for row in rows]),
            ("与中位数之差", _round_values(seen.power_gap, rows, 1)),
            (_REMARK, ["功率偏低" if low[row] else "功率偏高" for row in rows]),
        ),
    )


_Rule = Callable[[NetworkState, CellMeasures], _RuleResult]
_RULES: Final[tuple[tuple[CauseKind, _Rule], ...]] = (
    ("weak_coverage", _find_weak_coverage),
    ("overshoot", _find_overshoot),
    ("overlap", _find_overlap),
    ("pilot_pollution", _find_pilot_pollution),
    ("interference", _find_interference),
    ("low_sinr", _find_low_sinr),
    ("load", _find_overload),
    ("missing_neighbour", _find_missing_neighbours),
    ("access", _make_counter_rule("access", "RRC连接成功率", "rrc_success", 5.0)),
    ("handover", _make_counter_rule("handover", "切换成功率", "handover_success", 5.0)),
    ("tilt", _find_suspicious_tilt),
    ("azimuth", _find_suspicious_azimuth),
    ("power", _find_suspicious_power),
)
