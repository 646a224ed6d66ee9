"""Tables of pages as CSV files that a spreadsheet program opens without running anything."""

import csv
import io

from metier.tools.browser._content import PageTable
from metier.visible_text import defuse_formula


def to_csv(table: PageTable) -> tuple[bytes, int]:
    """UTF-8 with a byte-order mark, and how many cells would have been formulas; those begin with an apostrophe now."""
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    guarded = 0
    for row in (table.columns, *table.rows):
        cells = [defuse_formula(cell) for cell in row]
        guarded += sum(new != old for new, old in zip(cells, row, strict=True))
        writer.writerow(cells)
    return made.getvalue().encode("utf-8-sig"), guarded
