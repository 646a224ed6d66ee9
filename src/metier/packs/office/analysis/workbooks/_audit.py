"""Findings of a sheet: broken sums, duplicates, numbers as text, constants among formulas, hidden rows, outliers."""

import re
from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Final

from metier.language import Sentences
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import DocumentFinding, Severity, SheetCell, SheetCells
from metier.packs.office.analysis._wording import bilingual
from metier.packs.office.analysis.workbooks._labels import (
    is_added_column,
    is_document_number,
    is_netted,
    is_statistic_label,
)
from metier.packs.office.analysis.workbooks._table import (
    DataTable,
    read_number,
    read_tables,
    relative_formula,
)
from metier.packs.office.analysis.workbooks._totals import find_total_faults, list_summed_rows

__all__ = ["audit_sheet"]

_KEY_HEADER: Final = re.compile(
    r"编号|工号|单号|学号|会员号|订单号|发票号|合同号|流水号|证号|编码|代码|账号|卡号|\bid\b|\bno\.?$|number|code",
    re.IGNORECASE,
)
_CODE_HEADER: Final = re.compile(
    r"电话|手机|身份证|邮编|卡号|账号|银行|号$|编号|编码|代码|phone|zip|\bid\b|年份|year", re.IGNORECASE
)
_ROW_ABOVE: Final = "R[-1]C[0]"
_BY_ZERO: Final = re.compile(r"/\s*0(?![\d.])")
_SHARE_ROUNDING: Final = 0.001
_MIN_MAJORITY: Final = 0.6
_MIN_FORMULAS: Final = 2
_MIN_VALUES: Final = 5
_MAX_SCORE: Final = 8.0
_MIN_RATIO: Final = 5.0
_SEVERITIES: Final = frozenset(
    {
        *("broken_sum", "constant_in_total", "double_counted", "wrong_column"),
        *("formula_error", "constant_among_formulas", "inconsistent_formula"),
    }
)
_WORDS: Final = Sentences(
    {
        "broken_sum": (
            "{cell} adds up {range}, but the rows are {expected}.",
            "{cell} 的合计范围是 {range}，而数据行是 {expected}，漏算或多算。",
        ),
        "constant_in_total": (
            "The total {cell} has a typed number ({value}) in its formula, beside the rows.",
            "{cell} 的合计公式里除数据行外还有手写的数（{value}）。",
        ),
        "double_counted": (
            "The total {cell} counts {rows} twice: as rows and in their subtotal.",
            "{cell} 的合计把 {rows} 算了两次：既算明细，又算小计。",
        ),
        "wrong_column": (
            "The total {cell} of “{column}” adds up the column “{other}”.",
            "{cell} 是“{column}”的合计，加的却是“{other}”列。",
        ),
        "constant_total": (
            "{cell} is a typed total ({value}), not a formula; the rows add up to {expected}.",
            "{cell} 的合计是手填的数（{value}），不是公式；各行相加为 {expected}。",
        ),
        "number_as_text": (
            "{cell} “{value}” is a number stored as text; sums leave it out.",
            "{cell} “{value}”是以文本保存的数字，求和时不会计入。",
        ),
        "constant_among_formulas": (
            "{cell} is the constant {value}; the other rows of the column are formulas.",
            "{cell} 是固定值 {value}，而本列其他行都是公式。",
        ),
        "inconsistent_formula": (
            "{cell} “{value}” differs from the formula of the other rows.",
            "{cell} 的公式“{value}”与本列其他行不一致。",
        ),
        "duplicate_row": ("Row {row} repeats row {other}.", "第 {row} 行与第 {other} 行重复。"),
        "duplicate_key": (
            "{cell} “{value}” stands already in row {other}.",
            "{cell} “{value}”与第 {other} 行的编号重复。",
        ),
        "outlier": (
            "{cell} {value} is far from the other values of the column (median {middle}).",
            "{cell} 的 {value} 与本列其他值相差很大（中位数 {middle}）。",
        ),
        "hidden_row": ("Row {row} is hidden and still counts.", "第 {row} 行被隐藏，但仍参与计算。"),
        "hidden_sheet": ("The sheet “{value}” is hidden.", "工作表“{value}”被隐藏。"),
        "formula_error": ("{cell} gives an error: {value}.", "{cell} 的公式出错：{value}。"),
    }
)


def audit_sheet(sheet: SheetCells) -> tuple[DocumentFinding, ...]:
    """All findings of one sheet, by row and column."""
    found: list[DocumentFinding] = []
    if sheet.hidden:
        found.append(_build_finding("hidden_sheet", sheet.name, "", value=sheet.name))
    found += _find_errors(sheet)
    for table in read_tables(sheet):
        for check in (_check_totals, _check_columns, _check_duplicates, _check_hidden):
            found += check(table)
    return tuple(sorted(found, key=_place))


