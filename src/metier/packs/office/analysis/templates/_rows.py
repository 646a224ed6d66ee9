"""Rows of a sheet that fill a template: of the table whose columns bear the most of its names, as cells show them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from metier.language import Language, Sentences, join_names
from metier.packs.office.analysis._model import Reading, SheetCell
from metier.packs.office.analysis.workbooks import DataTable, read_tables

__all__ = ["TemplateRow", "TemplateRows", "read_template_rows", "show_value"]

MAX_FILES: Final = 200
_SHORTENED: Final = re.compile(r"\dE[+-]\d", re.IGNORECASE)
_TEN_FIGURES: Final = re.compile(r"-?\d+\.\d+")
_SHOWN_FIGURES, _AMOUNT_DECIMALS = 10, 4
_ERRORS: Final = frozenset({"#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"})
_WORDS: Final = Sentences(
    {
        "left_out": (" Rows left out: {rows}.", "未使用的行：{rows}。"),
        "total": ("{rows} (totals)", "第 {rows} 行（合计）"),
        "blank": ("{rows} (no value for any place)", "第 {rows} 行（所用的列都没有值）"),
        "many": ("{rows} (more than {most} files at once)", "第 {rows} 行（一次最多 {most} 个文件）"),
        "apart": ("{rows} (another table)", "第 {rows} 行（另一张表）"),
        "sheets": ("all of “{name}” (another sheet)", "“{name}”全部（另一工作表）"),
        "hidden": (" Hidden rows are filled too: {rows}.", "隐藏的行也已填写：第 {rows} 行。"),
    }
)


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """Values of a row by column, columns whose formula has no value, and those that show an error."""

    number: int
    values: Mapping[str, str]
    unknown: frozenset[str]
    errors: frozenset[str]
    is_hidden: bool


@dataclass(frozen=True, slots=True)
class TemplateRows:
    """Rows of one table in their order, and a sentence on those that are left out and why."""

    rows: tuple[TemplateRow, ...]
    columns: frozenset[str]
    left_out: str


def read_template_rows(reading: Reading, names: Collection[str], language: Language) -> TemplateRows | None:
    """Rows of the table whose columns bear the most of these names; None of a workbook without a table."""
    tables = [(sheet, table) for sheet in reading.sheets for table in read_tables(sheet)]
    if not tables:
        return None
    sheet, table = max(tables, key=lambda one: len(_list_columns(one[1]) & set(names)))
    used = _list_columns(table) & set(names)
    rows = [_read_row(table, row) for row in table.body]
    kept = [one for one in rows if any(one.values[name].strip() or name in one.unknown for name in used) or not used]
    blank = [one.number for one in rows if one not in kept]
    many = [one.number for one in kept[MAX_FILES:]]
    apart = [row for own, other in tables if other is not table and own is sheet for row in _list_rows(other)]
    others = list(dict.fromkeys(one.name for one, _ in tables if one is not sheet))
    told = _tell_left_out({"total": table.totals, "blank": blank, "many": many, "apart": apart}, others, language)
    hidden = [one.number for one in kept[:MAX_FILES] if one.is_hidden]
    told += _WORDS.render("hidden", language, rows=_join(hidden)) if hidden else ""
    return TemplateRows(tuple(kept[:MAX_FILES]), frozenset(_list_columns(table)), told)


def _tell_left_out(rows: Mapping[str, Sequence[int]], sheets: Sequence[str], language: Language) -> str:
    parts = [
        _WORDS.render(code, language, rows=_join(numbers), most=MAX_FILES) for code, numbers in rows.items() if numbers
    ]
    parts += [_WORDS.render("sheets", language, name=name) for name in sheets]
    return _WORDS.render("left_out", language, rows=join_names(parts, language)) if parts else ""


def _join(rows: Sequence[int]) -> str:
    """`3, 7–9`: numbers of rows, neighbours together."""
    return ", ".join(f"{first}–{last}" if last > first else str(first) for first, last in _group(sorted(rows)))


def _group(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    start = before = rows[0]
    for row in rows[1:]:
        if row > before + 1:
            yield start, before
            start = row
        before = row
    yield start, before


def _list_columns(table: DataTable) -> set[str]:
    return {table.header(column) for column in table.columns}


def _list_rows(table: DataTable) -> tuple[int, ...]:
    return (table.header_row, *table.body, *table.totals)


def _read_row(table: DataTable, row: int) -> TemplateRow:
    cells = {table.header(column): table.cell(row, column) for column in reversed(table.columns)}
    present = {name: cell for name, cell in cells.items() if cell is not None}
    unknown = frozenset(name for name, cell in present.items() if cell.formula and cell.value is None)
    errors = frozenset(name for name, cell in present.items() if show_value(cell) in _ERRORS)
    values = {name: "" if cell is None or name in errors else show_value(cell) for name, cell in cells.items()}
    hidden = bool(present) and all(cell.hidden for cell in present.values())
    return TemplateRow(row, values, unknown, errors, hidden)


def show_value(cell: SheetCell) -> str:
    """The text that a cell shows; a number that it would shorten to powers of ten in full."""
    value = cell.value
    if value is None:
        return ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if cell.shown and not (is_number and _SHORTENED.search(cell.shown)):
        shown = cell.shown.strip() if is_number else cell.shown
        return _restore_decimals(shown, value) if isinstance(value, float) else shown
    return f"{Decimal(f'{value:.15g}'):f}" if is_number else str(value)


def _restore_decimals(shown: str, value: float) -> str:
    """The decimals of an amount that only the width of ten figures cut off: `123456789.12` and not `123456789.1`."""
    whole = f"{Decimal(f'{value:.15g}'):f}"
    is_cut = _TEN_FIGURES.fullmatch(shown) and len(re.sub(r"\D", "", shown)) == _SHOWN_FIGURES
    return whole if is_cut and len(whole.partition(".")[2]) <= _AMOUNT_DECIMALS else shown
