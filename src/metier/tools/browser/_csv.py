"""Tables of pages as CSV files that a spreadsheet program opens without running anything."""

import csv
import io
import re
from typing import Final

from metier.tools.browser._content import PageTable

_FORMULA: Final = re.compile(r"[=@\t\r]|[+-](?![\d.,\s]*(?:%|$))")


def to_csv(table: PageTable) -> tuple[bytes, int]:
    """UTF-8 with a byte-order mark, and how many cells would have been formulas; those begin with an apostrophe now."""
    made = io.StringIO(newline="")
    writer = csv.writer(made)
    guarded = 0
    for row in (table.columns, *table.rows):
        cells = [f"'{cell}" if _FORMULA.match(cell) else cell for cell in row]
        guarded += sum(new != old for new, old in zip(cells, row, strict=True))
        writer.writerow(cells)
    return made.getvalue().encode("utf-8-sig"), guarded
