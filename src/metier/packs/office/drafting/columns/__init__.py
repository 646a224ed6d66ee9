"""Columns that a request names: read as a clerk reads them, whatever signs and words the names are made of."""

from metier.packs.office.drafting.columns._computed import ComputedColumns, read_computed
from metier.packs.office.drafting.columns._hide import HiddenNames, hide_names
from metier.packs.office.drafting.columns._read import NamedColumns, is_plain_name, read_columns
from metier.packs.office.drafting.columns._written import find_unwritten

__all__ = [
    "ComputedColumns",
    "HiddenNames",
    "NamedColumns",
    "find_unwritten",
    "hide_names",
    "is_plain_name",
    "read_columns",
    "read_computed",
]
