"""What a total adds up: the cells of its formula, how often each row counts, and what is wrong with that."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import SheetCell
from metier.packs.office.analysis.workbooks._labels import (
    is_added_column,
    is_closing_label,
    is_level_column,
    is_outgoing_label,
    is_statistic_label,
)
from metier.packs.office.analysis.workbooks._table import DataTable, read_number

__all__ = ["TotalFault", "find_total_faults", "list_summed_rows", "list_unread_totals"]

_RANGE: Final = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_TIMES_ONE: Final = re.compile(r"(?<=[)\dA-Z])[*/]1(?![\d.])|(?<![\d.A-Z$!])1\*")
_CALL: Final = re.compile(r"(SUM|AVERAGE|SUBTOTAL|ROUND)\(")
_FULL_COLUMN_ROWS: Final = 10_000
_GRAND: Final = re.compile(r"^\s*(?:总\s*计|总和|合\s*计|汇\s*总|grand\s+total|total)", re.IGNORECASE)
_PART: Final = re.compile(r"^\s*(?:[\u4e00-\u9fff]{0,4}小\s*计|subtotal)", re.IGNORECASE)
_RUNNING: Final = re.compile(r"^\s*累\s*计")


@dataclass(frozen=True, slots=True)
class TotalFault:
    """One thing that is wrong with a total: the rule, and what its sentence says."""

    rule: str
    values: Mapping[str, str]


@dataclass(slots=True)
class _Sum:
    """Cells that a formula adds up, by column and row, each as often as it counts, and typed numbers between them."""

    cells: Counter[tuple[int, int]] = field(default_factory=Counter)
    constant: float = 0.0
    skips_subtotals: bool = False


class _UnreadableError(Exception):
    """The formula is more than a sum."""


def _read_sum(formula: str, sheet: str) -> _Sum | None:
    """The sum that a formula is: SUM, SUBTOTAL and AVERAGE of ranges, single cells and numbers; None for others."""
    own = re.escape(re.sub(r"\s", "", sheet))
    plain = re.sub(rf"(?:'{own}'|(?<![\w!\]]){own})!", "", re.sub(r"\s", "", formula).lstrip("=+"))
    text = _TIMES_ONE.sub("", plain.upper())
    found = _Sum()
    try:
        _add_terms(text, 1, found)
    except _UnreadableError:
        return None
    return found if found.cells else None


def _add_terms(text: str, sign: int, found: _Sum) -> None:
    for term_sign, term in _split(text, "+-"):
        _add_term(term, sign * term_sign, found)


def _add_term(term: str, sign: int, found: _Sum) -> None:
    call = _CALL.match(term)
    if call and term.endswith(")"):
        inside = [one for _, one in _split(term[call.end() : -1], ",")]
        if call[1] == "SUBTOTAL":
            if inside[0] not in ("9", "109", "1", "101"):
                raise _UnreadableError
            found.skips_subtotals = True
        for one in inside[1:] if call[1] == "SUBTOTAL" else inside[:1] if call[1] == "ROUND" else inside:
            _add_terms(one, sign, found)
    elif term.startswith("(") and term.endswith(")"):
        _add_terms(term[1:-1], sign, found)
    elif _NUMBER.fullmatch(term):
        found.constant += sign * float(term)
    else:
        found.cells.update(dict.fromkeys(_list_cells(term), sign))


def _list_cells(term: str) -> Iterator[tuple[int, int]]:
    match = _RANGE.fullmatch(term)
    if match is None:
        raise _UnreadableError
    left, top = column_index(match[1]), int(match[2])
    right, bottom = (column_index(match[3]), int(match[4])) if match[3] else (left, top)
    if abs(bottom - top) > _FULL_COLUMN_ROWS:
        raise _UnreadableError
    for row in range(min(top, bottom), max(top, bottom) + 1):
        for column in range(min(left, right), max(left, right) + 1):
            yield column, row


def _split(text: str, marks: str) -> Iterator[tuple[int, str]]:
    """Parts between marks outside of brackets, with the sign before each."""
    depth, start, sign = 0, 0, 1
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth < 0:
            raise _UnreadableError
        if char in marks and depth == 0:
            if at > start:
                yield sign, text[start:at]
            elif char == ",":
                raise _UnreadableError
            sign, start = (-1 if char == "-" else 1), at + 1
    if depth or start >= len(text):
        raise _UnreadableError
    yield sign, text[start:]


def list_unread_totals(table: DataTable) -> Iterator[str]:
    """Addresses of totals over numbers whose formula is more than a sum, so that it is compared with nothing."""
    for total in table.totals:
        label = table.label(total)
        if is_closing_label(label) or is_statistic_label(label):
            continue
        for column in table.columns[1:]:
            cell = table.cell(total, column)
            rows = list_summed_rows(table, total, column)
            is_added = is_added_column(table.header(column)) and any(
                _has_number(table.cell(row, column)) for row in rows
            )
            if cell is not None and cell.formula and is_added and _read_sum(cell.formula, table.sheet) is None:
                yield f"{table.sheet}!{cell.address.rpartition('!')[2]}"


def find_total_faults(table: DataTable, total: int, column: int, cell: SheetCell) -> Iterator[TotalFault]:
    """Faults of one total: rows it leaves out or counts twice, another column, a typed number in it."""
    read = _read_sum(cell.formula, table.sheet) if is_added_column(table.header(column)) else None
    own = [row for row in table.body if _has_number(table.cell(row, column))]
    if read is None or not own or (is_level_column(table.header(column)) and len(read.cells) == 1):
        return
    columns = {one for one, _ in read.cells}
    if columns != {column}:
        others = [one for one in columns if one != column]
        if column not in columns and len(others) == 1 and {row for _, row in read.cells} & set(own):
            values = {"other": table.header(others[0]), "column": table.header(column)}
            yield TotalFault("wrong_column", values)
        return
    if read.constant:
        yield TotalFault("constant_in_total", {"value": f"{read.constant:g}"})
    yield from _compare_rows(table, total, column, read, cell)


def _compare_rows(table: DataTable, total: int, column: int, read: _Sum, cell: SheetCell) -> Iterator[TotalFault]:
    counts = _count_rows(table, column, read, {total})
    expected = list_summed_rows(table, total, column)
    numeric = [row for row in expected if _has_number(table.cell(row, column))]
    letter = column_letters(column)
    twice = [row for row, count in counts.items() if count > 1]
    if twice:
        yield TotalFault("double_counted", {"rows": f"{letter}{min(twice)}:{letter}{max(twice)}"})
        return
    beyond = {row for _, row in read.cells if row >= total}
    strange = {row for row, count in counts.items() if count and row not in expected and row in table.body}
    if _RUNNING.match(table.label(total)):
        strange = set()
    if numeric and (beyond or strange or any(_is_left_out(table, row, counts[row]) for row in numeric)):
        yield TotalFault(
            "broken_sum",
            {"range": _describe(cell.formula), "expected": f"{letter}{expected[0]}:{letter}{expected[-1]}"},
        )


def _is_left_out(table: DataTable, row: int, count: int) -> bool:
    """Whether a row is not counted, or taken away though its name is of none that is (支出, 减：成本)."""
    return count <= 0 and not (count < 0 and is_outgoing_label(table.label(row)))


def _describe(formula: str) -> str:
    """The ranges of a formula as its own words: `B2:B4` of `SUM(B2:B4)`, `B2+B3` of itself."""
    plain = re.sub(r"\s", "", formula).lstrip("=+").replace("$", "")
    inside = re.fullmatch(r"(?:SUM|AVERAGE|SUBTOTAL)\((?:\d+,)?([^()]*)\)", plain, re.IGNORECASE)
    return inside[1] if inside else plain


def _has_number(cell: SheetCell | None) -> bool:
    return cell is not None and (bool(cell.formula) or read_number(cell) is not None)


def list_summed_rows(table: DataTable, total: int, column: int) -> tuple[int, ...]:
    """Rows that a total should add up: those since the total before it, or all for one above subtotals."""
    own = table.body_above(total)
    before = [row for row in table.totals if row < total and not is_statistic_label(table.label(row))]
    is_over_parts = bool(before) and all(_PART.match(table.label(row)) for row in before)
    if is_over_parts and _GRAND.match(table.label(total)):
        return tuple(row for row in table.body if row < total)
    return own


def _count_rows(table: DataTable, column: int, read: _Sum, seen: set[int]) -> Counter[int]:
    """How often each row of the body counts, through the subtotals that are added up as well."""
    counts: Counter[int] = Counter()
    for (_, row), times in read.cells.items():
        cell = table.cell(row, column)
        inner = (
            _read_sum(cell.formula, table.sheet) if cell is not None and cell.formula and row in table.totals else None
        )
        if row in table.totals and row not in seen and cell is not None:
            if inner is None:
                for one in table.body_above(row):
                    counts[one] += times
            elif not (read.skips_subtotals and inner.skips_subtotals):
                for one, count in _count_rows(table, column, inner, seen | {row}).items():
                    counts[one] += times * count
        elif row in table.body:
            counts[row] += times
    return counts
