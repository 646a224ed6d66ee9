"""Steps of a plan on a workbook, one function for each operation."""

from metier.packs.office.sheets.steps._drawings import drop_empty_drawings, remove_drawings
from metier.packs.office.sheets.steps._insert import text_width
from metier.packs.office.sheets.steps._table import STEPS, StepFunction

__all__ = ["STEPS", "StepFunction", "drop_empty_drawings", "remove_drawings", "text_width"]
