"""Bearing diagnosis of a vibration record: quality, speed, fault lines on three branches, reflection, verdict."""

from metier.packs.phm.diagnosis._baseline import BaselineRecord
from metier.packs.phm.diagnosis._branches import BRANCHES, Branch, BranchName, Spectra, compute_spectra
from metier.packs.phm.diagnosis._diagnose import diagnose, refuse_unreadable
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._model import Condition, Diagnosis, FaultEvidence, Level, Verdict
from metier.packs.phm.diagnosis._names import Name, name_of
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds, read_thresholds

__all__ = [
    "BRANCHES",
    "BaselineRecord",
    "Branch",
    "BranchName",
    "Condition",
    "Diagnosis",
    "DiagnosisThresholds",
    "FaultEvidence",
    "Finding",
    "Level",
    "Name",
    "Spectra",
    "Verdict",
    "compute_spectra",
    "diagnose",
    "make_finding",
    "name_of",
    "read_thresholds",
    "refuse_unreadable",
]
