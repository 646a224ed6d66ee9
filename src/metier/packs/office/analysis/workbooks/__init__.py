"""Workbooks: tables on sheets, what is wrong in them, figures of their columns, and charts that fit them."""

from metier.packs.office.analysis.workbooks._audit import audit_sheet
from metier.packs.office.analysis.workbooks._labels import is_total_label
from metier.packs.office.analysis.workbooks._propose import propose_analysis, propose_audit, propose_charts
from metier.packs.office.analysis.workbooks._table import DataTable, read_number, read_tables

__all__ = [
    "DataTable",
    "audit_sheet",
    "is_total_label",
    "propose_analysis",
    "propose_audit",
    "propose_charts",
    "read_number",
    "read_tables",
]
