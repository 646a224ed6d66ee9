"""Diagnosis of one channel: quality, speed, three branches, reflection on their results, verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import FAULTS, Bearing, Fault
from metier.packs.phm.diagnosis._branches import (
    BRANCHES,
    Branch,
    BranchName,
    Spectra,
    compute_spectra,
    is_shaft_multiple,
    mask_known_lines,
    score_branch,
)
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._model import Condition, Diagnosis, Evidence, Node
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._quality import CheckedSignal, check_signal, measure_kurtosis
from metier.packs.phm.diagnosis._thresholds import Thresholds, read_thresholds
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine, find_unexplained_line
from metier.packs.phm.signals._harmonics import HarmonicScore, score_side_bands

Array = NDArray[np.float64]

_NODE_IDS: Final[Mapping[BranchName, str]] = {"prewhitened": "n5", "full_band": "n7", "kurtogram_band": "n10"}


@dataclass(frozen=True, slots=True)
class _Choice:
    """What the branches say together."""

    fault: Fault | None
    branch: Branch | None
    confident: bool
    findings: tuple[Finding, ...] = ()


def diagnose(
    signal: Array,
    *,
    fs: float,
    rpm: float | None = None,
    bearing: Bearing | None = None,
    kind: str = "vibration",
    baseline: Array | None = None,
    reflect: bool = True,
) -> Diagnosis:
    """Diagnose a channel. Without `reflect` the speed is believed and the pre-whitened branch alone decides."""
    shaft_hz = None if rpm is None else rpm / 60
    checked = check_signal(signal, fs, shaft_hz, kind=kind)
    missing = _list_missing(fs, shaft_hz, bearing)
    if not checked.usable or missing:
        return _refuse(checked, missing, rpm, bearing, fs)
    assert shaft_hz is not None
    assert bearing is not None
    samples = checked.samples
    spectra = compute_spectra(samples, fs)
    thresholds = read_thresholds()
    findings = list(checked.findings)
    if reflect:
        shaft_hz, told = _check_speed(spectra, shaft_hz, thresholds)
        findings += told
    branches = {name: score_branch(name, spectra.envelopes[name], shaft_hz, bearing) for name in BRANCHES}
    if baseline is not None:
        thresholds, told = _apply_baseline(baseline, samples, thresholds, fs=fs, shaft_hz=shaft_hz, bearing=bearing)
        findings += told
    findings += [make_finding("untestable", fault=Name(f)) for f in FAULTS if is_shaft_multiple(bearing.orders[f])]
    choice = _choose(branches, thresholds) if reflect else _choose_plainly(branches, thresholds)
    line = None
    if reflect:
        line = _find_line(spectra, shaft_hz, bearing, branches, choice=choice, thresholds=thresholds)
    findings += choice.findings
    if line is not None:
        findings.append(
            make_finding("unexplained_line", hz=f"{line.hz:.2f}", order=f"{line.order:.3f}", bearing=bearing.name)
        )
    if checked.short or line is not None:
        choice = replace(choice, confident=False, fault=None if line is not None else choice.fault)
    kurtosis = measure_kurtosis(samples)
    condition = _judge_condition(branches, choice, line, kurtosis, thresholds)
    if condition == "suspect" and choice.fault is None and kurtosis > thresholds.kurtosis:
        findings.append(make_finding("impulsive", kurtosis=f"{kurtosis:.1f}", limit=f"{thresholds.kurtosis:.1f}"))
    return Diagnosis(
        verdict=choice.fault or ("normal" if condition == "normal" else "unknown"),
        condition=condition,
        level="confident" if choice.confident else "weak",
        confidence=_measure_confidence(choice, condition, thresholds),
        evidence=_list_evidence(spectra, branches, shaft_hz, bearing, thresholds),
        findings=tuple(findings),
        rpm=shaft_hz * 60,
        bearing=bearing,
        branches=branches,
        decided_by=choice.branch.name if choice.branch else None,
        band=spectra.band,
        rms=float(samples.std()),
        kurtosis=kurtosis,
        nodes=_list_nodes(spectra, shaft_hz, bearing),
    )


def _list_missing(fs: float, shaft_hz: float | None, bearing: Bearing | None) -> list[Finding]:
    missing = [
        *([] if fs > 0 else [make_finding("missing_rate")]),
        *([] if shaft_hz else [make_finding("missing_speed")]),
        *([] if bearing else [make_finding("missing_bearing")]),
    ]
    if not missing and bearing is not None and shaft_hz and 3.2 * bearing.bpfo * shaft_hz > fs / 2:
        missing.append(make_finding("low_rate", fs=f"{fs:g}"))
    return missing


def _refuse(
    checked: CheckedSignal, missing: list[Finding], rpm: float | None, bearing: Bearing | None, fs: float
) -> Diagnosis:
    samples = checked.samples
    finite = samples if np.isfinite(samples).all() and len(samples) else np.zeros(1)
    return Diagnosis(
        "unknown",
        "undetermined",
        "weak",
        0.0,
        (),
        (*checked.findings, *missing),
        rpm,
        bearing,
        {},
        rms=float(finite.std()),
        kurtosis=measure_kurtosis(finite),
        nodes=(Node("n1", "load", params={"fs": fs}),),
    )


def _check_speed(spectra: Spectra, shaft_hz: float, thresholds: Thresholds) -> tuple[float, list[Finding]]:
    """Reflection on the speed: corrected if the comb of shaft lines is clearly stronger elsewhere."""
    estimate = spectra.estimate_speed(shaft_hz)
    if estimate.strength < thresholds.speed_strength:
        return shaft_hz, [make_finding("speed_unproved", given=f"{shaft_hz * 60:.0f}")]
    if abs(estimate.shaft_hz / shaft_hz - 1) < 0.004:
        return estimate.shaft_hz, []
    if estimate.gain < thresholds.speed_gain:
        return shaft_hz, []
    values = {"given": f"{shaft_hz * 60:.0f}", "found": f"{estimate.shaft_hz * 60:.0f}"}
    return estimate.shaft_hz, [make_finding("speed_wrong", values, change=f"{estimate.shaft_hz / shaft_hz - 1:+.1%}")]


def _apply_baseline(
    baseline: Array, samples: Array, thresholds: Thresholds, *, fs: float, shaft_hz: float, bearing: Bearing
) -> tuple[Thresholds, list[Finding]]:
    healthy = check_signal(baseline, fs, shaft_hz)
    if not healthy.usable:
        return thresholds, list(healthy.findings)
    spectra = compute_spectra(healthy.samples, fs)
    scores = {name: score_branch(name, spectra.envelopes[name], shaft_hz, bearing).score for name in BRANCHES}
    ratio = float(samples.std() / max(healthy.samples.std(), np.finfo(float).tiny))
    told = [make_finding("level_risen", ratio=f"{ratio:.1f}")] if ratio > 1.5 else []
    return thresholds.raise_to(scores), told


def _choose_plainly(branches: Mapping[BranchName, Branch], thresholds: Thresholds) -> _Choice:
    branch = branches["prewhitened"]
    if branch.score < thresholds.alarm["prewhitened"]:
        return _Choice(None, None, False)
    return _Choice(branch.ranking[0], branch, True)


def _choose(branches: Mapping[BranchName, Branch], thresholds: Thresholds) -> _Choice:
    """The pre-whitened branch decides; a branch that sees clearly another fault takes its certainty away."""
    loud = {
        name: _set_cage_last(one, thresholds) for name, one in branches.items() if one.score >= thresholds.alarm[name]
    }
    clear = {name: one for name, one in loud.items() if one.margin >= thresholds.margin}
    first = loud.get("prewhitened")
    if first is None:
        return _choose_silent(clear)
    fault = first.ranking[0]
    other = next((one for one in clear.values() if one.ranking[0] not in (fault, "cage")), None)
    findings: list[Finding] = []
    if other is not None:
        findings.append(
            make_finding(
                "branches_disagree",
                first=Name("prewhitened"),
                first_fault=Name(fault),
                second=Name(other.name),
                second_fault=Name(other.ranking[0]),
            )
        )
        if "prewhitened" not in clear:
            return _Choice(None, first, False, tuple(findings))
    if fault == "cage":
        findings.append(make_finding("cage_or_ball"))
    confident = "prewhitened" in clear and other is None and fault != "cage"
    return _Choice(fault if first.margin >= thresholds.margin / 3 else None, first, confident, tuple(findings))


def _choose_silent(clear: Mapping[BranchName, Branch]) -> _Choice:
    """The pre-whitened branch is silent: a clear result of another branch is kept, as weak."""
    kept = clear.get("full_band")
    if kept is None:
        return _Choice(None, None, False)
    fault = kept.ranking[0]
    finding = make_finding("branch_kept", kept=Name("full_band"), fault=Name(fault), silent=Name("prewhitened"))
    more = (make_finding("cage_or_ball"),) if fault == "cage" else ()
    return _Choice(fault, kept, False, (finding, *more))


def _set_cage_last(branch: Branch, thresholds: Thresholds) -> Branch:
    """Every fault of a ring or ball is modulated by the cage: its line counts only where no other fault is loud."""
    others: dict[Fault, HarmonicScore] = {fault: score for fault, score in branch.scores.items() if fault != "cage"}
    loudest = max((score.score for score in others.values()), default=-np.inf)
    return replace(branch, scores=others) if loudest >= thresholds.alarm[branch.name] else branch


def _find_line(
    spectra: Spectra,
    shaft_hz: float,
    bearing: Bearing,
    branches: Mapping[BranchName, Branch],
    *,
    choice: _Choice,
    thresholds: Thresholds,
) -> UnexplainedLine | None:
    """The strongest unexplained family of lines, if it outweighs what the bearing explains."""
    best: UnexplainedLine | None = None
    for name, least in thresholds.unexplained.items():
        found = find_unexplained_line(spectra.envelopes[name], shaft_hz, bearing, branches[name])
        if found is None or found.score < least or found.score < branches[name].score:
            continue
        if choice.branch is not None and choice.branch.name != name and choice.confident:
            continue
        best = found if best is None else best
    return best


def _judge_condition(
    branches: Mapping[BranchName, Branch],
    choice: _Choice,
    line: UnexplainedLine | None,
    kurtosis: float,
    thresholds: Thresholds,
) -> Condition:
    # A band chosen by kurtosis may hold a few stray shocks only: it counts where another branch sees the same fault.
    excess = max(
        one.score - thresholds.alarm[name]
        for name, one in branches.items()
        if name != "kurtogram_band" or _is_supported(one, branches, thresholds)
    )
    if choice.confident or excess >= thresholds.faulty_excess:
        return "faulty"
    if excess >= 0 or line is not None or kurtosis > thresholds.kurtosis:
        return "suspect"
    return "normal"


def _is_supported(branch: Branch, branches: Mapping[BranchName, Branch], thresholds: Thresholds) -> bool:
    fault = branch.ranking[0] if branch.scores else None
    return any(
        fault in other.scores and other.scores[fault].score >= thresholds.alarm[name] / 2
        for name, other in branches.items()
        if fault is not None and name != branch.name
    )


def _measure_confidence(choice: _Choice, condition: Condition, thresholds: Thresholds) -> float:
    """Between 0 and 1: how far score and lead reach beyond their thresholds."""
    if condition == "normal":
        return 0.8
    if choice.fault is None or choice.branch is None:
        return 0.3
    reach = min(
        choice.branch.score / thresholds.alarm[choice.branch.name], max(choice.branch.margin, 0) / thresholds.margin
    )
    top = float(1 - 0.5 * np.exp(-0.9 * reach))
    return max(top, 0.75) if choice.confident else min(top, 0.7)


def _list_evidence(
    spectra: Spectra,
    branches: Mapping[BranchName, Branch],
    shaft_hz: float,
    bearing: Bearing,
    thresholds: Thresholds,
) -> tuple[Evidence, ...]:
    listed = []
    for name, branch in branches.items():
        spectrum = spectra.envelopes[name]
        keep = mask_known_lines(spectrum, shaft_hz)
        for fault, score in branch.scores.items():
            spacing = {"inner": shaft_hz, "ball": bearing.ftf * shaft_hz}.get(fault)
            bands = score_side_bands(spectrum, score.lines, spacing, keep) if spacing else ()
            expected = bearing.orders[fault] * shaft_hz
            alarm, node = thresholds.alarm[name], _NODE_IDS[name]
            listed.append(
                Evidence(fault, name, expected, score.fundamental_hz, score.score, alarm, len(bands), f"{node}.{fault}")
            )
    return tuple(sorted(listed, key=lambda one: one.alarm - one.score))


def _list_nodes(spectra: Spectra, shaft_hz: float, bearing: Bearing) -> tuple[Node, ...]:
    test: dict[str, float | str] = {"shaft_hz": round(shaft_hz, 3), "bearing": bearing.name}
    band: dict[str, float | str] = {"low_hz": round(spectra.band.low_hz, 1), "high_hz": round(spectra.band.high_hz, 1)}
    return (
        Node("n1", "load", params={"fs": spectra.fs}),
        Node("n2", "speed_refinement", ("n1",), {"found_hz": round(shaft_hz, 3)}),
        Node("n3", "cepstrum_prewhitening", ("n1",)),
        Node("n4", "envelope_spectrum", ("n3",)),
        Node("n5", "harmonic_test", ("n4", "n2"), test),
        Node("n6", "envelope_spectrum", ("n1",)),
        Node("n7", "harmonic_test", ("n6", "n2"), test),
        Node("n8", "kurtogram", ("n1",), band),
        Node("n9", "envelope_spectrum", ("n1", "n8"), band),
        Node("n10", "harmonic_test", ("n9", "n2"), test),
        Node("n11", "rule_based_decision", ("n5", "n7", "n10")),
    )
