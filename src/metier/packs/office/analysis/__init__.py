"""Analyses of documents, sheets and slides: pure functions over what a reader found, with places."""

from metier.packs.office.analysis._model import (
    CellValue,
    DocumentFinding,
    PageMeasures,
    Proposal,
    Reading,
    Severity,
    SheetCell,
    SheetCells,
    SlideText,
)
from metier.packs.office.analysis._propose import TASKS, propose

__all__ = [
    "TASKS",
    "CellValue",
    "DocumentFinding",
    "PageMeasures",
    "Proposal",
    "Reading",
    "Severity",
    "SheetCell",
    "SheetCells",
    "SlideText",
    "propose",
]
