"""Formulas of a sheet: parsed and calculated for the common functions; what cannot be calculated is named."""

from metier.packs.office.sheets.formulas._calculate import READS_ITSELF, Calculation, CellSource, calculate
from metier.packs.office.sheets.formulas._criteria import filter_test
from metier.packs.office.sheets.formulas._dates import from_serial, is_date_format, parse_date, shift_1904, to_serial
from metier.packs.office.sheets.formulas._format_fault import is_writable_format
from metier.packs.office.sheets.formulas._number_format import BUILTIN_FORMATS, UnknownFormat, format_value
from metier.packs.office.sheets.formulas._parse import FormulaProblem, ParsedFormula, parse_formula
from metier.packs.office.sheets.formulas._stored import is_spilling, prefix_functions, show_formula
from metier.packs.office.sheets.formulas._values import CellError, CellValue

__all__ = [
    "BUILTIN_FORMATS",
    "READS_ITSELF",
    "Calculation",
    "CellError",
    "CellSource",
    "CellValue",
    "FormulaProblem",
    "ParsedFormula",
    "UnknownFormat",
    "calculate",
    "filter_test",
    "format_value",
    "from_serial",
    "is_date_format",
    "is_spilling",
    "is_writable_format",
    "parse_date",
    "parse_formula",
    "prefix_functions",
    "shift_1904",
    "show_formula",
    "to_serial",
]
