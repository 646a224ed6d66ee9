"""Ordinary orders about the sheet that is open: rows, columns, totals, rules of colour, alone or together."""

from metier.packs.office.orders.workbooks.ordinary._read import read_sheet_orders
from metier.packs.office.orders.workbooks.ordinary._state import overwrites
from metier.packs.office.orders.workbooks.ordinary._words import adds_column, names_new_sheet

__all__ = ["adds_column", "names_new_sheet", "overwrites", "read_sheet_orders"]
