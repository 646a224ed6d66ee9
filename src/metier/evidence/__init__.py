"""Evidence: what was found, word for word with its place, and the check that a report says nothing beyond it."""

from metier.evidence._disagreements import Disagreement, FigureStatement, find_disagreements
from metier.evidence._ledger import EvidenceItem, EvidenceLedger, EvidencePlace, ledger_from_json
from metier.evidence._quantities import Quantity, read_quantities
from metier.evidence._text import contains_verbatim, find_quotes, split_paragraph, split_sentences
from metier.evidence._verify import Reason, RemovedSentence, ReportFinding, Verification, verify_findings, verify_quotes

__all__ = [
    "Disagreement",
    "EvidenceItem",
    "EvidenceLedger",
    "EvidencePlace",
    "FigureStatement",
    "Quantity",
    "Reason",
    "RemovedSentence",
    "ReportFinding",
    "Verification",
    "contains_verbatim",
    "find_disagreements",
    "find_quotes",
    "ledger_from_json",
    "read_quantities",
    "split_paragraph",
    "split_sentences",
    "verify_findings",
    "verify_quotes",
]
