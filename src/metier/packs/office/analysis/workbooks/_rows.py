"""Typed numbers in a row of formulas: the total of one month among those of the others."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from metier.packs.office._column_letters import column_index
from metier.packs.office.analysis._model import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks._faults import SheetFault, is_plain_number, short_address, show_number
from metier.packs.office.analysis.workbooks._table import relative_formula

__all__ = ["find_typed_in_rows"]

_ADDRESS: Final = re.compile(r"([A-Z]{1,3})(\d+)")
_MIN_FORMULAS: Final = 3
_MAJORITY: Final = 0.75


def find_typed_in_rows(sheet: SheetCells) -> Iterator[SheetFault]:
    """Numbers between cells that all have the same formula in relative form."""
    rows: dict[int, list[tuple[int, SheetCell]]] = {}
    for cell in sheet.cells:
        if match := _ADDRESS.fullmatch(short_address(cell)):
            rows.setdefault(int(match[2]), []).append((column_index(match[1]), cell))
    for row, found in sorted(rows.items()):
        found.sort(key=lambda one: one[0])
        forms = Counter(relative_formula(cell.formula, row, column) for column, cell in found if cell.formula)
        common, count = forms.most_common(1)[0] if forms else ("", 0)
        if count < _MIN_FORMULAS or not re.search(r"R\[-?\d+\]C\[0\]", common):
            continue
        same = [
            column for column, cell in found if cell.formula and relative_formula(cell.formula, row, column) == common
        ]
        typed = [cell for column, cell in found if same[0] < column < same[-1] and is_plain_number(cell)]
        if typed and count >= _MAJORITY * (count + len(typed)):
            for cell in typed:
                value = show_number(float(cell.value or 0))
                yield SheetFault("typed_in_row", short_address(cell), value, {"value": value})
