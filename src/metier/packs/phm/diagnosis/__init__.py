"""Bearing diagnosis of a vibration record: quality, speed, fault lines on several branches, reflection, verdict."""

from metier.packs.phm.diagnosis._branches import BRANCHES, Branch, BranchName
from metier.packs.phm.diagnosis._cursors import (
    AlarmLevel,
    FaultCursor,
    find_highest_hz,
    list_alarm_levels,
    list_cursors,
)
from metier.packs.phm.diagnosis._diagnose import (
    BaselineRecord,
    conclude,
    describe_step,
    diagnose,
    load_registry,
    make_root,
    refuse_unreadable,
)
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._limits import compute_line_limits
from metier.packs.phm.diagnosis._model import Condition, Diagnosis, FaultEvidence, Level, Verdict
from metier.packs.phm.diagnosis._names import Name, name_fault, name_of
from metier.packs.phm.diagnosis._plan import BearingRules, learn_facts
from metier.packs.phm.diagnosis._quality import MAX_SAMPLES, count_clipped
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds, read_thresholds
from metier.packs.phm.diagnosis._weigh import Weighing, find_root, name_failure, read_findings

__all__ = [
    "BRANCHES",
    "MAX_SAMPLES",
    "AlarmLevel",
    "BaselineRecord",
    "BearingRules",
    "Branch",
    "BranchName",
    "Condition",
    "Diagnosis",
    "DiagnosisThresholds",
    "FaultCursor",
    "FaultEvidence",
    "Finding",
    "Level",
    "Name",
    "Verdict",
    "Weighing",
    "compute_line_limits",
    "conclude",
    "count_clipped",
    "describe_step",
    "diagnose",
    "find_highest_hz",
    "find_root",
    "learn_facts",
    "list_alarm_levels",
    "list_cursors",
    "load_registry",
    "make_finding",
    "make_root",
    "name_failure",
    "name_fault",
    "name_of",
    "read_findings",
    "read_thresholds",
    "refuse_unreadable",
]
