"""A sheet of mixed values and what formulas on it come to."""

import io
from collections.abc import Sequence
from datetime import datetime

import openpyxl

from metier.packs.office.ooxml import OoxmlParts
from metier.packs.office.sheets._recalculate import recalculate
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.formulas import CellValue

FIRST_ROW = 200
COLUMNS: tuple[tuple[str, tuple[object, ...]], ...] = (
    ("A", (1, 2, 3, -4, 0, 5.5)),
    ("B", ("apple", "Banana", None, "apple pie", "10", "x*")),
    ("C", (True, "=NA()", None, 1e10, "text", -0.5)),
    ("D", (45000, 45001.5, 45351, 45322, 1, 60)),
    ("G", (1, 2, 3, 4, 5, 6)),
    ("H", (10, 20, 30, 40, 50, 60)),
)


def calculate_formulas(formulas: Sequence[str]) -> list[tuple[CellValue, str | None]]:
    """Value of each formula as the file keeps it, and why there is none."""
    book = openpyxl.Workbook()
    sheet = book.active
    for letter, values in COLUMNS:
        for row, value in enumerate(values, 1):
            sheet[f"{letter}{row}"] = value
    for row, formula in enumerate(formulas, FIRST_ROW):
        sheet.cell(row, 10).value = f"={formula}"
        sheet.cell(row, 10).data_type = "f"
    buffer = io.BytesIO()
    book.save(buffer)
    parts = WorkbookParts(OoxmlParts(buffer.getvalue()))
    result = recalculate(parts, set(), now=datetime(2024, 3, 5))
    stored = WorkbookParts(OoxmlParts(parts.parts.to_bytes())).sheet("Sheet")
    rows = range(FIRST_ROW, FIRST_ROW + len(formulas))
    return [(stored.value(row, 10), result.problems.get(("Sheet", row, 10))) for row in rows]
