"""Functions of formulas by how they take their arguments: single values, ranges, criteria, arrays, lookups."""

from metier.packs.office.sheets.formulas.functions._array import ARRAY_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._dates import DATE_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._each import EACH_FUNCTIONS, SEES_ERRORS
from metier.packs.office.sheets.formulas.functions._if import CONDITIONAL_FUNCTIONS, criterion_places
from metier.packs.office.sheets.formulas.functions._lookup import LOOKUP_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._math import RANGE_FUNCTIONS
from metier.packs.office.sheets.formulas.functions._reach import REACHING, find_offset, parse_reference
from metier.packs.office.sheets.formulas.functions._workdays import WORKDAY_FUNCTIONS

__all__ = [
    "ARRAY_FUNCTIONS",
    "CALENDAR_FUNCTIONS",
    "CONDITIONAL_FUNCTIONS",
    "EACH_FUNCTIONS",
    "LOOKUP_FUNCTIONS",
    "RANGE_FUNCTIONS",
    "REACHING",
    "SEES_ERRORS",
    "criterion_places",
    "find_offset",
    "parse_reference",
]

# Functions that count days in the calendar of 1900.
CALENDAR_FUNCTIONS = frozenset({*DATE_FUNCTIONS, *WORKDAY_FUNCTIONS, "TEXT"})
