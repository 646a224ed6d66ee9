"""Bearing diagnosis of a vibration record: quality, speed, fault lines on several branches, reflection, verdict."""

from metier.packs.phm.diagnosis._branches import BRANCHES, Branch, BranchName
from metier.packs.phm.diagnosis._diagnose import BaselineRecord, conclude, diagnose, make_root, refuse_unreadable
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._model import Condition, Diagnosis, FaultEvidence, Level, Verdict
from metier.packs.phm.diagnosis._names import Name, name_of
from metier.packs.phm.diagnosis._plan import BearingRules
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds, read_thresholds

__all__ = [
    "BRANCHES",
    "BaselineRecord",
    "BearingRules",
    "Branch",
    "BranchName",
    "Condition",
    "Diagnosis",
    "DiagnosisThresholds",
    "FaultEvidence",
    "Finding",
    "Level",
    "Name",
    "Verdict",
    "conclude",
    "diagnose",
    "make_finding",
    "make_root",
    "name_of",
    "read_thresholds",
    "refuse_unreadable",
]
