"""Orders that give several cells their values, one after the other: A4=丙 B4=7, set A4 to Glue and B4 to 7."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import OrderContext, has_order_inside, step
from metier.packs.office.orders._formulas import read_cell_value
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders.workbooks._view import column_index, fit_value, list_places, take_sheet
from metier.packs.office.sheets.formulas import FormulaProblem, parse_formula, prefix_functions

__all__ = ["ASSIGNED_RULES", "ASSIGNS", "assigns_again", "read_called_formula", "read_value_at"]

# What stands between a cell and its value.
ASSIGNS: Final = (
    r"(?:的?(?:值|内容))?(?:都)?(?:修改为|修改成|更改为|更正为|改成|改为|设为|设成|设置为|填成|补成|补为|定为|填入|填上|"
    r"填|写成|写上|写|换成|更新为|变成|调整为|调为|\s+should be\s+|\s+(?:to|=|as|with)\s+|\s*=\s*(?!=))"
)
_CELL: Final = (
    r"(?<![A-Za-z0-9$:(])(?P<cell>[A-Za-z]{1,3}[1-9]\d{0,6})(?![A-Za-z0-9:)])(?:\s*单元格|\s*格)?(?:里|中|处)?"
)
_ONE: Final = re.compile(rf"{_CELL}(?:{ASSIGNS}|\s*:\s*)", re.IGNORECASE)
_LEAD: Final = re.compile(
    r"\s*(?:请|把|将|在|给|单元格|\b(?:please|set|change|update|make|put|let|cells?|the)\b|\s)*", re.IGNORECASE
)
_BETWEEN: Final = re.compile(
    r"(?:[\s,，;；、。]|(?<=\s)(?:and|then|also)(?=\s|$)|并且|然后|再|并(?!列)|和|把|将|在)+$", re.IGNORECASE
)
_TERM: Final = r"(?:[A-Za-z]{1,3}[1-9]\d{0,6}|\d+(?:\.\d+)?%?)"
# 金额的总和 is a figure of the table, and no text.
_COMPUTED: Final = re.compile(
    r"(?:的|列)(?:总和|合计|总计|和|平均值?|均值|最[大小]值?|个数|数量)$|"
    r"\b(?:sum|total|average|mean|max(?:imum)?|min(?:imum)?|count) of\b",
    re.IGNORECASE,
)
_CALLS: Final = re.compile(rf"[A-Za-z][A-Za-z.]+\(.*\)|(?=.*[A-Za-z]){_TERM}(?:\s*[-+*/]\s*{_TERM})+")


def assigns_again(value: str) -> bool:
    """Whether the value of a cell holds the value of another one: 丙 B4=7, Glue and C6 to 4."""
    return _ONE.search(RequestText(value).mask) is not None


def read_called_formula(value: str) -> str:
    """The formula that a value is without its sign: SUM(E2:E4), C3*2; empty if it computes nothing."""
    if _CALLS.fullmatch(value) is None:
        return ""
    try:
        parse_formula(prefix_functions(f"={value}"))
    except FormulaProblem:
        return ""
    return f"={value}"


def _assign(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Several cells, each with its value; None if one of the values is none or holds more than that."""
    starts = list(_ONE.finditer(text.mask))
    if len(starts) < 2 or len({one["cell"].upper() for one in starts}) < len(starts):
        return None
    sheet = take_sheet(context.reading, text)
    if _LEAD.fullmatch(text.mask[: starts[0].start()].replace("\ufffc", " ")) is None:
        return None
    name = sheet or next((one.name for one in context.reading.sheets if not one.hidden), "")
    edges = [*(one.start() for one in starts[1:]), len(text.mask.rstrip(" 。.;；,，"))]
    cells: list[JsonValue] = []
    for found, end in zip(starts, edges, strict=True):
        cut = _BETWEEN.search(text.mask, found.end(), end) if found is not starts[-1] else None
        cell = _read_cell(context, text, name, found, cut.start() if cut else end)
        if cell is None:
            return None
        cells.append(cell)
    text.consume(starts[0].start(), len(text.mask))
    text.consume(0, starts[0].start())
    return [step("set_cells", cells=cells)]


def _read_cell(
    context: OrderContext, text: RequestText, sheet: str, found: "re.Match[str]", end: int
) -> JsonObject | None:
    """A cell with its value; None if its words are no plain value."""
    said = text.mask[found.end() : end].strip()
    value = text.text_of(found.end(), end).strip()
    if not said or (not said.startswith('"') and (re.search(r"[,，。;；]", said) or is_look(value))):
        return None
    if not said.startswith('"') and (has_order_inside(value) or _COMPUTED.search(value)):
        return None
    cell = found["cell"].upper()
    target = f"{quote_sheet(sheet)}!{cell}" if sheet else cell
    if formula := read_called_formula(value) or (value if value.startswith("=") else ""):
        return {"cell": target, "formula": formula}
    return {"cell": target, "value": read_value_at(context, sheet, cell, value)}


def read_value_at(context: OrderContext, sheet: str, cell: str, value: str) -> JsonValue:
    """The value as the column of the cell has its values."""
    letters, row = re.sub(r"\d", "", cell), int(re.sub(r"\D", "", cell))
    column = column_index(letters)
    for place in list_places(context.reading):
        if place.sheet == sheet and column in place.columns and row in place.table.body:
            return fit_value(place, column, value) if place.is_number(column) else read_cell_value(value)
    return read_cell_value(value)


ASSIGNED_RULES: Final = (_assign,)
