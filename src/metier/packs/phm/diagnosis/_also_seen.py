"""Evidence above its alarm that is not the verdict: each such fault is told with the reason."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.packs.phm.bearings import FAULTS, Fault, RollingBearing
from metier.packs.phm.diagnosis._branches import Branch, BranchName
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._reflection import FaultChoice
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds

if TYPE_CHECKING:
    from metier.packs.phm.signals._harmonics import HarmonicLine, HarmonicScore

_HARMONICS: Final = range(1, 7)
_SIDES: Final = range(-2, 3)
_SAME_LINE: Final = 0.002  # share of its frequency within which a line is that of another fault


def list_also_seen(
    branches: Mapping[BranchName, Branch],
    choice: FaultChoice,
    thresholds: DiagnosisThresholds,
    bearing: RollingBearing | None,
    shaft_hz: float,
) -> list[Finding]:
    """Every fault above its alarm beside the verdict, with why it is not the verdict; without one, why none is."""
    told = {name.code for one in choice.findings if isinstance(name := one.values.get("second_fault"), Name)}
    verdict = choice.fault
    if verdict is None or choice.branch is None or bearing is None:
        return [] if told else _explain_open(branches, choice, thresholds)
    own = choice.branch.scores[verdict].fundamental_hz
    spacing = shaft_hz * (bearing.ftf if verdict in ("ball", "cage") else 1.0)
    findings = []
    for fault in FAULTS:
        branch = _find_loudest(fault, branches, thresholds)
        if branch is None or fault == verdict or fault in told:
            continue
        score, alarm = branch.scores[fault], thresholds.alarm[branch.name]
        values = {**_name_evidence(fault, branch, alarm), "verdict": Name(verdict)}
        shared = [line for line in score.lines if _is_of_family(line.found_hz, own, spacing)]
        ahead = branch.scores[verdict].score - score.score if verdict in branch.scores else 0.0
        if fault == "cage":
            findings.append(make_finding("also_cage", values))
        elif _is_carried_by(shared, score, alarm):
            hz = ", ".join(f"{line.found_hz:.1f}" for line in shared if line.excess > 0)
            findings.append(make_finding("also_shared", values, hz=hz))
        elif ahead > 0:
            findings.append(make_finding("also_weaker", values, ahead=f"{ahead:.2f}"))
        else:
            findings.append(make_finding("also_elsewhere", values, deciding=Name(choice.branch.name)))
    return findings


def _explain_open(
    branches: Mapping[BranchName, Branch], choice: FaultChoice, thresholds: DiagnosisThresholds
) -> list[Finding]:
    """Why a fault above its alarm is not named: its lead is too small, or no other envelope shows it."""
    for name, needed in (("prewhitened", thresholds.margin / 3), ("full_band", thresholds.margin)):
        branch = next((one for one in branches.values() if one.name == name), None)
        if branch is None or branch.score < thresholds.alarm[branch.name] or len(branch.ranking) < 2:
            continue
        if choice.branch is not None and choice.branch.name != name:
            continue
        first, second = branch.ranking[:2]
        values = _name_evidence(first, branch, thresholds.alarm[branch.name]) | {"second": Name(second)}
        lead = f"{branch.margin:.2f}"
        return [make_finding("lead_small", values, lead=lead, needed=f"{needed:.2f}")]
    band = branches.get("kurtogram_band")
    if band is not None and band.score >= thresholds.alarm["kurtogram_band"]:
        return [make_finding("band_alone", _name_evidence(band.ranking[0], band, thresholds.alarm["kurtogram_band"]))]
    return []


def _find_loudest(
    fault: Fault, branches: Mapping[BranchName, Branch], thresholds: DiagnosisThresholds
) -> Branch | None:
    """The envelope on which a fault exceeds its alarm most; None if it stays below everywhere."""
    excess = {
        name: one.scores[fault].score - thresholds.alarm[name] for name, one in branches.items() if fault in one.scores
    }
    best = max(excess, key=lambda name: excess[name], default=None)
    return branches[best] if best is not None and excess[best] >= 0 else None


def _name_evidence(fault: Fault, branch: Branch, alarm: float) -> dict[str, Name | str]:
    score = branch.scores[fault].score
    return {"fault": Name(fault), "branch": Name(branch.name), "score": f"{score:.2f}", "alarm": f"{alarm:.2f}"}


def _is_of_family(hz: float, fundamental_hz: float, spacing_hz: float) -> bool:
    """Whether a line is a harmonic of this frequency or one of its first two side bands."""
    family = np.add.outer(fundamental_hz * np.array(_HARMONICS), spacing_hz * np.array(_SIDES))
    return bool(np.any(np.abs(family - hz) <= _SAME_LINE * hz))


def _is_carried_by(shared: "list[HarmonicLine]", score: "HarmonicScore", alarm: float) -> bool:
    """Whether the lines that belong to the verdict lift a score above its alarm: without them it stays below."""
    rest = [line.excess for line in score.lines if line not in shared]
    return bool(shared) and (not rest or float(np.mean(rest)) < alarm)
