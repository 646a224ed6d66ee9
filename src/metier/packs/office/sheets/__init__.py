"""Workbooks (.xlsx): read as they are, changed part by part, calculated."""

from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets._create import NewSheet, create_blank, create_workbook
from metier.packs.office.sheets._execute import open_run
from metier.packs.office.sheets._read import CellView, SheetView, WorkbookView, read_workbook

__all__ = [
    "CellArea",
    "CellView",
    "NewSheet",
    "SheetView",
    "WorkbookView",
    "create_blank",
    "create_workbook",
    "open_run",
    "read_workbook",
]
