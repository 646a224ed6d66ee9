"""The open sheet as it is after the orders that were read so far."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.analysis import Reading, SheetCell, SheetCells
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._formulas import fill_down
from metier.packs.office.orders.workbooks._view import SheetPlace, list_places

__all__ = ["SHOWS", "SheetOrder", "SheetState", "overwrites"]

# Steps that change how cells are shown, and none of them.
SHOWS: Final = frozenset(
    {"set_conditional_format", "set_cell_style", "set_number_format", "freeze_panes", "insert_chart_from_selection"}
    | {"set_line_size", "filter_range", "set_data_validation"}
)
_AREA: Final = re.compile(r"(?:.*!)?\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?")
_Cells = dict[tuple[int, int], SheetCell]


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """Steps of one clause, and what a later clause may call `it`: a column, the cells, their label, a sort order."""

    steps: tuple[JsonObject, ...]
    column: int = 0
    cells: str = ""
    label: str = ""
    direction: str = ""

    @property
    def shows(self) -> bool:
        """Whether no cell gets another value."""
        return all(one["op"] in SHOWS for one in self.steps)


@dataclass(frozen=True, slots=True)
class SheetState:
    """The sheet that a message is about, and the order that was read last."""

    context: OrderContext
    sheet: str
    last: SheetOrder | None = None

    @property
    def is_closed(self) -> bool:
        """Whether a row was added below the table that cannot be told from its body any more."""
        return self.last is not None and bool(self.last.label) and not self.place.table.totals

    @property
    def place(self) -> SheetPlace:
        return next(one for one in list_places(self.context.reading) if one.sheet == self.sheet)

    def follow(self, order: SheetOrder) -> "SheetState | None":
        """The sheet after an order; None where its cells are not known then."""
        reading = _apply(self.context.reading, self.sheet, order.steps)
        if reading is None:
            return None
        made = SheetState(replace(self.context, reading=reading), self.sheet, order)
        return made if any(one.sheet == self.sheet for one in list_places(reading)) else None


def _apply(reading: Reading, name: str, steps: Sequence[JsonObject]) -> Reading | None:
    sheet = next(one for one in reading.sheets if one.name == name)
    cells: _Cells | None = {key: one for one in sheet.cells if (key := _place_of(one.address)) is not None}
    for step in steps:
        cells = _apply_step(cells, step) if cells is not None else None
    if cells is None:
        return None
    listed = [replace(one, address=f"{column_letters(at[1])}{at[0]}") for at, one in sorted(cells.items())]
    made = SheetCells(sheet.name, tuple(listed), sheet.hidden)
    return replace(reading, sheets=tuple(made if one is sheet else one for one in reading.sheets))


def _place_of(address: str) -> tuple[int, int] | None:
    found = _AREA.fullmatch(address)
    return (int(found[2]), column_index(found[1])) if found else None


def _apply_step(cells: _Cells, step: JsonObject) -> _Cells | None:
    match step["op"]:
        case "set_cells":
            return _set_cells(cells, step)
        case "set_cell_formula":
            return _fill_formula(cells, str(step["cell"]), str(step["formula"]))
        case "sort_range":
            return _sort(cells, step)
        case "insert_lines":
            return _insert(cells, str(step["before"]), int(str(step["count"])))
        case op:
            return cells if op in SHOWS else None


def _set_cells(cells: _Cells, step: JsonObject) -> _Cells | None:
    made, listed = dict(cells), step["cells"]
    for one in listed if isinstance(listed, list) else []:
        at = _place_of(str(one["cell"])) if isinstance(one, dict) else None
        if at is None or not isinstance(one, dict):
            return None
        value = one.get("value")
        if "formula" in one:
            made[at] = SheetCell("", 0.0, str(one["formula"]))
        elif isinstance(value, str | int | float):
            made[at] = SheetCell("", value)
        else:
            return None
    return made


def _fill_formula(cells: _Cells, area: str, formula: str) -> _Cells | None:
    found = _AREA.fullmatch(area)
    if found is None or (found[3] or found[1]) != found[1]:
        return None
    first, last, column = int(found[2]), int(found[4] or found[2]), column_index(found[1])
    filled = {(row, column): SheetCell("", 0.0, fill_down(formula, first, row)) for row in range(first, last + 1)}
    return {**cells, **filled}


def _sort(cells: _Cells, step: JsonObject) -> _Cells | None:
    """Rows of values in their new order; None where a formula would have to move."""
    found = _AREA.fullmatch(str(step["range"]))
    if found is None or not found[3]:
        return None
    columns = range(column_index(found[1]), column_index(found[3]) + 1)
    body = range(int(found[2]) + 1, int(found[4]) + 1)
    rows = [{column: cells[row, column] for column in columns if (row, column) in cells} for row in body]
    key = column_index(str(step["key"]))
    keys = [row[key].value if key in row else None for row in rows]
    is_known = all(isinstance(one, int | float) for one in keys) or all(isinstance(one, str) for one in keys)
    if not is_known or any(one.formula for row in rows for one in row.values()):
        return None
    order = sorted(range(len(rows)), key=lambda at: keys[at], reverse=step["order"] == "desc")  # type: ignore[arg-type, return-value]  # keys of one kind
    made = {at: one for at, one in cells.items() if at[0] not in body or at[1] not in columns}
    for row, old in zip(body, order, strict=True):
        made.update({(row, column): one for column, one in rows[old].items()})
    return made


def _insert(cells: _Cells, before: str, count: int) -> _Cells | None:
    """Cells behind new rows or columns; None where a formula would have to follow."""
    if any(one.formula for one in cells.values()):
        return None
    if before.isdigit():
        return {(row + count if row >= int(before) else row, column): one for (row, column), one in cells.items()}
    first = column_index(before)
    return {(row, column + count if column >= first else column): one for (row, column), one in cells.items()}


def overwrites(steps: Sequence[JsonObject], reading: Reading) -> bool:
    """Whether steps give another value to a cell that has one, where no row or column comes before it."""
    if any(one["op"] == "insert_lines" for one in steps):
        return False
    filled = {
        f"{quote_sheet(sheet.name)}!{one.address.rpartition('!')[2]}" for sheet in reading.sheets for one in sheet.cells
    }
    return any(one in filled for step in steps for one in _list_cells(step))


def _list_cells(step: JsonObject) -> list[str]:
    listed = step.get("cells")
    return [str(one.get("cell")) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
