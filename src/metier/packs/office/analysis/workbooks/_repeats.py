"""Rows that repeat another, and numbers of documents, people or things that stand twice."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from metier.packs.office._column_letters import column_letters
from metier.packs.office.analysis.workbooks._faults import SheetFault
from metier.packs.office.analysis.workbooks._labels import is_document_number
from metier.packs.office.analysis.workbooks._table import DataTable, read_number, relative_formula, row_text

__all__ = ["find_repeats"]

_KEY_HEADER: Final = re.compile(
    r"编号|工号|单号|学号|会员号|订单号|发票号|合同号|流水号|证号|编码|代码|账号|卡号|\bid\b|\bno\.?$|number|code",
    re.IGNORECASE,
)
# Numbers of one document, person or thing, which no other row of a list has; a code of goods or of a customer returns.
_OWN_NUMBER: Final = re.compile(
    r"单据?编?号|流水号|发票号|票号|凭证号|合同编?号|工号|学号|身份证|证件号|报名号|准考证|资产编号"
    r"|\b(?:invoice|order|voucher|receipt|claim|ticket|document|doc|serial|asset|employee|student|ref(?:erence)?|po)\b"
    r"\W*(?:no|number|num|id|#|code)?\.?$",
    re.IGNORECASE,
)
_SERIAL_HEADER: Final = re.compile(r"^\s*(?:序号|行号|no\.?|#|item|line|s/?n)\s*$", re.IGNORECASE)
_MIN_LIST: Final = 10
_MAX_REPEATS: Final = 2
_MIN_OWN: Final = 0.9
_MIN_FILLED: Final = 3


def find_repeats(table: DataTable) -> Iterator[SheetFault]:
    """One fault a row: it repeats all of another, or only its number."""
    serial = {column for column in table.columns if _is_serial(table, column)}
    keys = [column for column in table.columns if column not in serial and _is_key(table, column)]
    seen: dict[tuple[str, ...], int] = {}
    known: dict[tuple[int, str], int] = {}
    for row in table.body:
        content = tuple(_content(table, row, column) for column in table.columns if column not in serial)
        line = row_text(table, row)
        name = f"{column_letters(table.columns[0])}{row}"
        typed = _count_typed(table, row, serial)
        if typed >= (_MIN_FILLED if serial else 1) and sum(map(bool, content)) > 1 and content in seen:
            yield SheetFault("duplicate_row", name, line, {"row": str(row), "other": str(seen[content])})
        else:
            yield from _find_repeated_key(table, row, keys, known, line)
        seen.setdefault(content, row)
        for column in keys:
            if text := _content(table, row, column):
                known.setdefault((column, text), row)


def _count_typed(table: DataTable, row: int, serial: set[int]) -> int:
    """Entries of a row that somebody typed; formulas are the same in every row."""
    cells = (table.cell(row, column) for column in table.columns if column not in serial)
    return sum(1 for cell in cells if cell is not None and not cell.formula)


def _find_repeated_key(
    table: DataTable, row: int, keys: list[int], known: dict[tuple[int, str], int], line: str
) -> Iterator[SheetFault]:
    for column in keys:
        other = known.get((column, _content(table, row, column)))
        cell = table.cell(row, column)
        if other is None or cell is None:
            continue
        if _is_items_of_one(table, column, row, other):
            continue
        values = {"value": str(cell.value), "other": str(other)}
        yield SheetFault("duplicate_key", f"{column_letters(column)}{row}", line, values)
        return


def _is_items_of_one(table: DataTable, column: int, row: int, other: int) -> bool:
    """Whether two rows are items of one document: a list in which documents have several rows."""
    is_document = is_document_number(table.header(column)) and not _stands_once(table, column)
    return is_document and _numbers_of(table, row) != _numbers_of(table, other)


def _is_key(table: DataTable, column: int) -> bool:
    header = table.header(column)
    if column == table.columns[0] and _KEY_HEADER.search(header):
        return _repeats_few(table, column)
    return bool(_OWN_NUMBER.search(header)) and _stands_once(table, column)


def _repeats_few(table: DataTable, column: int) -> bool:
    """Whether few rows repeat a number: in a list of movements the code of a thing returns again and again."""
    counts = Counter(text for row in table.body if (text := _content(table, row, column)))
    return counts.total() - len(counts) <= max(_MAX_REPEATS, counts.total() // _MIN_LIST)


def _stands_once(table: DataTable, column: int) -> bool:
    """Whether a number stands once in a list of some length, but for a few."""
    counts = Counter(text for row in table.body if (text := _content(table, row, column)))
    return counts.total() >= _MIN_LIST and len(counts) >= _MIN_OWN * counts.total()


def _is_serial(table: DataTable, column: int) -> bool:
    """Whether the column only counts the rows: its name says so, or it is 1, 2, 3 …"""
    cells = [cell for row in table.body if (cell := table.cell(row, column)) is not None]
    numbers = [cell.value for cell in cells if isinstance(cell.value, int | float)]
    if len(numbers) < len(cells) or len(cells) < _MIN_FILLED:
        return False
    return bool(_SERIAL_HEADER.match(table.header(column))) or numbers == list(range(1, len(numbers) + 1))


def _numbers_of(table: DataTable, row: int) -> list[float | None]:
    """Numbers of a row beside its own: two items of one document differ in them."""
    return [read_number(table.cell(row, column)) for column in table.columns[1:]]


def _content(table: DataTable, row: int, column: int) -> str:
    cell = table.cell(row, column)
    if cell is None:
        return ""
    return relative_formula(cell.formula, row, column) if cell.formula else str(cell.value).strip()
