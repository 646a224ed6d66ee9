"""Figures of one gear in a graph of operators: quality, speed by the mesh line, synchronous average, FM0, FM4, M6A."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from metier.flow import DagTracker, NodeLimits
from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.phm.diagnosis import (
    Finding,
    describe_step,
    load_registry,
    make_finding,
    make_root,
    name_failure,
    read_findings,
)
from metier.packs.phm.loaders import Record

_FM4_LIMIT: Final = 4.5  # a sound gear has 3 ± 0.15 at 1,024 samples a revolution
_MIN_PER_REV: Final = 256
_SEARCH: Final = 0.03  # of the mesh frequency, on either side
_MIN_LINE: Final = 4.0  # a mesh line stands so far above the median around it
_TEXTS: Final = Sentences(
    {
        "tooth": (
            "One tooth is damaged: the difference signal has one sharp peak per revolution.",
            "单齿损伤：差分信号每转出现一个尖峰。",
        ),
        "normal": ("No sign of tooth damage.", "没有轮齿损伤的迹象。"),
        "unknown": ("No diagnosis possible.", "无法诊断。"),
        "figures": (
            "FM4 {fm4} (sound: about 3, alarm above {limit}), M6A {m6a} (sound: about 15), FM0 {fm0}, mesh {mesh} Hz "
            "({teeth} teeth × {shaft} Hz), averaged over {turns} revolutions.",
            "FM4 为 {fm4}（完好约为 3，高于 {limit} 报警），M6A 为 {m6a}（完好约为 15），FM0 为 {fm0}，"
            "啮合频率 {mesh} Hz（{teeth} 齿 × {shaft} Hz），对 {turns} 转做同步平均。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class GearDiagnosis:
    """Verdict on one gear with its figures; `dag` lists the nodes that were executed."""

    verdict: Literal["tooth", "normal", "unknown"]
    teeth: int | None
    shaft_hz: float
    findings: tuple[Finding, ...]
    figures: JsonObject
    dag: tuple[JsonObject, ...]

    def to_json(self) -> JsonObject:
        return {
            "verdict": self.verdict,
            "teeth": self.teeth,
            "rpm": round(self.shaft_hz * 60, 2) or None,
            **self.figures,
            "findings": [one.to_json() for one in self.findings],
            "dag": list(self.dag),
        }


def analyse_gear(record: Record) -> GearDiagnosis:
    """Diagnose the gear of a shaft from its record; what is missing or does not fit is a finding."""
    shaft = (record.rpm or 0.0) / 60
    root = make_root(
        record.samples, fs=record.fs, rpm=record.rpm, bearing=None, kind=record.kind, unit=record.unit, name=record.name
    )
    dag = DagTracker(load_registry(), limits=NodeLimits(seconds=None))
    start = dag.root(root, "record")
    quality = dag.node(dag.add_execution("signal_quality", {"shaft_hz": shaft or None}, [start]))
    findings = [*read_findings(quality), *_list_missing(record, shaft)]
    if quality.notes.get("usable") is not True or any(one.severity == "error" for one in findings):
        return GearDiagnosis("unknown", record.teeth, shaft, tuple(findings), {}, _list_nodes(dag))
    source = dag.add_execution("clean_record", {}, [start]) if quality.notes.get("repaired") is True else start
    teeth = record.teeth or 0
    shaft, told = _refine_speed(dag, source, shaft, teeth)
    findings += told
    if any(one.severity == "error" for one in told):
        return GearDiagnosis("unknown", teeth, shaft, tuple(findings), {}, _list_nodes(dag))
    per_rev = max(_MIN_PER_REV, 1 << int(np.ceil(np.log2(8 * teeth))))
    angle = dag.add_execution("angle_resample", {"shaft_hz": shaft, "samples_per_rev": per_rev}, [source])
    average = dag.add_execution("time_synchronous_average", {}, [angle])
    difference = dag.add_execution("tsa_difference", {"teeth": teeth}, [average])
    nodes = {
        "fm4": dag.add_execution("fm4", {}, [difference]),
        "m6a": dag.add_execution("m6a", {}, [difference]),
        "fm0": dag.add_execution("fm0", {"teeth": teeth}, [average]),
    }
    failed = [node for name in nodes.values() if (node := dag.node(name)).state == "failed"]
    if failed:
        findings.append(make_finding("unreadable", reason=name_failure(dag, failed[0])))
        return GearDiagnosis("unknown", teeth, shaft, tuple(findings), {}, _list_nodes(dag))
    values = {name: round(float(dag.value(node).array), 2) for name, node in nodes.items()}
    turns = dag.node(average).notes.get("revolutions")
    figures: JsonObject = {
        **values,
        "mesh_hz": round(teeth * shaft, 2),
        "revolutions": turns,
        "limit": _FM4_LIMIT,
        "node": nodes["fm4"],
    }
    verdict: Literal["tooth", "normal"] = "tooth" if values["fm4"] > _FM4_LIMIT else "normal"
    return GearDiagnosis(verdict, teeth, shaft, tuple(findings), figures, _list_nodes(dag))


def describe_gear(found: GearDiagnosis, language: Language) -> str:
    """The conclusion and its figures, then the findings."""
    parts = [f"**{_TEXTS.render(found.verdict, language)}**"]
    if found.figures:
        numbers = {name: f"{found.figures[name]:.1f}" for name in ("fm4", "m6a", "fm0")}
        given = {"mesh": f"{found.figures['mesh_hz']:.1f}", "shaft": f"{found.shaft_hz:.2f}", "teeth": found.teeth}
        given |= {"turns": str(found.figures["revolutions"]), "limit": f"{_FM4_LIMIT:g}"}
        parts.append(_TEXTS.render("figures", language, **numbers, **given))
    return " ".join(parts) + "".join(f"\n- {one.text(language)}" for one in found.findings)


def _list_missing(record: Record, shaft: float) -> list[Finding]:
    missing = [
        *([] if record.fs else [make_finding("missing_rate")]),
        *([] if shaft else [make_finding("missing_speed")]),
        *([] if record.teeth else [make_finding("missing_teeth")]),
    ]
    if not missing and 2.2 * (record.teeth or 0) * shaft > (record.fs or 0.0) / 2:
        missing.append(make_finding("low_mesh_rate", fs=f"{record.fs:g}", mesh=f"{(record.teeth or 0) * shaft:.0f}"))
    return missing


def _refine_speed(dag: DagTracker, source: str, shaft: float, teeth: int) -> tuple[float, list[Finding]]:
    """Speed by the mesh line near the expected one: an average over many turns needs it exactly."""
    value = dag.value(dag.add_execution("fft", {"window": "hann"}, [source]))
    assert value.axis is not None
    amplitude, step, mesh = np.asarray(value.array), value.axis.step, teeth * shaft
    low, high = int(mesh * (1 - _SEARCH) / step), int(np.ceil(mesh * (1 + _SEARCH) / step)) + 1
    around = amplitude[max(low - (high - low), 1) : high + (high - low)]
    at = low + int(amplitude[low:high].argmax())
    if amplitude[at] < _MIN_LINE * float(np.median(around)):
        return shaft, [make_finding("no_mesh_line", mesh=f"{mesh:.1f}", teeth=teeth)]
    left, top, right = np.log(np.maximum(amplitude[at - 1 : at + 2], np.finfo(float).tiny))
    bend = left - 2 * top + right
    found = (at + (0.5 * (left - right) / bend if bend else 0.0)) * step / teeth
    if abs(found / shaft - 1) < 0.004:
        return float(found), []
    values = {"given": f"{shaft * 60:.0f}", "found": f"{found * 60:.0f}"}
    return float(found), [make_finding("mesh_speed", values, change=f"{found / shaft - 1:+.1%}")]


def _list_nodes(dag: DagTracker) -> tuple[JsonObject, ...]:
    return tuple(describe_step(dag, node) for node in dag.nodes.values())
