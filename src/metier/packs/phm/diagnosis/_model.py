"""Result of a diagnosis."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from metier.json_values import JsonObject
from metier.packs.phm.bearings import Fault, RollingBearing
from metier.packs.phm.diagnosis._branches import Branch, BranchName
from metier.packs.phm.diagnosis._findings import Finding
from metier.packs.phm.signals._envelope import Spectrum

if TYPE_CHECKING:
    from metier.flow import Card

Verdict = Literal["outer", "inner", "ball", "cage", "normal", "unknown"]
Condition = Literal["normal", "suspect", "faulty", "undetermined"]
Level = Literal["confident", "weak"]


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """One fault on one branch: where its line is expected and found, score, side bands and node."""

    fault: Fault
    branch: BranchName
    expected_hz: float
    found_hz: float
    score: float
    alarm: float
    side_bands: int
    node: str

    def to_json(self) -> JsonObject:
        return {
            "fault": self.fault,
            "branch": self.branch,
            "expected_hz": round(self.expected_hz, 2),
            "found_hz": round(self.found_hz, 2),
            "score": round(self.score, 2),
            "alarm": round(self.alarm, 2),
            "side_bands": self.side_bands,
            "node": self.node,
        }


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Verdict on one channel with everything it rests on; `envelope` is the spectrum of the branch that ranks."""

    verdict: Verdict
    condition: Condition
    level: Level
    confidence: float
    evidence: tuple[FaultEvidence, ...]
    findings: tuple[Finding, ...]
    rpm: float | None
    bearing: RollingBearing | None
    branches: Mapping[BranchName, Branch]
    decided_by: BranchName | None = None
    rms: float | None = None  # None: the record was not checked
    kurtosis: float | None = None
    envelope: Spectrum | None = None
    dag: tuple[JsonObject, ...] = ()
    cards: tuple["Card", ...] = ()

    @property
    def alarm(self) -> bool:
        return self.condition in ("suspect", "faulty")

    @property
    def ranking(self) -> Mapping[Fault, float]:
        """Score by fault on the branch that ranks: the pre-whitened one, or the one that decided."""
        branch = self.branches.get(self.decided_by or "prewhitened")
        return {fault: score.score for fault, score in branch.scores.items()} if branch else {}

    @property
    def shown(self) -> FaultEvidence | None:
        """Evidence to show with the envelope: the fault of the verdict, or the one with the highest score."""
        branch = self.decided_by or "prewhitened"
        listed = [one for one in self.evidence if one.branch == branch]
        return next((one for one in listed if one.fault == self.verdict), listed[0] if listed else None)

    def to_json(self) -> JsonObject:
        return {
            "verdict": self.verdict,
            "condition": self.condition,
            "level": self.level,
            "confidence": round(self.confidence, 2),
            "rpm": None if self.rpm is None else round(self.rpm, 1),
            "bearing": None if self.bearing is None else self.bearing.to_json(),
            "rms": None if self.rms is None else float(f"{self.rms:.4g}"),
            "kurtosis": None if self.kurtosis is None else round(self.kurtosis, 2),
            "evidence": [one.to_json() for one in self.evidence],
            "findings": [one.to_json() for one in self.findings],
            "dag": list(self.dag),
        }
