"""Root causes of a computed state: thresholds, measures, rules and their labels."""

from metier.packs.telecom.twin.diagnosis._cause_labels import EVIDENCE_COLUMNS, REMARKS, CauseKind, CauseRole
from metier.packs.telecom.twin.diagnosis._causes import RootCause, find_root_causes
from metier.packs.telecom.twin.diagnosis._measures import measure
from metier.packs.telecom.twin.diagnosis._new_troubles import find_new_troubles
from metier.packs.telecom.twin.diagnosis._thresholds import Threshold, get_threshold, load_thresholds

__all__ = [
    "EVIDENCE_COLUMNS",
    "REMARKS",
    "CauseKind",
    "CauseRole",
    "RootCause",
    "Threshold",
    "find_new_troubles",
    "find_root_causes",
    "get_threshold",
    "load_thresholds",
    "measure",
]
