"""Findings of a sheet: broken sums, duplicates, numbers as text, constants among formulas, hidden rows, outliers."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from metier.language import Sentences
from metier.packs.office._column_letters import column_index, column_letters
from metier.packs.office.analysis._model import DocumentFinding, Severity, SheetCell, SheetCells
from metier.packs.office.analysis._wording import bilingual
from metier.packs.office.analysis.workbooks._entries import find_entry_faults
from metier.packs.office.analysis.workbooks._faults import SheetFault, short_address, show_number
from metier.packs.office.analysis.workbooks._labels import is_added_column, is_netted, is_statistic_label
from metier.packs.office.analysis.workbooks._outliers import find_outliers
from metier.packs.office.analysis.workbooks._ranges import find_short_ranges
from metier.packs.office.analysis.workbooks._repeats import find_repeats
from metier.packs.office.analysis.workbooks._rows import find_typed_in_rows
from metier.packs.office.analysis.workbooks._table import (
    DataTable,
    read_number,
    read_tables,
    relative_formula,
    row_text,
    show_value,
)
from metier.packs.office.analysis.workbooks._totals import find_total_faults, list_summed_rows

__all__ = ["audit_sheet"]

_CODE_HEADER: Final = re.compile(
    r"电话|手机|身份证|邮编|卡号|账号|银行|号$|编号|编码|代码|科目|批次|房间|楼层|年份|月份|年度|期间|版本"
    r"|phone|mobile|zip|post(?:al)? ?code|\bid\b|code|sku|account|\bacct|\bref|year|period|version|\bno\.?$",
    re.IGNORECASE,
)
_ROW_ABOVE: Final = re.compile(r"R\[-\d+\]C\[")
_OTHER_BOOK: Final = re.compile(r"\[(?:\d+|[^\[\]]+\.xl\w+)\]")
_BY_ZERO: Final = re.compile(r"/\s*0(?![\d.])")
_SHARE_ROUNDING: Final = 0.001
_MIN_MAJORITY: Final = 0.6
_MIN_FORMULAS: Final = 2
_MIN_CODE: Final = 3
_MIN_LIST: Final = 10
_MIN_PATTERN: Final = 3
_MAX_STRANGE: Final = 0.2
_SEVERITIES: Final = frozenset(
    {
        *("broken_sum", "constant_in_total", "double_counted", "wrong_column"),
        *("formula_error", "constant_among_formulas", "inconsistent_formula", "typed_in_row", "negative_stock"),
        *("wrong_product", "unit_slip", "mixed_unit"),
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
        "numbers_as_text": (
            "{count} numbers in {value} are stored as text; sums leave them out.",
            "{value} 中有 {count} 个以文本保存的数字，求和时不会计入。",
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
        "unit_slip": (
            "{cell} {value} is less than a hundredth of the others (median {middle}): perhaps another unit.",
            "{cell} 的 {value} 不到本列其他值的百分之一（中位数 {middle}），单位可能不同。",
        ),
        "negative_stock": ("{cell}: the stock is negative ({value}).", "{cell} 的结存为负数（{value}）。"),
        "mixed_unit": (
            "{cell} is in “{value}”, the other rows in “{common}”; what is added up is not of one unit.",
            "{cell} 的单位是“{value}”，其他行是“{common}”，直接相加口径不一致。",
        ),
        "date_as_text": (
            "{cell} “{value}” is a date stored as text; filters and formulas do not read it as a date.",
            "{cell} “{value}”是以文本保存的日期，筛选和公式不会按日期处理。",
        ),
        "wrong_product": (
            "{cell} is {value}; quantity times unit price makes {made}.",
            "{cell} 是 {value}，而数量乘单价为 {made}。",
        ),
        "typed_in_row": (
            "{cell} is the constant {value}; the other cells of the row are formulas.",
            "{cell} 是手填的 {value}，而同一行的其他格都是公式。",
        ),
        "hidden_column": (
            "Column {column} (“{header}”) is hidden and still counts.",
            "第 {column} 列（“{header}”）被隐藏，但仍参与计算。",
        ),
        "external_link": (
            "{cell} takes its value from another workbook: {value}.",
            "{cell} 的值取自别的工作簿：{value}。",
        ),
        "hidden_row": ("Row {row} is hidden and still counts.", "第 {row} 行被隐藏，但仍参与计算。"),
        "hidden_sheet": ("The sheet “{value}” is hidden.", "工作表“{value}”被隐藏。"),
        "formula_error": ("{cell} gives an error: {value}.", "{cell} 的公式出错：{value}。"),
    }
)


def audit_sheet(sheet: SheetCells, sheets: Sequence[SheetCells] = ()) -> tuple[DocumentFinding, ...]:
    """All findings of one sheet, by row and column; ranges on the other sheets of its workbook are looked at too."""
    found: list[DocumentFinding] = []
    if sheet.hidden:
        found.append(_build_finding("hidden_sheet", sheet.name, "", value=sheet.name))
    found += _find_errors(sheet)
    for table in read_tables(sheet):
        for check in (_check_totals, _check_columns, _check_hidden):
            found += check(table)
        found += [_to_finding(fault, sheet.name) for find in (find_repeats, find_entry_faults) for fault in find(table)]
    others = [*find_short_ranges(sheet, sheets), *find_typed_in_rows(sheet)]
    found = [one for one in found if one.rule != "unit_slip" or not _is_told(one, found)]
    told = {one.values.get("cell") for one in found}
    found += [_to_finding(fault, sheet.name) for fault in others if fault.cell not in told]
    return tuple(sorted(found, key=_place))


def _to_finding(fault: SheetFault, sheet: str) -> DocumentFinding:
    return _build_finding(fault.rule, sheet, fault.cell, fault.line, **fault.values)


def _is_told(finding: DocumentFinding, found: Sequence[DocumentFinding]) -> bool:
    """Whether the row of a value says itself that it is in another unit."""
    rows = {_place(one)[0] for one in found if one.rule == "mixed_unit"}
    return _place(finding)[0] in rows


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


def _find_errors(sheet: SheetCells) -> Iterator[DocumentFinding]:
    for cell in sheet.cells:
        name = cell.address.rpartition("!")[2]
        value = cell.value if isinstance(cell.value, str) else ""
        if cell.formula and (_BY_ZERO.search(cell.formula) or "#REF!" in cell.formula):
            yield _build_finding("formula_error", sheet.name, name, cell.formula, value=f"={cell.formula.lstrip('=')}")
        elif value.startswith("#") and re.match(r"^#(?:DIV/0!|REF!|NAME\?|VALUE!|N/A|NUM!|NULL!)", value):
            yield _build_finding("formula_error", sheet.name, name, cell.formula or value, value=value)
        if cell.formula and _OTHER_BOOK.search(cell.formula):
            formula = f"={cell.formula.lstrip('=')}"
            yield _build_finding("external_link", sheet.name, name, cell.formula, value=formula)


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
            value=show_number(value),
            expected=show_number(sum(known)),
        )


def _check_columns(table: DataTable) -> Iterator[DocumentFinding]:
    for column in table.columns:
        rows = [(row, cell) for row in table.body if (cell := table.cell(row, column)) is not None]
        forms = Counter(relative_formula(cell.formula, row, column) for row, cell in rows if cell.formula)
        count = forms.most_common(1)[0][1] if forms else 0
        written = forms.total()
        is_formula_column = bool(rows) and written / len(rows) >= _MIN_MAJORITY
        if count >= _MIN_FORMULAS and is_formula_column and count / written >= _MIN_MAJORITY:
            yield from _check_formulas(table, column, rows, forms)
        if not _CODE_HEADER.search(table.header(column)):
            yield from _check_texts(table, rows)
            for fault in find_outliers([cell for _, cell in rows]):
                yield _to_finding(fault, table.sheet)


def _check_formulas(
    table: DataTable, column: int, rows: list[tuple[int, SheetCell]], forms: Counter[str]
) -> Iterator[DocumentFinding]:
    common, count = forms.most_common(1)[0]
    # What returns in several rows, or differs in many, is another way to calculate and no slip.
    is_mixed = forms.total() - count > max(_MIN_FORMULAS, _MAX_STRANGE * forms.total())
    # A balance goes on from a row above, of its own column or another: its first row is where it begins.
    first = rows[0][0] if _ROW_ABOVE.search(common) else 0
    for row, cell in rows:
        if row == first:
            continue
        name = cell.address.rpartition("!")[2]
        form = relative_formula(cell.formula, row, column) if cell.formula else ""
        if form and form != common:
            if not is_mixed and forms[form] < _MIN_PATTERN and not _BY_ZERO.search(cell.formula):
                formula = f"={cell.formula.lstrip('=')}"
                yield _build_finding("inconsistent_formula", table.sheet, name, cell.formula, value=formula)
        elif not cell.formula and (value := read_number(cell)) is not None:
            yield _build_finding(
                "constant_among_formulas", table.sheet, name, show_value(cell), value=show_number(value)
            )


def _check_texts(table: DataTable, rows: list[tuple[int, SheetCell]]) -> Iterator[DocumentFinding]:
    texts = [cell for _, cell in rows if isinstance(cell.value, str) and not cell.formula]
    shown = [cell for cell in texts if read_number(cell) is not None]
    if shown and len(texts) == len(rows) and _are_codes(shown):
        return
    numbers = sum(1 for _, cell in rows if cell.formula or isinstance(cell.value, int | float))
    if len(shown) >= _MIN_LIST and len(shown) + numbers >= _MIN_MAJORITY * len(rows):
        first, last = (short_address(cell) for cell in (shown[0], shown[-1]))
        line, places = " | ".join(map(show_value, shown[:3])), f"{first}:{last}"
        yield _build_finding("numbers_as_text", table.sheet, first, line, value=places, count=len(shown))
    elif shown and len(shown) + numbers >= _MIN_MAJORITY * len(rows):
        for cell in shown:
            name = cell.address.rpartition("!")[2]
            yield _build_finding("number_as_text", table.sheet, name, show_value(cell), value=cell.value)


def _are_codes(cells: Sequence[SheetCell]) -> bool:
    """Whether the texts of a column are codes: of one length (5010, 202401), or each of them once."""
    texts = [str(cell.value).strip() for cell in cells]
    if not all(text.isdigit() for text in texts):
        return False
    is_of_one_length = len(set(map(len, texts))) == 1 and len(texts[0]) >= _MIN_CODE
    return is_of_one_length or (len(texts) >= _MIN_LIST and len(set(texts)) == len(texts))


def _check_hidden(table: DataTable) -> Iterator[DocumentFinding]:
    for row in table.body:
        cells = [cell for column in table.columns if (cell := table.cell(row, column)) is not None]
        if cells and all(cell.hidden for cell in cells):
            name = f"{column_letters(table.columns[0])}{row}"
            yield _build_finding("hidden_row", table.sheet, name, row_text(table, row), row=row)
