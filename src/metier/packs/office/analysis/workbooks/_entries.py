"""Entries that their column does not bear: stock below zero, another unit, a date as text, a wrong product, hidden."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import SheetCell
from metier.packs.office.analysis.bids import find_unit
from metier.packs.office.analysis.workbooks._faults import SheetFault, is_plain_number, short_address, show_number
from metier.packs.office.analysis.workbooks._table import DataTable, read_number, row_text

__all__ = ["find_entry_faults"]

_STOCK: Final = re.compile(
    r"^(?!.*(?:金额|价|差|变动|增减|调整|天数|周转|率|amount|value|cost|variance|change|days|turn))"
    r".*(?:结存|库存|现存|(?:stock|on hand|inventory|closing (?:qty|quantity|units)))",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(
    r"^\s*(?:计量|数量|计价|库存|采购|包装)?\s*单位\s*$|^\s*(?:units?|uom|unit of measure)\s*$", re.IGNORECASE
)
_CURRENCY: Final = re.compile(r"^\s*(?:币种|货币|currency|ccy|curr\.?)\s*$", re.IGNORECASE)
_RATE: Final = re.compile(r"汇率|折算|折合|本位币|exchange|\bfx\b|\brate\b|converted|equivalent", re.IGNORECASE)
_DATE_TEXT: Final = re.compile(
    r"^\s*(?:(?:19|20)\d{2}\s*[-./年]\s*\d{1,2}\s*[-./月]\s*\d{1,2}\s*日?|\d{1,2}\s*[-./]\s*\d{1,2}\s*[-./]\s*(?:19|20)?\d{2}"
    r"|\d{1,2}[- ](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ,]+(?:19|20)?\d{2}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2},? (?:19|20)\d{2}|(?:19|20)\d{6})\s*$",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(
    r"^\s*(?:.{0,4}数量|件数|台数|qty\.?|quantity|units? sold)\s*(?:[（(].*)?$", re.IGNORECASE
)
_PRICE: Final = re.compile(
    r"^\s*(?:.{0,6}单价|unit price|price(?: per unit| each)?|rate)\s*(?:[（(].*)?$", re.IGNORECASE
)
_AMOUNT: Final = re.compile(r"^\s*(?:.{0,4}金额|小计|总价|合价|amount|line total|total)\s*(?:[（(].*)?$", re.IGNORECASE)
_RANGE: Final = re.compile(r"(?<![A-Za-z!'\]])\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?(?![\d(A-Za-z])")
_MAJORITY: Final = 0.7
_MIN_ROWS: Final = 3
_CENT: Final = 0.011


def find_entry_faults(table: DataTable) -> Iterator[SheetFault]:
    """All faults of single entries, column by column."""
    for column in table.columns:
        cells = [cell for row in table.body if (cell := table.cell(row, column)) is not None]
        header = table.header(column)
        if _STOCK.search(header):
            yield from _find_negative(cells)
        if _UNIT.match(header):
            yield from _find_other(cells, _name_size)
        if _CURRENCY.match(header) and table.totals and not _is_converted(table):
            yield from _find_other(cells, _name_currency)
        yield from _find_text_dates(cells)
    yield from _find_wrong_products(table)
    yield from _find_hidden_columns(table)


def _is_converted(table: DataTable) -> bool:
    """Whether a column turns the amounts into one currency."""
    return any(_RATE.search(table.header(column)) for column in table.columns)


def _find_negative(cells: list[SheetCell]) -> Iterator[SheetFault]:
    for cell in cells:
        if isinstance(cell.value, int | float) and cell.value < -_CENT / 10:
            value = show_number(float(cell.value))
            yield SheetFault("negative_stock", short_address(cell), cell.formula or value, {"value": value})


def _name_size(text: str) -> str:
    """What a unit measures; empty for pieces, boxes and others that no rate turns into one another."""
    dimension, _ = find_unit(text)
    return "" if dimension.startswith(("unit ", "count")) else dimension.split()[0]


def _name_currency(_: str) -> str:
    return "currency"


def _find_other(cells: list[SheetCell], measure: Callable[[str], str]) -> Iterator[SheetFault]:
    """Units that measure the same as those of the other rows, in another size: 吨 among kg; another currency."""
    texts = [(cell, cell.value.strip()) for cell in cells if isinstance(cell.value, str) and not cell.formula]
    counts = Counter(text for _, text in texts)
    common, count = counts.most_common(1)[0] if counts else ("", 0)
    if count < _MIN_ROWS or count < _MAJORITY * len(texts):
        return
    for cell, text in texts:
        is_same_kind = bool(measure(text)) and measure(text) == measure(common)
        if text and text.casefold() != common.casefold() and is_same_kind:
            yield SheetFault("mixed_unit", short_address(cell), text, {"value": text, "common": common})


def _find_text_dates(cells: list[SheetCell]) -> Iterator[SheetFault]:
    dates = [cell for cell in cells if cell.is_date]
    texts = [cell for cell in cells if isinstance(cell.value, str) and not cell.is_date and not cell.formula]
    if len(dates) < _MIN_ROWS or len(dates) < len(texts):
        return
    for cell in texts:
        if _DATE_TEXT.match(str(cell.value)):
            yield SheetFault("date_as_text", short_address(cell), str(cell.value), {"value": str(cell.value)})


def _find_wrong_products(table: DataTable) -> Iterator[SheetFault]:
    """A typed amount that is not quantity times price, where those of the other rows are."""
    found = [
        [column for column in table.columns if pattern.match(table.header(column))]
        for pattern in (_QUANTITY, _PRICE, _AMOUNT)
    ]
    if [len(one) for one in found] != [1, 1, 1]:
        return
    columns = [one[0] for one in found]
    rows = []
    for row in table.body:
        count, price, amount = (table.cell(row, column) for column in columns)
        made, stated = _multiply(count, price), amount
        if made is not None and stated is not None and is_plain_number(stated):
            rows.append((stated, made, abs(float(stated.value or 0) - made) <= max(_CENT, abs(made) * 1e-6)))
    right = sum(1 for *_, is_right in rows if is_right)
    if right < _MIN_ROWS or right < _MAJORITY * len(rows):
        return
    for cell, made, is_right in rows:
        if not is_right:
            values = {"value": show_number(float(cell.value or 0)), "made": show_number(round(made, 2))}
            yield SheetFault("wrong_product", short_address(cell), str(cell.value), values)


def _multiply(count: SheetCell | None, price: SheetCell | None) -> float | None:
    first, second = read_number(count), read_number(price)
    return None if first is None or second is None else first * second


def _find_hidden_columns(table: DataTable) -> Iterator[SheetFault]:
    """Hidden columns with numbers that a formula outside of them counts."""
    shown = [
        row
        for row in table.body
        if any((one := table.cell(row, column)) and not one.hidden for column in table.columns)
    ]
    for column in table.columns:
        cells = [cell for row in shown if (cell := table.cell(row, column)) is not None]
        numbers = [cell for cell in cells if isinstance(cell.value, int | float) and cell.value]
        if not numbers or not all(cell.hidden for cell in cells):
            continue
        if any(_counts(cell, column) for place, cell in table.cells.items() if place[1] != column and cell.formula):
            letter, header = column_letters(column), table.header(column)
            line = row_text(table, table.header_row)
            yield SheetFault("hidden_column", f"{letter}{table.header_row}", line, {"column": letter, "header": header})


def _counts(cell: SheetCell, column: int) -> bool:
    for match in _RANGE.finditer(cell.formula.upper()):
        if match[3] and column_index(match[1]) <= column <= column_index(match[3]):
            return True
    return False
