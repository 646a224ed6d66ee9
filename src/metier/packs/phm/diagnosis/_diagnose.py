"""Diagnosis of one channel: quality, speed, three branches, reflection on their results, verdict."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import FAULTS, RollingBearing
from metier.packs.phm.diagnosis._baseline import BaselineRecord, apply_baseline
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
from metier.packs.phm.diagnosis._model import Diagnosis, DiagnosisStep, FaultEvidence
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._quality import CheckedSignal, check_signal, measure_kurtosis
from metier.packs.phm.diagnosis._reflection import (
    choose_fault,
    choose_plainly,
    find_line,
    judge_condition,
    measure_confidence,
)
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds, read_thresholds
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine
from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._harmonics import score_side_bands

Array = NDArray[np.float64]

_NODE_IDS: Final[Mapping[BranchName, str]] = MappingProxyType(
    {"prewhitened": "n5", "full_band": "n7", "kurtogram_band": "n10"}
)
_SHOWN_ORDERS: Final = 40.0


def diagnose(
    signal: Array,
    *,
    fs: float,
    rpm: float | None = None,
    bearing: RollingBearing | None = None,
    kind: str = "vibration",
    baseline: BaselineRecord | None = None,
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
        shaft_hz, told = _check_speed(spectra, shaft_hz, thresholds, short=checked.short)
        findings += told
    branches = {name: score_branch(name, spectra.envelopes[name], shaft_hz, bearing) for name in BRANCHES}
    if baseline is not None:
        thresholds, told = apply_baseline(baseline, samples, thresholds, fs=fs, shaft_hz=shaft_hz, bearing=bearing)
        findings += told
    findings += [make_finding("untestable", fault=Name(f)) for f in FAULTS if is_shaft_multiple(bearing.orders[f])]
    choice = choose_fault(branches, thresholds) if reflect else choose_plainly(branches, thresholds)
    findings += choice.findings
    line = None
    if reflect:
        line = find_line(spectra, shaft_hz, bearing, branches, choice=choice, thresholds=thresholds)
    findings += _describe_line(line, bearing)
    if checked.short or checked.distorted or line is not None:
        choice = replace(choice, confident=False, fault=None if line is not None else choice.fault)
    kurtosis = measure_kurtosis(samples)
    condition = judge_condition(branches, choice, line, kurtosis, thresholds)
    if condition == "suspect" and choice.fault is None and kurtosis > thresholds.kurtosis:
        findings.append(make_finding("impulsive", kurtosis=f"{kurtosis:.1f}", limit=f"{thresholds.kurtosis:.1f}"))
    return Diagnosis(
        choice.fault or ("normal" if condition == "normal" else "unknown"),
        condition,
        "confident" if choice.confident else "weak",
        measure_confidence(choice, condition, thresholds),
        _list_evidence(spectra, branches, shaft_hz, bearing, thresholds),
        tuple(findings),
        shaft_hz * 60,
        bearing,
        branches,
        choice.branch.name if choice.branch else None,
        spectra.band,
        float(samples.std()),
        kurtosis,
        _list_nodes(spectra, shaft_hz, bearing),
        _cut_envelope(spectra.envelopes[choice.branch.name if choice.branch else "prewhitened"], shaft_hz),
    )


def _describe_line(line: UnexplainedLine | None, bearing: RollingBearing) -> list[Finding]:
    if line is None:
        return []
    return [make_finding("unexplained_line", hz=f"{line.hz:.2f}", order=f"{line.order:.3f}", bearing=bearing.name)]


def _cut_envelope(spectrum: Spectrum, shaft_hz: float) -> Spectrum:
    """The orders of a spectrum that reports show, so that a result stays small."""
    last = int(_SHOWN_ORDERS * shaft_hz / spectrum.step_hz) + 1
    return Spectrum(spectrum.amplitude[:last].copy(), spectrum.step_hz)


def _list_missing(fs: float, shaft_hz: float | None, bearing: RollingBearing | None) -> list[Finding]:
    missing = [
        *([] if fs > 0 else [make_finding("missing_rate")]),
        *([] if shaft_hz else [make_finding("missing_speed")]),
        *([] if bearing else [make_finding("missing_bearing")]),
    ]
    if not missing and bearing is not None and shaft_hz and 3.2 * bearing.bpfo * shaft_hz > fs / 2:
        missing.append(make_finding("low_rate", fs=f"{fs:g}"))
    return missing


def refuse_unreadable(reason: str) -> Diagnosis:
    """The answer for a file that gives no record."""
    finding = make_finding("unreadable", reason=reason)
    return Diagnosis("unknown", "undetermined", "weak", 0.0, (), (finding,), None, None, {})


def _refuse(
    checked: CheckedSignal, missing: list[Finding], rpm: float | None, bearing: RollingBearing | None, fs: float
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
        nodes=(DiagnosisStep("n1", "load", params={"fs": fs}),),
    )


def _check_speed(
    spectra: Spectra, shaft_hz: float, thresholds: DiagnosisThresholds, *, short: bool
) -> tuple[float, list[Finding]]:
    """Reflection on the speed: corrected if the comb of shaft lines is clearly stronger elsewhere.

    A short record does not part neighbouring speeds: its lines prove none.
    """
    if short:
        return shaft_hz, [make_finding("speed_unresolved", given=f"{shaft_hz * 60:.0f}")]
    estimate = spectra.estimate_speed(shaft_hz)
    if estimate.strength < thresholds.speed_strength:
        return shaft_hz, [make_finding("speed_unproved", given=f"{shaft_hz * 60:.0f}")]
    if abs(estimate.shaft_hz / shaft_hz - 1) < 0.004:
        return estimate.shaft_hz, []
    if estimate.gain < thresholds.speed_gain:
        return shaft_hz, []
    values = {"given": f"{shaft_hz * 60:.0f}", "found": f"{estimate.shaft_hz * 60:.0f}"}
    return estimate.shaft_hz, [make_finding("speed_wrong", values, change=f"{estimate.shaft_hz / shaft_hz - 1:+.1%}")]


def _list_evidence(
    spectra: Spectra,
    branches: Mapping[BranchName, Branch],
    shaft_hz: float,
    bearing: RollingBearing,
    thresholds: DiagnosisThresholds,
) -> tuple[FaultEvidence, ...]:
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
                FaultEvidence(
                    fault, name, expected, score.fundamental_hz, score.score, alarm, len(bands), f"{node}.{fault}"
                )
            )
    return tuple(sorted(listed, key=lambda one: one.alarm - one.score))


def _list_nodes(spectra: Spectra, shaft_hz: float, bearing: RollingBearing) -> tuple[DiagnosisStep, ...]:
    test: dict[str, float | str] = {"shaft_hz": round(shaft_hz, 3), "bearing": bearing.name}
    band: dict[str, float | str] = {"low_hz": round(spectra.band.low_hz, 1), "high_hz": round(spectra.band.high_hz, 1)}
    return (
        DiagnosisStep("n1", "load", params={"fs": spectra.fs}),
        DiagnosisStep("n2", "speed_refinement", ("n1",), {"found_hz": round(shaft_hz, 3)}),
        DiagnosisStep("n3", "cepstrum_prewhitening", ("n1",)),
        DiagnosisStep("n4", "envelope_spectrum", ("n3",)),
        DiagnosisStep("n5", "harmonic_test", ("n4", "n2"), test),
        DiagnosisStep("n6", "envelope_spectrum", ("n1",)),
        DiagnosisStep("n7", "harmonic_test", ("n6", "n2"), test),
        DiagnosisStep("n8", "kurtogram", ("n1",), band),
        DiagnosisStep("n9", "envelope_spectrum", ("n1", "n8"), band),
        DiagnosisStep("n10", "harmonic_test", ("n9", "n2"), test),
        DiagnosisStep("n11", "rule_based_decision", ("n5", "n7", "n10")),
    )