def _place(finding: DocumentFinding) -> tuple[int, int]:
    match = re.search(r"([A-Z]+)(\d+)$", finding.values.get("cell", ""))
    return (int(match[2]), column_index(match[1])) if match else (0, 0)


def _build_finding(rule: str, sheet: str, cell: str, line: str = "", **values: object) -> DocumentFinding:
    severity: Severity = "high" if rule in _SEVERITIES else "medium"
    texts = {name: str(value) for name, value in values.items()}
    return DocumentFinding(
        rule,
        f"{sheet}!{cell}" if cell else sheet,
        line,
        bilingual(_WORDS, rule, cell=cell, **values),
        severity,
        values={"cell": cell, "sheet": sheet, **texts},
    )


def _format_number(value: float) -> str:
    """The number to its sixth decimal, and never rounded to fewer digits than tell it from another."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e15 else f"{value:g}"


def _row_text(table: DataTable, row: int) -> str:
    cells = (table.cell(row, column) for column in table.columns)
    return " | ".join(cell.formula or _show_value(cell) for cell in cells if cell is not None)


def _show_value(cell: SheetCell) -> str:
    """The value as a person reads it: a whole number without a point."""
    is_number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
    return _format_number(float(cell.value or 0)) if is_number else str(cell.value)


def _find_errors(sheet: SheetCells) -> Iterator[DocumentFinding]:
    for cell in sheet.cells:
        name = cell.address.rpartition("!")[2]
        value = cell.value if isinstance(cell.value, str) else ""
        if cell.formula and (_BY_ZERO.search(cell.formula) or "#REF!" in cell.formula):
            yield _build_finding("formula_error", sheet.name, name, cell.formula, value=f"={cell.formula.lstrip('=')}")
        elif value.startswith("#") and re.match(r"^#(?:DIV/0!|REF!|NAME\?|VALUE!|N/A|NUM!|NULL!)", value):
            yield _build_finding("formula_error", sheet.name, name, cell.formula or value, value=value)


def _check_totals(table: DataTable) -> Iterator[DocumentFinding]:
    for total in table.totals:
        body = list_summed_rows(table, total, table.columns[-1])
        formulas = any((cell := table.cell(total, column)) and cell.formula for column in table.columns)
        for column in table.columns[1:]:
            cell = table.cell(total, column)
            if cell is None:
                continue
            if cell.formula:
                yield from _check_sum(table, cell, total, column)
            elif body and _can_compare(table, total, column, body):
                yield from _check_typed_total(table, cell, column, body, has_formulas=formulas)


def _can_compare(table: DataTable, total: int, column: int, body: tuple[int, ...]) -> bool:
    """Whether a typed total is the plain sum of its rows: no average, no price or balance, no income less expenses."""
    is_sum = not is_statistic_label(table.label(total)) and is_added_column(table.header(column))
    return is_sum and not is_netted([table.label(row) for row in body])


def _check_sum(table: DataTable, cell: SheetCell, total: int, column: int) -> Iterator[DocumentFinding]:
    name = cell.address.rpartition("!")[2]
    for fault in find_total_faults(table, total, column, cell):
        yield _build_finding(fault.rule, table.sheet, name, cell.formula, **fault.values)


def _check_typed_total(
    table: DataTable, cell: SheetCell, column: int, body: tuple[int, ...], *, has_formulas: bool
) -> Iterator[DocumentFinding]:
    value = read_number(cell)
    numbers = [read_number(table.cell(row, column)) for row in body]
    known = [number for number in numbers if number is not None]
    if value is None or len(known) < len(body):
        return
    is_wrong = abs(sum(known) - value) > 1e-6 + 1e-12 * abs(value)
    is_share = "%" in f"{cell.value}{table.header(column)}" or "占比" in table.header(column)
    if is_share and abs(sum(known) - value) < _SHARE_ROUNDING:
        return
    if has_formulas or is_wrong:
        name = cell.address.rpartition("!")[2]
        yield _build_finding(
            "constant_total",
            table.sheet,
            name,
            str(cell.value),
            value=_format_number(value),
            expected=_format_number(sum(known)),
        )


def _check_columns(table: DataTable) -> Iterator[DocumentFinding]:
    for column in table.columns:
        rows = [(row, cell) for row in table.body if (cell := table.cell(row, column)) is not None]
        forms = Counter(relative_formula(cell.formula, row, column) for row, cell in rows if cell.formula)
        common, count = forms.most_common(1)[0] if forms else ("", 0)
        written = forms.total()
        is_formula_column = bool(rows) and written / len(rows) >= _MIN_MAJORITY
        if count >= _MIN_FORMULAS and is_formula_column and count / written >= _MIN_MAJORITY:
            yield from _check_formulas(table, column, rows, common)
        if not _CODE_HEADER.search(table.header(column)):
            yield from _check_texts(table, rows)
            yield from _check_outliers(table, rows)


def _check_formulas(
    table: DataTable, column: int, rows: list[tuple[int, SheetCell]], common: str
) -> Iterator[DocumentFinding]:
    # A balance goes on from the row above: its first row is where it begins.
    first = rows[0][0] if _ROW_ABOVE in common else 0
    for row, cell in rows:
        if row == first:
            continue
        name = cell.address.rpartition("!")[2]
        if cell.formula and relative_formula(cell.formula, row, column) != common:
            if not _BY_ZERO.search(cell.formula):
                formula = f"={cell.formula.lstrip('=')}"
                yield _build_finding("inconsistent_formula", table.sheet, name, cell.formula, value=formula)
        elif not cell.formula and (value := read_number(cell)) is not None:
            yield _build_finding(
                "constant_among_formulas", table.sheet, name, _show_value(cell), value=_format_number(value)
            )


def _check_texts(table: DataTable, rows: list[tuple[int, SheetCell]]) -> Iterator[DocumentFinding]:
    texts = [cell for _, cell in rows if isinstance(cell.value, str) and not cell.formula]
    shown = [cell for cell in texts if read_number(cell) is not None]
    numbers = sum(1 for _, cell in rows if cell.formula or isinstance(cell.value, int | float))
    if shown and len(shown) + numbers >= _MIN_MAJORITY * len(rows):
        for cell in shown:
            name = cell.address.rpartition("!")[2]
            yield _build_finding("number_as_text", table.sheet, name, _show_value(cell), value=cell.value)


def _check_outliers(table: DataTable, rows: list[tuple[int, SheetCell]]) -> Iterator[DocumentFinding]:
    values = [
        (cell, float(cell.value))
        for _, cell in rows
        if isinstance(cell.value, int | float) and not isinstance(cell.value, bool) and not cell.formula
    ]
    if len(values) < _MIN_VALUES:
        return
    middle = median(value for _, value in values)
    spread = median(abs(value - middle) for _, value in values) or abs(middle) * 0.05
    for cell, value in values:
        if spread and abs(value - middle) / spread > _MAX_SCORE and abs(value) > _MIN_RATIO * abs(middle):
            name = cell.address.rpartition("!")[2]
            yield _build_finding(
                "outlier",
                table.sheet,
                name,
                str(cell.value),
                value=_format_number(value),
                middle=_format_number(middle),
            )


def _check_duplicates(table: DataTable) -> Iterator[DocumentFinding]:
    seen: dict[tuple[str, ...], int] = {}
    keys: dict[str, int] = {}
    first = table.columns[0]
    is_key = bool(_KEY_HEADER.search(table.header(first)))
    is_document = is_document_number(table.header(first))
    for row in table.body:
        content = tuple(_content(table, row, column) for column in table.columns)
        cell = table.cell(row, first)
        name = f"{column_letters(first)}{row}"
        if sum(map(bool, content)) > 1 and content in seen:
            line = _row_text(table, row)
            yield _build_finding("duplicate_row", table.sheet, name, line, row=row, other=seen[content])
        elif (
            is_key
            and cell is not None
            and str(cell.value) in keys
            and not (is_document and _numbers_of(table, row) != _numbers_of(table, keys[str(cell.value)]))
        ):
            line = _row_text(table, row)
            value, other = cell.value, keys[str(cell.value)]
            yield _build_finding("duplicate_key", table.sheet, name, line, value=value, other=other)
        seen.setdefault(content, row)
        if cell is not None:
            keys.setdefault(str(cell.value), row)


def _numbers_of(table: DataTable, row: int) -> list[float | None]:
    """Numbers of a row beside its own: two items of one document differ in them."""
    return [read_number(table.cell(row, column)) for column in table.columns[1:]]


def _content(table: DataTable, row: int, column: int) -> str:
    cell = table.cell(row, column)
    if cell is None:
        return ""
    return relative_formula(cell.formula, row, column) if cell.formula else str(cell.value).strip()


def _check_hidden(table: DataTable) -> Iterator[DocumentFinding]:
    for row in table.body:
        cells = [cell for column in table.columns if (cell := table.cell(row, column)) is not None]
        if cells and all(cell.hidden for cell in cells):
            name = f"{column_letters(table.columns[0])}{row}"
            yield _build_finding("hidden_row", table.sheet, name, _row_text(table, row), row=row)
