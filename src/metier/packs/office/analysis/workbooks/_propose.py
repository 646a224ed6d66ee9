"""Findings, figures and charts of a workbook as answers and plans."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.packs.office._column_letters import column_letters
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, SheetCells
from metier.packs.office.analysis._wording import bilingual
from metier.packs.office.analysis.workbooks._audit import audit_sheet
from metier.packs.office.analysis.workbooks._table import DataTable, read_number, read_tables
from metier.packs.office.analysis.workbooks._totals import list_unread_totals

__all__ = ["propose_analysis", "propose_audit", "propose_charts"]

_MAX_CHARTS: Final = 3
_MAX_CELLS_NAMED: Final = 8
_MAX_PIE_SLICES: Final = 6
_LINE, _PIE, _COLUMN = 4, 5, 51
_RULES: Final = (
    *(
        "broken_sum",
        "constant_in_total",
        "double_counted",
        "wrong_column",
        "constant_total",
        "number_as_text",
        "numbers_as_text",
        "constant_among_formulas",
        "inconsistent_formula",
    ),
    *("duplicate_row", "duplicate_key", "outlier", "unit_slip", "hidden_row", "hidden_column", "hidden_sheet"),
    *(
        "formula_error",
        "external_link",
        "typed_in_row",
        "negative_stock",
        "mixed_unit",
        "date_as_text",
        "wrong_product",
    ),
)
_WORDS: Final = Sentences(
    {
        "audit": (
            "Checked {sheets} sheets of “{name}” for {rules}: {count} findings.",
            "核查“{name}”的 {sheets} 个工作表，检查项：{rules}；发现 {count} 处问题。",
        ),
        "audit_limit": (
            " Only these were checked; formulas were compared, not recomputed.",
            "仅检查了以上各项；公式只作比对，没有重新计算。",
        ),
        "audit_unread": (
            " Not compared with their rows, because the formula is more than a sum: {cells}.",
            "以下合计的公式不只是求和，没有与各行比对：{cells}。",
        ),
        "audit_sheet": ("Audit findings", "核查结果"),
        "analysis_sheet": ("Column figures", "数据分析"),
        "cell": ("Cell", "单元格"),
        "kind": ("Kind", "类别"),
        "found": ("Finding", "问题"),
        "value": ("Content", "内容"),
        "column": ("Column", "列"),
        "count": ("Count", "个数"),
        "sum": ("Sum", "合计"),
        "mean": ("Mean", "平均"),
        "median": ("Median", "中位数"),
        "min": ("Minimum", "最小"),
        "max": ("Maximum", "最大"),
        "analysis": (
            "Figures of “{name}”: {columns} number columns in {rows} rows. They are written as live formulas on the "
            "sheet “{sheet}”.",
            "“{name}”的数据分析：{rows} 行，{columns} 个数值列。以实时公式写到工作表“{sheet}”。",
        ),
        "no_numbers": ("“{name}” has no table with number columns.", "“{name}”里没有带数值列的表格。"),
        "chart": ("{title} by {category}", "按{category}的{title}"),
        "charts": ("Charts", "图表"),
        "charted": (
            "Proposed {count} native charts for “{name}”: {titles}.",
            "为“{name}”建议 {count} 张原生图表：{titles}。",
        ),
        "left_out": (
            " {count} numbers are stored as text and were left out of the figures: {cells}. An audit lists them; make "
            "them numbers first.",
            "有 {count} 个数字以文本保存，没有计入以上数值：{cells}。可先“核查表格”列出它们，改成数字后再分析。",
        ),
        "left_out_chart": (
            " {count} numbers are stored as text, and a chart does not draw them: {cells}. Make them numbers first.",
            "有 {count} 个数字以文本保存，图上不会画出：{cells}。请先改成数字。",
        ),
        "only_texts": (
            "“{name}” has no column of numbers, but {count} numbers stored as text ({cells}), which no sum counts. "
            "Nothing was prepared: make them numbers first.",
            "“{name}”里没有数值列，但有 {count} 个以文本保存的数字（{cells}），求和不会计入。请先改成数字。",
        ),
        "not_beside": (
            "A chart reads a text column and the number column right beside it; “{column}” is not beside “{category}”. "
            "Nothing was prepared: move the column, or name another.",
            "图表只能读一个文字列和紧挨着它的数值列，“{column}”不在“{category}”旁边。没有准备改动：请先移动这一列，或换一列。",
        ),
        "repeats": (
            "“{category}” has the same entry in several rows, and a chart here reads rows as they are. Nothing was "
            "prepared: first sum up by {category}, then chart the sums.",
            "“{category}”里同一项有多行，这里的图按行读取，不会先汇总。没有准备改动：请先按{category}汇总，再用汇总表画图。",
        ),
        "no_pie": (
            "A pie shows up to {most} shares, none of them negative; “{column}” does not fit. Nothing was prepared: "
            "columns would do.",
            "饼图最多 {most} 份，而且不能有负数，“{column}”不适合。没有准备改动：可以改用柱形图。",
        ),
        "type": ("Type", "类型"),
        "range": ("Range", "数据区域"),
        "chart_4": ("line", "折线图"),
        "chart_5": ("pie", "饼图"),
        "chart_51": ("columns", "柱形图"),
        "broken_sum": ("broken sum", "合计范围错误"),
        "constant_in_total": ("typed number in a total", "合计中的手写数"),
        "double_counted": ("counted twice", "重复计入合计"),
        "wrong_column": ("total of another column", "合计加错列"),
        "constant_total": ("typed total", "手填合计"),
        "number_as_text": ("number as text", "文本型数字"),
        "numbers_as_text": ("column of numbers as text", "文本型数字列"),
        "constant_among_formulas": ("constant among formulas", "公式列中的固定值"),
        "inconsistent_formula": ("inconsistent formula", "公式不一致"),
        "duplicate_row": ("duplicate row", "重复行"),
        "duplicate_key": ("duplicate key", "编号重复"),
        "outlier": ("outlier", "异常值"),
        "unit_slip": ("value of another unit", "疑似单位不同的数"),
        "negative_stock": ("negative stock", "负库存"),
        "mixed_unit": ("mixed units", "单位混用"),
        "date_as_text": ("date as text", "文本型日期"),
        "wrong_product": ("quantity times price", "数量乘单价不符"),
        "typed_in_row": ("typed among the formulas of a row", "公式行中的手填数"),
        "hidden_column": ("hidden column", "隐藏列"),
        "external_link": ("link to another workbook", "外部工作簿链接"),
        "hidden_row": ("hidden row", "隐藏行"),
        "hidden_sheet": ("hidden sheet", "隐藏工作表"),
        "formula_error": ("formula error", "公式错误"),
    }
)
_KINDS: Final = (
    (re.compile(r"饼|\bpies?\b", re.IGNORECASE), _PIE),
    (re.compile(r"折线|曲线|走势图|\bline\b", re.IGNORECASE), _LINE),
    (re.compile(r"柱|条形|\b(?:bars?|columns? charts?)\b", re.IGNORECASE), _COLUMN),
)
_BY_GROUP: Final = re.compile(r"按|每个|各个?|分(?:部门|类|组)|占比|\b(?:by|per|each|share)\b", re.IGNORECASE)
_TIME_HEADERS: Final = ("月", "日期", "时间", "年", "季", "周", "date", "month", "year", "quarter", "week", "day")


def propose_audit(reading: Reading, *, task: str, language: Language) -> Proposal:
    """Findings of all sheets, on a sheet of their own with links to the cells."""
    sheets = [sheet for sheet in reading.sheets if not _is_own_sheet(sheet)]
    findings = [finding for sheet in sheets for finding in audit_sheet(sheet, sheets)]
    summary = _WORDS.render(
        "audit",
        language,
        name=reading.name,
        sheets=len(sheets),
        rules=join_names((_WORDS.render(rule, language) for rule in _RULES), language),
        count=len(findings),
    ) + _WORDS.render("audit_limit", language)
    unread = [cell for sheet in sheets for table in read_tables(sheet) for cell in list_unread_totals(table)]
    if unread:
        named = [*unread[:_MAX_CELLS_NAMED], *(["…"] if len(unread) > _MAX_CELLS_NAMED else [])]
        summary += _WORDS.render("audit_unread", language, cells=join_names(named, language))
    columns = [_WORDS.render(code, language) for code in ("cell", "kind", "found", "value")]
    rows = [
        [finding.address, _WORDS.render(finding.rule, language), finding.message.text(language), finding.line]
        for finding in findings
    ]
    title = _WORDS.render("audit_sheet", language)
    return Proposal(
        task,
        "et",
        summary,
        (_audit_block(findings, columns, rows, title, language),) if findings else (),
        (table_json(title, columns, rows),) if findings else (),
        tuple(finding.to_json(language) for finding in findings),
    )


def _is_own_sheet(sheet: SheetCells) -> bool:
    """Whether the sheet holds the findings of an earlier audit."""
    own = bilingual(_WORDS, "audit_sheet")
    heads = bilingual(_WORDS, "cell")
    first = next((cell.value for cell in sheet.cells if cell.address.rpartition("!")[2] == "A1"), None)
    return sheet.name in (own.zh, own.en) and first in (heads.zh, heads.en)


def _audit_block(
    findings: Sequence[DocumentFinding], columns: list[str], rows: list[list[str]], title: str, language: Language
) -> JsonObject:
    actions = PlanActions(language)
    # A text that begins like a formula stays a text.
    safe = [[text.lstrip("=") if number == 3 else text for number, text in enumerate(row)] for row in rows]
    inside = [
        actions.operation("ensure_sheet", title, sheet_name=title, activate=False, clear_existing=True),
        actions.operation("set_selection", title, sheet_name=title, cell="A1"),
        actions.table(title, columns, safe),
    ]
    for number, finding in enumerate(findings[:99], 2):
        cell = finding.values.get("cell") or "A1"
        sheet = finding.values["sheet"].replace("'", "''")
        link = f'=HYPERLINK("#\'{sheet}\'!{cell}","{sheet}!{cell}")'
        inside.append(actions.operation("set_cell_formula", finding.address, cell=f"'{title}'!A{number}", formula=link))
    return actions.block("audit-findings", title, inside)


@dataclass(frozen=True, slots=True)
class _NumberColumn:
    table: DataTable
    column: int
    values: tuple[float, ...]

    @property
    def range(self) -> str:
        letter, body = column_letters(self.column), self.table.body
        return f"'{self.table.sheet}'!{letter}{body[0]}:{letter}{body[-1]}"


def _number_columns(table: DataTable) -> Iterator[_NumberColumn]:
    for column in table.columns:
        cells = [cell for row in table.body if (cell := table.cell(row, column)) is not None]
        known = [
            number for cell in cells if not isinstance(cell.value, str) and (number := read_number(cell)) is not None
        ]
        formulas = sum(1 for cell in cells if cell.formula)
        if cells and (len(known) + formulas) >= 0.6 * len(table.body) and (known or formulas):
            yield _NumberColumn(table, column, tuple(known))


def _list_texts(reading: Reading) -> list[str]:
    """Cells of number columns that hold a number as text: the same that the audit names."""
    return [
        finding.address
        for sheet in reading.sheets
        if not _is_own_sheet(sheet)
        for finding in audit_sheet(sheet)
        if finding.rule == "number_as_text"
    ]


def _say_left_out(code: str, cells: list[str], language: Language, **values: str) -> str:
    if not cells:
        return ""
    named = [*cells[:_MAX_CELLS_NAMED], *(["…"] if len(cells) > _MAX_CELLS_NAMED else [])]
    return _WORDS.render(code, language, count=len(cells), cells=join_names(named, language), **values)


def _say_no_numbers(reading: Reading, language: Language) -> str:
    told = _say_left_out("only_texts", _list_texts(reading), language, name=reading.name)
    return told or _WORDS.render("no_numbers", language, name=reading.name)


def propose_analysis(reading: Reading, *, language: Language) -> Proposal:
    """Count, sum, mean, median and range of every number column, as live formulas."""
    found = [column for sheet in reading.sheets for table in read_tables(sheet) for column in _number_columns(table)]
    if not found:
        return Proposal("et-analyzer", "et", _say_no_numbers(reading, language))
    codes = ("count", "sum", "mean", "median", "min", "max")
    columns = [_WORDS.render(code, language) for code in ("column", *codes)]
    rows: list[list[str]] = []
    for one in found:
        values = one.values
        figures = (
            (len(values), sum(values), sum(values) / len(values), median(values), min(values), max(values))
            if values
            else ()
        )
        name = f"{one.table.sheet}!{one.table.header(one.column)}"
        rows.append([name, *(f"{figure:.6g}" for figure in figures), *("" for _ in range(6 - len(figures)))])
    title = _WORDS.render("analysis_sheet", language)
    actions = PlanActions(language)
    inside = [
        actions.operation("ensure_sheet", title, sheet_name=title, activate=False, clear_existing=True),
        actions.operation("set_selection", title, sheet_name=title, cell="A1"),
        actions.table(title, columns, [[row[0], *("" for _ in codes)] for row in rows]),
    ]
    for number, one in enumerate(found, 2):
        for place, function in enumerate(("COUNT", "SUM", "AVERAGE", "MEDIAN", "MIN", "MAX"), 2):
            cell = f"'{title}'!{column_letters(place)}{number}"
            inside.append(actions.operation("set_cell_formula", cell, cell=cell, formula=f"={function}({one.range})"))
    total = sum(len(table.body) for sheet in reading.sheets for table in read_tables(sheet))
    summary = _WORDS.render("analysis", language, name=reading.name, columns=len(found), rows=total, sheet=title)
    summary += _say_left_out("left_out", _list_texts(reading), language)
    block = actions.block("column-figures", title, inside)
    return Proposal("et-analyzer", "et", summary, (block,), (table_json(title, columns, rows),))


def propose_charts(reading: Reading, *, message: str = "", language: Language) -> Proposal:
    """Charts that fit the tables: a line over time, a pie for few shares, else columns.

    A column that the message names and that no chart can read is asked about; another one is not taken in its place.
    """
    actions = PlanActions(language)
    inside: list[JsonObject] = []
    rows: list[list[str]] = []
    tables = [table for sheet in reading.sheets for table in read_tables(sheet)]
    for table in tables:
        pair = _choose_columns(table)
        if pair is None or len(inside) >= _MAX_CHARTS:
            continue
        category, chosen = pair
        if (other := _find_other_column(table, chosen, message)) is not None:
            asked = _WORDS.render("not_beside", language, column=other, category=table.header(category))
            return Proposal("et-visualizer", "et", asked)
        asked_kind = next((kind for pattern, kind in _KINDS if pattern.search(message)), None)
        if (code := _find_misfit(table, category, chosen, message, asked_kind)) is not None:
            named = {"category": table.header(category), "column": table.header(chosen.column), "most": _MAX_PIE_SLICES}
            return Proposal("et-visualizer", "et", _WORDS.render(code, language, **named))
        kind = asked_kind or _choose_type(table, category, chosen)
        title = _WORDS.render("chart", language, title=table.header(chosen.column), category=table.header(category))
        area = f"{column_letters(category)}{table.header_row}:{column_letters(chosen.column)}{table.body[-1]}"
        chart = actions.operation(
            "insert_chart_from_selection",
            title,
            sheet_name=table.sheet,
            source_range=area,
            chart_type=kind,
            has_legend=kind == _PIE,
        )
        inside.append({**chart, "title": title})
        rows.append([title, _WORDS.render(f"chart_{kind}", language), f"{table.sheet}!{area}"])
    if not inside:
        return Proposal("et-visualizer", "et", _say_no_numbers(reading, language))
    columns = [_WORDS.render(code, language) for code in ("charts", "type", "range")]
    names = join_names((row[0] for row in rows), language)
    summary = _WORDS.render("charted", language, name=reading.name, count=len(inside), titles=names)
    summary += _say_left_out("left_out_chart", _list_texts(reading), language)
    block = actions.block("charts", _WORDS.render("charts", language), inside)
    return Proposal("et-visualizer", "et", summary, (block,), (table_json(columns[0], columns, rows),))


def _choose_columns(table: DataTable) -> tuple[int, _NumberColumn] | None:
    """A text column and the number columns right beside it: a chart reads one range without gaps."""
    numbers = {one.column: one for one in _number_columns(table)}
    for column in table.columns:
        if _is_category(table, column) and column + 1 in numbers:
            return column, numbers[column + 1]
    return None


def _find_other_column(table: DataTable, chosen: _NumberColumn, message: str) -> str | None:
    """Number column that the message names in place of the chosen one."""
    named = [one.column for one in _number_columns(table) if table.header(one.column).strip() in message]
    return table.header(named[0]) if named and chosen.column not in named else None


def _find_misfit(
    table: DataTable, category: int, chosen: _NumberColumn, message: str, asked_kind: int | None
) -> str | None:
    """Why the chart that the message asks for cannot be drawn of the rows as they are; None if it can."""
    cells = [table.cell(row, category) for row in table.body]
    texts = [str(one.value) for one in cells if one is not None]
    if len(set(texts)) < len(texts) and _BY_GROUP.search(message):
        return "repeats"
    if asked_kind == _PIE and (len(table.body) > _MAX_PIE_SLICES or min(chosen.values, default=0) < 0):
        return "no_pie"
    return None


def _is_category(table: DataTable, column: int) -> bool:
    cells = [cell for row in table.body if (cell := table.cell(row, column)) is not None]
    texts = sum(1 for cell in cells if isinstance(cell.value, str) and not cell.formula and read_number(cell) is None)
    return bool(cells) and texts >= 0.6 * len(cells)


def _choose_type(table: DataTable, category: int, chosen: _NumberColumn) -> int:
    header = table.header(category).lower()
    if any(word in header for word in _TIME_HEADERS):
        return _LINE
    shares = 1 < len(table.body) <= _MAX_PIE_SLICES and bool(chosen.values) and min(chosen.values) >= 0
    return (
        _PIE
        if shares and any(word in table.header(chosen.column) for word in ("占比", "比例", "份额", "share"))
        else _COLUMN
    )
