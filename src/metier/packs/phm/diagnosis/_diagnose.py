"""Diagnosis of one channel: the rules run in rounds, and what their DAGs say becomes a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.flow import Axis, DagTracker, FlowState, Node, OperatorRegistry, Value, draw_dags, run_rules
from metier.json_values import JsonObject, JsonValue, list_objects
from metier.language import Language
from metier.packs.phm.bearings import RollingBearing, list_bearings
from metier.packs.phm.diagnosis._findings import StepText, make_finding
from metier.packs.phm.diagnosis._model import Diagnosis, FaultEvidence
from metier.packs.phm.diagnosis._plan import BearingRules
from metier.packs.phm.diagnosis._reflection import judge_condition, measure_confidence
from metier.packs.phm.diagnosis._weigh import Weighing, weigh
from metier.packs.phm.signals._envelope import Spectrum

Array = NDArray[np.float64]

_SHOWN_ORDERS: Final = 40.0
_OTHER_KINDS: Final = ("tacho", "speed", "temperature")


@dataclass(frozen=True, slots=True, eq=False)
class BaselineRecord:
    """Samples of a healthy record; its rate and speed where they are not those of the record to judge."""

    samples: Array
    fs: float | None = None
    rpm: float | None = None


def diagnose(
    signal: Array,
    *,
    fs: float,
    rpm: float | None = None,
    bearing: RollingBearing | None = None,
    kind: str = "vibration",
    unit: str = "?",
    length: int = 0,
    is_cut: bool = False,
    baseline: BaselineRecord | None = None,
    reflect: bool = True,
    picture: Language | None = None,
) -> Diagnosis:
    """Diagnose a channel by the rules of deep runs; with `picture` the graph is drawn in that language.

    Without `reflect` the speed is believed and the pre-whitened branch alone decides.
    """
    spoken = None if bearing is None else name_bearing(bearing)
    given = make_root(
        signal,
        fs=fs,
        rpm=rpm,
        bearing=spoken,
        kind=kind,
        unit=unit,
        length=length,
        is_cut=is_cut,
        title={"zh": "数据", "en": "record"},
    )
    roots = {"record": given}
    if baseline is not None:
        rate, speed = baseline.fs or fs, baseline.rpm
        title: JsonObject = {"zh": "基线数据", "en": "baseline"}
        roots["baseline"] = make_root(
            baseline.samples, fs=rate, rpm=speed, bearing=None, unit=unit, role="baseline", title=title
        )
    facts: JsonObject = {} if reflect else {"plain": True}
    state = run_rules(BearingRules(), roots, load_registry(), FlowState("", facts=facts))
    return conclude(state.dags, state.facts, picture=picture)


def make_root(
    signal: Array,
    *,
    fs: float | None,
    rpm: float | None,
    bearing: str | None,
    kind: str = "vibration",
    unit: str = "?",
    role: str = "record",
    length: int = 0,
    is_cut: bool = False,
    **notes: JsonValue,
) -> Value:
    """Root of a diagnosis; a rate, speed or bearing that is not known is left out.

    `length` counts the samples of the record whose middle this is; the file of one that `is_cut` has lost its end.
    """
    from metier.packs.phm.operators import SIGNALS

    known = kind if kind in (*SIGNALS, *_OTHER_KINDS) else "vibration"
    axis = Axis("time", 1 / fs, 0.0, "s") if fs else None
    told: dict[str, JsonValue] = {"role": role, "rpm": rpm, "bearing": bearing, **notes}
    told |= {name: value for name, value in (("length", length), ("is_cut", is_cut)) if value}
    return Value(np.asarray(signal, np.float64).ravel(), ("time",), axis, unit, known, told)


def name_bearing(bearing: RollingBearing) -> str:
    """Text that reads as this bearing: its name if the table has it, otherwise its geometry."""
    return bearing.name if list_bearings().get(bearing.name) == bearing else bearing.geometry


@cache
def load_registry() -> OperatorRegistry:
    """Operators of the pack, loaded once."""
    from metier.packs.phm.operators import list_operators

    return OperatorRegistry(list_operators())


def refuse_unreadable(reason: str) -> Diagnosis:
    """The answer for a file that gives no record."""
    told = StepText(reason, {"en": reason, "zh": load_registry().translate_reason(reason, "zh")})
    finding = make_finding("unreadable", reason=told)
    return Diagnosis("unknown", "undetermined", "weak", 0.0, (), (finding,), None, None, {})


def conclude(dags: Mapping[str, DagTracker], facts: JsonObject, *, picture: Language | None = None) -> Diagnosis:
    """Verdict of the DAGs of a run, with its evidence by node."""
    seen = weigh(dags, facts)
    nodes, kept = _list_nodes(dags), {}
    if seen.choice.branch is not None:
        kept = {seen.tests[seen.choice.branch.name].id: ""}
    cards = draw_dags(dags.values(), kept, language=picture) if picture is not None else ()
    quality = seen.quality.notes if seen.quality is not None else {}
    rms, kurtosis = (_read_figure(quality.get(key)) for key in ("rms", "kurtosis"))
    rpm = seen.shaft_hz * 60 or None
    if not seen.branches or (seen.quality is not None and not seen.usable):
        return Diagnosis(
            *("unknown", "undetermined", "weak", 0.0, (), seen.findings, rpm, seen.bearing, {}),
            rms=rms,
            kurtosis=kurtosis,
            dag=nodes,
            cards=cards,
        )
    choice, limits = seen.choice, seen.thresholds
    condition = judge_condition(seen.branches, choice, seen.line, kurtosis or 0.0, limits, is_whole=seen.is_whole)
    findings = list(seen.findings)
    if condition == "suspect" and choice.fault is None and kurtosis is not None and kurtosis > limits.kurtosis:
        findings.append(make_finding("impulsive", kurtosis=f"{kurtosis:.1f}", limit=f"{limits.kurtosis:.1f}"))
    return Diagnosis(
        choice.fault or ("normal" if condition == "normal" else "unknown"),
        condition,
        "confident" if choice.confident else "weak",
        measure_confidence(choice, condition, limits),
        _list_evidence(seen),
        tuple(findings),
        rpm,
        seen.bearing,
        seen.branches,
        choice.branch.name if choice.branch else None,
        rms,
        kurtosis,
        _cut_envelope(dags, seen),
        nodes,
        cards,
    )


def _read_figure(value: JsonValue) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _list_evidence(seen: Weighing) -> tuple[FaultEvidence, ...]:
    listed = []
    for name, branch in seen.branches.items():
        test = seen.tests[name]
        rows = list_objects(test.notes.get("evidence"))
        sides = {str(one.get("name")): one.get("side_bands") for one in rows}
        for fault, score in branch.scores.items():
            listed.append(
                FaultEvidence(
                    fault,
                    name,
                    score.lines[0].expected_hz,
                    score.fundamental_hz,
                    score.score,
                    seen.thresholds.alarm[name],
                    int(str(sides.get(fault) or 0)),
                    test.id,
                )
            )
    return tuple(sorted(listed, key=lambda one: one.alarm - one.score))


def _cut_envelope(dags: Mapping[str, DagTracker], seen: Weighing) -> Spectrum | None:
    """The orders of the spectrum that reports show, so that a result stays small."""
    branch = seen.choice.branch.name if seen.choice.branch else "prewhitened"
    test = seen.tests.get(branch)
    dag = next((one for one in dags.values() if test is not None and test.id in one.nodes), None)
    if test is None or dag is None:
        return None
    value = dag.value(test.inputs[0])
    assert value.axis is not None
    last = int(min(_SHOWN_ORDERS * seen.shaft_hz / value.axis.step, len(value.array))) + 1
    return Spectrum(np.array(value.array[:last], np.float64), value.axis.step)


def _list_nodes(dags: Mapping[str, DagTracker]) -> tuple[JsonObject, ...]:
    """Nodes of all DAGs; what two of them have in common is listed once."""
    first: dict[str, str] = {}
    renamed: dict[str, str] = {}
    listed: list[JsonObject] = []
    for dag in dags.values():
        for node in dag.nodes.values():
            renamed[node.id] = first.setdefault(f"{node.name}:{node.digest}", node.id)
            if renamed[node.id] == node.id:
                listed.append({**describe_step(dag, node), "inputs": [renamed[one] for one in node.inputs]})
    return tuple(listed)


def describe_step(dag: DagTracker, node: Node) -> JsonObject:
    """Node as results list it: operator, titles, inputs and parameters, and why it failed."""
    title: JsonObject = {"zh": dag.name_node(node, "zh"), "en": dag.name_node(node, "en")}
    told: JsonObject = {"id": node.id, "op_name": node.op_name or "input", "title": title}
    return {**told, "inputs": list(node.inputs), "params": node.params, **({"error": node.error} if node.error else {})}
