"""A drafted plan beside the message it came from: what was asked and is not in it, what is in it and was not asked."""

from metier.packs.office.drafting.comparison._content import loses_content
from metier.packs.office.drafting.comparison._find import find_lost, find_misread
from metier.packs.office.drafting.comparison._without import leave_out
from metier.packs.office.drafting.comparison.additions._cells import find_divided_cell
from metier.packs.office.drafting.comparison.additions._requests import find_condition
from metier.packs.office.drafting.comparison.additions._support import check_support
from metier.packs.office.drafting.comparison.omissions._demands import check_demands
from metier.packs.office.drafting.comparison.omissions._fit import check_fields, check_fit, find_lost_header
from metier.packs.office.drafting.comparison.omissions._leftovers import check_leftovers, is_unsupported
from metier.packs.office.drafting.comparison.omissions._unused import find_unused

__all__ = [
    "check_demands",
    "check_fields",
    "check_fit",
    "check_leftovers",
    "check_support",
    "find_condition",
    "find_divided_cell",
    "find_lost",
    "find_lost_header",
    "find_misread",
    "find_unused",
    "is_unsupported",
    "leave_out",
    "loses_content",
]
