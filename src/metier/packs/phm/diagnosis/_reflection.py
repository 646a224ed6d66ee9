"""Reflection on the branches of a diagnosis: which one is kept, what they contradict, how bad it is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from metier.packs.phm.bearings import Fault
from metier.packs.phm.diagnosis._branches import Branch, BranchName
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds
from metier.packs.phm.diagnosis._unexplained import UnexplainedLine

if TYPE_CHECKING:
    from metier.packs.phm.diagnosis._model import Condition
    from metier.packs.phm.signals._harmonics import HarmonicScore


@dataclass(frozen=True, slots=True)
class FaultChoice:
    """What the branches say together."""

    fault: Fault | None
    branch: Branch | None
    confident: bool
    findings: tuple[Finding, ...] = ()


def choose_plainly(branches: Mapping[BranchName, Branch], thresholds: DiagnosisThresholds) -> FaultChoice:
    branch = branches["prewhitened"]
    if branch.score < thresholds.alarm["prewhitened"]:
        return FaultChoice(None, None, False)
    return FaultChoice(branch.ranking[0], branch, True)


def choose_fault(branches: Mapping[BranchName, Branch], thresholds: DiagnosisThresholds) -> FaultChoice:
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
            return FaultChoice(None, first, False, tuple(findings))
    if fault == "cage":
        findings.append(make_finding("cage_or_ball"))
    confident = "prewhitened" in clear and other is None and fault != "cage"
    return FaultChoice(fault if first.margin >= thresholds.margin / 3 else None, first, confident, tuple(findings))


def _choose_silent(clear: Mapping[BranchName, Branch]) -> FaultChoice:
    """The pre-whitened branch is silent: a clear result of another branch is kept, as weak."""
    kept = clear.get("full_band")
    if kept is None:
        return FaultChoice(None, None, False)
    fault = kept.ranking[0]
    finding = make_finding("branch_kept", kept=Name("full_band"), fault=Name(fault), silent=Name("prewhitened"))
    more = (make_finding("cage_or_ball"),) if fault == "cage" else ()
    return FaultChoice(fault, kept, False, (finding, *more))


def _set_cage_last(branch: Branch, thresholds: DiagnosisThresholds) -> Branch:
    """Every fault of a ring or ball is modulated by the cage: its line counts only where no other fault is loud."""
    others: dict[Fault, HarmonicScore] = {fault: score for fault, score in branch.scores.items() if fault != "cage"}
    loudest = max((score.score for score in others.values()), default=-np.inf)
    return replace(branch, scores=others) if loudest >= thresholds.alarm[branch.name] else branch


def judge_condition(
    branches: Mapping[BranchName, Branch],
    choice: FaultChoice,
    line: UnexplainedLine | None,
    kurtosis: float,
    thresholds: DiagnosisThresholds,
    *,
    is_whole: bool,
) -> "Condition":
    """How bad it is; without a sign of damage a record is normal only if all was tested and nothing hid it."""
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
    return "normal" if is_whole else "undetermined"


def _is_supported(branch: Branch, branches: Mapping[BranchName, Branch], thresholds: DiagnosisThresholds) -> bool:
    fault = branch.ranking[0] if branch.scores else None
    return any(
        fault in other.scores and other.scores[fault].score >= thresholds.alarm[name] / 2
        for name, other in branches.items()
        if fault is not None and name != branch.name
    )


def measure_confidence(choice: FaultChoice, condition: "Condition", thresholds: DiagnosisThresholds) -> float:
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
